"""Graphs to test and measure on, the same for a seed on every machine and number of threads.

The families are described in ``kernels/common`` (``generators.h``, ``grown.h``), where each is a
function from the number of an edge to its ends, and in ``geometric.h``. Every edge comes once, in
one direction; families that draw with replacement may repeat an edge or draw a loop. Arguments are
checked in `skerry.generators.recipes`; `skerry.generators.table` has all of them by name, and
`skerry.generators.streams` makes graphs that are larger than memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log2, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.errors import InputError
from skerry.generators import recipes
from skerry.generators.builder import make, plan_of_sizes, starts_of_sizes
from skerry.generators.recipes import Recipe, check_count, check_seed
from skerry.graph.edges import Edges, vertex_dtype
from skerry.threads import resolve_threads

__all__ = [
    "FAMILIES",
    "Family",
    "complete",
    "delaunay",
    "geometric",
    "graph500",
    "grid",
    "make",
    "mawi",
    "path",
    "planted",
    "planted_labels",
    "preferential_attachment",
    "random_picks",
    "rmat",
    "road",
    "shuffle_ids",
    "star",
    "tiny",
    "tiny_labels",
    "torus",
    "uniform",
    "web",
]


def grid(rows: int, columns: int, *, threads: int | None = None) -> Edges:
    """A grid, ids row by row."""
    return make(recipes.grid(rows, columns), threads)


def torus(rows: int, columns: int, *, threads: int | None = None) -> Edges:
    """A grid whose opposite sides are joined."""
    return make(recipes.torus(rows, columns), threads)


def path(n: int, *, shuffled: bool = False, seed: int = 1, threads: int | None = None) -> Edges:
    """A path, in order of its ids or in a random one."""
    return make(recipes.path(n, shuffled=shuffled, seed=seed), threads)


def star(n: int, *, threads: int | None = None) -> Edges:
    """Vertex 0 joined to all others."""
    return make(recipes.star(n), threads)


def complete(n: int, *, threads: int | None = None) -> Edges:
    """Every pair of ``n`` vertices."""
    return make(recipes.complete(n), threads)


def uniform(n: int, m: int, *, seed: int = 1, threads: int | None = None) -> Edges:
    """``m`` pairs drawn from all pairs of vertices."""
    return make(recipes.uniform(n, m, seed=seed), threads)


def random_picks(n: int, k: int = 4, *, seed: int = 1, threads: int | None = None) -> Edges:
    """Every vertex joined to ``k`` vertices drawn at random; Galois' "r4" graphs have k = 4."""
    return make(recipes.random_picks(n, k, seed=seed), threads)


def rmat(
    scale: int,
    edge_factor: int = 16,
    a: float = 0.45,
    b: float = 0.15,
    c: float = 0.15,
    *,
    shuffled: bool = False,
    seed: int = 1,
    threads: int | None = None,
) -> Edges:
    """R-MAT: ``2**scale`` vertices and ``edge_factor`` times as many pairs.

    At every level the upper left, upper right and lower left quarter of the adjacency matrix are
    chosen with the probabilities a, b and c. Without ``shuffled``, small ids have large degrees.
    """
    recipe = recipes.rmat(scale, edge_factor, a, b, c, shuffled=shuffled, seed=seed)
    return make(recipe, threads)


def graph500(
    scale: int, edge_factor: int = 16, *, seed: int = 1, threads: int | None = None
) -> Edges:
    """R-MAT as the Graph500 benchmark has it: (0.57, 0.19, 0.19), ids shuffled."""
    return make(recipes.graph500(scale, edge_factor, seed=seed), threads)


def road(
    width: int,
    keep: float = 0.62,
    subdivisions: int = 3,
    *,
    shuffled: bool = False,
    seed: int = 1,
    threads: int | None = None,
) -> Edges:
    """A road network: a grid of width x width crossings with bent streets, some of them missing.

    Each street is kept with probability ``keep`` and has ``subdivisions`` vertices on it, which
    makes the average degree about 2.1. Ids follow a sweep over the map unless ``shuffled``.
    """
    return make(recipes.road(width, keep, subdivisions, shuffled=shuffled, seed=seed), threads)


