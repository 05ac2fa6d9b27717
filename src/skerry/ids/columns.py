"""Recognizes a column of ids: what it is made of, and what native code reads of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.ids.integers import IntegerColumn
from skerry.ids.texts import TextColumn

if TYPE_CHECKING:
    import pyarrow

__all__ = ["DictionaryColumn", "Piece", "read_column"]

NO_FLOATS = (
    "floats are not ids: two that look the same may differ; make them integers, or strings of a "
    "fixed number of digits"
)


@dataclass(frozen=True, slots=True)
class DictionaryColumn:
    """Some ids that are told by their places in a list of values."""

    places: npt.NDArray[Any]
    values: Any
    """The list, itself a column."""

    def __len__(self) -> int:
        return len(self.places)


Piece = IntegerColumn | TextColumn | DictionaryColumn


def read_column(column: Any) -> Iterator[Piece]:
    """The column as pieces that native code can read; most have one.

    Copies nothing that can be read where it is. Missing ids and floats are an error.
    """
    if isinstance(column, np.ndarray):
        if column.dtype.kind in "iu":
            yield IntegerColumn(_readable(column))
            return
        column = _array_of_objects(column)
    from skerry.ids.arrow import read_arrow

    yield from read_arrow(_as_arrow(column))


def _as_arrow(column: Any) -> Any:
    """As a pyarrow Array or ChunkedArray."""
    import pyarrow as pa

    if isinstance(column, pa.Array | pa.ChunkedArray):
        return column
    try:
        if hasattr(column, "__arrow_c_stream__"):
            return pa.chunked_array(column)
        if hasattr(column, "__arrow_c_array__") or isinstance(column, list):
            return pa.array(column)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        raise InputError(f"this is not a column of ids: {error}") from None
    raise InputError(
        f"a {type(column).__name__} is not a column of ids: give a NumPy or pyarrow array"
    )


def _array_of_objects(values: npt.NDArray[Any]) -> pyarrow.Array:
    """Strings, UUIDs, dates or booleans of NumPy as Arrow has them."""
    import pyarrow as pa

    if values.ndim != 1:
        raise InputError(f"a column of ids has one dimension, this has shape {values.shape}")
    kind = values.dtype.kind
    if kind in "fc":
        raise InputError(_no_floats(values))
    if kind == "T":  # NumPy's strings of any length
        values = values.astype(object)
    try:
        if kind == "O" and len(values) and isinstance(values[0], UUID):
            return _uuids(values)
        return pa.array(values, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        raise InputError(
            f"an array of {values.dtype} does not hold ids of one type: {error}"
        ) from None


def _uuids(values: npt.NDArray[Any]) -> pyarrow.Array:
    import pyarrow as pa

    for row, value in enumerate(values):
        if not isinstance(value, UUID):
            raise InputError(f"row {row} of the ids is {value!r}, those before are UUIDs")
    storage = pa.array([value.bytes for value in values], pa.binary(16))
    return pa.ExtensionArray.from_storage(pa.uuid(), storage) if hasattr(pa, "uuid") else storage


def _no_floats(values: npt.NDArray[Any]) -> str:
    missing = np.isnan(values)
    if missing.any():
        return f"row {int(np.argmax(missing))} of the ids is missing (NaN); drop or fill it first"
    return NO_FLOATS


def _readable(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """An array that native code can read: a copy only where it cannot."""
    if values.ndim != 1:
        raise InputError(f"a column of ids has one dimension, this has shape {values.shape}")
    if type(values) is not np.ndarray:
        masked = np.ma.getmaskarray(values)  # for subclasses only: numpy.ma is slow to import
        if masked.any():
            row = int(np.argmax(masked))
            raise InputError(f"row {row} of the ids is missing (masked); drop or fill it first")
        values = np.asarray(values)
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    if not values.flags.aligned or values.strides[0] % values.itemsize:
        values = values.copy()
    return values
