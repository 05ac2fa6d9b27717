"""The ids of a graph's vertices: from an id to its position in 0..n-1, and back.

`IdSpace` is the protocol of `Positions` (the ids are 0..n-1), `Counted` (they start at another
number), `External` (any ids, ascending) and `Objects` (any Python objects). Objects of these
classes are immutable: threads may share them.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError, UnsupportedError
from skerry.ids.lookup import (
    as_column,
    composite_positions,
    is_column,
    positions_in_column,
    python_value,
    take,
)
from skerry.optional import require_arrow

__all__ = ["Counted", "External", "IdSpace", "Objects", "Positions"]

Indices = npt.NDArray[np.int64]


class IdSpace(Protocol):
    """The distinct ids of a graph, in the order of its vertices."""

    names: tuple[str, ...]
    """What the columns of ids are called in a table: ``("id",)``, or one name for each column."""

    @property
    def columns(self) -> Any:
        """All ids in order, as ``result.ids`` gives them.

        A NumPy array for integers, otherwise an Arrow array; a tuple of those for ids of several
        columns; a list for `Objects`. None for `Positions`, whose ids are the positions.
        """
        ...

    @property
    def are_integers(self) -> bool:
        """Whether an id is one integer."""
        ...

    def __len__(self) -> int: ...

    def __getitem__(self, position: int) -> Any:
        """The id at a position, as a Python object."""
        ...

    def position(self, id: Any) -> int:
        """The position of one id; `InputError` if it is not an id of this graph."""
        ...

    def positions(self, ids: Any) -> Indices:
        """The position of each of many ids, -1 for those that are not ids of this graph.

        ``ids`` is a NumPy or Arrow array or a list. For ids of several columns it is a tuple of
        such columns, or a list of tuples.
        """
        ...

    def lookup(self, ids: Any) -> npt.NDArray[Any]:
        """The positions of one id or of many; `InputError` names one that is not in this graph."""
        ...

    def take(self, positions: npt.NDArray[Any]) -> Any:
        """The ids at these positions, in the form of ``columns``."""
        ...

    def column(self, positions: npt.NDArray[Any]) -> Any:
        """The ids at these positions for a table: NumPy for integers, otherwise Arrow.

        A tuple of columns for ids of several columns.
        """
        ...

    def objects(self, positions: npt.NDArray[Any]) -> list[Any]:
        """The ids at these positions as Python objects; for `Objects` the caller's own."""
        ...


