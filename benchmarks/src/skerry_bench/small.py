"""Small graphs, on one thread: what `auto` takes beside each of the ways it could have chosen.

Where a call takes microseconds, looking at a graph to choose costs as much as it may save. The
sizes from which the planner looks, and from which it follows links, come from this.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt, log2

import skerry
from skerry import generators
from skerry.generators import recipes
from skerry.generators.recipes import Recipe
from skerry.graph.build import csr_from_edges
from skerry_bench.record import Record
from skerry_bench.timing import repeat

__all__ = ["SIZES", "run"]

SIZES = (1000, 2500, 6000, 16_000, 40_000)
WAYS = ("window", "flood", "rounds", "rounds[follow=1]", "local")


def run(record: Record, *, sizes: tuple[int, ...] = SIZES, seconds: float = 0.06) -> None:
    """Medians of as many calls as ``seconds`` allow, five at least, after one to warm up."""
    for n in sizes:
        for family, recipe in _families(n):
            graph = csr_from_edges(generators.make(recipe))
            microseconds = {way: _measure(graph, way, seconds) for way in ("auto", *WAYS)}
            best = min(WAYS, key=microseconds.__getitem__)
            record.add(
                family=family,
                vertices=graph.num_vertices,
                entries=graph.num_entries,
                ran=skerry.connected_components(graph).plan.algorithm,
                best=best,
                ratio=microseconds["auto"] / microseconds[best],
                microseconds={way: round(value, 1) for way, value in microseconds.items()},
                size=f"{n:,}",
            )
    record.table("family", "size", "ratio")


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


def _measure(graph: skerry.Csr, way: str, seconds: float) -> float:
    """Microseconds of a call."""

    def call() -> skerry.Components:
        return skerry.connected_components(graph, algorithm=way, threads=1)

    _, once = repeat(call, 1)
    _, timing = repeat(call, max(5, int(seconds * 1e3 / once.median)))
    return timing.median * 1e3
