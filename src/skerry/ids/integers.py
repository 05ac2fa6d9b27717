"""Tables of integer ids: integers of any width, and dates, times and booleans stored as such."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.ids.chunks import IntegerChunk, TextChunk
from skerry.ids.status_codes import UNKNOWN, check_status

if TYPE_CHECKING:
    import pyarrow


_HIGH_BIT = 1 << 63
_INT64, _UINT64 = np.dtype(np.int64), np.dtype(np.uint64)


class IntegerIds:
    """The distinct ids of integer columns and their numbers."""

    def __init__(self, first: IntegerChunk) -> None:
        self._table = _native.KeyTable()
        self._dtype = first.values.dtype
        self.type = first.logical
        """The Arrow type that the integers stand for; None for integers."""

    def mark(self) -> tuple[int, Any]:
        """The state, for `rewind`."""
        return self.size, self._dtype

    def rewind(self, mark: tuple[int, Any], threads: int) -> None:
        """Takes away the ids that came after a mark; may be called again where it failed."""
        size, self._dtype = mark
        self._table = first_keys(self._table, size, threads)

    @property
    def size(self) -> int:
        """Distinct ids so far."""
        return self._table.size

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return self._table.nbytes

    @property
    def type_name(self) -> str:
        """The type of these ids, for error messages."""
        return str(self._dtype if self.type is None else self.type)

    def number(
        self, chunk: IntegerChunk | TextChunk, numbers: npt.NDArray[np.uint32], threads: int
    ) -> None:
        """Writes the number of each id of a chunk, which must be an `IntegerChunk`."""
        values = self.check(chunk)
        if values.dtype != self._dtype:
            self._dtype = self._promoted(values, threads)
        status = self._table.number(values, numbers, threads)
        check_status(status, self.size, self.nbytes)

    def find(
        self, chunk: IntegerChunk | TextChunk, numbers: npt.NDArray[np.uint32], threads: int
    ) -> None:
        """As `number`, but adds nothing: writes `UNKNOWN` for ids that are not there."""
        values = self.check(chunk)
        self._table.find(values, numbers, threads)
        if self._dtype.kind == "u" and values.dtype.kind == "i":
            numbers[values < 0] = UNKNOWN  # of the same bits as large ids
        elif self._dtype.kind == "i" and values.dtype == _UINT64:
            numbers[values >= _HIGH_BIT] = UNKNOWN

    def check(self, chunk: IntegerChunk | TextChunk) -> npt.NDArray[Any]:
        """The values of a chunk, which must be of the kind of these ids; adds nothing."""
        if not isinstance(chunk, IntegerChunk) or chunk.logical != self.type:
            raise InputError(f"ids of type {chunk.type_name} after ids of type {self.type_name}")
        return chunk.values

    def _promoted(self, values: npt.NDArray[Any], threads: int) -> np.dtype[Any]:
        """The type that holds the ids so far and these values.

        The table compares 64-bit patterns, so a negative id must not meet one of 2^63 or more.
        """
        pair = {self._dtype, values.dtype}
        if _UINT64 not in pair or all(kind.kind == "u" for kind in pair):
            return np.promote_types(self._dtype, values.dtype)
        if not len(values):
            return self._dtype
        low, high = _native.bounds(values, threads)
        if low >= 0 and high < _HIGH_BIT:  # the new values fit both types
            return _INT64 if self._dtype != _UINT64 else _UINT64
        if not self._table.any_high(threads):  # the ids so far fit both types
            return values.dtype if values.dtype == _UINT64 else _INT64
        raise no_common_type()

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
        return typed if self.type is None else self._as_arrow(typed), order

    def _as_arrow(self, ids: npt.NDArray[Any]) -> pyarrow.Array:
        import pyarrow as pa

        if self.type == pa.bool_():
            return pa.array(ids.astype(np.bool_))
        return pa.Array.from_buffers(self.type, len(ids), [None, pa.py_buffer(ids)])


def first_keys(table: _native.KeyTable, size: int, threads: int) -> _native.KeyTable:
    """A table of the first keys of another, with the same numbers."""
    if table.size == size:
        return table
    keys = np.empty(table.size, np.uint64)
    table.keys_by_number(keys, threads)
    made = _native.KeyTable()
    numbers = np.empty(size, np.uint32)
    status = made.number(keys[:size], numbers, 1)  # one thread numbers them as they come
    check_status(status, made.size, made.nbytes)
    return made


def no_common_type() -> InputError:
    """The error of negative ids together with ids of 2^63 or more."""
    return InputError(
        "negative ids and ids of 2^63 or more in one graph: no integer type holds both; "
        "make them strings"
    )
