"""Any Python objects as a column of ids: the only place that decides what an object is as an id.

Every object is of a kind (`_kinds`), and all of a column are of one. The column has a type that
holds each of them exactly: times with nanoseconds where one of them has some, decimals with as many
digits as they need. What no type holds exactly is an error, and never rounded, cut or joined with
another. So ids are equal if and only if the objects are (``==``).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.ids.chunks import float_error, missing_error
from skerry.ids.exact_types import decimal_type
from skerry.ids.integers import no_common_type
from skerry.optional import require_arrow

PURPOSE = "a column of ids that are not integers"


def column_of_objects(values: Sequence[Any] | npt.NDArray[Any], *, nulls: bool = False) -> Any:
    """A column of ids: a NumPy array of integers, or an Arrow array of any other type.

    Parameters
    ----------
    values
        The ids; at least one, since nothing has no type.
    nulls
        Whether missing ones (None, NaN, NaT) become nulls of an Arrow array; otherwise they are an
        error.

    Raises
    ------
    InputError
        With the row of an id that is missing, is none, or is of another kind than those before.
    """
    maker = _PLAIN.get(frozenset(map(type, values)))
    if maker is not None:
        return maker(values)
    plain = [_without_box(value) for value in values]
    kinds = list(map(_kind_of, plain))
    missing = [row for row, kind in enumerate(kinds) if kind == "missing"]
    if missing and not nulls:
        raise missing_error(missing[0], str(plain[missing[0]]))
    present = [row for row, kind in enumerate(kinds) if kind != "missing"]
    _check_kinds(plain, kinds, present)
    if not missing:
        return _MAKERS[kinds[0]](plain)
    arrow = require_arrow(PURPOSE)
    if not present:
        return arrow.nulls(len(plain))
    column = _MAKERS[kinds[present[0]]]([plain[row] for row in present])
    rows = np.full(len(plain), len(present), np.int64)
    rows[present] = np.arange(len(present))
    column = arrow.array(column) if isinstance(column, np.ndarray) else column
    return column.take(arrow.array(rows, mask=rows == len(present)))


def python_value(value: Any) -> Any:
    """The value of a scalar of NumPy or Arrow as a Python object; anything else as it is.

    A time with nanoseconds stays a scalar: Python's times cannot hold it, and NumPy would make a
    plain integer of it.
    """
    if isinstance(value, tuple):
        return tuple(map(python_value, value))
    value = _without_box(value)
    if isinstance(value, np.datetime64 | np.timedelta64):
        item = value.item()
        return value if isinstance(item, int) else item
    return value


def _without_box(value: Any) -> Any:
    """The value of a scalar of NumPy or Arrow; times keep NumPy's type, with nanoseconds."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, np.generic):
        return value if isinstance(value, np.datetime64 | np.timedelta64) else value.item()
    if not hasattr(value, "as_py"):
        return value
    unit, name = getattr(value.type, "unit", None), str(value.type)
    if unit is None or not value.is_valid:
        return value.as_py()
    if name.startswith("duration"):
        return np.timedelta64(value.value, unit)
    if name.startswith("timestamp") and value.type.tz is None:
        return np.datetime64(value.value, unit)
    return value.as_py()


def _check_kinds(values: list[Any], kinds: list[str], present: list[int]) -> None:
    first = kinds[present[0]] if present else ""
    for row in present:
        if kinds[row] not in _MAKERS:
            raise _not_an_id(values[row], row)
        if kinds[row] != first:
            raise InputError(
                f"row {row} of the ids is {values[row]!r} ({kinds[row]}), and row {present[0]} is "
                f"{values[present[0]]!r} ({first}): a column must hold ids of one type"
            )


def _not_an_id(value: Any, row: int) -> InputError:
    if isinstance(value, float):
        return float_error()
    return InputError(f"row {row} of the ids is {value!r}: a {type(value).__name__} is no id")


def _kind_of(value: Any) -> str:
    """The kind of an object: those of one kind can be compared."""
    kind = _kind_of_type(type(value))  # type: ignore[arg-type]  # classes are hashable
    if kind == "decimal":
        return "missing" if value.is_nan() else kind
    if kind in _MAY_BE_MISSING and value != value:  # NaN, NaT
        return "missing"
    if kind == "datetime":
        return "timestamp" if value.tzinfo is None else "timestamp with time zone"
    if kind == "datetime64":
        return "date" if np.datetime_data(value.dtype)[0] in "YMWD" else "timestamp"
    return kind


