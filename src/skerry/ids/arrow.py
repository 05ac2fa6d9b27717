"""Arrow arrays as columns of ids, read in place from their buffers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute
import pyarrow.types as kinds

from skerry.errors import InputError
from skerry.ids.columns import NO_FLOATS, DictionaryColumn, Piece
from skerry.ids.integers import IntegerColumn
from skerry.ids.texts import TextColumn, ordered_decimals

__all__ = ["read_arrow"]


def read_arrow(column: pa.Array | pa.ChunkedArray) -> Iterator[Piece]:
    """The pieces of an array; of a chunked one each chunk by itself."""
    if kinds.is_null(column.type) and not len(column):
        return  # an empty list has no type of its own
    row = 0
    for chunk in column.chunks if isinstance(column, pa.ChunkedArray) else [column]:
        yield _read(chunk, row)
        row += len(chunk)
    if isinstance(column, pa.ChunkedArray) and not column.num_chunks:
        yield _read(pa.array([], column.type), 0)


def _read(array: pa.Array, row: int) -> Piece:
    """One array whose first id is that row of the column."""
    kind = array.type
    if array.null_count:
        missing = array.is_null().to_numpy(zero_copy_only=False)
        raise _missing(row + int(np.argmax(missing)))
    if isinstance(kind, pa.BaseExtensionType):
        storage = _read(array.storage, row)
        if isinstance(storage, IntegerColumn):
            return replace(storage, logical=kind)
        if isinstance(storage, TextColumn):
            return replace(storage, type=kind, kind=str(kind))
        return _read(array.storage.dictionary_decode(), row)
    for is_kind, reader in _READERS:
        if is_kind(kind):
            return reader(array, row)
    if kinds.is_floating(kind):
        raise InputError(NO_FLOATS)
    hint = "; give its fields as several columns" if kinds.is_struct(kind) else ""
    raise InputError(f"ids cannot be of type {kind}{hint}")


def _missing(row: int) -> InputError:
    return InputError(f"row {row} of the ids is missing (null); drop or fill it first")


def _integers(array: pa.Array, _row: int) -> IntegerColumn:
    return IntegerColumn(_aligned(array.to_numpy(zero_copy_only=True)))


def _times(array: pa.Array, row: int) -> IntegerColumn:
    """Dates, times and durations: integers that stand for something."""
    integers = pa.int32() if array.type.bit_width == 32 else pa.int64()
    return replace(_integers(array.view(integers), row), logical=array.type)


def _booleans(array: pa.Array, row: int) -> IntegerColumn:
    return replace(_integers(array.cast(pa.uint8()), row), logical=array.type)


def _texts(array: pa.Array, _row: int) -> TextColumn:
    kind = array.type
    large = kinds.is_large_string(kind) or kinds.is_large_binary(kind)
    _, starts, data = array.buffers()
    offsets = np.zeros(1, np.int64 if large else np.int32)
    if starts is not None and starts.size:
        every = np.frombuffer(starts, offsets.dtype)
        offsets = _aligned(every[array.offset : array.offset + len(array) + 1])
    text = kinds.is_string(kind) or kinds.is_large_string(kind)
    return TextColumn(_bytes(data), offsets, 0, len(array), "string" if text else "binary", kind)


def _views(array: pa.Array, row: int) -> TextColumn:
    text = kinds.is_string_view(array.type)
    return _texts(array.cast(pa.large_string() if text else pa.large_binary()), row)


def _of_one_width(array: pa.Array, _row: int) -> TextColumn:
    kind, width = array.type, array.type.byte_width
    data = _bytes(array.buffers()[1])[array.offset * width : (array.offset + len(array)) * width]
    return TextColumn(data, None, width, len(array), str(kind), kind)


def _decimals(array: pa.Array, row: int) -> TextColumn:
    column, kind = _of_one_width(array, row), array.type
    data = ordered_decimals(column.data, column.width)
    # Of another precision a number has the same bytes, of another scale it has not.
    return replace(column, data=data, kind=f"{8 * column.width}-bit decimal, scale {kind.scale}")


def _by_dictionary(array: pa.Array, row: int) -> Piece:
    values = array.dictionary
    if len(values) > len(array):
        return _read(array.dictionary_decode(), row)
    places = _aligned(array.indices.to_numpy(zero_copy_only=True))
    if values.null_count:
        missing = values.is_null().to_numpy(zero_copy_only=False)[places]
        if missing.any():
            raise _missing(row + int(np.argmax(missing)))
    used = np.zeros(len(values), np.bool_)
    used[places] = True
    if used.all():
        return DictionaryColumn(places, values)
    ranks = np.cumsum(used) - 1
    return DictionaryColumn(ranks[places], values.filter(pa.array(used)))


def _run_ends(array: pa.Array, row: int) -> Piece:
    return _read(pyarrow.compute.run_end_decode(array), row)


_READERS: tuple[tuple[Callable[[Any], bool], Callable[[pa.Array, int], Piece]], ...] = (
    (kinds.is_integer, _integers),
    (lambda kind: kinds.is_string(kind) or kinds.is_binary(kind), _texts),
    (lambda kind: kinds.is_large_string(kind) or kinds.is_large_binary(kind), _texts),
    (lambda kind: str(kind) in ("string_view", "binary_view"), _views),
    (kinds.is_decimal, _decimals),  # before the next: a decimal is of that kind too
    (kinds.is_fixed_size_binary, _of_one_width),
    (lambda kind: kinds.is_date(kind) or kinds.is_time(kind), _times),
    (lambda kind: kinds.is_timestamp(kind) or kinds.is_duration(kind), _times),
    (kinds.is_boolean, _booleans),
    (kinds.is_dictionary, _by_dictionary),
    (kinds.is_run_end_encoded, _run_ends),
)
"""What an id may be, and how it is read."""


def _bytes(buffer: pa.Buffer | None) -> npt.NDArray[np.uint8]:
    if buffer is None or not buffer.size:
        return np.empty(0, np.uint8)
    return np.frombuffer(buffer, np.uint8)


def _aligned(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return values if values.flags.aligned else values.copy()
