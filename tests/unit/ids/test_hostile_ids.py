"""Bad columns, mixed types, broken arrays, full tables, hashes that collide."""

from __future__ import annotations

import uuid

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry import InputError, _native
from skerry.ids.numbering import Numbering
from support.numbering import check

WEAK = 0x7000_0000_0000_0000  # three bits of a hash
THREADS = st.sampled_from([1, 2, 3])

BAD = {
    "null": (pa.array([1, None]), "row 1 of the ids is missing"),
    "null string": (pa.array(["a", "b", None]), "row 2 of the ids is missing"),
    "null in a chunk": (pa.chunked_array([[1, 2], [3, None]]), "row 3 of the ids is missing"),
    "null by dictionary": (pa.array(["a", None, "a"]).dictionary_encode(), "row 1"),
    "null value": (
        pa.DictionaryArray.from_arrays(pa.array([0, 1, 1]), pa.array(["a", None])),
        "row 1",
    ),
    "only nulls": (pa.nulls(2), "row 0"),
    "none": (np.array(["a", None], object), "row 1"),
    "NaN": (np.array([1.0, np.nan]), "row 1 of the ids is missing"),
    "NaN object": (np.array(["a", np.nan], object), "row 1"),
    "NaT": (np.array(["2020-01-01", "NaT"], "M8[D]"), "row 1"),
    "floats": (np.array([1.0]), "floats are not ids"),
    "arrow floats": (pa.array([1.5]), "floats are not ids"),
    "complex": (np.array([1j]), "floats are not ids"),
    "masked": (np.ma.array([1, 2], mask=[False, True]), "row 1 of the ids is missing"),
    "mixed": (np.array([1, "a"], object), "ids of one type"),
    "uuid and other": (np.array([uuid.UUID(int=1), "a"], object), "row 1"),
    "list": (pa.array([[1]]), "cannot be of type list"),
    "struct": (pa.array([{"a": 1}]), "several columns"),
    "table": (np.zeros((2, 2), int), "one dimension"),
    "objects in two dimensions": (np.array([["a"]], object), "one dimension"),
    "mixed list": ([1, "a"], "ids of one type"),
    "number": (3, "a int is not a column"),
    "no columns": ((), "at least one column"),
    "columns of two lengths": ((np.arange(2), np.arange(3)), "column 1 of the ids has 3 rows"),
    "null in a column": ((np.arange(2), pa.array([1, None])), "column 1 of the ids: row 1"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_columns(name):
    column, message = BAD[name]
    with pytest.raises(InputError, match=message):
        Numbering().number(column, 1)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (np.array([1]), pa.array(["a"])),
        (pa.array(["a"]), np.array([1])),
        (pa.array(["a"]), pa.array([b"a"])),
        (pa.array([b"ab"], pa.binary(2)), pa.array([b"a"], pa.binary(1))),
        (pa.array([1], pa.timestamp("s")), pa.array([1], pa.timestamp("s", "UTC"))),
        (pa.array([1], pa.timestamp("s")), pa.array([1], pa.date32())),
        (pa.array([1], pa.timestamp("s")), pa.array([1], pa.duration("s"))),
        (np.array([1]), pa.array([1], pa.timestamp("s"))),
        (np.array([1]), (np.array([1]), np.array([1]))),
        ((np.array([1]), np.array([1])), np.array([1])),
        ((np.array([1]), np.array([1])), (np.array([1]),)),
    ],
)
def test_kinds_do_not_mix(first, second):
    numbering = Numbering()
    numbering.number(first, 1)
    with pytest.raises(InputError, match="after ids of"):
        numbering.number(second, 1)


def test_broken_arrow_arrays():
    data = pa.py_buffer(b"abcdef")
    for offsets in ([0, 4, 2, 6], [0, 90, 4, 6], [0, -4, 2, 4]):
        starts = pa.py_buffer(np.array(offsets, np.int32))
        broken = pa.Array.from_buffers(pa.string(), 3, [None, starts, data])
        with pytest.raises(InputError, match=r"row [0-2] of the ids lies outside"):
            Numbering().number(broken, 1)


def test_limits():
    numbers = np.empty(4, np.uint32)
    ids = np.array([1, 2, 3, 1])
    assert _native.KeyTable(limit=3).number(ids, numbers, 1) == 0
    assert _native.KeyTable(limit=2).number(ids, numbers, 1) == 3
    numbering = Numbering()
    numbering.number(ids, 1)
    numbering._tables._last._ids._table = _native.KeyTable(limit=2)
    with pytest.raises(InputError, match="more than 4,294,967,295 distinct ids"):
        numbering.number(ids, 1)
    with pytest.raises(ValueError, match="one place for each id"):
        _native.KeyTable().number(ids, numbers[:3], 1)


@settings(deadline=None)
@given(st.lists(st.integers(-5, 5), max_size=60), THREADS)
def test_collisions_of_keys(values, threads):
    table = _native.KeyTable(hash_bits=WEAK)
    column = np.array(values, np.int64)
    numbers = np.empty(len(column), np.uint32)
    assert table.number(column, numbers, threads) == 0
    assert table.size == len(set(values))
    assert len(set(zip(values, numbers.tolist(), strict=True))) == table.size


@pytest.mark.parametrize("threads", [1, 2])
def test_collisions_of_many(threads):
    values = np.random.default_rng(2).integers(0, 2000, 6000)
    table = _native.KeyTable(hash_bits=WEAK)
    numbers = np.empty(len(values), np.uint32)
    assert table.number(values, numbers, threads) == 0
    keys = np.empty(table.size, np.uint64)
    table.keys_by_number(keys, threads)
    assert np.array_equal(keys[numbers].view(np.int64), values)
    data = values.astype("S4").view(np.uint8)  # as texts of four bytes, no bit of a hash left
    texts = _native.TextTable(hash_bits=0)
    again = np.empty(len(values), np.uint32)
    assert texts.number(data, None, 4, again, threads) == 0
    assert texts.size == table.size
    assert len(set(zip(numbers.tolist(), again.tolist(), strict=True))) == table.size


def test_the_key_that_marks_free_slots():
    for key in (0x5BD1E9955BD1E995, 0, 1, -1):
        check(np.array([key, 4, key, 5], np.int64))
