"""The suite ``small``: small graphs on one thread, ``auto`` beside other algorithms.

Where a call takes microseconds, a sample that decides between stages costs as much as it may save.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isqrt, log2

from skerry.generators import Recipe, recipes
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
    yield "grid", recipes.grid(side, side)
    yield "random", recipes.uniform(n, 4 * n)
    yield "random, dense", recipes.uniform(n, 12 * n)
    yield "random, sparse", recipes.uniform(n, 6 * n // 10)
    yield "R-MAT", recipes.rmat(bits, 8)
    yield "web", recipes.web(n, 6)
    yield "preferential attachment", recipes.preferential_attachment(n, 4)
    yield "geometric", recipes.geometric(n, 8)
    yield "road", recipes.road(crossings)
    yield "road, shuffled", recipes.road(crossings, shuffled=True)
    yield "path, shuffled", recipes.path(n, shuffled=True)
    yield "tiny components", recipes.tiny(n // 4)


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
