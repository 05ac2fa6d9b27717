"""More ids than one table can number: several tables, each for the ids that those before lack.

A table gives numbers of 32 bits. Before it is full another one begins, and the numbers of that go
on where the first ended, with 64 bits. An id is looked up in all tables, so that it stays with the
one that has it. The first table's numbers stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.graph.arrow import plain_array
from skerry.graph.edge_source import IdColumn
from skerry.ids.columns import array_from_numpy
from skerry.ids.composite import CompositeIds
from skerry.ids.integers import no_common_type
from skerry.ids.lookup import arrow_array, take
from skerry.ids.single import SingleIds
from skerry.ids.status_codes import MAX_IDS, UNKNOWN

if TYPE_CHECKING:
    import pyarrow


CAPACITY = MAX_IDS
"""Ids of a table; tests make it small."""

Numbers = npt.NDArray[np.uint32] | npt.NDArray[np.uint64]
"""Numbers of ids: of 32 bits while one table has all of them."""

InOrder = tuple[Any, Numbers]
"""The distinct ids ascending, and the number of each: ``order[rank]`` is a number.

The ids are a NumPy array for integers, otherwise an Arrow array; a tuple of those for ids of
several columns.
"""


class Mark(NamedTuple):
    """The state of a chain: its tables, and the state of the last."""

    full: tuple[SingleIds | CompositeIds, ...]
    last: SingleIds | CompositeIds | None
    state: Any


def unknown_number(numbers: Numbers) -> int:
    """What stands for a number where an id has none."""
    return int(np.iinfo(numbers.dtype).max)


class TableChain:
    """Tables of ids of one kind, none of which is in two of them."""

    def __init__(self) -> None:
        self._full: list[SingleIds | CompositeIds] = []
        self._last: SingleIds | CompositeIds | None = None

    def mark(self) -> Mark:
        """The state, for `rewind`."""
        last = self._last
        if last is None or not last.size:  # a table without ids may be of any kind
            return Mark(tuple(self._full), None, None)
        return Mark(tuple(self._full), last, last.mark())

    def rewind(self, mark: Mark, threads: int) -> None:
        """Takes away the ids that came after a mark; may be called again where it failed."""
        self._full, self._last = list(mark.full), mark.last
        if mark.last is not None:
            mark.last.rewind(mark.state, threads)

    @property
    def _tables(self) -> list[SingleIds | CompositeIds]:
        return self._full if self._last is None else [*self._full, self._last]

    @property
    def size(self) -> int:
        """Distinct ids so far."""
        return sum(table.size for table in self._tables)

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return sum(table.nbytes for table in self._tables)

    def number(self, column: IdColumn, threads: int) -> Numbers:
        """The number of each id of a column; new ones get the next."""
        self._check_width(column)
        if self._last is not None and 0 < self._last.size > CAPACITY - _length(column):
            self._full.append(self._last)
            self._last = None
        if self._last is None:
            self._last = _new_table(column)
        if not self._full:
            return self._last.number(column, threads)
        column = indexable(column)
        numbers, missing = self._find_in(self._full, column, threads)
        if len(missing):
            base = sum(table.size for table in self._full)
            numbers[missing] = self._last.number(rows_of(column, missing), threads)
            numbers[missing] += np.uint64(base)
        return numbers

    def find(self, column: IdColumn, threads: int) -> Numbers:
        """As `number`, but adds nothing: `unknown_number` for ids that were not numbered."""
        self._check_width(column)
        if not self._tables:
            return SingleIds().find(column[0] if isinstance(column, tuple) else column, threads)
        if not self._full:
            return self._tables[0].find(column, threads)
        return self._find_in(self._tables, indexable(column), threads)[0]

    def check(self, column: IdColumn) -> None:
        """Raises what `number` would for ids that are missing or of another kind; adds nothing."""
        self._check_width(column)
        table = self._tables[0] if self._tables else _new_table(column)
        table.check(column)

    def in_order(self, threads: int, consume: bool) -> InOrder:
        """The ids ascending and the number of each; ``consume`` frees the tables on the way."""
        tables = [table for table in self._tables if table.size] or self._tables[:1]
        if not tables:
            return SingleIds().in_order(threads, consume=consume)
        if len(tables) == 1:
            return tables[0].in_order(threads, consume=consume)
        parts, orders, base = [], [], 0
        for table in tables:
            base += table.size
            ids, order = table.in_order(threads, consume=consume)
            parts.append(ids if isinstance(ids, tuple) else (ids,))
            # NumPy 1 would keep 32 bits while the scalar fits in them, though the sum may not.
            orders.append(order.astype(np.uint64) + np.uint64(base - len(order)))
        columns = tuple(map(_joined, zip(*parts, strict=True)))
        ranked = _sorted_rows(columns)
        columns = tuple(take(column, ranked) for column in columns)
        composite = isinstance(tables[0], CompositeIds)
        return columns if composite else columns[0], np.concatenate(orders)[ranked]

    def _check_width(self, column: IdColumn) -> None:
        if isinstance(column, tuple) and any(isinstance(t, SingleIds) for t in self._tables):
            raise InputError(f"ids of {len(column)} columns after ids of one")

    @staticmethod
    def _find_in(
        tables: list[SingleIds | CompositeIds], column: IdColumn, threads: int
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
        """The numbers of ids, and the rows of those that no table has."""
        missing = np.arange(_length(column))
        numbers = np.full(len(missing), np.iinfo(np.uint64).max, np.uint64)
        base = 0
        for table in tables:
            earlier = table.find(rows_of(column, missing), threads)
            known = earlier != UNKNOWN
            numbers[missing[known]] = earlier[known].astype(np.uint64) + np.uint64(base)
            missing = missing[~known]
            base += table.size
        return numbers, missing


def _new_table(column: IdColumn) -> SingleIds | CompositeIds:
    return CompositeIds(len(column)) if isinstance(column, tuple) else SingleIds()


def _length(column: IdColumn) -> int:
    """Rows; 0 where the object does not say, and is read as a stream or refused."""
    first = column[0] if isinstance(column, tuple) and column else column
    return len(first) if hasattr(first, "__len__") else 0


def indexable(column: IdColumn) -> Any:
    """A column whose rows can be taken."""
    if isinstance(column, tuple):
        return tuple(map(indexable, column))
    if isinstance(column, list | np.ndarray):
        return column
    array = arrow_array(column)
    return plain_array(array) if "view" in str(array.type) else array  # Arrow takes none of views


def rows_of(column: Any, rows: npt.NDArray[np.int64]) -> Any:
    """Some rows of a column."""
    if isinstance(column, tuple):
        return tuple(rows_of(part, rows) for part in column)
    return [column[row] for row in rows] if isinstance(column, list) else take(column, rows)


def _joined(parts: tuple[Any, ...]) -> Any:
    """A column that has the ids of several tables."""
    if isinstance(parts[0], np.ndarray):
        kind = np.result_type(*(part.dtype for part in parts))
        if kind.kind == "f":  # of int64 and uint64
            kind = _common_type(parts)
        return np.concatenate([part.astype(kind, copy=False) for part in parts])
    import pyarrow as pa

    wide = max((part.type for part in parts), key=lambda type: "large" in str(type))
    return pa.concat_arrays([part if part.type == wide else part.cast(wide) for part in parts])


def _common_type(parts: tuple[npt.NDArray[Any], ...]) -> np.dtype[Any]:
    """The type that holds signed and unsigned ids, which ascend."""
    ends = [int(end) for part in parts for end in part[[0, -1]]]
    if min(ends) >= 0:
        return np.dtype(np.uint64)
    if max(ends) < 1 << 63:
        return np.dtype(np.int64)
    raise no_common_type()


def _sorted_rows(columns: tuple[Any, ...]) -> npt.NDArray[np.int64]:
    """The rows in ascending order of the first column, then the next."""
    if all(isinstance(column, np.ndarray) for column in columns):
        return np.lexsort(columns[::-1])
    import pyarrow as pa
    import pyarrow.compute as pc

    names = [str(i) for i in range(len(columns))]
    table = pa.table([_sortable(column) for column in columns], names)
    ranked = pc.sort_indices(table, sort_keys=[(name, "ascending") for name in names])
    return np.asarray(ranked).astype(np.int64)


def _sortable(column: Any) -> pyarrow.Array:
    """A column that Arrow sorts as we do: UUIDs by their bytes."""
    import pyarrow as pa

    if isinstance(column, np.ndarray):
        return array_from_numpy(column)
    return column.storage if isinstance(column.type, pa.BaseExtensionType) else column
