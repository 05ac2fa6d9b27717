"""Tables of ids that are strings of bytes: text, binary, UUIDs, decimals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.ids.chunks import IntegerChunk, TextChunk, plain_decimals
from skerry.ids.status_codes import BAD_TEXT, check_status

if TYPE_CHECKING:
    import pyarrow


_MAX_SHORT_BYTES = 2**31 - 1  # what 32-bit offsets can address


class TextIds:
    """The distinct ids of text columns and their numbers."""

    def __init__(self, first: TextChunk) -> None:
        self._table = _native.TextTable()
        self.kind = first.kind
        """Chunks of other kinds are refused; see `TextChunk.kind`."""
        self.type = first.type
        """The Arrow type of the ids so far."""
        self._width = first.width

    def mark(self) -> tuple[int, Any]:
        """The state, for `rewind`."""
        return self.size, self.type

    def rewind(self, mark: tuple[int, Any], threads: int) -> None:
        """Takes away the ids that came after a mark; may be called again where it failed."""
        size, self.type = mark
        if self.size == size:
            return
        table, order = self._table, np.empty(self.size, np.uint32)
        total = table.find_order(False, order, threads)
        order = np.arange(len(order), dtype=np.uint32)
        offsets, data = np.empty(len(order) + 1, np.uint64), np.empty(total, np.uint8)
        table.fill(order, offsets, data, threads)
        made, numbers = _native.TextTable(), np.empty(size, np.uint32)
        # One thread numbers them as they come.
        status = made.number(data, offsets[: size + 1], 0, numbers, 1)
        check_status(status, made.size, made.nbytes)
        self._table = made

    @property
    def size(self) -> int:
        """Distinct ids so far."""
        return self._table.size

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return self._table.nbytes

    def number(
        self, chunk: IntegerChunk | TextChunk, numbers: npt.NDArray[np.uint32], threads: int
    ) -> None:
        """Writes the number of each id of a chunk, which must be a `TextChunk`."""
        texts = self.check(chunk)
        if texts.type != self.type:
            self.type = _wider(self.type, texts.type)
        status = self._table.number(texts.data, texts.offsets, texts.width, numbers, threads)
        if status == BAD_TEXT:
            raise InputError(_describe_bad_text(texts))
        check_status(status, self.size, self.nbytes)

    def find(
        self, chunk: IntegerChunk | TextChunk, numbers: npt.NDArray[np.uint32], threads: int
    ) -> None:
        """As `number`, but adds nothing: writes `UNKNOWN` for ids that are not there."""
        texts = self.check(chunk)
        if self._table.find(texts.data, texts.offsets, texts.width, numbers, threads) == BAD_TEXT:
            raise InputError(_describe_bad_text(texts))

    def check(self, chunk: IntegerChunk | TextChunk) -> TextChunk:
        """A chunk, which must be of the kind of these ids; adds nothing."""
        if not isinstance(chunk, TextChunk) or chunk.kind != self.kind:
            raise InputError(f"ids of type {chunk.type_name} after ids of type {self.type}")
        return chunk

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

        kind = self.type
        storage = kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind
        if kinds.is_decimal(storage):
            data = plain_decimals(data, storage.byte_width)
        short = kinds.is_string(storage) or kinds.is_binary(storage)
        if short and len(data) > _MAX_SHORT_BYTES:
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


def _wider(first: pyarrow.DataType, second: pyarrow.DataType) -> pyarrow.DataType:
    """The type, of two of the same kind, that holds the ids of both."""
    import pyarrow.types as kinds

    if kinds.is_decimal(first):
        return max(first, second, key=lambda kind: kind.precision)
    return second if kinds.is_large_string(second) or kinds.is_large_binary(second) else first


def _describe_bad_text(chunk: TextChunk) -> str:
    """Which row native code stopped at, and why."""
    if chunk.offsets is None:
        return f"{chunk.count:,} ids of {chunk.width} bytes, but only {len(chunk.data):,} bytes"
    starts = chunk.offsets.astype(np.int64)
    sizes = np.diff(starts)
    outside = (sizes < 0) | (starts[:-1] < 0) | (starts[1:] > len(chunk.data))
    if outside.any():
        row = int(np.argmax(outside))
        return f"row {row} of the ids lies outside its data: the array is broken"
    return f"row {int(np.argmax(sizes))} of the ids is 4 GiB long or longer"
