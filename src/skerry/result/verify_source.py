"""The check of an answer whose edges came in batches: see verify.py for what is checked and why.

The source is read again. Ids are looked up by the checker's own tables (id_finder.py), not by those
that numbered them; integers that leave few gaps are used as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.graph.edge_source import Batch, IdColumn, length, slice_of
from skerry.ids.chunks import IntegerChunk
from skerry.ids.columns import read_column
from skerry.ids.external import External
from skerry.ids.id_space import Counted, IdSpace
from skerry.result.id_finder import id_finder
from skerry.result.verify import AS_IS, Shown, Verification, conclude

NO_FOREST = np.empty(0, np.uint64)
PIECE = 1 << 20  # edges whose ids are looked up at a time: their positions are 8 MB
GAPS = 2  # vertices of a forest for each integer id that is used as it is
FEW = 1 << 16  # a forest of so many is always small enough


@dataclass(frozen=True, slots=True)
class BatchCheck:
    """How the edges of a source are to be checked."""

    threads: int = 1
    """For all but the batches."""
    batch_threads: int = 1
    """For a batch; others may decode the next meanwhile."""
    select: Callable[[Batch], Batch] | None = None
    """The edges of a batch to use."""
    first_id: int = 0
    """What the source calls vertex 0; its batches count from 0 all the same."""
    vertices: IdColumn | None = None
    """Ids of the graph beside those of its edges."""
    only_used_ids: bool = False
    """Whether an id that is in no edge, and not in ``vertices``, is wrong."""
    shown: Shown = AS_IS
    """How messages name labels; ids they name as the source does."""


def certify_batches(
    batches: Iterator[Batch],
    ids: IdSpace,
    labels: npt.NDArray[Any],
    check: BatchCheck | None = None,
) -> Verification:
    """Checks the labels of positions in ``ids``: all vertex numbers, or external ids."""
    check = BatchCheck() if check is None else check
    values = np.ascontiguousarray(labels)
    if len(values) != len(ids):
        return _wrong(f"{len(ids):,} vertices, but {len(values):,} labels")
    return _Checker(ids, values, check).run(batches)


class _Checker:
    """One check."""

    def __init__(self, ids: IdSpace, values: npt.NDArray[Any], check: BatchCheck) -> None:
        self._ids = ids
        self._values = values
        self._check = check
        self._finder = None
        self._shown_from = check.first_id if isinstance(ids, Counted) else 0
        self._added = 0 if isinstance(ids, Counted) else check.first_id
        self._low, size, column = 0, len(values), None
        if not isinstance(ids, Counted):
            bounds = _few_gaps(ids, check.threads)
            if bounds is None:
                self._finder = id_finder(ids, check.threads)
            else:
                column = ids.columns[0] if isinstance(ids.columns, tuple) else ids.columns
                self._low, high = bounds
                size = high - self._low + 1
                column = np.ascontiguousarray(_wide(column))
        self._size = size
        self._is_signed = column is not None and column.dtype.kind == "i"
        low = self._low % 2**64
        self._forest = _native.CheckedForest(values, column, low, size, False, check.threads)

    def run(self, batches: Iterator[Batch]) -> Verification:
        """Reads all batches."""
        repeated = (self._forest if self._finder is None else self._finder).repeated
        if repeated is not None:
            return _wrong(f"{self._ids[repeated]!r} has more than one label")
        position = edges = 0
        for batch in batches:
            count = length(batch.src)
            selected, names = self._selected(batch, count)
            if length(selected.src) != length(selected.dst):
                raise InputError("an edge needs two ends: the columns of a batch differ in length")
            wrong = self._take(selected, position, names)
            if wrong is not None:
                return Verification(False, wrong, self._forest.release_edges())
            if not batch.only_vertices:
                position += count + batch.dropped if batch.num_rows is None else batch.num_rows
            edges += 0 if batch.only_vertices else length(selected.src)
        wrong = self._check_vertices()
        if wrong is not None:
            return Verification(False, wrong, self._forest.release_edges())
        return conclude(self._forest, len(self._values), edges, self._check.threads)

    def _selected(self, batch: Batch, count: int) -> tuple[Batch, npt.NDArray[np.uint64] | None]:
        """The edges to use, and their positions in the batch; None where these are all."""
        rows = None if batch.rows is None else batch.rows.astype(np.uint64)
        if self._check.select is None:
            return batch, rows
        selected = self._check.select(batch)
        if length(selected.src) == count:
            return selected, rows
        every = np.arange(count, dtype=np.uint64)
        names = self._check.select(Batch(every, every, batch.weight, batch.location)).src
        return selected, names if rows is None else rows[names]

    def _take(
        self, batch: Batch, position: int, names: npt.NDArray[np.uint64] | None
    ) -> str | None:
        """Checks the edges of a batch; says what is wrong."""
        count = length(batch.src)
        piece = count if self._finder is None else PIECE
        for begin in range(0, count, piece or 1):
            end = min(begin + piece, count)
            named = None if names is None else names[begin:end]
            base = position + (begin if names is None else 0)
            src, dst = (slice_of(column, begin, end) for column in (batch.src, batch.dst))
            fault = self._take_piece(src, dst, base, named)
            if fault is not None:
                row, is_unknown = fault
                name = base + (row if named is None else int(named[row]))
                return self._describe(src, dst, row, name, is_unknown)
        return None

    def _take_piece(
        self, src: IdColumn, dst: IdColumn, base: int, names: npt.NDArray[np.uint64] | None
    ) -> tuple[int, bool] | None:
        threads = self._check.batch_threads
        if self._finder is not None:
            numbers = [self._finder.find(self._shifted(end), threads) for end in (src, dst)]
            return self._forest.take(numbers[0], numbers[1], base, names, False, threads)
        sources, targets, other_sign = self._numbers(src, dst)
        return self._forest.take(sources, targets, base, names, other_sign, threads)

    def _shifted(self, column: IdColumn) -> IdColumn:
        """Vertex numbers as the ids that their source calls them by."""
        return column if not self._added else _integers(column).astype(np.int64) + self._added

    def _numbers(
        self, src: IdColumn, dst: IdColumn
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any], bool]:
        """Integers as the forest reads them, and whether the highest bit makes them unknown."""
        sources, targets = (_wide(_integers(self._shifted(column))) for column in (src, dst))
        if sources.dtype == targets.dtype:
            return sources, targets, (sources.dtype.kind == "i") != self._is_signed
        return self._patterns(sources), self._patterns(targets), False

    def _patterns(self, values: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
        """Ids as 64-bit patterns; of those out of range, one that is out of range too."""
        limits = np.iinfo(values.dtype)
        low, high = max(self._low, limits.min), min(self._low + self._size - 1, limits.max)
        outside = np.uint64((self._low - 1) % 2**64)
        if low > high:
            return np.full(len(values), outside)
        known = (values >= values.dtype.type(low)) & (values <= values.dtype.type(high))
        wide = values.astype(np.int64 if values.dtype.kind == "i" else np.uint64)
        return np.where(known, wide.view(np.uint64), outside)

    def _check_vertices(self) -> str | None:
        """Looks up the further vertices, and whether there are ids that are in no edge."""
        vertices = self._check.vertices
        if vertices is not None and length(vertices):
            threads = self._check.threads
            if self._finder is None:
                numbers, _, other_sign = self._numbers(vertices, vertices)
            else:
                numbers, other_sign = self._finder.find(self._shifted(vertices), threads), False
            fault = self._forest.take(numbers, numbers, 0, None, other_sign, threads)
            if fault is not None:
                return f"{_shown(vertices, fault[0], self._shown_from)} is in no component"
        if not self._check.only_used_ids or isinstance(self._ids, Counted):
            return None
        unused = self._forest.first_untouched(self._check.threads)
        if unused is None:
            return None
        id = self._ids[unused] if self._finder is not None else unused + self._low
        return f"{id!r} is among the ids, but in no edge"

    def _describe(self, src: IdColumn, dst: IdColumn, row: int, name: int, is_unknown: bool) -> str:
        """What is wrong with an edge."""
        added = self._shown_from or self._added
        ends = [_shown(column, row, added) for column in (src, dst)]
        labels = [self._label(slice_of(column, row, row + 1)) for column in (src, dst)]
        if is_unknown:
            return f"{ends[0] if labels[0] is None else ends[1]} is in no component"
        return (
            f"edge {name} joins {ends[0]} and {ends[1]}, but their labels are "
            f"{self._check.shown.labels(*labels)}"
        )

    def _label(self, column: IdColumn) -> Any:
        """The label of an id; None if it is unknown."""
        if isinstance(self._ids, Counted):
            position = int(_integers(column)[0])
            return self._values[position] if 0 <= position < len(self._values) else None
        position = int(self._ids.positions(self._shifted(column))[0])
        return None if position < 0 else self._values[position]


def _few_gaps(ids: IdSpace, threads: int) -> tuple[int, int] | None:
    """The bounds of integer ids that leave few gaps; None for all others."""
    if not isinstance(ids, External) or not ids.are_integers or not len(ids):
        return None
    column = ids.columns[0] if isinstance(ids.columns, tuple) else ids.columns
    low, high = _native.bounds(_wide(column), threads)
    return (low, high) if high - low < max(GAPS * len(ids), FEW) else None


def _integers(column: IdColumn) -> npt.NDArray[Any]:
    """A column of integers."""
    if isinstance(column, tuple) and len(column) == 1:
        column = column[0]
    if isinstance(column, np.ndarray) and column.dtype.kind in "iu" and column.dtype.isnative:
        return column
    chunks = [] if isinstance(column, tuple) else list(read_column(column))
    integers = [chunk.values for chunk in chunks if isinstance(chunk, IntegerChunk)]
    if not chunks or len(integers) != len(chunks):
        kind = "several columns" if isinstance(column, tuple) else getattr(column, "type", "no ids")
        raise InputError(f"ids of this graph are integers, got {kind}")
    return integers[0] if len(integers) == 1 else np.concatenate(integers)


def _wide(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Integers of 32 or 64 bits."""
    return values if values.itemsize >= 4 else values.astype(np.int32)


def _wrong(message: str) -> Verification:
    return Verification(False, message, NO_FOREST)


def _shown(column: IdColumn, position: int, added: int) -> str:
    if isinstance(column, tuple) and len(column) > 1:
        return repr(tuple(_value(part, position) for part in column))
    column = column[0] if isinstance(column, tuple) else column
    value = _value(column, position)
    return repr(value + added if added else value)


def _value(column: Any, position: int) -> Any:
    value = column[position]
    return value.as_py() if hasattr(value, "as_py") else value.item()
