"""A `Forest` that records the edges that joined two trees: one less than the vertices at most.

An edge is recorded only if edges before it do not join its ends, whatever the batches and the
number of threads: several threads find the roots, and one joins what is left. It takes 16 bytes for
each recorded edge (24 from 2^32 vertices on), and 8 more with weights.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.errors import InputError
from skerry.graph.vertex_ids import CHANGED
from skerry.result.links import ForestEdges
from skerry.union_find.forest import Forest

__all__ = ["RecordingForest"]


class RecordingForest(Forest):
    """`Forest`, and the edges that made it. `record` joins edges; `join` would lose them."""

    __slots__ = ("_pairs", "_parts", "_weighted", "answer", "rows")

    def __init__(
        self,
        num_vertices: int = 0,
        threads: int | None = None,
        dtype: np.dtype[Any] | None = None,
    ) -> None:
        super().__init__(num_vertices, threads, dtype)
        self.rows = 0
        """Edges so far; the next one is this row."""
        self._parts: list[ForestEdges] = []
        self._pairs: list[tuple[int, int, int, Any]] = []  # that came one by one after the parts
        self._weighted: bool | None = None
        self.answer: Any = None
        """What was last made of it, and is kept until the next edge is recorded."""

    def check_weighted(self, weighted: bool) -> None:
        """Raises where some edges have weights and others have none."""
        if self._weighted is not None and self._weighted != weighted:
            raise InputError("weight: some edges have weights and others have none")

    def record(
        self,
        src: npt.NDArray[Any],
        dst: npt.NDArray[Any],
        weight: npt.NDArray[Any] | None,
        rows: npt.NDArray[np.int64] | None = None,
    ) -> int:
        """Joins edges whose ids are known to be in range; returns how many joined two trees.

        ``rows`` are theirs where they are not all that follow.
        """
        self._weighted = weight is not None
        kind = self.room.dtype
        src, dst = src.astype(kind), dst.astype(kind)  # copies: no other thread changes them
        if len(src) and max(int(src.max()), int(dst.max())) >= self.size:
            raise InputError(CHANGED)
        apart = np.flatnonzero(self.find(src) != self.find(dst))
        kept = np.full(min(len(apart), max(self.size - 1, 0)), -1)
        self.reader.close()  # the kernel's writes are not for other threads to see
        try:
            _native.keep_joining(src, dst, apart, self.parent, kept)
        finally:  # what was joined before Ctrl-C is recorded, too
            kept = kept[kept >= 0]
            self._flat, self._labels = False, None
            if self._count is not None:
                self._count -= len(kept)
            if len(kept):
                numbers = kept + self.rows if rows is None else rows[kept]
                weights = None if weight is None else weight[kept]
                self._add(ForestEdges(src[kept], dst[kept], numbers, weights))
            self.rows += len(src)
            self.reader.open(self.parent)
        return len(kept)

    def note_pair(self, u: int, v: int, weight: Any, joined: int) -> None:
        """Counts an edge that came alone, and records it if it joined two trees."""
        self._weighted = weight is not None
        if joined:
            self._pairs.append((u, v, self.rows, weight))
            self.answer = None
        self.rows += 1

    def record_merged(self, other: RecordingForest, edges: ForestEdges) -> int:
        """Joins the edges of another, by numbers here; its rows follow those here."""
        if len(edges.row):
            self.check_weighted(edges.weight is not None)
        before = self.rows
        merges = self.record(edges.source, edges.target, edges.weight, edges.row + before)
        self.rows = before + other.rows
        return merges

    def renumbered(self, numbers: npt.NDArray[Any], size: int) -> Self:
        """The same with other numbers for the vertices."""
        made = type(self)(size, self.threads, self.dtype)
        edges = self.edges()
        made.record(numbers[edges.source], numbers[edges.target], edges.weight, edges.row)
        made.rows, made._weighted = self.rows, self._weighted
        return made

    def restore(self, edges: ForestEdges, rows: int) -> None:
        """Joins and records what another of this class had, in one that is new."""
        self.record(edges.source, edges.target, edges.weight, edges.row)
        self.rows = rows
        self._weighted = None if not rows else edges.weight is not None

    def edges(self) -> ForestEdges:
        """The edges that were recorded."""
        self._collect_pairs()
        if len(self._parts) > 1:
            *columns, weights = zip(*self._parts, strict=True)
            source, target, row = map(np.concatenate, columns)
            weight = None if weights[0] is None else np.concatenate(weights)
            self._parts = [ForestEdges(source, target, row, weight)]
        if self._parts:
            return self._parts[0]
        none = np.empty(0, self.room.dtype)
        return ForestEdges(none, none, np.empty(0, np.int64))

    def _collect_pairs(self) -> None:
        """Brings edges that came one by one into arrays."""
        if self._pairs:
            sources, targets, rows, weights = zip(*self._pairs, strict=True)
            self._pairs = []
            source, target = (np.array(end, self.room.dtype) for end in (sources, targets))
            weight = None if weights[0] is None else np.array(weights)
            self._add(ForestEdges(source, target, np.array(rows, np.int64), weight))

    def _add(self, edges: ForestEdges) -> None:
        self.answer = None
        self._collect_pairs()
        self._parts.append(edges)

    @property
    def nbytes(self) -> int:
        """Bytes of the parent array, and of the recorded edges."""
        self._collect_pairs()
        columns = [column for part in self._parts for column in part if column is not None]
        return super().nbytes + sum(column.nbytes for column in columns)
