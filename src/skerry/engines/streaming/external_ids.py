"""Edges between external ids, of which only those that occur are vertices.

Non-negative integers that leave few gaps need no hash table: they are the numbers of a forest, with
room for the ids that never come. Which of them occurred is read off the forest at the end (they
were joined with another), so a batch costs nothing for it but a look for loops. Where the gaps turn
out too wide, and for all other ids, a `Numbering` gives each id a number, and what was joined is
carried over. Either way the answer is the same: ids ascending, labels over their ranks.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.engines.streaming.joined_sets import Sets
from skerry.engines.streaming.known_ids import KnownIds
from skerry.engines.streaming.recorder import Recorder
from skerry.errors import InputError
from skerry.formats.memory import claimed, reserve
from skerry.graph.arrow import numpy_type
from skerry.graph.batch_columns import as_integers, bytes_of, same_width
from skerry.graph.edge_source import IdColumn, length, slice_of
from skerry.ids.lookup import take
from skerry.ids.numbering import Numbering
from skerry.result.plan import PhaseTimer
from skerry.union_find.forest import Forest

DENSE_FROM = 1 << 20  # ids below this are always taken as they are: 5 MB at most
GAPS = 8  # room for so many times the ids that occurred: 40 bytes for each, as a table takes
SAMPLES = (1 << 16, 1 << 20, 1 << 22)  # edges of a batch to look at before memory is allocated
BYTES_OF_NEW = 96  # of a table, for each edge of which both ids are new
PIECE = 1 << 20  # edges that are numbered at a time: their numbers are 8 MB


class ExternalJoiner:
    """Joins ids; see the head of this file."""

    def __init__(self, threads: int, timer: PhaseTimer, recorder: Recorder | None = None) -> None:
        self.threads = threads  # for the next batch; may be changed between two batches
        self._timer = timer
        self._forest: Forest | Recorder
        self._forest = Forest(threads=threads) if recorder is None else recorder
        self._alone = np.zeros(0, np.uint8)
        """A flag for ids that may not have been joined with another."""
        self._allowed = DENSE_FROM
        self._type: Any = None
        self._known = KnownIds()
        self._numbering: Numbering | None = None

    @property
    def uses_table(self) -> bool:
        """Whether a table of ids was needed."""
        return self._numbering is not None

    def add(self, src: IdColumn, dst: IdColumn, name: str) -> None:
        """Joins the ends of some edges."""
        if not length(src):
            return
        if self._numbering is None:
            sources = as_integers(src, name)
            targets = sources if dst is src else as_integers(dst, name)
            if sources is not None and targets is not None:
                types = _type_of(src), _type_of(dst)
                if self._add_dense(sources, targets, types):
                    return
            self.use_table()
        count = length(src)
        for begin in range(0, count, PIECE):
            end = min(begin + PIECE, count)
            sources = slice_of(src, begin, end)
            targets = sources if dst is src else slice_of(dst, begin, end)  # loops are named once
            try:
                self._add_numbered(sources, targets)
            except InputError as error:
                raise InputError(f"{name}: {error}") from None

    def _add_numbered(self, src: IdColumn, dst: IdColumn) -> None:
        numbering = self._numbering
        assert numbering is not None
        # While the table grows, by a half or to the double, the old one is still there.
        room = numbering.nbytes + numbering.nbytes // 2 + BYTES_OF_NEW * length(src)
        room += bytes_of(src) + bytes_of(dst)
        with claimed(room, f"{_ids(numbering.size)} and those of the next edges"):
            with self._timer.phase("number ids"):
                sources = numbering.number(src, self.threads)
                targets = sources if dst is src else numbering.number(dst, self.threads)
            with self._timer.phase("join edges"):
                self._forest.grow(numbering.size)
                self._forest.join(sources, targets, self.threads)

    def add_ids(self, column: IdColumn, name: str) -> None:
        """Makes sure that these ids are there: each is joined with itself."""
        self.add(column, column, name)

    def _add_dense(
        self, src: npt.NDArray[Any], dst: npt.NDArray[Any], types: tuple[Any, Any]
    ) -> bool:
        """Joins edges if their ids leave few gaps; says whether it did."""
        with self._timer.phase("join edges"):
            if dst is not src and self._joined_as_known(src, dst, types):
                return True
            team = self.threads if len(src) > PIECE else 1
            ends = (src,) if dst is src else (src, dst)
            bounds = [_native.bounds(ids, team) for ids in ends]
            high = max(upper for _, upper in bounds)
            if min(lower for lower, _ in bounds) < 0 or not self._has_room(high, src, dst):
                return False
            self._note_types(types)
            if high >= self._forest.size:
                with claimed(5 * (high + 1), f"ids up to {high:,}"):
                    self._forest.grow(high + 1)
            if dst is src:  # they name vertices, and join nothing
                self._note_alone(src)
                return True
            src, dst = same_width(src, dst)
            self._note_loops(src, dst)
            self._forest.join(src, dst, self.threads)
        return True

    def _joined_as_known(
        self, src: npt.NDArray[Any], dst: npt.NDArray[Any], types: tuple[Any, Any]
    ) -> bool:
        """Joins edges in one pass if none has an id above all before: most batches do not."""
        forest = self._forest
        if not isinstance(forest, Forest) or types != (self._type, self._type):
            return False
        joined, looped = self._known.join(forest, src, dst, self.threads)
        if joined and looped:
            self._note_loops(src, dst)
        return joined

    def _note_alone(self, ids: npt.NDArray[Any]) -> None:
        if len(self._alone) < self._forest.size:
            self._alone.resize(self._forest.size, refcheck=False)
        self._alone[ids] = 1

    def _note_loops(self, src: npt.NDArray[Any], dst: npt.NDArray[Any]) -> None:
        for begin in range(0, len(src), PIECE):
            sources = src[begin : begin + PIECE]
            same = sources == dst[begin : begin + PIECE]
            if same.any():
                self._note_alone(sources[same])

    def _has_room(self, high: int, src: npt.NDArray[Any], dst: npt.NDArray[Any]) -> bool:
        """Whether ids leave so few gaps that room up to the largest may be made."""
        if high < self._allowed:
            return True
        for size in SAMPLES:
            sources, targets = src[:size], dst[:size]
            if high < GAPS * (self._forest.size + 2 * len(sources)):
                flags = self._seen(high + 1)
                flags[sources] = flags[targets] = 1
                self._allowed = max(DENSE_FROM, GAPS * _native.count_flags(flags, self.threads))
            if high < self._allowed or size >= len(src):
                break
        return high < self._allowed

    def _seen(self, size: int) -> npt.NDArray[np.uint8]:
        """A flag for every id that has occurred."""
        flags = np.zeros(size, np.uint8)
        flags[: len(self._alone)] = self._alone[:size]
        known = self._forest.size
        _native.mark_joined(self._forest.parent, flags[:known], self.threads)
        return flags

    def _note_types(self, types: tuple[Any, Any]) -> None:
        """Settles the type of the ids, as `Numbering` would."""
        for dtype in types:
            if self._type is None or self._type == dtype:
                self._type = dtype
                continue
            both = np.promote_types(self._type, dtype)
            wide = self._type if self._type == np.uint64 else np.dtype(np.int64)
            self._type = wide if both.kind == "f" else both

    def use_table(self) -> None:
        """Numbers the ids that occurred, and all from here on, and carries over what was joined."""
        numbering = Numbering()
        if self._forest.size:
            with self._timer.phase("number ids"):
                ids = np.flatnonzero(self._seen(self._forest.size))
                self._alone = np.zeros(0, np.uint8)
                numbers = numbering.number(_typed(ids, self._type), self.threads)
                if isinstance(self._forest, Recorder):
                    self._forest.renumber_all(ids, numbers, numbering.size)
                else:
                    labels = self._forest.release()[ids].astype(np.int64)
                    roots = numbering.number(_typed(labels, self._type), self.threads)
                    self._forest = Forest(numbering.size, threads=self.threads)
                    self._forest.join(numbers, roots, self.threads)
        self._numbering = numbering

    @property
    def size(self) -> int:
        """Vertices of the forest."""
        return self._forest.size

    @property
    def nbytes(self) -> int:
        """Bytes of the parent array and of the ids."""
        ids = 0 if self._numbering is None else self._numbering.nbytes
        return self._forest.nbytes + self._alone.nbytes + ids

    def sets(self) -> Sets:
        """What was joined so far: the ids that occurred, ascending, and the label of each."""
        assert isinstance(self._forest, Forest)
        self._forest.flatten()
        size = self._forest.size
        if self._numbering is None:
            reserve(13 * size, f"a checkpoint of ids up to {size:,}")
            flags = self._seen(size)
            count = _native.count_flags(flags, self.threads)
            ids, labels = np.empty(count, np.int64), np.empty(count, self._forest.parent.dtype)
            _native.keep_flagged(self._forest.parent, flags, ids, labels, self.threads)
            return Sets(labels, _typed(ids, self._type or np.dtype(np.int64)))
        reserve(self._numbering.nbytes + 16 * size, f"a checkpoint of {_ids(size)}")
        columns, order = self._numbering.in_order(self.threads)
        labels = self._forest.parent[order]
        _native.make_canonical(labels, self.threads)
        return Sets(labels, columns)

    def restore(self, sets: Sets) -> None:
        """Joins each id with its label."""
        if sets.ids is None:
            raise InputError("the checkpoint is damaged: it is not of this graph")
        for begin in range(0, len(sets.labels), PIECE):
            labels = sets.labels[begin : begin + PIECE].astype(np.int64)
            ids = slice_of(sets.ids, begin, begin + len(labels))
            several = isinstance(sets.ids, tuple)
            roots = tuple(take(part, labels) for part in (sets.ids if several else (sets.ids,)))
            self.add(ids, roots if several else roots[0], "the checkpoint")

    def finish(self) -> tuple[Any, npt.NDArray[Any]]:
        """The ids that occurred, ascending, and the label of each: a position among the ids."""
        if self._numbering is None:
            return self._finish_dense()
        size = self._numbering.size
        reserve(self._numbering.nbytes + 16 * size, f"sorting and labeling {_ids(size)}")
        with self._timer.phase("sort ids"):
            ids, order = self._numbering.take_in_order(self.threads)
        self._numbering = None
        with self._timer.phase("label"):
            labels = self._forest.release()[order]
            _native.make_canonical(labels, self.threads)
            if isinstance(self._forest, Recorder):
                rank = np.empty_like(order)
                rank[order] = np.arange(size, dtype=order.dtype)
                self._forest.renumber(rank)
        return ids, labels

    def _finish_dense(self) -> tuple[Any, npt.NDArray[Any]]:
        reserve(13 * self._forest.size, f"labeling ids up to {self._forest.size:,}")
        with self._timer.phase("label"):
            flags = self._seen(self._forest.size)
            count = _native.count_flags(flags, self.threads)
            parent = self._forest.release()
            if count == len(parent):
                ids, labels = np.arange(count), parent
            else:
                ids, labels = np.empty(count, np.int64), np.empty(count, parent.dtype)
                _native.keep_flagged(parent, flags, ids, labels, self.threads)
                if isinstance(self._forest, Recorder):
                    self._forest.renumber(np.cumsum(flags) - 1)
            return _typed(ids, self._type or np.dtype(np.int64)), labels


def _ids(count: int) -> str:
    return f"{count:,} ids"


def _type_of(column: IdColumn) -> Any:
    """The NumPy type of a column of integers."""
    if isinstance(column, tuple):
        return _type_of(column[0])
    if isinstance(column, np.ndarray):
        return column.dtype.newbyteorder("=")
    return numpy_type(column.type)


def _typed(ids: npt.NDArray[Any], dtype: Any) -> npt.NDArray[Any]:
    return ids.astype(dtype, copy=False)
