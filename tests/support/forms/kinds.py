"""Kinds of ids: what each calls a vertex, as an object and as a type of Arrow. One row each."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

import pyarrow as pa

from support.forms.edges import COUNT, Vertices

DAY, START = date(1969, 12, 25), datetime(1969, 12, 31, 23, 59, 59, 999_990)
NUMERALS = ("7", "07", "007", "7.0", " 7", "7 ", "+7", "7e0", "nan")
HARD_TEXT = (
    *(*NUMERALS, "NA", "null", "None", "a", "A"),
    *("\u00e9", "e\u0301", "\u212b", "\u00c5", "a,b", 'a"b'),
)
"""Texts that are close to each other: digits, cases, forms of Unicode, and what CSV must quote."""


class Kind(NamedTuple):
    """A kind of ids."""

    name: str
    type: Any
    """Of Arrow; a tuple for ids of several columns."""
    id: Callable[[int], Any]
    """What it calls a vertex."""

    def column(self, numbers: Any) -> Any:
        """The ids of these vertices as an array of Arrow, or a tuple of several."""
        ids = list(map(self.id, numbers))
        if isinstance(self.type, tuple):
            parts = zip(*ids, strict=True)
            return tuple(map(pa.array, parts, self.type))
        if pa.types.is_timestamp(self.type) or pa.types.is_duration(self.type):
            return pa.array(ids, pa.int64()).cast(self.type)
        if self.name == "uuid":
            return pa.array([id.bytes for id in ids], pa.binary(16)).cast(self.type)
        return pa.array(ids, self.type)

    def objects(self, numbers: Any) -> list[Any]:
        """The ids of these vertices as objects of Python (or pandas, for nanoseconds)."""
        if isinstance(self.type, tuple):
            return list(map(self.id, numbers))
        return self.column(numbers).to_pylist()

    @property
    def vertices(self) -> Vertices:
        """All vertices by their ids."""
        return Vertices(self.objects(range(COUNT)))

    @property
    def is_integer(self) -> bool:
        """Whether ids are integers, which in arrays would be vertex numbers."""
        return not isinstance(self.type, tuple) and bool(pa.types.is_integer(self.type))


def _ticks(v: int) -> int:
    return (v - 9) * 7 + v % 3


KINDS = (
    Kind("numbers", pa.int64(), lambda v: v),
    Kind("int8", pa.int8(), lambda v: v - 128 if v < 10 else 127 - v),
    Kind("uint8", pa.uint8(), lambda v: 255 - v),
    Kind("int16", pa.int16(), lambda v: v * 3000 - 30_000),
    Kind("uint32", pa.uint32(), lambda v: 2**32 - 1 - v),
    Kind("negative", pa.int64(), lambda v: v - 10),
    Kind("int64", pa.int64(), lambda v: -(2**63) + v if v % 2 else 2**63 - 1 - v),
    Kind("uint64", pa.uint64(), lambda v: 2**64 - 1 - v if v % 2 else v),
    Kind("text", pa.string(), lambda v: f"n{v}"),
    Kind("hard text", pa.string(), HARD_TEXT.__getitem__),
    Kind("long text", pa.large_string(), lambda v: "x" * (v + 1)),
    Kind("text view", pa.string_view(), lambda v: "of more than 12 bytes: "[: 4 + v] + f"{v}"),
    Kind("dictionary", pa.dictionary(pa.int8(), pa.string()), lambda v: f"n{v}"),
    Kind("bytes", pa.binary(), lambda v: bytes([255 - v, 0])),
    Kind("fixed bytes", pa.binary(3), lambda v: bytes([0, v, 0])),
    Kind("date", pa.date32(), lambda v: DAY + timedelta(v)),
    Kind("date64", pa.date64(), lambda v: DAY + timedelta(v)),
    Kind("second", pa.timestamp("s"), _ticks),
    Kind("millisecond", pa.timestamp("ms"), _ticks),
    Kind("microsecond", pa.timestamp("us"), _ticks),
    Kind("nanosecond", pa.timestamp("ns"), _ticks),
    Kind("zoned", pa.timestamp("us", "America/New_York"), _ticks),
    Kind("zoned nanosecond", pa.timestamp("ns", "UTC"), _ticks),
    Kind("time", pa.time64("us"), lambda v: time(23, 59, 59, v)),
    Kind("duration", pa.duration("us"), _ticks),
    Kind("short duration", pa.duration("ns"), _ticks),
    Kind("decimal", pa.decimal128(20, 2), lambda v: Decimal(v - 9) / 4),
    Kind("long decimal", pa.decimal256(60, 1), lambda v: Decimal(v) * Decimal(10**40)),
    Kind("uuid", pa.uuid(), lambda v: UUID(int=v << 100)),
    Kind("composite", (pa.int32(), pa.string()), lambda v: (v % 4 - 2, f"n{v // 4}")),
    Kind("composite date", (pa.string(), pa.date32()), lambda v: (f"n{v % 5}", DAY + timedelta(v))),
)
