"""A `Forest` that records the edges that joined two trees: one less than the vertices at most.

An edge is recorded only if edges before it do not join its ends, whatever the batches and the
number of threads: several threads find the roots, and one joins what is left. It takes 16 bytes for
each recorded edge (24 from 2^32 vertices on), and 8 more with weights.

Edges are joined in the parent array and recorded here: two places. So what is to be joined is noted
first. After an interruption `settle` completes it if the parent array was changed, and drops it if
not.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.graph.vertex_ids import CHANGED
from skerry.result.links import ForestEdges
from skerry.union_find.forest import Forest

Positions = npt.NDArray[np.int64]


class Batch(NamedTuple):
    """Edges that are being joined and recorded."""

    src: npt.NDArray[Any]
    dst: npt.NDArray[Any]
    weight: npt.NDArray[Any] | None
    rows: Positions | int
    """Of the edges; or of the first, where the others follow."""
    apart: Positions
    """Edges whose ends were in two trees."""
    kept: tuple[Positions, ...]
    """Those that joined two trees, -1 behind the last: an array for each attempt."""
    size: int
    rows_after: int
    version: int
    """Of the forest, before."""


class Pair(NamedTuple):
    """An edge that is being joined and recorded."""

    u: int
    v: int
    weight: Any
    size: int
    merges: int | None
    version: int
    """Both of the forest, before."""


class Log(NamedTuple):
    """All that was recorded. It is replaced, never changed."""

    parts: tuple[ForestEdges, ...] = ()
    pairs: int = 0
    """So many of `_pairs` are valid, which came one by one after the parts."""
    rows: int = 0
    weighted: bool | None = None
    pending: Batch | Pair | None = None


class RecordingForest(Forest):
    """`Forest`, and the edges that made it. `add_edges` joins them; `join` would lose them."""

    __slots__ = ("_log", "_pairs", "answer")

    def __init__(
        self,
        num_vertices: int = 0,
        threads: int | None = None,
        dtype: np.dtype[Any] | None = None,
    ) -> None:
        super().__init__(num_vertices, threads, dtype)
        self._log = Log()
        self._pairs: list[tuple[int, int, int, Any]] = []
        self.answer: tuple[int, Any] | None = None
        """What was last made of it, with the version."""

    @property
    def rows(self) -> int:
        """Edges so far; the next one is this row."""
        return self._log.rows

    def settle(self) -> None:
        """See `Forest.settle`; completes what was begun."""
        super().settle()
        pending = self._log.pending
        if pending is None:
            return
        if pending.version == self.version:
            self._log = self._log._replace(pending=None)
        elif isinstance(pending, Batch):
            self._finish_batch()
        else:
            self._finish_pair()

    def check_weighted(self, weighted: bool) -> None:
        """Raises where some edges have weights and others have none."""
        if self._log.weighted is not None and self._log.weighted != weighted:
            raise InputError("weight: some edges have weights and others have none")

    def add_edges(
        self,
        src: npt.NDArray[Any],
        dst: npt.NDArray[Any],
        weight: npt.NDArray[Any] | None,
        size: int,
        rows: Positions | None = None,
        rows_after: int | None = None,
    ) -> int:
        """Joins edges of so many vertices; returns how many joined two trees.

        ``rows`` are theirs where they are not all that follow, and ``rows_after`` is how many there
        are then.
        """
        if not len(src) and rows_after is None:
            return 0
        if len(src):
            self.check_weighted(weight is not None)
        size = max(size, self.size)
        self.reserve(size)
        kind, log = self.room.dtype, self._log
        src, dst = src.astype(kind), dst.astype(kind)  # copies: no other thread changes them
        if len(src) and max(int(src.max()), int(dst.max())) >= size:
            raise InputError(CHANGED)
        apart = np.flatnonzero(self._root_of(src) != self._root_of(dst))
        kept = np.full(min(len(apart), max(size - 1, 0)), -1)
        after = log.rows + len(src) if rows_after is None else rows_after
        first = log.rows if rows is None else rows
        batch = Batch(src, dst, weight, first, apart, (kept,), size, after, self.version)
        self._log = log._replace(pending=batch)
        self.reader.record(src, dst, apart, kept, size)
        return self._note(batch)

    def _root_of(self, ends: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The roots; those that are no vertices yet have themselves."""
        known = ends < self.size
        if known.all():
            return self.find(ends)
        roots = ends.copy()
        roots[known] = self.find(ends[known])
        return roots

    def _finish_batch(self) -> None:
        """Joins a batch again: only what is missing still joins two trees."""
        batch = self._log.pending
        assert isinstance(batch, Batch)
        kept = np.full(len(batch.kept[0]), -1)
        batch = batch._replace(kept=(*batch.kept, kept))
        self._log = self._log._replace(pending=batch)
        self.reserve(batch.size)
        self.reader.record(batch.src, batch.dst, batch.apart, kept, batch.size)
        self._note(batch)

    def _note(self, batch: Batch) -> int:
        """Records what a batch has joined, and ends it; returns how many edges."""
        kept = np.concatenate(batch.kept)
        kept = kept[kept >= 0]
        parts, weights = self._collected(), batch.weight
        if len(kept):
            rows = kept + batch.rows if isinstance(batch.rows, int) else batch.rows[kept]
            weights = None if weights is None else weights[kept]
            parts = (*parts, ForestEdges(batch.src[kept], batch.dst[kept], rows, weights))
        weighted = self._log.weighted
        if len(batch.src):
            weighted = batch.weight is not None
        self._log = Log(parts, 0, batch.rows_after, weighted)
        return len(kept)

    def add_edge(self, u: int, v: int, weight: Any, size: int) -> int:
        """Joins and records an edge between two of so many vertices: 1, or 0 if they were."""
        self.check_weighted(weight is not None)
        self.reserve(size)
        pair = Pair(u, v, weight, size, self.reader.merges, self.version)
        self._log = self._log._replace(pending=pair)
        return self._finish_pair()

    def _finish_pair(self) -> int:
        log = self._log
        assert isinstance(log.pending, Pair)
        u, v, weight, size, merges, _ = log.pending
        self.reserve(size)
        self.reader.unite(u, v, size)  # once more after an interruption, when it joins nothing
        joined = self.reader.merges != merges
        del self._pairs[log.pairs :]
        if joined:
            self._pairs.append((u, v, log.rows, weight))
        self._log = Log(log.parts, log.pairs + joined, log.rows + 1, weight is not None)
        return int(joined)

    def record_merged(self, other: RecordingForest, edges: ForestEdges, size: int) -> int:
        """Joins the edges of another, by numbers here; its rows follow those here."""
        before = self.rows
        rows = edges.row + before
        after = before + other.rows
        ends = edges.source, edges.target
        return self.add_edges(*ends, edges.weight, size, rows, after)

    def merge(self, other: Forest) -> int:
        """See `Forest.merge`; the other must record its edges too."""
        recorded = recorded_of(other)
        return self.record_merged(recorded, recorded.edges(), recorded.size)

    def renumbered(self, numbers: npt.NDArray[Any], size: int) -> Self:
        """The same with other numbers for the vertices."""
        made = type(self)(size, self.threads, self.dtype)
        edges = self.edges()
        ends = numbers[edges.source], numbers[edges.target]
        made.add_edges(*ends, edges.weight, size, edges.row, self.rows)
        made._log = made._log._replace(weighted=self._log.weighted)
        return made

    def restore(self, edges: ForestEdges, rows: int) -> None:
        """Joins and records what another of this class had, in one that is new."""
        ends = edges.source, edges.target
        self.add_edges(*ends, edges.weight, self.size, edges.row, rows)
        weighted = None if not rows else edges.weight is not None
        self._log = self._log._replace(weighted=weighted)

    def edges(self) -> ForestEdges:
        """The edges that were recorded."""
        parts = self._collected()
        if len(parts) > 1:
            *columns, weights = zip(*parts, strict=True)
            source, target, row = map(np.concatenate, columns)
            weight = None if weights[0] is None else np.concatenate(weights)
            parts = (ForestEdges(source, target, row, weight),)
        self._log = self._log._replace(parts=parts, pairs=0)
        if parts:
            return parts[0]
        none = np.empty(0, self.room.dtype)
        return ForestEdges(none, none, np.empty(0, np.int64))

    def _collected(self) -> tuple[ForestEdges, ...]:
        """All edges as arrays, those too that came one by one."""
        log = self._log
        if not log.pairs:
            return log.parts
        sources, targets, rows, weights = zip(*self._pairs[: log.pairs], strict=True)
        source, target = (np.array(end, self.room.dtype) for end in (sources, targets))
        weight = None if weights[0] is None else np.array(weights)
        pairs = ForestEdges(source, target, np.array(rows, np.int64), weight)
        return (*log.parts, pairs)

    @property
    def nbytes(self) -> int:
        """Bytes of the parent array, and of the recorded edges."""
        columns = [column for part in self._collected() for column in part if column is not None]
        return super().nbytes + sum(column.nbytes for column in columns)


def recorded_of(forest: Forest) -> RecordingForest:
    """A forest that records its edges; an error if it does not."""
    if not isinstance(forest, RecordingForest):
        raise InputError(
            "only an object with forest=True can be merged into one: the other has kept no edges"
        )
    return forest
