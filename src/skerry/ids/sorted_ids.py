"""The distinct ids of an answer, ascending: from an id to its rank and back.

Arrow does the look-up, so that what checks an answer shares nothing with the table that numbered
the ids (see `Numbering`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.graph.arrow import arrow_view, numpy_view

__all__ = ["SortedIds"]


class SortedIds:
    """Ids in ascending order; those made of several columns are tuples."""

    def __init__(self, columns: Any, names: tuple[str, ...] = ("id",)) -> None:
        self.columns = columns
        """An Arrow array, or a tuple of them."""
        self.names = names
        """What the columns are called in a table."""

    @property
    def parts(self) -> tuple[Any, ...]:
        """The columns, one or several."""
        return self.columns if isinstance(self.columns, tuple) else (self.columns,)

    def __len__(self) -> int:
        return len(self.parts[0])

    def __getitem__(self, rank: int) -> Any:
        values = tuple(part[int(rank)].as_py() for part in self.parts)
        return values if isinstance(self.columns, tuple) else values[0]

    def take(self, ranks: npt.NDArray[Any]) -> Any:
        """The ids of these ranks, as the columns are."""
        taken = tuple(part.take(arrow_view(ranks)) for part in self.parts)
        return taken if isinstance(self.columns, tuple) else taken[0]

    def rank(self, value: Any) -> int:
        """The rank of one id, by halving: nothing is built for a single question."""
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
        except TypeError:
            pass
        raise InputError(f"{value!r} is not an id of this graph{self._hint(value)}")

    def _hint(self, value: Any) -> str:
        if not len(self):
            return ", which has none"
        if type(value) is not type(self[0]):
            return f", whose ids are like {self[0]!r}"
        return ""

    @property
    def are_integers(self) -> bool:
        """Whether the ids are integers in one column."""
        import pyarrow as pa

        return len(self.parts) == 1 and bool(pa.types.is_integer(self.parts[0].type))

    def ranks(self, column: Any) -> npt.NDArray[np.int64]:
        """The rank of every id of a column, or -1 where it is none of ours."""
        columns = column if isinstance(column, tuple) else (column,)
        if self.are_integers:
            return _place_in(columns[0], numpy_view(self.parts[0]))
        if len(columns) == 1:
            return _index_in(columns[0], self.parts[0])
        return self._ranks_of_several(columns)

    def _ranks_of_several(self, columns: tuple[Any, ...]) -> npt.NDArray[np.int64]:
        """Every column's values are numbered, and the numbers of an id taken as one."""
        import pyarrow.compute as pc

        own: Any = np.zeros(len(self), np.int64)
        asked: Any = np.zeros(len(columns[0]), np.int64)
        known = np.ones(len(asked), bool)
        for part, given in zip(self.parts, columns, strict=True):
            values = pc.unique(part)
            codes = _index_in(given, values)
            known &= codes >= 0
            asked = asked * len(values) + codes
            own = own * len(values) + _index_in(part, values)
        return np.where(known, _index_in(arrow_view(asked), arrow_view(own)), -1)


def _place_in(values: Any, among: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Where integers stand in a sorted array, or -1."""
    asked = values if isinstance(values, np.ndarray) else numpy_view(values)
    if not len(among):
        return np.full(len(asked), -1)
    fits = (asked >= among[0]) & (asked <= among[-1])  # so that the types can be made alike
    place = np.searchsorted(among, np.where(fits, asked, 0).astype(among.dtype))
    place = np.minimum(place, len(among) - 1)
    return np.where(fits & (among[place] == asked), place, -1)


def _index_in(values: Any, among: Any) -> npt.NDArray[np.int64]:
    import pyarrow as pa
    import pyarrow.compute as pc

    values = values if isinstance(values, pa.Array | pa.ChunkedArray) else arrow_view(values)
    if values.type != among.type:
        values = values.cast(among.type)
    try:
        found = pc.index_in(values, value_set=among)
    except pa.ArrowNotImplementedError:  # views of text are not looked up, plain text is
        wide = pa.large_binary()
        found = pc.index_in(values.cast(wide), value_set=among.cast(wide))
    return numpy_view(found.fill_null(-1)).astype(np.int64)
