"""Families of `skerry.generators` by their number of entries."""

from __future__ import annotations

from math import log2, sqrt

import numpy as np

from skerry import Edges, generators
from skerry.generators import Recipe, make
from skerry_bench.corpus.shapes.pairs import Maker


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(0, 1 << 62))


def _made(recipe: Recipe) -> Edges:
    return make(recipe, 1)


def path(entries: int, rng: np.random.Generator) -> Edges:
    """A path, ids along it."""
    del rng
    return _made(generators.path.recipe(entries // 2 + 1))


def random_picks(entries: int, rng: np.random.Generator) -> Edges:
    """Every vertex joined to four drawn at random."""
    return _made(generators.random_picks.recipe(entries // 8, 4, seed=_seed(rng)))


def rmat(entries: int, rng: np.random.Generator) -> Edges:
    """R-MAT (0.45, 0.15, 0.15), 16 entries a vertex."""
    return _made(generators.rmat.recipe(round(log2(entries / 16)), 8, seed=_seed(rng)))


def graph500(entries: int, rng: np.random.Generator) -> Edges:
    """R-MAT (0.57, 0.19, 0.19), 32 entries a vertex, ids shuffled."""
    return _made(generators.graph500.recipe(round(log2(entries / 32)), 16, seed=_seed(rng)))


def attachment(entries: int, rng: np.random.Generator) -> Edges:
    """Barabasi and Albert: every vertex linked to four earlier ones, drawn by degree."""
    return _made(generators.preferential_attachment.recipe(entries // 8, 4, seed=_seed(rng)))


def web(entries: int, rng: np.random.Generator) -> Edges:
    """Every page copies half of the links of an earlier one."""
    return _made(generators.web.recipe(entries // 16, 8, seed=_seed(rng)))


def delaunay(entries: int, rng: np.random.Generator) -> Edges:
    """A triangulation of random points."""
    return _made(generators.delaunay.recipe(max(16, entries // 6), seed=_seed(rng)))


def geometric(degree: float) -> Maker:
    """Points of a square joined where they are close, of that average degree."""

    def make_points(entries: int, rng: np.random.Generator) -> Edges:
        return _made(generators.geometric.recipe(round(entries / degree), degree, seed=_seed(rng)))

    return make_points


def road(entries: int, rng: np.random.Generator) -> Edges:
    """Streets of a grid with gaps, their curves of three vertices."""
    return _made(generators.road.recipe(max(4, round(sqrt(entries / 9.9))), seed=_seed(rng)))


def mawi(entries: int, rng: np.random.Generator) -> Edges:
    """Traffic: a few hubs with nearly all of the entries."""
    return _made(generators.mawi.recipe(max(256, entries * 10 // 21), seed=_seed(rng)))


def tiny(entries: int, rng: np.random.Generator) -> Edges:
    """Random trees of 1 to 7 vertices, ids shuffled."""
    return _made(generators.tiny.recipe(entries // 6, seed=_seed(rng)))