class Counted:
    """Ids that are ``first..first+n-1``: those of formats that count from 1.

    >>> Counted(1, 4).positions([1, 4, 5]).tolist()
    [0, 3, -1]
    """

    __slots__ = ("_first", "_n")

    names: tuple[str, ...] = ("id",)
    are_integers = True

    def __init__(self, first: int, n: int) -> None:
        self._first = first
        self._n = n

    @property
    def columns(self) -> npt.NDArray[Any] | None:
        """All ids, ascending."""
        return np.arange(self._first, self._first + self._n, dtype=np.int64)

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, position: int) -> int:
        return int(position) + self._first

    def position(self, id: Any) -> int:
        """The position of one id."""
        return int(self.lookup(id))

    def positions(self, ids: Any) -> Indices:
        """The position of each id, -1 for those out of range."""
        values = self._integers(ids)
        known = (values >= self._first) & (values < self._first + self._n)
        positions = np.full(values.shape, -1, np.int64)
        positions[known] = values[known].astype(np.int64) - self._first
        return positions

    def lookup(self, ids: Any) -> npt.NDArray[Any]:
        """The positions of one id or of an array of any shape."""
        values = self._integers(ids)
        last = self._first + self._n - 1
        if values.size and (values.min() < self._first or values.max() > last):
            if not self._n:
                raise InputError(f"vertex {ids!r} is not in this graph, which has no vertices")
            raise InputError(f"vertex {ids!r} is not in {self._first}..{last}")
        return values.astype(np.int64) - self._first if self._first else values

    @staticmethod
    def _integers(ids: Any) -> npt.NDArray[Any]:
        values = np.asarray(ids)
        if values.size == 0:
            return values.astype(np.int64)
        if values.dtype.kind not in "iu":
            raise InputError(f"vertices are integers, got {values.dtype} ({ids!r})")
        return values

    def take(self, positions: npt.NDArray[Any]) -> Any:
        """The ids at these positions."""
        return self.column(positions)

    def column(self, positions: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The ids at these positions."""
        return positions.astype(np.int64) + self._first

    def objects(self, positions: npt.NDArray[Any]) -> list[int]:
        """The ids at these positions as Python integers."""
        return self.column(positions).tolist()  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._first}, {self._n})"


class Positions(Counted):
    """Ids that are vertex numbers: the positions themselves, 0..n-1.

    >>> Positions(6).position(5)
    5
    """

    __slots__ = ()

    def __init__(self, n: int) -> None:
        self._first = 0  # without a call of the base class: one is made for every result
        self._n = n

    @property
    def columns(self) -> None:
        """None: the positions are the ids."""
        return None

    def column(self, positions: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The positions as they are."""
        return positions

    def __repr__(self) -> str:
        return f"Positions({self._n})"


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
        values = tuple(python_value(part[int(position)]) for part in self._parts)
        return values if self._is_composite else values[0]

    def position(self, id: Any) -> int:
        """The position of one id, by bisection: no table is built for a single id."""
        value = python_value(id)
        low, high = 0, len(self)
        try:
            while low < high:
                middle = (low + high) // 2
                if self[middle] < value:
                    low = middle + 1
                else:
                    high = middle
            if low < len(self) and self[low] == value:
                return low
        except TypeError:  # of a type that does not compare with these ids
            pass
        raise InputError(f"{value!r} is not an id of this graph{self._hint(value)}")

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


class Objects:
    """Any hashable Python objects in the order of the graph: the nodes of networkx.

    >>> Objects(["a", 7, None]).position(7)
    1
    """

    names: tuple[str, ...] = ("id",)
    are_integers = False

    def __init__(self, nodes: list[Any]) -> None:
        self._nodes = nodes

    @cached_property
    def _position_of(self) -> dict[Any, int]:
        return {node: position for position, node in enumerate(self._nodes)}

    @property
    def columns(self) -> list[Any]:
        """All nodes: a list."""
        return self._nodes

    def __len__(self) -> int:
        return len(self._nodes)

    def __getitem__(self, position: int) -> Any:
        return self._nodes[int(position)]

    def position(self, id: Any) -> int:
        """The position of one node."""
        position = self._find(id)
        if position < 0:
            raise InputError(f"{id!r} is not an id of this graph")
        return position

    def _find(self, node: Any) -> int:
        try:
            return self._position_of.get(node, -1)
        except TypeError:  # not hashable
            return -1

    def positions(self, ids: Any) -> Indices:
        """The position of each node, -1 for those that are not in this graph."""
        return np.array([self._find(node) for node in ids], np.int64)

    def lookup(self, ids: Any) -> npt.NDArray[Any]:
        """The position of a node, or the positions of an array or list of nodes."""
        if is_column(ids):
            return np.array([self.position(python_value(node)) for node in ids], np.int64)
        return np.asarray(self.position(ids))

    def take(self, positions: npt.NDArray[Any]) -> list[Any]:
        """The nodes at these positions."""
        return self.objects(positions)

    def column(self, positions: npt.NDArray[Any]) -> Any:
        """The nodes at these positions as an Arrow array, where they are of one type."""
        arrow = require_arrow("a table of these ids")
        try:
            return arrow.array(self.objects(positions))
        except (arrow.ArrowException, TypeError, OverflowError) as error:
            raise UnsupportedError(
                f"ids of these types have no Arrow table: {error}; result.groups() and "
                "result.ids give them as they are"
            ) from None

    def objects(self, positions: npt.NDArray[Any]) -> list[Any]:
        """The caller's own nodes at these positions."""
        return [self._nodes[position] for position in positions.tolist()]

    def __getstate__(self) -> dict[str, Any]:
        return {"_nodes": self._nodes}

    def __repr__(self) -> str:
        return f"Objects({len(self):,} nodes)"
