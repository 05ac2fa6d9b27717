"""From the ids of runs to vertex numbers: their ranks among all ids.

The ids of every run ascend, so all are merged, a range of ids at a time: those of the range are
numbered by a table and sorted. Then the sets of a run are edges between ranks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.engines.spilling.integer_type import IdType
from skerry.engines.spilling.room import PassReport, Room
from skerry.engines.spilling.runs import Run
from skerry.formats.spill_columns import ColumnFile, StoredIds
from skerry.formats.spill_file import SpillFile, SpillFolder
from skerry.graph.arrow import as_arrow, numpy_view
from skerry.graph.edges import vertex_dtype
from skerry.ids.external import External
from skerry.ids.lookup import comparable_column
from skerry.ids.numbering import Numbering
from skerry.optional import require_arrow

PURPOSE = "spilling ids that are not integers"


class MergedRuns(NamedTuple):
    """All ids, and where those of each run are among them."""

    ids: SpillFile | StoredIds
    ranks: list[SpillFile]
    runs: list[Run]

    @property
    def largest(self) -> int:
        """The ids of the largest run, whose ranks are in memory while its edges are read."""
        return max(file.size for file in self.ranks)

    def edges(self, piece: int) -> Iterator[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
        """The edges between ranks, once; arrays are valid until the next."""
        for run, file in zip(self.runs, self.ranks, strict=True):
            ranks = file.part(0, file.size)
            for src, dst in run.edges(piece):
                yield ranks[src], ranks[dst]
            file.close()
            run.labels.close()


def merge_runs(
    runs: list[Run], folder: SpillFolder, room: Room, threads: int, report: PassReport
) -> MergedRuns:
    """The ids of all runs, ascending; the files of their ids are closed."""
    total = sum(run.labels.size for run in runs)
    ranks = [folder.file(vertex_dtype(total)) for _ in runs]
    cursors = [_Cursor(run) for run in runs]
    kept = _Kept(folder, runs)
    done = 0
    width = sum(part.bytes for run in runs for part in run.parts) // max(1, total)
    size = room.merged_ids(_UNPACKED * width, len(runs))
    for bound in [*_bounds(runs, size, threads), None]:
        numbering, numbers = Numbering(), []
        for cursor in cursors:
            columns = cursor.below(bound)
            own: Any = np.empty(0, np.uint32)
            if columns is not None:
                own = numbering.number(columns if len(columns) > 1 else columns[0], threads)
            numbers.append(own)
        if not numbering.size:
            continue
        ids, order = numbering.take_in_order(threads)
        rank = np.empty(len(order), ranks[0].dtype)
        rank[order] = np.arange(kept.size, kept.size + len(order), dtype=rank.dtype)
        for file, own in zip(ranks, numbers, strict=True):
            file.append(rank[own])
            done += len(own)
        kept.append(ids if isinstance(ids, tuple) else (ids,))
        report.advance(done, total)
    for run in runs:
        run.ids.close()
    return MergedRuns(kept.ids(), ranks, runs)


_UNPACKED = 4
"""Times the bytes that ids have on disk, in memory: they are packed there."""


class _Cursor:
    """Reads the ascending ids of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._next = 0
        self._left: tuple[Any, ...] | None = None

    def below(self, bound: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
        """The next ids below a bound, or all that are left for None; None where there are none."""
        pa = require_arrow(PURPOSE)
        slices: list[tuple[Any, ...]] = []
        while True:
            if self._left is None:
                if self._next == len(self._run.parts):
                    break
                self._left = self._run.read(self._run.parts[self._next])
                self._next += 1
            rows = len(self._left[0])
            count = rows if bound is None else _count_below(self._left, bound)
            if count:
                slices.append(tuple(column[:count] for column in self._left))
            if count < rows:
                self._left = tuple(column[count:] for column in self._left)
                break
            self._left = None
        if not slices:
            return None
        return tuple(pa.concat_arrays(parts) for parts in zip(*slices, strict=True))


def _row(columns: tuple[Any, ...], row: int) -> tuple[Any, ...]:
    """The values of an id, in a form in which they compare exactly."""
    values = (column[row] for column in columns)
    return tuple(v.item() if isinstance(v, np.generic) else v.as_py() for v in values)


def _comparable(columns: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(map(comparable_column, columns))


def _count_below(columns: tuple[Any, ...], bound: tuple[Any, ...]) -> int:
    """How many of some ascending ids are below a bound."""
    comparable = _comparable(columns)
    low, high = 0, len(columns[0])
    while low < high:
        middle = (low + high) // 2
        if _row(comparable, middle) < bound:
            low = middle + 1
        else:
            high = middle
    return low


def _bounds(runs: list[Run], size: int, threads: int) -> Iterator[tuple[Any, ...]]:
    """Ids that cut all into ranges of about ``size``, by the first id of every part."""
    numbering = Numbering()
    numbers, rows = [], []
    for run in runs:
        if run.parts:
            sample = run.sample
            numbers.append(numbering.number(sample if len(sample) > 1 else sample[0], threads))
            rows.append(np.array([part.rows for part in run.parts]))
    if not numbers:
        return
    ids, order = numbering.take_in_order(threads)
    counts = np.bincount(np.concatenate(numbers), np.concatenate(rows))[order]
    ranges = np.cumsum(counts).astype(np.int64) // size
    cuts = np.flatnonzero(ranges[1:] != ranges[:-1]) + 1
    columns = _comparable(
        External(ids).take(cuts) if isinstance(ids, tuple) else (_take(ids, cuts),)
    )
    for row in range(len(cuts)):
        yield _row(columns, row)


def _take(ids: Any, rows: npt.NDArray[np.int64]) -> Any:
    return as_arrow(ids).take(as_arrow(rows))


class _Kept:
    """The ids of all runs on disk: integers as numbers, all others as Arrow has them."""

    def __init__(self, folder: SpillFolder, runs: list[Run]) -> None:
        pa = require_arrow(PURPOSE)
        self._folder = folder
        samples = [run.sample for run in runs if run.parts] or [(as_arrow(np.empty(0, np.int64)),)]
        self._composite = len(samples[0]) > 1
        self._types = [_common_type(columns) for columns in zip(*samples, strict=True)]
        self._integers: SpillFile | None = None
        self._type = IdType()
        self._columns: tuple[ColumnFile, ...] = ()
        if not self._composite and pa.types.is_integer(self._types[0]):
            self._integers = folder.file(np.uint64)
            for column in (column for (column,) in samples):
                self._type.note(numpy_view(column), 1)
        else:
            self._columns = tuple(ColumnFile(folder, kind) for kind in self._types)
        self.size = 0

    def append(self, columns: tuple[Any, ...]) -> None:
        """Writes the next ids."""
        self.size += len(columns[0])
        if self._integers is not None:
            self._type.note(columns[0], 1)
            self._integers.append(columns[0].astype(np.uint64))
            return
        for file, column, kind in zip(self._columns, columns, self._types, strict=True):
            array = as_arrow(column)
            file.append(array if array.type == kind else array.cast(kind))

    def ids(self) -> SpillFile | StoredIds:
        """All of them."""
        if self._integers is None:
            return StoredIds(self._columns, self._composite)
        kind = self._type.result()
        typed = self._folder.file(kind)
        for _, part in self._integers.pieces(1 << 18):
            typed.append(
                part.view(np.int64).astype(kind) if kind.kind == "i" else part.astype(kind)
            )
        return typed


def _common_type(columns: tuple[Any, ...]) -> Any:
    """The type of the ids of all runs: those of integers may have several, and of text."""
    pa = require_arrow(PURPOSE)
    types = [column.type for column in columns]
    if pa.types.is_integer(types[0]):
        wide = any(pa.types.is_uint64(kind) for kind in types)
        return pa.uint64() if wide else max(types, key=lambda kind: (kind.bit_width, str(kind)))
    return next((kind for kind in types if str(kind).startswith("large")), types[0])
