"""Positions of ids in a column of ids: binary search for integers, Arrow's `index_in` otherwise.

Columns of integers are NumPy arrays, so that they need no pyarrow; all others are Arrow arrays.
Nothing here uses the hash tables that number ids: a check of an answer is independent of them.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.graph.arrow import arrow_view, numpy_view, plain_array
from skerry.ids.columns import array_from_numpy
from skerry.ids.exact_types import cast_known
from skerry.ids.python_objects import column_of_objects, python_value

TABLE_SPAN = 8
"""Integers that span so many times their number are looked up in a table: faster than a search."""
_FEW = 4096
"""Ids that are copied one by one rather than import `pyarrow.compute`, as Arrow's `take` does."""
_KEY_RANGE = 2**62  # the codes of several columns make one 64-bit key, which must not overflow


def is_column(value: Any) -> bool:
    """Whether this holds many ids: an array of NumPy or Arrow, a list, a series."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    if isinstance(value, list | range) or _is_arrow(value):
        return True
    return hasattr(value, "__array__") and np.ndim(value) > 0  # a series, an array of a device


def _is_arrow(value: Any) -> bool:
    """Whether this is an Arrow array of any library; imports nothing to find out."""
    return hasattr(value, "__arrow_c_array__") or hasattr(value, "__arrow_c_stream__")


def as_column(column: Any) -> Any:
    """The column as it is kept: integers as a read-only NumPy array, others as an Arrow array."""
    if isinstance(column, np.ndarray):
        if column.dtype.kind not in "iu":
            raise InputError(f"a NumPy column of ids holds integers, not {column.dtype}")
    else:
        import pyarrow as pa

        if isinstance(column, pa.ChunkedArray):
            column = column.combine_chunks()
        if not pa.types.is_integer(column.type):
            return plain_array(column) if "view" in str(column.type) else column
        column = numpy_view(column)
    column = column.view()
    column.flags.writeable = False  # Arrow arrays cannot be changed either
    return column


def take(column: Any, positions: npt.NDArray[Any]) -> Any:
    """A copy of the ids of a column, or of each of several, at these positions."""
    if isinstance(column, tuple):
        return tuple(take(part, positions) for part in column)
    if isinstance(column, np.ndarray):
        return column[positions]
    if 0 < len(positions) <= _FEW and "pyarrow.compute" not in sys.modules:
        import pyarrow as pa

        return pa.concat_arrays([column.slice(position, 1) for position in positions.tolist()])
    return column.take(arrow_view(positions))


def positions_in_column(values: Any, column: Any) -> npt.NDArray[np.int64]:
    """Where each value stands in a column of distinct ids, -1 where it does not.

    Integers are searched in an ascending column; other columns may be in any order.
    """
    if not len(values):
        return np.empty(0, np.int64)
    if isinstance(column, np.ndarray):
        return _integer_positions(values, column)
    return _arrow_positions(_as_arrow(values, column.type), column)


def composite_positions(values: tuple[Any, ...], columns: tuple[Any, ...]) -> npt.NDArray[np.int64]:
    """As `positions_in_column` for ids of several columns, whose rows may be in any order.

    A key of an id is made of the codes of its columns: their positions among the distinct values.
    """
    if len(values) != len(columns):
        raise InputError(f"ids of this graph have {len(columns)} columns, got {len(values)}")
    lengths = {len(part) for part in values}
    if len(lengths) > 1:
        raise InputError(f"columns of ids differ in length: {sorted(lengths)}")
    known = np.ones(lengths.pop(), bool)
    keys = np.zeros(len(columns[0]), np.int64)
    wanted = np.zeros(len(known), np.int64)
    key_range = 1
    for part, column in zip(values, columns, strict=True):
        distinct = _distinct(column)
        if key_range * len(distinct) > _KEY_RANGE:
            dense = np.unique(keys)
            keys, wanted = np.searchsorted(dense, keys), positions_in_column(wanted, dense)
            known &= wanted >= 0
            key_range = len(dense)
        codes = positions_in_column(part, distinct)
        known &= codes >= 0
        keys = keys * len(distinct) + positions_in_column(column, distinct)
        wanted = wanted * len(distinct) + codes
        key_range *= len(distinct)
    order = np.argsort(keys, kind="stable")  # fast where the rows ascend
    ranks = positions_in_column(wanted, keys[order])
    return np.where(known & (ranks >= 0), order[ranks] if len(order) else -1, -1)


def _distinct(column: Any) -> Any:
    if isinstance(column, np.ndarray):
        return np.unique(column)
    import pyarrow.compute as pc

    return pc.unique(column)


def _integer_positions(values: Any, column: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    wanted, valid = _as_integers(values, column.dtype)
    absent = np.full(len(wanted), -1, np.int64)
    if not len(column):
        return absent
    limits = np.iinfo(wanted.dtype)
    low, high = max(int(column[0]), limits.min), min(int(column[-1]), limits.max)
    if low > high:
        return absent
    # Compared in their own type and then converted: no id changes its value on the way.
    kind = wanted.dtype.type
    fits = (wanted >= kind(low)) & (wanted <= kind(high))
    wanted = np.where(fits, wanted, kind(low)).astype(column.dtype, copy=False)
    if valid is not None:
        fits &= valid
    span = int(column[-1]) - int(column[0]) + 1
    if span <= TABLE_SPAN * len(column) and len(wanted) * TABLE_SPAN >= len(column):
        table: npt.NDArray[Any] = np.full(span, -1, np.int32 if len(column) < 2**31 else np.int64)
        table[_offsets(column, column[0])] = np.arange(len(column), dtype=table.dtype)
        return np.where(fits, table[_offsets(wanted, column[0])], -1).astype(np.int64)
    positions = np.searchsorted(column, wanted)
    return np.where(fits & (column[positions] == wanted), positions, -1)


def _offsets(values: npt.NDArray[Any], first: Any) -> npt.NDArray[np.int64]:
    """The distance of each value from the first; differences wrap, but these do not."""
    with np.errstate(over="ignore"):
        offsets: npt.NDArray[np.int64] = (values - first).astype(np.int64, copy=False)
    return offsets


def _as_integers(
    values: Any, dtype: np.dtype[Any]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]:
    """Values as an array of integers, and which of them can be ids; None for all."""
    if not isinstance(values, np.ndarray) and _is_arrow(values):
        return _arrow_integers(values, dtype)
    rows = values if isinstance(values, np.ndarray) else list(values)
    try:
        array = np.asarray(rows)
    except ValueError as error:  # a list of lists of different lengths
        raise _wrong_type(dtype, str(error)) from None
    if array.ndim == 1 and array.dtype.kind in "iu":
        return array, None
    if array.ndim == 1 and all(type(python_value(value)) is int for value in rows):
        limits = np.iinfo(dtype)  # integers without a common type of 64 bits
        fits = [limits.min <= int(value) <= limits.max for value in rows]
        numbers = [int(value) if fit else 0 for value, fit in zip(rows, fits, strict=True)]
        return np.array(numbers, dtype), np.array(fits)
    raise _wrong_type(dtype, f"got {array.dtype}" if array.ndim == 1 else f"shape {array.shape}")


def _arrow_integers(
    values: Any, dtype: np.dtype[Any]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]:
    import pyarrow as pa

    array = arrow_array(values)
    array = plain_array(array)
    if pa.types.is_null(array.type):
        return np.zeros(len(array), dtype), np.zeros(len(array), bool)
    if not pa.types.is_integer(array.type):
        raise _wrong_type(dtype, f"got {array.type}")
    if not array.null_count:
        return numpy_view(array), None
    valid = array.is_valid().to_numpy(zero_copy_only=False)
    return numpy_view(array.fill_null(0)), valid


def arrow_array(values: Any) -> Any:
    """An object of Arrow's C interface as a pyarrow array."""
    import pyarrow as pa

    if not isinstance(values, pa.Array | pa.ChunkedArray):
        stream = hasattr(values, "__arrow_c_stream__")
        values = pa.chunked_array(values) if stream else pa.array(values)
    return values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values


