"""Graphs to test and measure on, the same for a seed on every machine and number of threads.

The families are described in ``kernels/generators.h``, where each is a function from the number of
an edge to its ends. Every edge comes once, in one direction; families that draw with replacement
may repeat an edge or draw a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log2, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.errors import InputError, UnsupportedError
from skerry.graph.edges import Edges, vertex_dtype
from skerry.threads import resolve_threads

__all__ = [
    "FAMILIES",
    "Family",
    "complete",
    "delaunay",
    "graph500",
    "grid",
    "mawi",
    "path",
    "planted",
    "planted_labels",
    "random_picks",
    "rmat",
    "road",
    "shuffle_ids",
    "star",
    "tiny",
    "tiny_labels",
    "torus",
    "uniform",
]

POINTS_STREAM = 100  # beyond those of kernels/generators.h


def grid(rows: int, columns: int, *, threads: int | None = None) -> Edges:
    """A grid, ids row by row."""
    _check_count(rows * columns, rows=rows, columns=columns)
    return _family("grid", [rows, columns], threads)


def torus(rows: int, columns: int, *, threads: int | None = None) -> Edges:
    """A grid whose opposite sides are joined."""
    _check_count(rows * columns, rows=rows, columns=columns)
    return _family("torus", [rows, columns], threads)


def path(n: int, *, shuffled: bool = False, seed: int = 1, threads: int | None = None) -> Edges:
    """A path, in order of its ids or in a random one."""
    _check_count(n, n=n)
    edges = _family("path", [n], threads)
    return _shuffled(edges, seed, threads) if shuffled else edges


def star(n: int, *, threads: int | None = None) -> Edges:
    """Vertex 0 joined to all others."""
    _check_count(n, n=n)
    return _family("star", [n], threads)


def complete(n: int, *, threads: int | None = None) -> Edges:
    """Every pair of ``n`` vertices."""
    _check_count(n * n, n=n)
    return _family("complete", [n], threads)


def uniform(n: int, m: int, *, seed: int = 1, threads: int | None = None) -> Edges:
    """``m`` pairs drawn from all pairs of vertices."""
    _check_count(n, n=n, m=m)
    if m and not n:
        raise InputError("there are no pairs of no vertices: n is 0")
    return _family("uniform", [n, m, _seed(seed)], threads)


def random_picks(n: int, k: int = 4, *, seed: int = 1, threads: int | None = None) -> Edges:
    """Every vertex joined to ``k`` vertices drawn at random."""
    _check_count(n * k, n=n, k=k)
    return _family("random_picks", [n, k, _seed(seed)], threads)


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
    if not 0 <= scale < 48:
        raise InputError(f"scale must be in 0..47, got {scale}")
    _check_count(edge_factor << scale, edge_factor=edge_factor)
    if min(a, b, c) < 0 or a + b + c > 1 + 1e-9:
        raise InputError(f"a, b and c must be probabilities that sum to at most 1: {a}, {b}, {c}")
    limits = [_probability("a + b + c", min(p, 1.0)) for p in (a, a + b, a + b + c)]
    edges = _family("rmat", [scale, edge_factor << scale, *limits, _seed(seed)], threads)
    return _shuffled(edges, seed, threads) if shuffled else edges


def graph500(
    scale: int, edge_factor: int = 16, *, seed: int = 1, threads: int | None = None
) -> Edges:
    """R-MAT as the Graph500 benchmark has it: (0.57, 0.19, 0.19), ids shuffled."""
    return rmat(scale, edge_factor, 0.57, 0.19, 0.19, shuffled=True, seed=seed, threads=threads)


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
    _check_count(width * width * (1 + 2 * subdivisions), width=width, subdivisions=subdivisions)
    team = resolve_threads(threads)
    parameters = (width, subdivisions, _probability("keep", keep), _seed(seed))
    kept_before = np.empty(width * width + 1, np.uint64)
    n, m = _native.count_streets(*parameters, kept_before, team)
    src, dst = _columns(n, m)
    _native.fill_road(*parameters, kept_before, src, dst, team)
    edges = Edges(src, dst, n)
    return _shuffled(edges, seed, threads) if shuffled else edges


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
    _check_count(n, n=n, hubs=hubs)
    if not 0 <= extra <= 1e6:
        raise InputError(f"extra must be a share of n, not negative, got {extra}")
    if n and not 1 <= hubs <= n:
        raise InputError(f"of {n:,} vertices, 1..{n} can be hubs, got {hubs}")
    share = _probability("hub_share", hub_share)
    return _family("mawi", [n, hubs, share, round(n * extra), _seed(seed)], threads)


def tiny(
    components: int,
    max_size: int = 7,
    *,
    shuffled: bool = True,
    seed: int = 1,
    threads: int | None = None,
) -> Edges:
    """Random trees of 1, 2, ... ``max_size``, 1, 2, ... vertices; see `tiny_labels`."""
    _check_count(components * max_size, components=components, max_size=max_size)
    if not max_size:
        raise InputError("max_size must be at least 1")
    edges = _family("tiny", [components, max_size, _seed(seed)], threads)
    return _shuffled(edges, seed, threads) if shuffled else edges


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
    _check_count(n + chords, chords=chords)
    src, dst = _columns(n, n - (len(starts) - 1) + (chords if n else 0))
    _native.fill_planted(starts, chords, _seed(seed), src, dst, resolve_threads(threads))
    edges = Edges(src, dst, n)
    return _shuffled(edges, seed, threads) if shuffled else edges


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
        _native.shuffle_ids(ids, n, _seed(seed), resolve_threads(None))
    labels = np.empty_like(ids)
    smallest = np.minimum.reduceat(ids, starts[:-1].astype(np.intp))
    labels[ids] = np.repeat(smallest, np.diff(starts).astype(np.intp))
    return labels


def delaunay(points: int, *, seed: int = 1, threads: int | None = None) -> Edges:
    """The Delaunay triangulation of random points in a square, ids in the order of drawing.

    Needs scipy.
    """
    if points < 4:
        raise InputError(f"a triangulation needs at least 4 points, got {points}")
    try:
        from scipy.spatial import Delaunay
    except ImportError as error:
        raise UnsupportedError("this family needs scipy: pip install 'skerry[scipy]'") from error
    bits = np.empty(2 * points, np.uint64)
    _native.fill_draws(bits, _seed(seed), POINTS_STREAM, resolve_threads(threads))
    places = (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53
    starts, neighbours = Delaunay(places.reshape(points, 2)).vertex_neighbor_vertices
    src = np.repeat(np.arange(points, dtype=vertex_dtype(points)), np.diff(starts))
    once = src < neighbours
    return Edges(src[once], neighbours[once].astype(src.dtype), points)


def shuffle_ids(edges: Edges, *, seed: int = 1, threads: int | None = None) -> Edges:
    """The same graph under other ids: a copy, renamed by a random bijection of its vertices."""
    copy = Edges(edges.src.copy(), edges.dst.copy(), edges.num_vertices)
    return _shuffled(copy, seed, threads)


@dataclass(frozen=True, slots=True)
class Family:
    """One of the benchmark's families: ``family(scale)`` is a graph of scale times its size."""

    summary: str
    make: Callable[[float, int, int | None], Edges]

    def __call__(self, scale: float = 1.0, *, seed: int = 1, threads: int | None = None) -> Edges:
        """The graph of this family and size."""
        """Makes the graph."""
        if not scale > 0:
            raise InputError(f"scale must be positive, got {scale}")
        return self.make(scale, seed, threads)


