"""Ids of any type that Arrow holds, ascending: integers, text, dates, or several columns."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.ids.id_space import Indices
from skerry.ids.lookup import (
    as_column,
    comparable_column,
    comparable_value,
    composite_positions,
    is_column,
    positions_in_column,
    take,
)
from skerry.ids.python_objects import python_value


class External:
    """Distinct ids in ascending order: integers, text, dates, or several columns of those.

    Parameters
    ----------
    columns
        A NumPy array of integers, an Arrow array of any type that can be an id, or a tuple of
        those. Arrow's integers are kept as NumPy arrays. `positions` accepts columns in any order;
        `position` searches in ascending ones.
    names
        What the columns are called in a table.

    Examples
    --------
    >>> ids = External(np.array([-3, 70, 2**40]))
    >>> ids.positions([70, 5]).tolist(), ids.position(2**40)
    ([1, -1], 2)
    """

    def __init__(self, columns: Any, names: tuple[str, ...] = ("id",)) -> None:
        self._is_composite = isinstance(columns, tuple)
        self._parts = tuple(map(as_column, columns if self._is_composite else (columns,)))
        self.names = names

    @property
    def columns(self) -> Any:
        """All ids: a NumPy array of integers, an Arrow array, or a tuple of those."""
        return self._parts if self._is_composite else self._parts[0]

    @property
    def are_integers(self) -> bool:
        """Whether an id is one integer."""
        return len(self._parts) == 1 and isinstance(self._parts[0], np.ndarray)

    def __len__(self) -> int:
        return len(self._parts[0])

    def __getitem__(self, position: int) -> Any:
        values = _row(self._parts, int(position))
        return values if self._is_composite else values[0]

    def position(self, id: Any) -> int:
        """The position of one id, by bisection: no table is built for a single id."""
        value = python_value(id)
        wanted = self._comparable_value(value)
        low, high = 0, len(self)
        if wanted is not None:
            while low < high:
                middle = (low + high) // 2
                if _row(self._comparable, middle) < wanted:
                    low = middle + 1
                else:
                    high = middle
            if low < len(self) and _row(self._comparable, low) == wanted:
                return low
        raise InputError(f"{value!r} is not an id of this graph{self._hint(value)}")

    @cached_property
    def _comparable(self) -> tuple[Any, ...]:
        """The columns in a form whose values compare exactly: times are integers."""
        return tuple(map(comparable_column, self._parts))

    def _comparable_value(self, value: Any) -> tuple[Any, ...] | None:
        """An id as a row of `_comparable`; None if these columns cannot hold it."""
        values = value if self._is_composite else (value,)
        if not isinstance(values, tuple) or len(values) != len(self._parts):
            return None
        wanted = tuple(map(comparable_value, values, self._parts))
        return None if None in wanted else wanted

    def _hint(self, value: Any) -> str:
        if not len(self):
            return ", which has none"
        if type(value) is not type(self[0]):
            return f", whose ids are like {self[0]!r}"
        return ""

    def positions(self, ids: Any) -> Indices:
        """The position of each of many ids, -1 for those that are not ids of this graph."""
        parts = self._query(ids)
        if len(self._parts) > 1:
            return composite_positions(parts, self._parts)
        if len(parts) != 1:
            raise InputError(f"ids of this graph have one column, got {len(parts)}")
        if self._order is None:
            return positions_in_column(parts[0], self._parts[0])
        ranks = positions_in_column(parts[0], self._parts[0][self._order])
        return np.where(ranks >= 0, self._order[ranks], -1)

    @cached_property
    def _order(self) -> Indices | None:
        """The permutation that sorts integers; None if they ascend, or are not integers."""
        column = self._parts[0]
        if not self.are_integers or bool((column[1:] > column[:-1]).all()):
            return None
        return np.argsort(column, kind="stable")

    def _query(self, ids: Any) -> tuple[Any, ...]:
        """The ids to look up as columns."""
        if isinstance(ids, tuple) and ids and all(map(is_column, ids)):
            return ids
        if not self._is_composite:
            return (ids,)
        rows = list(ids)
        width = len(self._parts)
        for row in rows:
            if not isinstance(row, tuple | list) or len(row) != width:
                raise InputError(f"ids of this graph have {width} column(s), {row!r} has not")
        return tuple([row[i] for row in rows] for i in range(width))

    def lookup(self, ids: Any) -> npt.NDArray[Any]:
        """The positions of one id or of many; an unknown id is an error."""
        if self._is_single_id(ids):
            return np.asarray(self.position(ids))
        positions = self.positions(ids)
        if len(positions) and positions.min() < 0:
            row = int(np.argmin(positions))
            parts = self._query(ids)
            values = tuple(python_value(list(part)[row]) for part in parts)
            value = values if self._is_composite else values[0]
            raise InputError(f"{value!r} is not an id of this graph")
        return positions

    def _is_single_id(self, ids: Any) -> bool:
        if isinstance(ids, tuple):
            return self._is_composite and not all(map(is_column, ids))
        return not is_column(ids)

    def take(self, positions: npt.NDArray[Any]) -> Any:
        """The ids at these positions, as the columns are."""
        return self.column(positions)

    def column(self, positions: npt.NDArray[Any]) -> Any:
        """The ids at these positions: NumPy for integers, otherwise Arrow."""
        parts = tuple(take(part, positions) for part in self._parts)
        return parts if self._is_composite else parts[0]

    def objects(self, positions: npt.NDArray[Any]) -> list[Any]:
        """The ids at these positions as Python objects; tuples for ids of several columns."""
        parts = [take(part, positions) for part in self._parts]
        lists = [
            part.tolist() if isinstance(part, np.ndarray) else part.to_pylist() for part in parts
        ]
        return list(zip(*lists, strict=True)) if self._is_composite else lists[0]

    def __repr__(self) -> str:
        return f"External({len(self):,} ids, {', '.join(self.names)})"


def _row(columns: tuple[Any, ...], row: int) -> tuple[Any, ...]:
    """The Python objects in a row of columns of NumPy and Arrow."""
    values = (column[row] for column in columns)
    return tuple(v.item() if isinstance(v, np.generic) else v.as_py() for v in values)
