"""A union-find of batches that records a spanning forest, instead of `Forest`.

The edges are gone when the answer is asked, so a record holds their ends and weights too: 16 bytes
for every vertex (24 from 2^32 vertices on), 8 more with weights.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.formats.memory import claimed, reserve
from skerry.graph.batch_columns import same_width
from skerry.graph.edges import vertex_dtype
from skerry.graph.vertex_ids import CHANGED
from skerry.result.forest import record_width, recorded_edges
from skerry.result.links import ForestEdges

SLACK = 4  # an array that must grow grows by a quarter at least
PIECE = 1 << 20  # vertices that are started at a time


class Recorder:
    """Joins edges and records those that join two trees.

    `begin` says which rows of the input the next edges are; what is joined then takes these in
    their order.
    """

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._is_weighted = False
        self._is_float = False
        self.size = 0
        self._room = np.empty(0, np.uint32)
        self._words = np.empty(0, np.uint64)
        self.edges = recorded_edges(self._words, self._room)
        """The forest, once the labels were released."""
        self.begin_loops()

    def begin_loops(self) -> None:
        """The next edges are loops, of which none is recorded."""
        self._first = 0
        self._names: npt.NDArray[np.uint64] | None = None
        self._weights: npt.NDArray[np.uint64] | None = None

    def begin(
        self, first: int, rows: npt.NDArray[Any] | None, weights: npt.NDArray[Any] | None
    ) -> None:
        """The next edges are ``first + rows``, or all from ``first`` on, with these weights.

        All edges have weights, or none has.
        """
        self._first = first
        self._names = None if rows is None else rows.astype(np.uint64) + np.uint64(first)
        self._weights = None
        if weights is not None:
            if not self._is_weighted:  # the first edges: there are no records yet
                self._is_weighted, self._words = True, np.empty(0, np.uint64)
            self._weights = self._weight_words(weights)

    def _weight_words(self, weights: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
        """Weights as 64-bit words: integers, or floats from the first batch on that has some."""
        are_integers = weights.dtype.kind in "iub" and weights.dtype != np.uint64
        if not are_integers and not self._is_float:
            self._is_float = True
            column = self._words.reshape(-1, self._width)[:, -1]
            column[:] = column.view(np.int64).astype(np.float64).view(np.uint64)
        return np.ascontiguousarray(weights, self._weight_type).view(np.uint64)

    @property
    def _weight_type(self) -> type:
        return np.float64 if self._is_float else np.int64

    @property
    def _width(self) -> int:
        return record_width(self._room.itemsize, self._is_weighted)

    @property
    def parent(self) -> npt.NDArray[Any]:
        """The parent of every vertex: a view, never kept."""
        return self._room[: self.size]

    @property
    def nbytes(self) -> int:
        """Bytes of the parent array and of the records."""
        return self._room.nbytes + self._words.nbytes

    def grow(self, num_vertices: int) -> None:
        """Makes sure that there are that many vertices; new ones are alone."""
        if num_vertices <= self.size:
            return
        if vertex_dtype(num_vertices) != self._room.dtype:
            self._widen(vertex_dtype(num_vertices))
        if num_vertices > len(self._room):
            room = max(num_vertices, len(self._room) + len(self._room) // SLACK)
            _resize(self._room, room, num_vertices)
        for begin in range(self.size, num_vertices, PIECE):  # no second array of their number
            end = min(begin + PIECE, num_vertices)
            self._room[begin:end] = np.arange(begin, end, dtype=self._room.dtype)
        self.size = num_vertices

    def _make_words(self) -> None:
        """Makes room for all records; late, when it is known whether there are weights."""
        words = len(self._room) * self._width
        if len(self._words) < words:
            with claimed(8 * words, f"the forest of {self.size:,} vertices"):
                _resize(self._words, words, self.size)

    def _widen(self, kind: np.dtype[Any]) -> None:
        """Makes vertices as wide as their number needs."""
        self._make_words()
        edges, hooked = self._edges(), np.flatnonzero(self.parent != np.arange(self.size))
        self._room = self._room.astype(kind)
        self._words = np.zeros(len(self._room) * self._width, np.uint64)
        records = self._words.reshape(-1, self._width)
        for column, values in enumerate((edges.row, edges.source, edges.target, edges.weight)):
            if values is not None:
                records[hooked, column] = values

    def join(self, src: npt.NDArray[Any], dst: npt.NDArray[Any], threads: int) -> None:
        """Joins the next edges, whose ends are vertices."""
        src, dst = same_width(src, dst)
        count = len(src)
        names = None if self._names is None else self._names[:count]
        weights = None if self._weights is None else self._weights[:count]
        if self._is_weighted and weights is None:
            weights = np.zeros(count, np.uint64)
        self._make_words()
        words = self._words[: self.size * self._width]
        report = _native.record_edges(
            src, dst, self._first, names, weights, self.parent, words, threads
        )
        if report[3]:
            raise InputError(CHANGED)
        self._first += count
        self._names = None if self._names is None else self._names[count:]
        self._weights = None if self._weights is None else self._weights[count:]

    def renumber_all(
        self, vertices: npt.NDArray[Any], numbers: npt.NDArray[Any], size: int
    ) -> None:
        """Calls ``vertices``, ascending, by other numbers below ``size``; no others are in use."""
        self._make_words()
        edges, later = self._edges(), (self._first, self._names, self._weights)
        self.size, self._room = 0, np.empty(0, np.uint32)
        self._words = np.empty(0, np.uint64)
        self.grow(size)
        self._names, self._weights = edges.row.view(np.uint64), edges.weight
        ends = [numbers[np.searchsorted(vertices, end)] for end in (edges.source, edges.target)]
        self.join(ends[0], ends[1], 1)
        self._first, self._names, self._weights = later

    def _edges(self) -> ForestEdges:
        size = self.size * self._width
        reserve(2 * 8 * size, f"the forest of {self.size:,} vertices")
        return recorded_edges(self._words[:size], self.parent)

    def release(self) -> npt.NDArray[Any]:
        """The labels; the object is left with the forest only."""
        self._make_words()
        if self.size:
            _native.finish(self.parent, _native.FINISH["ordered"], self._threads, False)
        edges = self._edges()
        if edges.weight is not None:
            edges = edges._replace(weight=edges.weight.view(self._weight_type))
        self.edges = edges
        labels, size = self._room, self.size
        self.size, self._room = 0, np.empty(0, labels.dtype)
        self._words = np.empty(0, np.uint64)
        labels.resize(size, refcheck=False)
        return labels

    def renumber(self, positions: npt.NDArray[Any]) -> None:
        """Gives the ends of the edges, after the release, other numbers."""
        ends = (self.edges.source, self.edges.target)
        source, target = (positions[end].astype(end.dtype, copy=False) for end in ends)
        self.edges = self.edges._replace(source=source, target=target)


def _resize(array: npt.NDArray[Any], length: int, num_vertices: int) -> None:
    """Makes an array longer, in place where the system can."""
    try:
        array.resize(length, refcheck=False)
    except MemoryError:
        raise MemoryError(
            f"the forest of {num_vertices:,} vertices does not fit in memory"
        ) from None