def _times(count: int, scale: float, least: int = 1) -> int:
    return max(least, round(count * scale))


def _levels(levels: int, scale: float) -> int:
    return max(1, levels + round(log2(scale)))


def _road(scale: float, seed: int, threads: int | None, shuffled: bool) -> Edges:
    width = _times(943, sqrt(scale))
    return road(width, shuffled=shuffled, seed=seed, threads=threads)


def _mawi(scale: float, seed: int, threads: int | None) -> Edges:
    n = _times(2**23, scale)
    return mawi(n, min(64, n), seed=seed, threads=threads)


FAMILIES: Mapping[str, Family] = {
    "grid": Family(
        "1024 x 1024 grid",
        lambda s, _, t: grid(_times(1024, sqrt(s)), _times(1024, sqrt(s)), threads=t),
    ),
    "random": Family(
        "2^22 vertices of average degree 8, pairs drawn at random",
        lambda s, seed, t: uniform(_times(2**22, s), _times(2**24, s), seed=seed, threads=t),
    ),
    "rmat": Family(
        "R-MAT (0.45, 0.15, 0.15), 2^20 vertices, 2^24 pairs",
        lambda s, seed, t: rmat(_levels(20, s), 16, seed=seed, threads=t),
    ),
    "graph500": Family(
        "R-MAT (0.57, 0.19, 0.19), 2^20 vertices, 2^24 pairs, ids shuffled",
        lambda s, seed, t: graph500(_levels(20, s), 16, seed=seed, threads=t),
    ),
    "delaunay": Family(
        "triangulation of 2^20 random points",
        lambda s, seed, t: delaunay(_times(2**20, s, 4), seed=seed, threads=t),
    ),
    "road": Family(
        "road network of 4.2 million vertices, ids along the map",
        lambda s, seed, t: _road(s, seed, t, shuffled=False),
    ),
    "road-shuffled": Family(
        "the same road network, ids shuffled",
        lambda s, seed, t: _road(s, seed, t, shuffled=True),
    ),
    "mawi": Family("internet traffic of 2^23 vertices, most of them joined to 64 hubs", _mawi),
    "path": Family(
        "path of 2^22 vertices, ids shuffled",
        lambda s, seed, t: path(_times(2**22, s), shuffled=True, seed=seed, threads=t),
    ),
    "tiny": Family(
        "2^21 trees of 1..7 vertices, ids shuffled",
        lambda s, seed, t: tiny(_times(2**21, s), 7, seed=seed, threads=t),
    ),
}
"""The ten families of the benchmark, by name."""


