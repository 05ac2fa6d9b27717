"""Which Arrow types of ids can be compared, and conversions that change no id.

Two types are of one kind if a third one holds the ids of both as they are. Examples are timestamps,
durations and times of two units, timestamps of two time zones, decimals of two scales, and text
with offsets of any width. A timestamp without a time zone is of another kind than one with it, and
so is a date: it is not known which of them are equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skerry.graph.arrow import plain_array, plain_type
from skerry.optional import require_arrow

if TYPE_CHECKING:
    import pyarrow as pa


PURPOSE = "comparing types of ids"
UNITS = ("s", "ms", "us", "ns")
"""Arrow's units of time, the finest last."""
MAX_DIGITS = 76
"""Of Arrow's widest decimals."""


def common_type(first: pa.DataType, second: pa.DataType) -> pa.DataType | None:
    """The type that holds the ids of both exactly; None if they are of different kinds.

    For integers it says nothing: their values decide.
    """
    types = require_arrow(PURPOSE, "pyarrow.types")
    if first.equals(second):
        return first
    for is_kind, wide in _TEXTS:
        if all(getattr(types, f"is_{is_kind}")(k) or str(k) == wide for k in (first, second)):
            return require_arrow(PURPOSE).type_for_alias(wide)
    if types.is_timestamp(first) and types.is_timestamp(second):
        if (first.tz is None) is not (second.tz is None):
            return None
        return require_arrow(PURPOSE).timestamp(_finer(first, second), first.tz)
    if types.is_date(first) and types.is_date(second):
        return require_arrow(PURPOSE).date64()
    if types.is_duration(first) and types.is_duration(second):
        return require_arrow(PURPOSE).duration(_finer(first, second))
    if types.is_time(first) and types.is_time(second):
        unit = _finer(first, second)
        make = getattr(require_arrow(PURPOSE), "time32" if unit in UNITS[:2] else "time64")
        return make(unit)
    if types.is_decimal(first) and types.is_decimal(second):
        integral = max(first.precision - first.scale, second.precision - second.scale)
        is_wide = 256 in (first.bit_width, second.bit_width)
        return decimal_type(integral, max(first.scale, second.scale), wide=is_wide)
    return None


_TEXTS = (("string", "large_string"), ("binary", "large_binary"))


def _finer(first: pa.DataType, second: pa.DataType) -> str:
    units: tuple[str, str] = first.unit, second.unit
    return max(units, key=UNITS.index)


def decimal_type(integral: int, scale: int, *, wide: bool = False) -> pa.DataType | None:
    """The decimals with so many digits before and behind the point; None if there are too many."""
    arrow = require_arrow(PURPOSE)
    digits = max(integral + scale, 1)
    if digits > MAX_DIGITS:
        return None
    return (arrow.decimal256 if wide or digits > 38 else arrow.decimal128)(digits, scale)


def cast_known(array: pa.Array, kind: pa.DataType) -> pa.Array | None:
    """An array as another type of its kind: null where that holds no such id; None for others."""
    arrow = require_arrow(PURPOSE)
    plain, storage = plain_array(array), plain_type(kind)
    if arrow.types.is_null(plain.type):
        return arrow.nulls(len(plain), kind)
    types = arrow.types
    as_bytes = types.is_fixed_size_binary(storage) and types.is_binary(plain.type)
    if not as_bytes and common_type(plain.type, storage) is None:
        return None
    cast = _cast_rows(plain, storage)
    if isinstance(kind, arrow.BaseExtensionType):
        return arrow.ExtensionArray.from_storage(kind, cast)
    return cast


def _cast_rows(array: Any, kind: Any) -> Any:
    """The cast of an array, by halves where Arrow refuses it for some of its rows."""
    arrow = require_arrow(PURPOSE)
    try:
        return array.cast(kind)
    except arrow.ArrowInvalid:
        if len(array) == 1:
            return arrow.nulls(1, kind)
        half = len(array) // 2
        parts = [_cast_rows(part, kind) for part in (array[:half], array[half:])]
        return arrow.concat_arrays(parts)
