"""Ids that are bytes underneath: strings, binary, UUIDs, decimals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.errors import InputError
from skerry.ids.status_codes import BAD_TEXT, check_outcome

if TYPE_CHECKING:
    import pyarrow

__all__ = ["TextColumn", "TextIds", "ordered_decimals"]

_MOST_SHORT = 2**31 - 1  # bytes that 32-bit offsets can tell apart


@dataclass(frozen=True, slots=True)
class TextColumn:
    """Some ids, as native code reads them: side by side in one array of bytes."""

    data: npt.NDArray[np.uint8]
    offsets: npt.NDArray[Any] | None
    """Where each begins, and where the last ends; None where all have one width."""
    width: int
    count: int
    kind: str
    """Columns of the same kind may follow each other."""
    type: pyarrow.DataType
    """What they were, and what their ids become again."""

    def __len__(self) -> int:
        return self.count

    @property
    def name(self) -> str:
        """What messages call its type."""
        return str(self.type)


class TextIds:
    """The distinct ids of text columns and their numbers."""

    def __init__(self, first: TextColumn) -> None:
        self._table = _native.TextTable()
        self._kind = first.kind
        self._type = first.type
        self._width = first.width

    @property
    def size(self) -> int:
        """Distinct ids so far."""
        return self._table.size

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return self._table.nbytes

    def number(self, column: Any, numbers: npt.NDArray[np.uint32], threads: int) -> None:
        """Writes the number of each id of a `TextColumn`."""
        if not isinstance(column, TextColumn) or column.kind != self._kind:
            raise InputError(f"ids of type {column.name} after ids of type {self._type}")
        if column.type != self._type:
            self._type = _wider(self._type, column.type)
        outcome = self._table.number(column.data, column.offsets, column.width, numbers, threads)
        if outcome == BAD_TEXT:
            raise InputError(_fault(column))
        check_outcome(outcome, self.size, self.nbytes)

    def in_order(
        self, threads: int, *, consume: bool
    ) -> tuple[pyarrow.Array, npt.NDArray[np.uint32]]:
        """The ids ascending and the number of each; ``consume`` frees the table on the way."""
        table, order = self._table, np.empty(self.size, np.uint32)
        if consume:
            self._table = _native.TextTable()
        total = table.find_order(consume, order, threads)
        offsets, data = np.empty(len(order) + 1, np.uint64), np.empty(total, np.uint8)
        table.fill(order, offsets, data, threads)
        return self._as_arrow(offsets, data), order

    def _as_arrow(
        self, offsets: npt.NDArray[np.uint64], data: npt.NDArray[np.uint8]
    ) -> pyarrow.Array:
        import pyarrow as pa
        import pyarrow.types as kinds

        kind = self._type
        storage = kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind
        if kinds.is_decimal(storage):
            data = _plain_decimals(data, storage.byte_width)
        short = kinds.is_string(storage) or kinds.is_binary(storage)
        if short and len(data) > _MOST_SHORT:
            short = False
            kind = storage = pa.large_string() if kinds.is_string(storage) else pa.large_binary()
        buffers = [None, pa.py_buffer(data)]
        if short:
            buffers.insert(1, pa.py_buffer(offsets.astype(np.int32)))
        elif kinds.is_large_string(storage) or kinds.is_large_binary(storage):
            buffers.insert(1, pa.py_buffer(offsets))
        array = pa.Array.from_buffers(storage, len(offsets) - 1, buffers)
        if isinstance(kind, pa.BaseExtensionType):
            return pa.ExtensionArray.from_storage(kind, array)
        return array


def ordered_decimals(data: npt.NDArray[np.uint8], width: int) -> npt.NDArray[np.uint8]:
    """Decimals as bytes that order as they do: the highest byte first, its sign turned."""
    flipped = data.reshape(-1, width)[:, ::-1].copy()
    flipped[:, 0] ^= 0x80
    return flipped.reshape(-1)


def _plain_decimals(data: npt.NDArray[np.uint8], width: int) -> npt.NDArray[np.uint8]:
    """Back from `ordered_decimals`."""
    flipped = data.reshape(-1, width)[:, ::-1].copy()
    flipped[:, -1] ^= 0x80
    return flipped.reshape(-1)


def _wider(one: pyarrow.DataType, other: pyarrow.DataType) -> pyarrow.DataType:
    """Of two types of the same kind the one that holds the ids of both."""
    import pyarrow.types as kinds

    if kinds.is_decimal(one):
        return max(one, other, key=lambda kind: kind.precision)
    return other if kinds.is_large_string(other) or kinds.is_large_binary(other) else one


def _fault(column: TextColumn) -> str:
    """Says which row native code stopped at."""
    if column.offsets is None:
        return f"{column.count:,} ids of {column.width} bytes, but only {len(column.data):,} bytes"
    starts = column.offsets.astype(np.int64)
    sizes = np.diff(starts)
    wrong = (sizes < 0) | (starts[:-1] < 0) | (starts[1:] > len(column.data))
    if wrong.any():
        return f"row {int(np.argmax(wrong))} of the ids lies outside its data: the array is broken"
    return f"row {int(np.argmax(sizes))} of the ids is 4 GiB long or longer"
