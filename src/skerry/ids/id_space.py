"""The ids of a graph's vertices: from an id to its position in 0..n-1, and back.

`IdSpace` is the protocol of `Positions` (the ids are 0..n-1), `Counted` (they start at another
number), `External` (any ids, ascending; ids/external.py) and `Objects` (any Python objects;
ids/objects.py). Objects of these classes are immutable: threads may share them.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.ids.python_objects import python_value

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
                raise InputError(
                    f"vertex {values.min()} is not in this graph, which has no vertices"
                )
            unknown = values.min() if values.min() < self._first else values.max()
            raise InputError(f"vertex {unknown} is not in {self._first}..{last}")
        return values.astype(np.int64) - self._first if self._first else values

    @staticmethod
    def _integers(ids: Any) -> npt.NDArray[Any]:
        values = np.asarray(ids)
        if values.size == 0:
            return values.astype(np.int64)
        if values.dtype.kind == "O":  # a scalar of Arrow, a column of pandas that may have gaps
            values = _plain_integers(values)
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


def counted_from(first: int, n: int) -> Counted:
    """The ids of n vertices that count from ``first``.

    >>> counted_from(0, 3), counted_from(1, 3)
    (Positions(3), Counted(1, 3))
    """
    return Counted(first, n) if first else Positions(n)


def _plain_integers(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Objects that are integers as an array of these; others as they are."""
    plain = np.array([python_value(value) for value in values.flat]).reshape(values.shape)
    return plain if plain.dtype.kind in "iu" else values
