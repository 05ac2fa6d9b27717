"""The suite ``small``: small graphs on one thread, ``auto`` beside other algorithms.

Where a call takes microseconds, a sample that decides between stages costs as much as it may save.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isqrt, log2

from skerry import generators
from skerry.generators import Recipe
from skerry_bench.cases import Case, CaseOptions, recipe_case
from skerry_bench.results import Result

SIZES = (1000, 2500, 6000, 16_000, 40_000)
ALGORITHMS = ("auto", "ecl", "bfs", "rows[rest=join]")


def cases(options: CaseOptions) -> Iterator[Case]:
    """Twelve families in five sizes."""
    for size in SIZES:
        n = max(64, round(size * options.scale))
        for family, recipe in _families(n):
            yield recipe_case(f"{family} {size}", recipe)


def _families(n: int) -> Iterator[tuple[str, Recipe]]:
    side, bits, crossings = isqrt(n), int(log2(n)), max(3, isqrt(n // 5))
    yield "grid", generators.grid.recipe(side, side)
    yield "random", generators.uniform.recipe(n, 4 * n)
    yield "random, dense", generators.uniform.recipe(n, 12 * n)
    yield "random, sparse", generators.uniform.recipe(n, 6 * n // 10)
    yield "R-MAT", generators.rmat.recipe(bits, 8)
    yield "web", generators.web.recipe(n, 6)
    yield "preferential attachment", generators.preferential_attachment.recipe(n, 4)
    yield "geometric", generators.geometric.recipe(n, 8)
    yield "road", generators.road.recipe(crossings)
    yield "road, shuffled", generators.road.recipe(crossings, shuffled=True)
    yield "path, shuffled", generators.path.recipe(n, shuffled=True)
    yield "tiny components", generators.tiny.recipe(n // 4)


def tables(results: Sequence[Result]) -> str:
    """How many times as long ``auto`` takes as the fastest algorithm, by family and size."""
    medians: dict[str, dict[str, float]] = {}
    for result in results:
        medians.setdefault(result.graph, {})[result.implementation] = result.median
    ratios: dict[str, dict[int, float]] = {}
    for graph, by_name in medians.items():
        family, _, size = graph.rpartition(" ")
        others = [seconds for name, seconds in by_name.items() if name != "auto"]
        if "auto" in by_name and others:
            ratios.setdefault(family, {})[int(size)] = by_name["auto"] / min(others)
    sizes = sorted({size for by_size in ratios.values() for size in by_size})
    lines = [
        f"| auto / fastest | {' | '.join(f'{size:,}' for size in sizes)} |",
        f"|---|{'--:|' * len(sizes)}",
    ]
    for family, by_size in ratios.items():
        cells = (f"{by_size[size]:.2f}" if size in by_size else "" for size in sizes)
        lines.append(f"| {family} | {' | '.join(cells)} |")
    return "\n".join(lines)