def mawi(
    n: int,
    hubs: int = 64,
    hub_share: float = 17 / 24,
    extra: float = 1 / 16,
    *,
    seed: int = 1,
    threads: int | None = None,
) -> Edges:
    """Internet traffic: every vertex sends an edge, mostly to one of a few hubs.

    An edge goes to a hub with probability ``hub_share``, to the first ones most often; another
    ``extra * n`` edges join any vertices. Of the ``2 * (1 + extra) * n`` directed edges, the rows
    of the hubs hold ``hub_share * n``: with the defaults, a third.
    """
    return make(recipes.mawi(n, hubs, hub_share, extra, seed=seed), threads)


def tiny(
    components: int,
    max_size: int = 7,
    *,
    shuffled: bool = True,
    seed: int = 1,
    threads: int | None = None,
) -> Edges:
    """Random trees of 1, 2, ... ``max_size``, 1, 2, ... vertices; see `tiny_labels`."""
    return make(recipes.tiny(components, max_size, shuffled=shuffled, seed=seed), threads)


def tiny_labels(
    components: int, max_size: int = 7, *, shuffled: bool = True, seed: int = 1
) -> npt.NDArray[Any]:
    """The components of `tiny`, by their smallest members, known without looking at an edge."""
    sizes = 1 + np.arange(components) % max_size
    return planted_labels(sizes, shuffled=shuffled, seed=seed)


def planted(
    sizes: Sequence[int] | npt.NDArray[Any],
    chords: int = 0,
    *,
    shuffled: bool = True,
    seed: int = 1,
    threads: int | None = None,
) -> Edges:
    """Components of the given sizes: a random tree each, and ``chords`` more edges inside them.

    See `planted_labels` for the answer.
    """
    starts = _starts(sizes)
    n = int(starts[-1])
    check_count(n + chords, chords=chords)
    shuffle = check_seed(seed) if shuffled else None
    return plan_of_sizes(starts, chords, check_seed(seed), shuffle).whole(resolve_threads(threads))


def planted_labels(
    sizes: Sequence[int] | npt.NDArray[Any], *, shuffled: bool = True, seed: int = 1
) -> npt.NDArray[Any]:
    """The components of `planted`, by their smallest members, known without looking at an edge."""
    starts = _starts(sizes)
    n = int(starts[-1])
    ids = np.arange(n, dtype=vertex_dtype(n))
    if not n:
        return ids
    if shuffled:
        _native.shuffle_ids(ids, n, check_seed(seed), resolve_threads(None))
    labels = np.empty_like(ids)
    smallest = np.minimum.reduceat(ids, starts[:-1].astype(np.intp))
    labels[ids] = np.repeat(smallest, np.diff(starts).astype(np.intp))
    return labels


def delaunay(points: int, *, seed: int = 1, threads: int | None = None) -> Edges:
    """The Delaunay triangulation of random points in a square, ids in the order of drawing.

    Needs scipy.
    """
    return make(recipes.delaunay(points, seed=seed), threads)


def geometric(
    n: int,
    degree: float | None = None,
    *,
    radius: float | None = None,
    shuffled: bool = False,
    seed: int = 1,
    threads: int | None = None,
) -> Edges:
    """Random points in the unit square, every two of them joined that are closer than ``radius``.

    Instead of the radius the average degree can be given, which vertices near the border fall
    short of; 8 if neither is given. Ids follow a sweep over the square unless ``shuffled``; see
    `skerry.generators.builder.geometric_points` for where the vertices lie.
    """
    return make(recipes.geometric(n, degree, radius=radius, shuffled=shuffled, seed=seed), threads)


def preferential_attachment(
    n: int, links: int = 4, *, shuffled: bool = False, seed: int = 1, threads: int | None = None
) -> Edges:
    """Barabasi and Albert's graphs: every vertex links to ``links`` earlier ones, by their degrees.

    Connected, without loops; some edges come twice. The number of vertices of degree d falls as
    d**-3.
    """
    recipe = recipes.preferential_attachment(n, links, shuffled=shuffled, seed=seed)
    return make(recipe, threads)