def _family(name: str, parameters: list[int], threads: int | None) -> Edges:
    n, m = _native.family_size(name, parameters)
    src, dst = _columns(n, m)
    _native.fill_family(name, parameters, src, dst, resolve_threads(threads))
    return Edges(src, dst, n)


def _columns(n: int, m: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    return np.empty(m, vertex_dtype(n)), np.empty(m, vertex_dtype(n))


def _shuffled(edges: Edges, seed: int, threads: int | None) -> Edges:
    for ids in (edges.src, edges.dst):
        _native.shuffle_ids(ids, edges.num_vertices, _seed(seed), resolve_threads(threads))
    return edges


def _starts(sizes: Sequence[int] | npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    counts = np.asarray(sizes, dtype=np.int64)
    if counts.ndim != 1 or (counts < 1).any():
        raise InputError("sizes must be a list of whole numbers from 1 up")
    return np.concatenate(([0], np.cumsum(counts))).astype(np.uint64)


def _seed(seed: int) -> int:
    if not 0 <= seed < 2**64:
        raise InputError(f"a seed is a whole number in 0..2**64 - 1, got {seed}")
    return seed


def _probability(name: str, value: float) -> int:
    if not 0 <= value <= 1:
        raise InputError(f"{name} must be a probability, got {value}")
    return round(value * 2**32)


def _check_count(total: int, **counts: int) -> None:
    for name, value in counts.items():
        if value < 0:
            raise InputError(f"{name} must not be negative, got {value}")
    if total >= 2**62:
        raise InputError(f"a graph of this size ({counts}) cannot be numbered")
