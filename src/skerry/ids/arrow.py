"""Arrow arrays as columns of ids, read in place from their buffers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.types as kinds

from skerry.errors import InputError
from skerry.graph.arrow import arrow_bytes, arrow_view, numpy_view, plain_array, text_offsets
from skerry.ids.chunks import (
    Chunk,
    DictionaryChunk,
    IntegerChunk,
    TextChunk,
    float_error,
    missing_error,
    ordered_decimals,
)


def read_arrow(column: pa.Array | pa.ChunkedArray) -> Iterator[Chunk]:
    """One chunk for an array, one for each chunk of a chunked array."""
    if kinds.is_null(column.type) and not len(column):
        return  # an empty list has no type: any may follow
    row = 0
    for chunk in column.chunks if isinstance(column, pa.ChunkedArray) else [column]:
        yield _read(chunk, row)
        row += len(chunk)
    if isinstance(column, pa.ChunkedArray) and not column.num_chunks:
        yield _read(pa.array([], column.type), 0)


def _read(array: pa.Array, row: int) -> Chunk:
    """An array whose first id is in this row of the column; the row is for messages."""
    kind = array.type
    if array.null_count:
        missing = array.is_null().to_numpy(zero_copy_only=False)
        raise missing_error(row + int(np.argmax(missing)), "null")
    if isinstance(kind, pa.BaseExtensionType):
        storage = _read(array.storage, row)
        if isinstance(storage, IntegerChunk):
            return replace(storage, logical=kind)
        if isinstance(storage, TextChunk):
            return replace(storage, type=kind, kind=str(kind))
        return _read(plain_array(array), row)
    for is_kind, reader in _READERS:
        if is_kind(kind):
            return reader(array, row)
    if kinds.is_floating(kind):
        raise float_error()
    hint = "; give its fields as several columns" if kinds.is_struct(kind) else ""
    raise InputError(f"ids cannot be of type {kind}{hint}")


def _integers(array: pa.Array, _row: int) -> IntegerChunk:
    return IntegerChunk(_aligned(numpy_view(array)))


def _times(array: pa.Array, row: int) -> IntegerChunk:
    """Dates, times and durations, which Arrow stores as integers."""
    integers = pa.int32() if array.type.bit_width == 32 else pa.int64()
    return replace(_integers(array.view(integers), row), logical=array.type)


def _booleans(array: pa.Array, row: int) -> IntegerChunk:
    return replace(_integers(array.cast(pa.uint8()), row), logical=array.type)


def _texts(array: pa.Array, _row: int) -> TextChunk:
    kind = array.type
    offsets = _aligned(text_offsets(array))
    text = kinds.is_string(kind) or kinds.is_large_string(kind)
    return TextChunk(
        arrow_bytes(array.buffers()[2]),
        offsets,
        0,
        len(array),
        "string" if text else "binary",
        kind,
    )


def _views(array: pa.Array, row: int) -> TextChunk:
    return _texts(plain_array(array), row)


def _fixed_width(array: pa.Array, _row: int) -> TextChunk:
    kind, width = array.type, array.type.byte_width
    data = arrow_bytes(array.buffers()[1])[
        array.offset * width : (array.offset + len(array)) * width
    ]
    return TextChunk(data, None, width, len(array), str(kind), kind)


def _decimals(array: pa.Array, row: int) -> TextChunk:
    column, kind = _fixed_width(array, row), array.type
    data = ordered_decimals(column.data, column.width)
    # The scale is part of the kind, the precision is not: it does not change the bytes.
    return replace(column, data=data, kind=f"{8 * column.width}-bit decimal, scale {kind.scale}")


def _dictionary(array: pa.Array, row: int) -> Chunk:
    values = array.dictionary
    if len(values) > len(array):
        return _read(plain_array(array), row)
    if "view" in str(values.type):  # of which Arrow cannot take some
        values = plain_array(values)
    indices = _aligned(numpy_view(array.indices))
    if values.null_count:
        missing = values.is_null().to_numpy(zero_copy_only=False)[indices]
        if missing.any():
            raise missing_error(row + int(np.argmax(missing)), "null")
    used = np.zeros(len(values), np.bool_)
    used[indices] = True
    if used.all():
        return DictionaryChunk(indices, values)
    ranks = np.cumsum(used) - 1
    return DictionaryChunk(ranks[indices], values.filter(arrow_view(used)))


def _run_ends(array: pa.Array, row: int) -> Chunk:
    return _read(plain_array(array), row)


_READERS: tuple[tuple[Callable[[Any], bool], Callable[[pa.Array, int], Chunk]], ...] = (
    (kinds.is_integer, _integers),
    (lambda kind: kinds.is_string(kind) or kinds.is_binary(kind), _texts),
    (lambda kind: kinds.is_large_string(kind) or kinds.is_large_binary(kind), _texts),
    (lambda kind: str(kind) in ("string_view", "binary_view"), _views),
    (kinds.is_decimal, _decimals),  # first: Arrow counts decimals as fixed-size binary
    (kinds.is_fixed_size_binary, _fixed_width),
    (lambda kind: kinds.is_date(kind) or kinds.is_time(kind), _times),
    (lambda kind: kinds.is_timestamp(kind) or kinds.is_duration(kind), _times),
    (kinds.is_boolean, _booleans),
    (kinds.is_dictionary, _dictionary),
    (kinds.is_run_end_encoded, _run_ends),
)
"""The types that ids may have, and the function that reads each."""


def _aligned(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return values if values.flags.aligned else values.copy()
