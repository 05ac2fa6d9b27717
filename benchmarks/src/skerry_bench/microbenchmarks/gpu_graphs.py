"""The graphs of the suite ``gpu``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from skerry import generators
from skerry.generators import Recipe
from skerry_bench.cases import Case, CaseOptions, recipe_case


@dataclass(frozen=True, slots=True)
class GpuGraph:
    """A graph, and what kind of graph it is."""

    name: str
    recipe: Callable[[float], Recipe]
    """Takes the scale, 1 for the full size."""
    deep: bool = False
    """The diameter is in the thousands: level-synchronous algorithms take too long."""
    in_mean: bool = True
    """Whether it counts in the mean of ratios; an extreme one would determine it."""


def _side(full: int, scale: float) -> int:
    return max(4, round(full * math.sqrt(scale)))


def _count(full: int, scale: float) -> int:
    return max(64, round(full * scale))


def _bits(full: int, scale: float) -> int:
    return max(6, full + round(math.log2(scale)))


GPU_GRAPHS = {
    graph.name: graph
    for graph in (
        GpuGraph("grid1024", lambda s: generators.grid.recipe(_side(1024, s), _side(1024, s))),
        GpuGraph(
            "grid4096", lambda s: generators.grid.recipe(_side(4096, s), _side(4096, s)), deep=True
        ),
        GpuGraph("random", lambda s: generators.random_picks.recipe(_count(1 << 23, s), 4)),
        GpuGraph("rmat22", lambda s: generators.rmat.recipe(_bits(22, s), 8)),
        GpuGraph("rmat21", lambda s: generators.rmat.recipe(_bits(21, s), 48, 0.57, 0.19, 0.19)),
        GpuGraph(
            "uniform",
            lambda s: generators.uniform.recipe(_count(50_000_000, s), _count(200_000_000, s)),
        ),
        GpuGraph("road", lambda s: generators.road.recipe(_side(3000, s)), deep=True),
        GpuGraph(
            "road-shuffled",
            lambda s: generators.road.recipe(_side(3000, s), shuffled=True),
            deep=True,
        ),
        GpuGraph(
            "mawi",
            lambda s: generators.mawi.recipe(_count(100_000_000, s), 64, 0.9, 1 / 16),
            in_mean=False,
        ),
        GpuGraph(
            "path", lambda s: generators.path.recipe(_count(1 << 24, s), shuffled=True), deep=True
        ),
    )
}


def cases(options: CaseOptions) -> Iterator[Case]:
    """All of them."""
    for graph in GPU_GRAPHS.values():
        yield recipe_case(graph.name, graph.recipe(options.scale))