def _as_arrow(values: Any, kind: Any) -> Any:
    """Values as an Arrow array of this type."""
    try:
        array = _as_arrow_array(values)
    except InputError as error:
        raise _wrong_type(kind, str(error)) from None
    if array.type == kind:
        return array
    cast = cast_known(array, kind)
    if cast is None:
        raise _wrong_type(kind, f"got {array.type}")
    return cast


def _as_arrow_array(values: Any) -> Any:
    """Values as an Arrow array of their own type; missing ones as nulls."""
    if not isinstance(values, np.ndarray):
        if _is_arrow(values):
            return arrow_array(values)
        values = column_of_objects(list(values), nulls=True)
    if not isinstance(values, np.ndarray):
        return values
    return arrow_view(values) if values.dtype.kind in "iu" else array_from_numpy(values)


def comparable_column(column: Any) -> Any:
    """A column whose Python objects compare exactly: times are their integers.

    Arrow gives several types of objects as times.
    """
    if isinstance(column, np.ndarray):
        return column
    import pyarrow as pa

    if not pa.types.is_temporal(column.type):
        return column
    return numpy_view(column.view(pa.int32() if column.type.bit_width == 32 else pa.int64()))


def comparable_value(value: Any, column: Any) -> Any:
    """An object as it stands in a `comparable_column`; None if such a column cannot hold it."""
    if isinstance(column, np.ndarray):
        return value if isinstance(value, int) and not isinstance(value, bool) else None
    try:
        row = cast_known(_as_arrow_array([value]), column.type)
    except InputError:  # missing, or of no kind of ids
        return None
    if row is None or row.null_count:
        return None
    compared = comparable_column(row)[0]
    return compared.item() if isinstance(compared, np.generic) else compared.as_py()


def _arrow_positions(values: Any, column: Any) -> npt.NDArray[np.int64]:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        positions = pc.index_in(values, value_set=column)
    except pa.ArrowNotImplementedError:  # UUIDs and short decimals: compared by their bytes
        positions = pc.index_in(_as_bytes(values), value_set=_as_bytes(column))
    return numpy_view(positions.fill_null(-1)).astype(np.int64)


def _as_bytes(array: Any) -> Any:
    import pyarrow as pa

    storage = plain_array(array)
    return storage.view(pa.binary(storage.type.byte_width))


def _wrong_type(kind: Any, problem: str) -> InputError:
    return InputError(f"ids of this graph are {kind}: {problem}")
