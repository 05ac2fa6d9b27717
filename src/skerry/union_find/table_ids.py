"""Ids that come in arrays: numbered by the library's tables, and sorted when they are asked for."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from skerry.errors import InputError
from skerry.graph.edge_source import length
from skerry.ids.external import External
from skerry.ids.merging import merge_ids
from skerry.ids.numbering import InOrder, Mark, Numbering, Numbers, unknown_number
from skerry.ids.python_objects import python_value
from skerry.ids.ranks import ranks_of
from skerry.ids.table_chain import indexable, rows_of
from skerry.union_find.forest import Forest
from skerry.union_find.id_arguments import as_table_column

KEPT_NUMBERS = 1 << 20  # single ids whose numbers are kept in a dict, which is faster than a table


class Sorted(NamedTuple):
    """The ids in ascending order."""

    space: External
    order: Numbers
    ranks: Numbers


class NewIds(NamedTuple):
    """Ids that were numbered since they were sorted, in the order of their numbers."""

    begin: int
    end: int
    column: Any


class TableIds:
    """The numbers of ids, by a `Numbering`; and the forest of these numbers."""

    def __init__(self, forest: Forest) -> None:
        self.forest = forest
        """As in `ObjectIds`."""
        self._numbering = Numbering()
        self.numbers: dict[Any, int] = {}
        """Of some ids of one kind, `kind`: those that were asked for one by one."""
        self.kind: Any = None
        self._values: dict[int, Any] = {}
        """Ids that came one by one, by number; of all others `_sorted` knows."""
        self._sorted: Sorted | None = None
        self._new: list[NewIds] = []
        """What came in columns since then."""
        self._before: tuple[int, Mark] | None = None

    @property
    def size(self) -> int:
        """Distinct ids so far."""
        return self._numbering.size

    @property
    def nbytes(self) -> int:
        """Memory held."""
        kept = self._sorted
        return self._numbering.nbytes + (kept.order.nbytes + kept.ranks.nbytes if kept else 0)

    def _begin(self) -> None:
        """Called before ids are added that the forest does not have yet."""
        self._before = self.forest.version, self._numbering.mark()

    def settle(self) -> None:
        """Takes away what came after `begin`, unless the forest has it too."""
        before = self._before
        if before is None or before[0] != self.forest.version:
            return
        size = self.forest.size
        if self.size > size:
            self.numbers = {id: number for id, number in self.numbers.items() if number < size}
            self._values = {number: id for number, id in self._values.items() if number < size}
            if self._sorted is not None and len(self._sorted.order) > size:
                self._sorted = None
            self._new = [new for new in self._new if new.end <= size]
        self._numbering.rewind(before[1], self._team(self.size))

    def _team(self, rows: int) -> int:
        return self.forest.team(rows)

    def number(self, column: Any) -> Numbers:
        """The number of each id; new ones get the next."""
        before = self.size
        numbers = self._numbering.number(column, self._team(length(column)))
        if self._sorted is not None and self.size > before:
            rows = np.flatnonzero(numbers >= before)
            _, first = np.unique(numbers[rows], return_index=True)
            new = rows_of(indexable(column), rows[first])
            self._new.append(NewIds(before, self.size, new))
        return numbers

    def number_ascending(self, column: Any) -> Numbers:
        """As `number`, of ids in ascending order, the first that come: they are not sorted."""
        numbers = self.number(column)
        if not isinstance(column, list) and getattr(column, "dtype", None) != np.dtype(object):
            self._sorted = Sorted(External(column), numbers, ranks_of(numbers))
        return numbers

    def number_columns(self, **columns: Any) -> list[Numbers]:
        """The numbers of the ids of named columns; new ones get the next, if all can be ids."""
        self._begin()
        columns = {name: as_table_column(column) for name, column in columns.items()}
        for name, column in columns.items():
            try:
                self._numbering.check(column)
            except InputError as error:
                raise InputError(f"{name}: {error}") from None
        return [self.number(column) for column in columns.values()]

    def find(self, column: Any) -> Numbers:
        """The number of each id; an error names one that has none."""
        numbers = self._numbering.find(column, self._team(length(column)))
        if len(numbers) and numbers.max() == unknown_number(numbers):
            row = int(np.argmax(numbers))
            parts = column if isinstance(column, tuple) else (column,)
            values = tuple(python_value(next(iter(part[row : row + 1]))) for part in parts)
            raise unknown_error(values if isinstance(column, tuple) else values[0])
        return numbers

    def number_pair(self, u: Any, v: Any) -> tuple[int, int]:
        """The numbers of two ids; new ones get the next, if both can be ids here."""
        self._begin()
        for value in (u, v):
            self.find_one(value)  # raises if it cannot be an id here
        return self.number_one(u), self.number_one(v)

    def number_one(self, value: Any) -> int:
        """The number of an id; a new one gets the next."""
        plain = type(value) is int or type(value) is str
        number = self.numbers.get(value) if plain else None
        if number is None:
            before = self.size
            number = int(self._numbering.number(_column_of_one(value), 1)[0])
            self._keep(value, number, plain)
            if number == before:
                self._values[number] = value
        return number

    def find_one(self, value: Any) -> int:
        """The number of an id, -1 if it has none."""
        plain = type(value) is int or type(value) is str
        number = self.numbers.get(value) if plain else None
        if number is None:
            size = self.forest.size  # ids that it has not may be taken away again
            numbers = self._numbering.find(_column_of_one(value), 1)
            number = int(numbers[0])
            if number == unknown_number(numbers):
                return -1
            if number < size:
                self._keep(value, number, plain)
        return number

    def _keep(self, value: Any, number: int, plain: bool) -> None:
        if plain:
            if len(self.numbers) >= KEPT_NUMBERS:
                self.numbers = {}
            self.numbers[value] = number
            self.kind = type(value)

    def value(self, number: int) -> Any:
        """The id of a number."""
        if number in self._values:
            return self._values[number]
        kept = self._sorted  # numbers stay the same, so an earlier order will do
        if kept is None or number >= len(kept.ranks):
            kept = self._in_order()
        return kept.space[int(kept.ranks[number])]

    def _in_order(self) -> Sorted:
        kept = self._sorted
        if kept is None or len(kept.order) != self.size:
            ids, order = self._merged(kept) or self._numbering.in_order(self._team(self.size))
            kept = self._sorted = Sorted(External(ids), order, ranks_of(order))
            self._values, self._new = {}, []
        return kept

    def _merged(self, kept: Sorted | None) -> InOrder | None:
        """Those that were sorted, merged with the new ones; None if it is not known which."""
        ends = [0 if kept is None else len(kept.order), *(new.end for new in self._new)]
        if kept is None or [*(new.begin for new in self._new), self.size] != ends:
            return None
        numbering, team = Numbering(), self._team(self.size)
        global_numbers = np.empty(self.size - ends[0], kept.order.dtype)
        for new in self._new:
            numbers = numbering.number(new.column, team)
            global_numbers[numbers] = np.arange(new.begin, new.end)
        ids, order = numbering.take_in_order(team)
        merged = merge_ids(kept.space.columns, ids, team)
        numbers = np.empty(self.size, kept.order.dtype)
        numbers[merged.of_first] = kept.order
        numbers[merged.of_second] = global_numbers[order]
        return merged.columns, numbers

    def order(self) -> Numbers:
        """The numbers in ascending order of their ids."""
        return self._in_order().order

    def space(self) -> External:
        """The ids in ascending order."""
        return self._in_order().space

    def take(self, numbers: Numbers) -> Any:
        """The ids of numbers, as columns."""
        ids = self._in_order()
        return ids.space.take(ids.ranks[numbers])

    def objects(self) -> list[Any]:
        """The ids in ascending order, as Python's objects."""
        return self.space().objects(np.arange(self.size))


def unknown_error(value: Any) -> InputError:
    """The error for an id that was never added."""
    return InputError(f"{value!r} is not an id of this UnionFind")


def _column_of_one(value: Any) -> Any:
    if isinstance(value, tuple):
        if not value:
            raise InputError("() is not an id: an id of several columns has at least one")
        return tuple(map(_column_of_one, value))
    if type(value) is int or type(value) is str:
        return [value]
    column = np.empty(1, object)
    column[0] = value
    return column
