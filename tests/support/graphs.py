"""The graphs that algorithms are tested on, and the forms in which they are handed over."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import scipy.sparse as sp

import skerry
from support.oracle import first_appearance, flood_labels, scipy_labels


@dataclass(frozen=True, eq=False)
class Graph:
    """A named graph with edges in whatever directions its maker chose."""

    name: str
    n: int
    src: np.ndarray
    dst: np.ndarray
    large: bool = False

    @cached_property
    def labels(self):
        """The right answer."""
        answer = scipy_labels if self.large else flood_labels
        return answer(self.n, self.src, self.dst)

    @cached_property
    def dense(self):
        """The right answer by number of component."""
        return first_appearance(self.labels)

    @cached_property
    def count(self):
        return len(np.unique(self.labels))

    @property
    def edges(self):
        return skerry.Edges(self.src, self.dst, self.n)

    @cached_property
    def csr(self):
        """A stored entry for every edge as it stands: loops and repeats stay."""
        return sp.csr_array(self._rows(self.src, self.dst), shape=(self.n, self.n))

    @cached_property
    def csc(self):
        return sp.csc_array(self._rows(self.dst, self.src), shape=(self.n, self.n))

    @cached_property
    def symmetric(self):
        """A stored entry for both directions of every edge, in no order."""
        both = np.append(self.src, self.dst), np.append(self.dst, self.src)
        return sp.csr_array(self._rows(*both), shape=(self.n, self.n))

    def _rows(self, row, column):
        indptr = np.append(0, np.cumsum(np.bincount(row, minlength=self.n))).astype(np.int64)
        indices = column[np.argsort(row, kind="stable")].astype(np.int32)
        return np.ones(len(indices), np.int8), indices, indptr

    def directed(self, low, high):
        """The same graph, each edge from ``low(u, v)`` to ``high(u, v)``."""
        ends = low(self.src, self.dst), high(self.src, self.dst)
        return Graph(self.name, self.n, *ends, self.large)


def _turned(graph, turn):
    src, dst = np.where(turn, graph.dst, graph.src), np.where(turn, graph.src, graph.dst)
    return Graph(graph.name, graph.n, src, dst, graph.large)


SIDES = {
    "lower": lambda graph: graph.directed(np.maximum, np.minimum),
    "upper": lambda graph: graph.directed(np.minimum, np.maximum),
    "mixed": lambda graph: _turned(graph, np.arange(len(graph.src)) % 2 == 0),
    "by parity": lambda graph: _turned(graph, (graph.src + graph.dst) % 2 == 0),
    "partly both": lambda graph: Graph(
        graph.name,
        graph.n,
        np.append(graph.src, graph.dst[::3]),
        np.append(graph.dst, graph.src[::3]),
        graph.large,
    ),
}
"""The same graph with its edges stored in one direction, or some of them in both."""


def graph_of(name, n, pairs, large=False):
    ends = np.asarray(pairs, np.int64).reshape(-1, 2)
    return Graph(name, n, np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1]), large)


def _path(order):
    return np.column_stack((order[:-1], order[1:]))


def _random(n, m, seed):
    return np.random.default_rng(seed).integers(0, n, (m, 2))


def _hubs(n, hubs, seed):
    rng = np.random.default_rng(seed)
    leaves = np.arange(hubs, n - n // 8)  # the last eighth stays alone
    return np.column_stack((leaves, rng.integers(0, hubs, len(leaves))))


@cache
def small_graphs():
    """The shapes that break things, each of at most a few hundred vertices."""
    shuffled = np.random.default_rng(5).permutation(200)
    half = _path(np.arange(50))
    return (
        graph_of("empty", 0, []),
        graph_of("one vertex", 1, []),
        graph_of("one vertex with a loop", 1, [(0, 0)]),
        graph_of("no edges", 9, []),
        graph_of("loops", 5, [(0, 0), (4, 4), (2, 2), (2, 2)]),
        graph_of("duplicates", 6, [(1, 3)] * 5 + [(5, 0)] * 3),
        graph_of("both directions", 6, [(1, 3), (3, 1), (3, 4), (4, 3), (0, 0)]),
        graph_of("isolated at the end", 40, [(0, 7), (7, 3), (5, 1)]),
        graph_of("isolated at the start", 40, [(39, 37), (30, 39)]),
        graph_of("star, hub first", 150, [(0, v) for v in range(1, 150)]),
        graph_of("star, hub last", 150, [(v, 149) for v in range(149)]),
        graph_of("path", 200, _path(np.arange(200))),
        graph_of("path backwards", 200, _path(np.arange(200)[::-1])),
        graph_of("shuffled path", 200, _path(shuffled)),
        graph_of("complete", 25, [(u, v) for u in range(25) for v in range(u)]),
        graph_of("joined by the last edge", 100, np.vstack((half, half + 50, [(99, 0)]))),
        graph_of("joined through the middle", 100, np.vstack((half, 99 - half, [(75, 25)]))),
        graph_of("hubs", 300, _hubs(300, 4, 3)),
        graph_of("below the threshold", 300, _random(300, 120, 11)),
        graph_of("at the threshold", 300, _random(300, 150, 12)),
        graph_of("above the threshold", 300, _random(300, 200, 13)),
        graph_of("nearly connected", 300, _random(300, 900, 14)),
        graph_of("pairs", 120, [(2 * v + 1, 2 * v) for v in range(60)]),
    )


def _grid(rows, columns):
    ids = np.arange(rows * columns).reshape(rows, columns)
    across = np.column_stack((ids[:, 1:].ravel(), ids[:, :-1].ravel()))
    return np.vstack((across, np.column_stack((ids[1:].ravel(), ids[:-1].ravel()))))


def _star(hub, leaves):
    return np.column_stack((np.full(len(leaves), hub), leaves))


def two_sides(left, right, degrees):
    """Edges of a right side, whose vertices come last; ``degrees`` of all, or of each of them."""
    vertices = np.repeat(np.arange(left, left + right), degrees)
    return np.column_stack((vertices, np.random.default_rng(9).integers(0, left, len(vertices))))


@cache
def medium_graphs():
    """More than one tile of a GPU's, rows long enough to be shared out, still quick to emulate."""
    rng = np.random.default_rng(7)
    shuffled, grid = rng.permutation(2600), _grid(41, 63)
    stretches = np.vstack([_path(part) for part in np.array_split(np.arange(3000), 70)])
    far = rng.integers(0, 3000, (40, 2))
    twice = np.vstack((_star(2999, np.arange(1400)), _star(1500, np.arange(1501, 2900))))
    return (
        graph_of("grid", 41 * 63, grid),
        graph_of("shuffled grid", 2600, shuffled[:2583][grid]),
        graph_of("shuffled path", 2600, _path(shuffled)),
        graph_of("long path", 2600, _path(np.arange(2600))),
        graph_of("stretches", 3000, stretches),
        graph_of("stretches joined afar", 3000, np.vstack((stretches, far))),
        graph_of("star, hub in the middle", 2300, _star(1100, np.arange(2300))),
        graph_of("two stars", 3000, twice),
        graph_of("hub of thousands", 4700, np.vstack((_star(4400, np.arange(4300)), far))),
        graph_of("hubs of hundreds", 2500, _hubs(2500, 6, 8)),
        graph_of("random, below the threshold", 3000, _random(3000, 1300, 17)),
        graph_of("random, above the threshold", 3000, _random(3000, 2200, 18)),
        graph_of("two sides", 1440, two_sides(1400, 40, 20)),
        graph_of("two sides, smaller", 500, two_sides(470, 30, 25)),
        graph_of("random", 1500, _random(1500, 9000, 19)),
        graph_of("complete", 1100, [(u, v) for u in range(400, 460) for v in range(400, u)]),
    )


@cache
def large_graphs():
    """Large enough that a team of threads really shares the work (see ``kGrain``)."""
    n = 70_000
    shuffled = np.random.default_rng(6).permutation(n)
    grid = np.arange(n).reshape(-1, 280)
    streets = np.vstack(
        (
            np.column_stack((grid[:, 1:].ravel(), grid[:, :-1].ravel())),
            np.column_stack((grid[1:].ravel(), grid[:-1].ravel())),
        )
    )
    blocks = np.vstack([_path(part) for part in np.array_split(shuffled, n // 50)])
    return (
        graph_of("large hubs", n, _hubs(n, 8, 4), large=True),
        graph_of("large at the threshold", n, _random(n, n // 2, 15), large=True),
        graph_of("large random", n, _random(n, 3 * n, 16), large=True),
        graph_of("large grid", n, streets, large=True),
        graph_of("large short paths, shuffled", n, blocks, large=True),
        graph_of("large shuffled path", n, _path(shuffled), large=True),
    )
