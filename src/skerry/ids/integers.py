"""Ids that are whole numbers underneath: integers of any width, dates, times, booleans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.errors import InputError
from skerry.ids.status_codes import check_outcome

if TYPE_CHECKING:
    import pyarrow

__all__ = ["IntegerColumn", "IntegerIds"]

_HIGH_BIT = 1 << 63
_INT64, _UINT64 = np.dtype(np.int64), np.dtype(np.uint64)


@dataclass(frozen=True, slots=True)
class IntegerColumn:
    """Some ids, as native code reads them."""

    values: npt.NDArray[Any]
    """Integers of native byte order, aligned; any step."""
    logical: pyarrow.DataType | None = None
    """What they stand for, where that is not just an integer: dates, times, booleans."""

    def __len__(self) -> int:
        return len(self.values)

    @property
    def name(self) -> str:
        """What messages call its type."""
        return str(self.values.dtype if self.logical is None else self.logical)


class IntegerIds:
    """The distinct ids of integer columns and their numbers."""

    def __init__(self, first: IntegerColumn) -> None:
        self._table = _native.KeyTable()
        self._dtype = first.values.dtype
        self._logical = first.logical

    @property
    def size(self) -> int:
        """Distinct ids so far."""
        return self._table.size

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return self._table.nbytes

    @property
    def name(self) -> str:
        """What messages call the type of these ids."""
        return str(self._dtype if self._logical is None else self._logical)

    def number(self, column: Any, numbers: npt.NDArray[np.uint32], threads: int) -> None:
        """Writes the number of each id of an `IntegerColumn`."""
        if not isinstance(column, IntegerColumn) or column.logical != self._logical:
            raise InputError(f"ids of type {column.name} after ids of type {self.name}")
        if column.values.dtype != self._dtype:
            self._dtype = self._promoted(column.values, threads)
        outcome = self._table.number(column.values, numbers, threads)
        check_outcome(outcome, self.size, self.nbytes)

    def _promoted(self, values: npt.NDArray[Any], threads: int) -> np.dtype[Any]:
        """The type that holds the ids so far and these; as 64 bits they must not collide."""
        pair = {self._dtype, values.dtype}
        if _UINT64 not in pair or all(kind.kind == "u" for kind in pair):
            return np.promote_types(self._dtype, values.dtype)
        if not len(values):
            return self._dtype
        low, high = _native.bounds(values, threads)
        if low >= 0 and high < _HIGH_BIT:  # these fit either way
            return _INT64 if self._dtype != _UINT64 else _UINT64
        if not self._table.any_high(threads):  # those so far do
            return values.dtype if values.dtype == _UINT64 else _INT64
        raise InputError(
            "negative ids and ids of 2^63 or more in one graph: no integer type holds both; "
            "make them strings"
        )

    def in_order(
        self, threads: int, *, consume: bool
    ) -> tuple[npt.NDArray[Any] | pyarrow.Array, npt.NDArray[np.uint32]]:
        """The ids ascending and the number of each; ``consume`` frees the table on the way.

        The ids are a NumPy array; an Arrow array where they stand for dates, times or booleans.
        """
        keys = np.empty(self.size, np.uint64)
        self._table.keys_by_number(keys, threads)
        if consume:
            self._table = _native.KeyTable()
        ids, order = np.empty_like(keys), np.empty(len(keys), np.uint32)
        signed = self._dtype.kind == "i"
        _native.sort_keys(keys, _HIGH_BIT if signed else 0, ids, order, threads)
        del keys
        typed = (ids.view(np.int64) if signed else ids).astype(self._dtype, copy=False)
        return typed if self._logical is None else self._as_arrow(typed), order

    def _as_arrow(self, ids: npt.NDArray[Any]) -> pyarrow.Array:
        import pyarrow as pa

        if self._logical == pa.bool_():
            return pa.array(ids.astype(np.bool_))
        return pa.Array.from_buffers(self._logical, len(ids), [None, pa.py_buffer(ids)])
