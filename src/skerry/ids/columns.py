"""Reads a column of ids, whatever holds it, into chunks for native code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.graph.arrow import arrow_view
from skerry.ids.chunks import (
    Chunk,
    DictionaryChunk,
    IntegerChunk,
    TextChunk,
    float_error,
    missing_error,
    plain_decimals,
)
from skerry.ids.python_objects import column_of_objects, integer_array
from skerry.optional import require_arrow

__all__ = ["array_from_numpy", "array_of_chunk", "chunk_of_array", "integer_array", "read_column"]


def read_column(column: Any) -> Iterator[Chunk]:
    """The chunks of a column; without a copy where native code can read the data in place.

    Integers in NumPy arrays and lists need no pyarrow. Missing ids and floats are an error.
    """
    untyped = isinstance(column, list) or (
        isinstance(column, np.ndarray) and column.dtype.kind == "O"
    )
    if untyped and not len(column):
        return  # no ids and no type: ids of any type may follow
    array = column
    if untyped:
        if isinstance(column, np.ndarray) and column.ndim != 1:
            raise _dimension_error(column)
        array = column_of_objects(column)
    if isinstance(array, np.ndarray):
        if array.dtype.kind in "iu":
            yield IntegerChunk(_readable(array))
            return
        array = array_from_numpy(array)
    else:
        array = _as_arrow(array)
    # Late: that module imports pyarrow, which is optional.
    from skerry.ids.arrow import read_arrow

    yield from read_arrow(array)


def chunk_of_array(array: Any) -> IntegerChunk | TextChunk:
    """An Arrow array of times or decimals as a chunk."""
    (chunk,) = read_column(array)
    assert not isinstance(chunk, DictionaryChunk)
    return chunk


def array_of_chunk(chunk: IntegerChunk | TextChunk) -> Any:
    """A chunk of times or decimals as an Arrow array."""
    pa = require_arrow("a column of ids that are not integers")
    if isinstance(chunk, IntegerChunk):
        data, kind = np.ascontiguousarray(chunk.values), chunk.logical
    else:
        data, kind = plain_decimals(chunk.data, chunk.width), chunk.type
    return pa.Array.from_buffers(kind, len(chunk), [None, pa.py_buffer(data)])


def _as_arrow(column: Any) -> Any:
    """The column as a pyarrow Array or ChunkedArray."""
    is_stream = hasattr(column, "__arrow_c_stream__")
    if not is_stream and not hasattr(column, "__arrow_c_array__"):
        raise InputError(
            f"a {type(column).__name__} is not a column of ids: give a NumPy or pyarrow array"
        )
    pa = require_arrow("a column of ids that are not integers")
    if isinstance(column, pa.Array | pa.ChunkedArray):
        return column
    try:
        return pa.chunked_array(column) if is_stream else pa.array(column)
    except (pa.ArrowException, OverflowError, UnicodeError) as error:
        raise InputError(f"this is not a column of ids: {error}") from None


def array_from_numpy(values: npt.NDArray[Any]) -> Any:
    """Strings, UUIDs, dates or booleans of NumPy as a pyarrow Array."""
    if values.ndim != 1:
        raise _dimension_error(values)
    kind = values.dtype.kind
    if kind in "fc":
        missing = np.isnan(values)
        raise missing_error(int(np.argmax(missing)), "NaN") if missing.any() else float_error()
    pa = require_arrow(f"a column of ids of type {values.dtype}")
    dtype = values.dtype
    if kind == "O":
        column = column_of_objects(values, nulls=True) if len(values) else pa.nulls(0)
        return arrow_view(column) if isinstance(column, np.ndarray) else column
    if kind == "T":  # NumPy's strings of variable width
        values = values.astype(object)
    elif kind in "Mm":
        values = _in_a_unit_of_arrow(values)
    elif not dtype.isnative:
        values = values.astype(dtype.newbyteorder("="))
    try:
        array = pa.array(values, from_pandas=True)
        return array.cast(pa.string()) if kind == "T" else array  # of which there may be none
    except (pa.ArrowException, OverflowError, TypeError, UnicodeError) as error:
        raise InputError(f"an array of {dtype} does not hold ids of one type: {error}") from None


def _in_a_unit_of_arrow(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Dates and durations in a unit that Arrow has too: days, seconds and parts of them."""
    kind, unit = values.dtype.kind, np.datetime_data(values.dtype)
    if kind == "M" and unit in (("Y", 1), ("M", 1), ("W", 1), ("D", 1)):
        return values.astype("M8[D]")
    if unit[0] in ("W", "D", "h", "m", "s"):
        return values.astype(f"{kind}8[s]")
    if unit[0] in ("ms", "us", "ns"):
        return values.astype(f"{kind}8[{unit[0]}]", copy=False)
    raise InputError(f"ids cannot be of type {values.dtype}: convert them to {kind}8[ns] first")


def _readable(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Integers that native code can read: a copy only if their layout or byte order needs it."""
    if values.ndim != 1:
        raise _dimension_error(values)
    if type(values) is not np.ndarray:
        masked = np.ma.getmaskarray(values)  # for subclasses only: numpy.ma is slow to import
        if masked.any():
            raise missing_error(int(np.argmax(masked)), "masked")
        values = np.asarray(values)
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    if not values.flags.aligned or values.strides[0] % values.itemsize:
        values = values.copy()
    return values


def _dimension_error(values: npt.NDArray[Any]) -> InputError:
    return InputError(f"a column of ids has one dimension, this has shape {values.shape}")