def web(
    n: int,
    links: int = 8,
    copied: float = 0.5,
    *,
    shuffled: bool = False,
    seed: int = 1,
    threads: int | None = None,
) -> Edges:
    """The copying model of the web: a page takes over some of an earlier page's links.

    Each of a vertex's ``links`` is, with probability ``copied``, that of an earlier vertex, the
    same for all its links; else it leads to any earlier vertex.
    Connected, without loops; some edges come twice. The number of vertices with d links to them
    falls as d**-(1 + 1 / copied).
    """
    return make(recipes.web(n, links, copied, shuffled=shuffled, seed=seed), threads)


def shuffle_ids(edges: Edges, *, seed: int = 1, threads: int | None = None) -> Edges:
    """The same graph under other ids: a copy, renamed by a random bijection of its vertices."""
    copy = Edges(edges.src.copy(), edges.dst.copy(), edges.num_vertices)
    team = resolve_threads(threads)
    for ids in (copy.src, copy.dst):
        _native.shuffle_ids(ids, edges.num_vertices, check_seed(seed), team)
    return copy


@dataclass(frozen=True, slots=True)
class Family:
    """One of the benchmark's families: ``family(scale)`` is a graph of scale times its size."""

    summary: str
    sized: Callable[[float, int], Recipe]
    """From scale and seed to the recipe; see `recipe`."""

    def recipe(self, scale: float = 1.0, *, seed: int = 1) -> Recipe:
        """The graph of this size, for any device to make."""
        if not scale > 0:
            raise InputError(f"scale must be positive, got {scale}")
        return self.sized(scale, seed)

    def __call__(self, scale: float = 1.0, *, seed: int = 1, threads: int | None = None) -> Edges:
        """Makes the graph of this size."""
        return make(self.recipe(scale, seed=seed), threads)


def _times(count: int, scale: float, least: int = 1) -> int:
    return max(least, round(count * scale))


def _levels(levels: int, scale: float) -> int:
    return max(1, levels + round(log2(scale)))


def _side(side: int, scale: float) -> int:
    return _times(side, sqrt(scale))


FAMILIES: Mapping[str, Family] = {
    "grid": Family("1024 x 1024 grid", lambda s, _: recipes.grid(_side(1024, s), _side(1024, s))),
    "random": Family(
        "2^22 vertices of average degree 8, pairs drawn at random",
        lambda s, seed: recipes.uniform(_times(2**22, s), _times(2**24, s), seed=seed),
    ),
    "rmat": Family(
        "R-MAT (0.45, 0.15, 0.15), 2^20 vertices, 2^24 pairs",
        lambda s, seed: recipes.rmat(_levels(20, s), 16, seed=seed),
    ),
    "graph500": Family(
        "R-MAT (0.57, 0.19, 0.19), 2^20 vertices, 2^24 pairs, ids shuffled",
        lambda s, seed: recipes.graph500(_levels(20, s), 16, seed=seed),
    ),
    "delaunay": Family(
        "triangulation of 2^20 random points",
        lambda s, seed: recipes.delaunay(_times(2**20, s, 4), seed=seed),
    ),
    "road": Family(
        "road network of 4.2 million vertices, ids along the map",
        lambda s, seed: recipes.road(_side(943, s), seed=seed),
    ),
    "road-shuffled": Family(
        "the same road network, ids shuffled",
        lambda s, seed: recipes.road(_side(943, s), shuffled=True, seed=seed),
    ),
    "mawi": Family(
        "internet traffic of 2^23 vertices, most of them joined to 64 hubs",
        lambda s, seed: recipes.mawi(_times(2**23, s), min(64, _times(2**23, s)), seed=seed),
    ),
    "path": Family(
        "path of 2^22 vertices, ids shuffled",
        lambda s, seed: recipes.path(_times(2**22, s), shuffled=True, seed=seed),
    ),
    "tiny": Family(
        "2^21 trees of 1..7 vertices, ids shuffled",
        lambda s, seed: recipes.tiny(_times(2**21, s), 7, seed=seed),
    ),
}
"""The ten families of the benchmark, by name."""


def _starts(sizes: Sequence[int] | npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    counts = np.asarray(sizes, dtype=np.int64)
    if counts.ndim != 1 or (counts < 1).any():
        raise InputError("sizes must be a list of whole numbers from 1 up")
    return starts_of_sizes(counts)
