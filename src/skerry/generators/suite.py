"""The families of the benchmark: graphs of ten kinds, at any size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import log2, sqrt

from skerry.errors import ArgumentError
from skerry.generators import families, known_labels, models
from skerry.generators.builder import Recipe, make
from skerry.graph.edges import Edges


@dataclass(frozen=True, slots=True)
class Family:
    """A family of the benchmark: ``family(scale)`` is a graph of scale times its size.

    Immutable; threads may share it.

    Attributes
    ----------
    summary
        What its graphs are.
    sized
        From scale and seed to the recipe; `recipe` checks the scale.
    """

    summary: str
    sized: Callable[[float, int], Recipe]

    def recipe(self, scale: float = 1.0, *, seed: int = 1) -> Recipe:
        """The recipe of the graph of a size, for any device to make.

        Parameters
        ----------
        scale
            The size, as a multiple of the benchmark's.
        seed
            Decides every draw, 0..2**64 - 1.

        Returns
        -------
        Recipe
            The description of the graph.
        """
        if not scale > 0:
            raise ArgumentError(f"scale must be positive, got {scale}")
        return self.sized(scale, seed)

    def __call__(self, scale: float = 1.0, *, seed: int = 1, threads: int | None = None) -> Edges:
        """Makes the graph of a size."""
        return make(self.recipe(scale, seed=seed), threads)


def _times(count: int, scale: float, minimum: int = 1) -> int:
    return max(minimum, round(count * scale))


def _levels(levels: int, scale: float) -> int:
    return max(1, levels + round(log2(scale)))


def _side(side: int, scale: float) -> int:
    return _times(side, sqrt(scale))


FAMILIES: Mapping[str, Family] = {
    "grid": Family(
        "1024 x 1024 grid", lambda s, _: families.grid.recipe(_side(1024, s), _side(1024, s))
    ),
    "random": Family(
        "2^22 vertices of average degree 8, pairs drawn at random",
        lambda s, seed: families.uniform.recipe(_times(2**22, s), _times(2**24, s), seed=seed),
    ),
    "rmat": Family(
        "R-MAT (0.45, 0.15, 0.15), 2^20 vertices, 2^24 pairs",
        lambda s, seed: families.rmat.recipe(_levels(20, s), 16, seed=seed),
    ),
    "graph500": Family(
        "R-MAT (0.57, 0.19, 0.19), 2^20 vertices, 2^24 pairs, ids shuffled",
        lambda s, seed: families.graph500.recipe(_levels(20, s), 16, seed=seed),
    ),
    "delaunay": Family(
        "triangulation of 2^20 random points",
        lambda s, seed: families.delaunay.recipe(_times(2**20, s, 4), seed=seed),
    ),
    "road": Family(
        "road network of 4.2 million vertices, ids along the map",
        lambda s, seed: models.road.recipe(_side(943, s), seed=seed),
    ),
    "road-shuffled": Family(
        "the same road network, ids shuffled",
        lambda s, seed: models.road.recipe(_side(943, s), shuffled=True, seed=seed),
    ),
    "mawi": Family(
        "internet traffic of 2^23 vertices, most of them joined to 64 hubs",
        lambda s, seed: models.mawi.recipe(_times(2**23, s), min(64, _times(2**23, s)), seed=seed),
    ),
    "path": Family(
        "path of 2^22 vertices, ids shuffled",
        lambda s, seed: families.path.recipe(_times(2**22, s), shuffled=True, seed=seed),
    ),
    "tiny": Family(
        "2^21 trees of 1..7 vertices, ids shuffled",
        lambda s, seed: known_labels.tiny.recipe(_times(2**21, s), 7, seed=seed),
    ),
}
"""The ten families of the benchmark, by name."""
