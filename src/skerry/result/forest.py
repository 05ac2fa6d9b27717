"""The spanning forest that was recorded while edges were joined, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.graph.unchanged import AGAIN
from skerry.result.links import ForestEdges

CHANGED_SINCE = AGAIN.format("an edge of it is not in one component")
ROW_AND_ENDS = {4: 2, 8: 3}
"""Words of 64 bits that a record takes, by the bytes of a vertex."""


class EdgeBatch(NamedTuple):
    """Some edges of the input, read again."""

    src: npt.NDArray[Any]
    """Positions of one end of each edge."""
    dst: npt.NDArray[Any]
    first: int
    """The row of the first edge of this part of the input."""
    size: int
    """Rows of this part of the input, those that are no edges of the graph included."""
    rows: npt.NDArray[Any] | None = None
    """Which of these rows the edges are, counted from 0; None: all."""
    weight: npt.NDArray[Any] | None = None
    """A number for each edge; None if no weights were read."""


ReadEdges = Callable[[], Iterator[EdgeBatch]]
"""Reads the edges of the input again, in its order."""


class _Rooted(NamedTuple):
    """The trees of a forest with a root each: an element of each array for every vertex."""

    up: npt.NDArray[Any]
    edge: npt.NDArray[Any]
    depth: npt.NDArray[Any]
    order: npt.NDArray[Any]
    """All vertices but the roots, children before their parents."""


def record_width(vertex_bytes: int, weighted: bool) -> int:
    """64-bit words for every vertex that recording its edge takes."""
    return ROW_AND_ENDS[vertex_bytes] + weighted


def recorded_edges(words: npt.NDArray[np.uint64], parent: npt.NDArray[Any]) -> ForestEdges:
    """The edges that kernels recorded, one for each vertex that is not its own parent.

    Weights are 64-bit words as the kernels got them.
    """
    n, kind = len(parent), parent.dtype
    if not n:
        none = np.empty(0, kind)
        return ForestEdges(none, none, np.empty(0, np.int64))
    hooked = np.flatnonzero(parent != np.arange(n, dtype=kind))
    kept = words.reshape(n, -1)[hooked]
    weight = kept[:, -1].copy() if kept.shape[1] > ROW_AND_ENDS[kind.itemsize] else None
    rows = kept[:, 0].astype(np.int64)
    if kind.itemsize == 8:
        return ForestEdges(kept[:, 1].copy(), kept[:, 2].copy(), rows, weight)
    ends = kept[:, 1]
    return ForestEdges((ends & 0xFFFFFFFF).astype(kind), (ends >> 32).astype(kind), rows, weight)


class RecordedForest:
    """A spanning forest of edges of the input. Threads may share it.

    ``edges`` gives them in any order, ends by their positions.
    """

    def __init__(self, edges: Callable[[], ForestEdges], num_vertices: int) -> None:
        self._make_edges = edges
        self._n = num_vertices

    def __getstate__(self) -> tuple[ForestEdges, int]:
        return self.edges, self._n

    def __setstate__(self, state: tuple[ForestEdges, int]) -> None:
        edges, n = state
        RecordedForest.__init__(self, lambda: edges, n)

    @cached_property
    def edges(self) -> ForestEdges:
        """The edges in the order of the input."""
        edges = self._make_edges()
        ordered = edges.take(np.argsort(edges.row, kind="stable"))
        for column in ordered:
            if column is not None:
                column.setflags(write=False)
        return ordered

    @cached_property
    def _rooted(self) -> _Rooted:
        edges = self.edges
        kind = edges.source.dtype
        up, edge, depth = (np.empty(self._n, kind) for _ in range(3))
        order = np.empty(len(edges.row), kind)
        count = _native.root_forest(edges.source, edges.target, up, edge, depth, order)
        if count != len(edges.row):
            raise InputError("the edges of the forest make a cycle, or are not between vertices")
        return _Rooted(up, edge, depth, order)

    def path(self, u: int, v: int) -> ForestEdges:
        """The edges from u to v, which must be in one component, each with the nearer end first."""
        up, edge, depth, _ = self._rooted
        room = int(depth[u]) + int(depth[v])
        vertices, numbers = np.empty(room + 1, up.dtype), np.empty(room, up.dtype)
        count = _native.forest_path(up, edge, depth, u, v, vertices, numbers)
        chosen = self.edges.take(numbers[:count])
        return chosen._replace(source=vertices[:count], target=vertices[1 : count + 1])

    def bridges(
        self,
        batches: Iterator[EdgeBatch],
        component_sizes: Callable[[npt.NDArray[Any]], npt.NDArray[np.int64]],
    ) -> tuple[ForestEdges, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The edges that no cycle has, and the sizes of both sides; the most even splits first.

        Every bridge is in every spanning forest. An edge of the forest is none if another edge goes
        around it: if it is on the path between the ends of that. An edge with the ends of one of
        the forest states the same link again, and goes around nothing. ``component_sizes`` gives
        the size of the component of each of some vertices.
        """
        up, edge, depth, order = self._rooted
        top = self._joined_by(_native.cover_paths, batches)
        below = np.flatnonzero((top == np.arange(self._n, dtype=top.dtype)) & (depth > 0))
        below = below[self.edges.row[edge[below]] >= 0]  # links of an earlier answer are no edges
        sizes = np.empty(self._n, up.dtype)
        _native.subtree_sizes(up, order, sizes)
        edges = self.edges.take(edge[below])
        lower = sizes[below].astype(np.int64)
        upper = component_sizes(below) - lower
        is_source = edges.source == below.astype(up.dtype)
        ranked = np.lexsort((edges.row, -np.minimum(lower, upper)))
        source_sizes, target_sizes = (
            np.where(is_source, lower, upper)[ranked],
            np.where(is_source, upper, lower)[ranked],
        )
        return edges.take(ranked), source_sizes, target_sizes

    def _joined_by(
        self, join: Callable[..., int], batches: Iterator[EdgeBatch]
    ) -> npt.NDArray[Any]:
        """What a native pass over the edges of the graph makes of 0..n-1, a number a vertex."""
        up, edge, depth, _ = self._rooted
        joined = np.arange(self._n, dtype=up.dtype)
        for batch in batches:
            fault = join(batch.src, batch.dst, up, edge, depth, joined)
            if fault != len(batch.src):
                raise InputError(CHANGED_SINCE)
        return joined

    def cuts(
        self, batches: Iterator[EdgeBatch], component_sizes: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The vertices without which a component falls apart, in their order.

        Also the number of parts of each, and the vertices outside of the largest part. A part hangs
        from a vertex by the edges of one biconnected component, which the cycles of the graph's
        edges join; what is not below the vertex is one part more. ``component_sizes`` has the size
        of the component of every vertex.
        """
        up, _, depth, order = self._rooted
        block = self._joined_by(_native.join_cycles, batches)
        while (block != block[block]).any():
            block = block[block]
        sizes = np.empty(self._n, up.dtype)
        _native.subtree_sizes(up, order, sizes)
        below = np.flatnonzero(depth > 0)
        hanging = below[up[below] == up[block[below]]]  # right below the top of their block
        weights = np.bincount(block[hanging], sizes[hanging], self._n).astype(np.int64)
        blocks = np.flatnonzero(weights)
        tops = up[blocks]
        parts = np.bincount(tops, minlength=self._n) + (depth > 0)
        rest = component_sizes - 1 - np.bincount(tops, weights[blocks], self._n).astype(np.int64)
        largest = np.where(depth > 0, rest, 0)
        np.maximum.at(largest, tops, weights[blocks])
        chosen = np.flatnonzero(parts > 1)
        return chosen, parts[chosen], (component_sizes - 1 - largest)[chosen]
