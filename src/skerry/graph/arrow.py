"""Conversions between NumPy's and Arrow's arrays of numbers, and Arrow's types made plain.

Numbers are not copied. pyarrow's own functions (`pyarrow.array`, ``to_numpy``) import pandas where
it is installed, which takes longer than to solve a small graph.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.optional import require_arrow

FLOATS = {"halffloat": "float16", "float": "float32", "double": "float64"}
"""Arrow's names of floats; integers have the same names as NumPy's."""
STORED_AS_THEY_ARE = {"arrow.uuid", "arrow.json"}
"""Extension types whose stored values say which id it is."""


def arrow_view(values: npt.NDArray[Any]) -> Any:
    """The same numbers as an Arrow array; booleans are copied, since Arrow has bits for them."""
    pa = require_arrow("an Arrow array")
    values = np.ascontiguousarray(values)
    if values.dtype == np.bool_:
        bits = pa.py_buffer(np.packbits(values, bitorder="little"))
        return pa.Array.from_buffers(pa.bool_(), len(values), [None, bits])
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])


def numpy_type(kind: Any) -> np.dtype[Any]:
    """The type of NumPy for a type of Arrow: integers or floats."""
    name = str(kind)
    return np.dtype(FLOATS.get(name, name))


def numpy_view(array: Any) -> npt.NDArray[Any]:
    """The same numbers as a NumPy array; the Arrow array has integers or floats, none missing."""
    dtype = numpy_type(array.type)
    data = array.buffers()[1]
    if data is None or not len(array):
        return np.empty(0, dtype)
    return np.frombuffer(data, dtype, len(array), array.offset * dtype.itemsize)


def text_offsets(array: Any) -> npt.NDArray[Any]:
    """Where each text or binary value of an array begins in its data, and where the last one ends.

    It is a view, and may not be aligned.
    """
    dtype = np.dtype(np.int64 if str(array.type).startswith("large") else np.int32)
    offsets = array.buffers()[1]
    if offsets is None or not offsets.size:  # of an empty array
        return np.zeros(1, dtype)
    return np.frombuffer(offsets, dtype)[array.offset : array.offset + len(array) + 1]


def arrow_bytes(buffer: Any) -> npt.NDArray[np.uint8]:
    """The bytes of a buffer of Arrow; an empty column may have none."""
    if buffer is None or not buffer.size:
        return np.empty(0, np.uint8)
    return np.frombuffer(buffer, np.uint8)


def byte_count(batch: Any) -> int:
    """Bytes of a record batch or an array; older versions of pyarrow cannot tell it of views."""
    pa = require_arrow("an Arrow array")
    try:
        return int(batch.nbytes)
    except pa.ArrowTypeError:
        return int(batch.get_total_buffer_size())


def plain_type(kind: Any) -> Any:
    """The type of the values themselves: no dictionary, run, extension or view around them."""
    pa = require_arrow("an Arrow array")
    while True:
        if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
            kind = kind.value_type
        elif isinstance(kind, pa.BaseExtensionType):
            kind = kind.storage_type
        elif str(kind) == "string_view":
            return pa.large_string()
        elif str(kind) == "binary_view":
            return pa.large_binary()
        else:
            return kind


def check_meaning(name: str, kind: Any) -> None:
    """Raises for a type of ids whose stored values mean something else in another type.

    A month of pandas and a day may be stored as the same integer.
    """
    pa = require_arrow("an Arrow array")
    if isinstance(kind, pa.BaseExtensionType) and kind.extension_name not in STORED_AS_THEY_ARE:
        raise InputError(
            f"{name} is {kind}: what is stored, {kind.storage_type}, does not say which id it is; "
            "convert the column to text, dates or integers first"
        )


def plain_array(array: Any) -> Any:
    """The same values in their `plain_type`: Arrow has no ``take`` and ``filter`` of views."""
    pa = require_arrow("an Arrow array")
    kind = array.type
    if isinstance(kind, pa.BaseExtensionType):
        return plain_array(array.storage)
    if pa.types.is_dictionary(kind):
        values = plain_array(array.dictionary)
        if values.type != kind.value_type:
            array = pa.DictionaryArray.from_arrays(array.indices, values)
        return array.dictionary_decode()
    if pa.types.is_run_end_encoded(kind):
        compute = require_arrow("an Arrow array", "pyarrow.compute")
        runs = pa.RunEndEncodedArray.from_arrays(array.run_ends, plain_array(array.values))
        return compute.run_end_decode(runs[array.offset : array.offset + len(array)])
    plain = plain_type(kind)
    return array if plain is kind else array.cast(plain)


def as_arrow(column: Any) -> Any:
    """A column of ids as an Arrow array: NumPy's integers without a copy."""
    return arrow_view(column) if isinstance(column, np.ndarray) else column