_MAY_BE_MISSING = ("float", "duration", "datetime", "datetime64")


@cache
def _kind_of_type(kind: type) -> str:
    if kind.__name__ in ("NAType", "MaskedConstant"):
        return "missing"
    for parent, name in _kinds():
        if issubclass(kind, parent):
            return name
    return kind.__name__


def _kinds() -> tuple[tuple[type, str], ...]:
    """Types of objects, subclasses before their bases, and the kind of each."""
    from decimal import Decimal  # neither is needed by `import skerry`
    from uuid import UUID

    return (
        (type(None), "missing"),
        (bool, "bool"),
        (int, "integer"),
        (str, "text"),
        (bytes, "bytes"),
        (float, "float"),
        (UUID, "UUID"),
        (Decimal, "decimal"),
        (np.datetime64, "datetime64"),
        (np.timedelta64, "duration"),
        (dt.datetime, "datetime"),
        (dt.date, "date"),
        (dt.time, "time of day"),
        (dt.timedelta, "duration"),
    )


def integer_array(values: list[int]) -> npt.NDArray[Any] | None:
    """Integers as an array; None if no type of 64 bits holds them all."""
    array = np.array(values)
    if array.dtype.kind not in "iu" and min(values) >= 0 and max(values) < 2**64:
        return np.array(values, np.uint64)  # NumPy makes floats of small and large ones together
    return array if array.dtype.kind in "iu" else None


def _integers(values: Sequence[Any]) -> npt.NDArray[Any]:
    array = integer_array(list(map(int, values)))
    if array is None:
        low, high = min(values), max(values)
        if low >= -(2**63) and high < 2**64:
            raise no_common_type()
        value = int(low if low < -(2**63) else high)
        raise InputError(f"the id {value} does not fit into 64 bits; make the ids text")
    return array


def _texts(values: list[Any]) -> Any:
    arrow = require_arrow(PURPOSE)
    try:
        return arrow.array(values, arrow.string())
    except arrow.ArrowCapacityError:
        return arrow.array(values, arrow.large_string())
    except UnicodeEncodeError as error:
        row = next(row for row, value in enumerate(values) if not _is_unicode(value))
        raise InputError(
            f"row {row} of the ids is {values[row]!r}, no valid text: {error}"
        ) from None


