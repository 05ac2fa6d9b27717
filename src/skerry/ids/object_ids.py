"""Ids that are any hashable objects, in the order in which they came: what networkx allows."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError, UnsupportedError

__all__ = ["ObjectIds"]


class ObjectIds:
    """As `SortedIds`, for objects that have no order and no type in common."""

    names = ("id",)

    def __init__(self, values: list[Any]) -> None:
        self.columns = values
        self._rank = {value: rank for rank, value in enumerate(values)}

    @property
    def parts(self) -> tuple[Any, ...]:
        """The one column as Arrow holds it, if it can."""
        import pyarrow as pa

        try:
            return (pa.array(self.columns),)
        except (pa.ArrowException, TypeError, OverflowError) as error:
            raise UnsupportedError(
                f"ids of these types have no Arrow table: {error}; result.groups() and "
                "result.ids give them as they are"
            ) from None

    def __len__(self) -> int:
        return len(self.columns)

    def __getitem__(self, rank: int) -> Any:
        return self.columns[int(rank)]

    def take(self, ranks: npt.NDArray[Any]) -> list[Any]:
        """The ids of these ranks."""
        return [self.columns[rank] for rank in ranks.tolist()]

    def rank(self, value: Any) -> int:
        """The rank of one id."""
        try:
            return self._rank[value]
        except (KeyError, TypeError):
            raise InputError(f"{value!r} is not an id of this graph") from None

    def ranks(self, values: Any) -> npt.NDArray[np.int64]:
        """The rank of each of some ids, or -1 where it is none of ours."""
        return np.array([self._rank.get(value, -1) for value in values], np.int64)