def _is_unicode(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _booleans(values: list[Any]) -> Any:
    arrow = require_arrow(PURPOSE)
    return arrow.array(values, arrow.bool_())


def _bytes(values: list[Any]) -> Any:
    arrow = require_arrow(PURPOSE)
    return arrow.array(values, arrow.binary())


def _uuids(values: list[Any]) -> Any:
    arrow = require_arrow(PURPOSE)
    storage = arrow.array([value.bytes for value in values], arrow.binary(16))
    known = hasattr(arrow, "uuid")
    return arrow.ExtensionArray.from_storage(arrow.uuid(), storage) if known else storage


def _decimals(values: list[Any]) -> Any:
    integral = scale = 0
    for row, value in enumerate(values):
        if not value.is_finite():
            raise InputError(f"row {row} of the ids is {value!r}, which is not a number")
        _, digits, exponent = value.as_tuple()
        if not value:
            continue
        scale, integral = max(scale, -exponent), max(integral, len(digits) + exponent)
    kind = decimal_type(integral, scale)
    if kind is None:
        raise InputError("the ids are decimals of more than 76 digits in all; make them text")
    return require_arrow(PURPOSE).array(values, kind)


def _dates(values: list[Any]) -> Any:
    arrow = require_arrow(PURPOSE)
    days = [value if isinstance(value, dt.date) else _days(value) for value in values]
    try:
        return arrow.array(days, arrow.date32())
    except (arrow.ArrowException, OverflowError) as error:
        raise InputError(f"the ids are dates that Arrow does not hold: {error}") from None


def _days(value: np.datetime64) -> int:
    return int(value.astype("M8[D]").astype(np.int64))


def _times_of_day(values: list[Any]) -> Any:
    arrow = require_arrow(PURPOSE)
    for row, value in enumerate(values):
        if value.tzinfo is not None:
            raise InputError(f"row {row} of the ids is {value!r}: no column keeps its time zone")
    return arrow.array(values, arrow.time64("us"))


def _timestamps(values: list[Any]) -> Any:
    arrow = require_arrow(PURPOSE)
    if set(map(type, values)) == {dt.datetime}:
        return arrow.array(values, arrow.timestamp("us"))
    return _in_a_unit(values, _instant, arrow.timestamp)


def _zoned_timestamps(values: list[Any]) -> Any:
    arrow = require_arrow(PURPOSE)
    try:
        zone = arrow.array(values[:1]).type.tz
    except (arrow.ArrowException, ValueError):
        zone = "UTC"  # a time zone without a name is no type of a column; instants stay the same
    return _in_a_unit(values, _instant, lambda unit: arrow.timestamp(unit, zone))


def _durations(values: list[Any]) -> Any:
    return _in_a_unit(values, _length, require_arrow(PURPOSE).duration)


def _in_a_unit(values: list[Any], count: Callable[[Any], int], kind: Callable[[str], Any]) -> Any:
    """Times by their nanoseconds, in microseconds unless one of them has parts of those."""
    arrow = require_arrow(PURPOSE)
    counts = list(map(count, values))
    unit = "ns" if any(number % 1000 for number in counts) else "us"
    if unit == "us":
        counts = [number // 1000 for number in counts]
    for row, number in enumerate(counts):
        if not -(2**63) < number < 2**63:
            raise InputError(
                f"row {row} of the ids is {values[row]!r}, which {kind(unit)} does not hold"
            )
    return arrow.array(counts, arrow.int64()).view(kind(unit))


EPOCH = dt.datetime(1970, 1, 1)
NANOSECONDS = {"h": 3_600 * 10**9, "m": 60 * 10**9, "s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
NANOSECONDS |= {"D": 24 * NANOSECONDS["h"], "W": 7 * 24 * NANOSECONDS["h"]}


def _instant(value: Any) -> int:
    """Nanoseconds since 1970, of UTC where there is a time zone."""
    if isinstance(value, np.datetime64):
        return _of_numpy(value)
    if _is_pandas(value):
        return _of_numpy(value.to_datetime64())
    offset = value.utcoffset() or dt.timedelta()
    return _length(value.replace(tzinfo=None) - EPOCH - offset)


def _length(value: Any) -> int:
    """Nanoseconds of a duration."""
    if isinstance(value, np.timedelta64):
        return _of_numpy(value)
    if _is_pandas(value):
        return _of_numpy(value.to_timedelta64())
    return int(value // dt.timedelta(microseconds=1)) * 1000


def _of_numpy(value: np.datetime64 | np.timedelta64) -> int:
    """Nanoseconds of a time of NumPy, or since 1970."""
    unit, step = np.datetime_data(value.dtype)
    if unit not in NANOSECONDS:
        raise InputError(f"{value!r} is no id: convert it to {value.dtype.kind}8[ns] first")
    return int(value.astype(np.int64)) * step * NANOSECONDS[unit]


def _is_pandas(value: Any) -> bool:
    """Whether this is a time of pandas, whose nanoseconds Python's methods leave out."""
    return hasattr(value, "to_datetime64") or hasattr(value, "to_timedelta64")


_MAKERS: dict[str, Callable[[list[Any]], Any]] = {
    "integer": _integers,
    "text": _texts,
    "bytes": _bytes,
    "bool": _booleans,
    "UUID": _uuids,
    "decimal": _decimals,
    "date": _dates,
    "time of day": _times_of_day,
    "timestamp": _timestamps,
    "timestamp with time zone": _zoned_timestamps,
    "duration": _durations,
}
"""Makes a column of objects of a kind."""

_PLAIN: dict[frozenset[type], Callable[[Any], Any]] = {
    frozenset({int}): _integers,
    frozenset({str}): _texts,
    frozenset({bytes}): _bytes,
    frozenset({dt.date}): _dates,
}
"""Types none of whose objects are missing or of another kind: no look at each."""
