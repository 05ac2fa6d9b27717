"""Numbering integers, strings, Arrow types and NumPy objects."""

from __future__ import annotations

import datetime as dt
import decimal
import threading
import uuid

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry import InputError
from skerry.ids.numbering import Numbering
from support.numbering import by_bytes, check

THREADS = st.sampled_from([1, 2, 3])
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


@settings(deadline=None)
@given(st.data(), st.sampled_from(INTEGERS), THREADS, st.sampled_from([1, 2, -1, -3]))
def test_integers_of_every_width_and_step(data, name, threads, step):
    limits = np.iinfo(name)
    values = st.one_of(
        st.integers(int(limits.min), int(limits.max)), st.sampled_from([0, 1, int(limits.max)])
    )
    batches = data.draw(st.lists(st.lists(values, max_size=60), min_size=1, max_size=3))
    columns = [np.array(batch, name).repeat(abs(step))[::step] for batch in batches]
    check(*columns, threads=threads, kind=pa.from_numpy_dtype(name))


def test_integers_of_any_layout():
    values = np.array([5, -2, 5, 9], ">i4")
    check(values, kind=pa.int32())
    packed = np.zeros(4, [("a", "i1"), ("b", "<i8")])
    packed["b"] = [7, 8, 7, -1]
    check(packed["b"])  # not aligned
    check(np.arange(6).reshape(3, 2)[:, 1])
    frozen = np.arange(3)
    frozen.flags.writeable = False
    check(frozen)


def test_widths_are_promoted():
    check(np.array([1, 2], np.int32), np.array([2**40]), kind=pa.int64())
    check(np.array([1, 255], np.uint8), np.array([-1], np.int8), kind=pa.int16())
    check(np.array([2**40]), np.array([1], np.int16), kind=pa.int64())
    check(np.array([3], np.uint64), np.array([-3]), kind=pa.int64())
    check(np.array([-3]), np.array([3], np.uint64), kind=pa.int64())
    check(np.array([3]), np.array([2**64 - 1], np.uint64), kind=pa.uint64())
    check(np.array([2**64 - 1], np.uint64), np.array([3], np.int8), kind=pa.uint64())
    check(np.array([1], np.int64), pa.array([2], pa.uint8()), kind=pa.int64())


@pytest.mark.parametrize("swap", [False, True])
def test_negative_beside_2_to_the_63_is_refused(swap):
    columns = [np.array([-1]), np.array([2**64 - 1], np.uint64)]
    first, second = columns[::-1] if swap else columns
    numbering = Numbering()
    numbering.number(first, 1)
    with pytest.raises(InputError, match="negative ids and ids of 2\\^63"):
        numbering.number(second, 1)


TEXT = st.one_of(
    st.text(max_size=12),
    st.text("ab\0", max_size=30),
    st.builds(lambda n, tail: "prefix " * n + tail, st.integers(0, 4), st.text("a\0", max_size=9)),
)


@settings(deadline=None)
@given(st.lists(st.lists(TEXT, max_size=50), min_size=1, max_size=3), THREADS, st.integers(0, 3))
def test_strings(batches, threads, skipped):
    kinds = [pa.string(), pa.large_string(), pa.string_view()]
    columns = [
        pa.array(["cut off"] * skipped + batch, kinds[i % 3]).slice(skipped)
        for i, batch in enumerate(batches)
    ]
    check(*columns, threads=threads, key=by_bytes)


@settings(deadline=None)
@given(st.lists(st.binary(max_size=20), max_size=80), THREADS)
def test_binary(values, threads):
    check(pa.array(values, pa.binary()), pa.array(values, pa.large_binary()), threads=threads)


def test_long_strings():
    deep = ["x" * length for length in range(0, 3000, 7)]
    far = ["y" * 5000 + str(i) for i in range(300)]
    huge = ["z" * (5 << 20), "z" * (5 << 20) + "a"]
    check(pa.array(deep + far + huge + deep[::-1]), threads=2)


@pytest.mark.parametrize(
    "column",
    [
        pa.array([dt.date(2020, 1, 1), dt.date(1960, 5, 5), dt.date(2020, 1, 1)]),
        pa.array([dt.date(2020, 1, 1), dt.date(1960, 5, 5)], pa.date64()),
        pa.array([dt.datetime(2020, 1, 1), dt.datetime(1900, 1, 1)], pa.timestamp("us")),
        pa.array([dt.datetime(2020, 1, 1)], pa.timestamp("ms", "UTC")),
        pa.array([dt.time(3), dt.time(2)], pa.time32("s")),
        pa.array([dt.time(3), dt.time(2)], pa.time64("us")),
        pa.array([dt.timedelta(3), dt.timedelta(-2)], pa.duration("us")),
        pa.array([True, False, True]),
        pa.array([decimal.Decimal("1.50"), decimal.Decimal("-2.25"), decimal.Decimal("1.5")]),
        pa.array([decimal.Decimal(7), decimal.Decimal(-9)], pa.decimal256(40, 2)),
        pa.array([b"abcd", b"ab\0d", b"abcd"], pa.binary(4)),
        pa.array(["b", "a", "b"]),
        pa.array([b"b", b"", b"\xff"], pa.large_binary()),
    ],
    ids=lambda column: str(column.type),
)
def test_arrow_types_come_back(column):
    check(column, column.slice(1), kind=column.type)
    check(pa.chunked_array([column, column.slice(0, 1)]), kind=column.type)
    check(pa.chunked_array([], column.type), kind=column.type)


def test_decimals_of_another_precision():
    values = [decimal.Decimal("1.50"), decimal.Decimal("-7.25")]
    narrow, wide = (pa.array(values, pa.decimal128(digits, 2)) for digits in (5, 9))
    check(narrow, wide, kind=pa.decimal128(9, 2))


def test_uuids():
    values = [uuid.UUID(int=number << 90) for number in (9, 3, 9, 4)]
    column = np.array(values, object)
    ids = check(column)
    assert ids.type == pa.uuid()
    check(ids, column, kind=pa.uuid())


def test_extension_of_integers():
    class Tag(pa.ExtensionType):
        def __init__(self):
            super().__init__(pa.int32(), "test.tag")

        def __arrow_ext_serialize__(self):
            return b""

        @classmethod
        def __arrow_ext_deserialize__(cls, _storage, _serialized):
            return cls()

    column = pa.ExtensionArray.from_storage(Tag(), pa.array([5, -3, 5], pa.int32()))
    check(column, kind=Tag())


@pytest.mark.parametrize("values", [["b", "a", "b", "c"], [7, -2, 7, 9]])
def test_dictionaries(values):
    plain = pa.array(values)
    encoded = plain.dictionary_encode()
    check(encoded, plain, kind=plain.type)
    numbering = Numbering()
    numbering.number(encoded.slice(0, 3), 1)
    assert numbering.size == 2  # the value that does not occur is no id
    check(pa.chunked_array([encoded, encoded.slice(1)]))
    check(encoded.slice(3))
    check(pa.compute.run_end_encode(plain), kind=plain.type)


def test_numpy_objects():
    check(np.array(["b", "a", "b"]), kind=pa.string())
    check(np.array(["b", "a", "b"], object), kind=pa.string())
    check(np.array([b"b", b"a"]), kind=pa.binary())
    check(np.array([3, 1, 3], object), kind=pa.int64())
    check(np.array([True, False]), kind=pa.bool_())
    check(np.array(["2020-01-01", "1999-12-31"], "M8[D]"), kind=pa.date32())
    if hasattr(np.dtypes, "StringDType"):
        check(np.array(["b", "a"], np.dtypes.StringDType()), kind=pa.string())


def test_lists_and_other_arrow_objects():
    check([3, 1, 3])
    check(["b", "a"])

    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return pa.chunked_array([["b"], ["a"]]).__arrow_c_stream__(requested_schema)

    numbering = Numbering()
    assert numbering.number(Stream(), 1).tolist() == [0, 1]


def test_empty_columns():
    for empty in (np.array([], np.int64), pa.array([], pa.string()), [], np.array([], object)):
        check(empty)
    ids, order = Numbering().in_order(1)
    assert len(ids) == len(order) == 0
    check([], np.array([2, 1]), kind=pa.int64())
    check((pa.array([], pa.int64()), pa.array([], pa.string())))


def test_memory_is_reported_and_small():
    numbering = Numbering()
    numbering.number(np.random.default_rng(1).integers(0, 2**60, 1_000_000), 2)
    assert 12 * numbering.size <= numbering.nbytes <= 33 * numbering.size


def test_python_threads_may_share_a_numbering():
    numbering = Numbering()
    column = np.random.default_rng(1).integers(0, 5000, 50_000)
    results = []

    def work():
        results.append(numbering.number(column, 2))

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(np.array_equal(results[0], other) for other in results)
    assert numbering.size == len(np.unique(column))


def test_small_and_large_integers_in_one_list_are_ids():
    """NumPy made floats of them, and then they were refused."""
    numbering = Numbering()
    assert numbering.number([0, 2**63, 0], 1).tolist() == [0, 1, 0]
    assert numbering.in_order(1)[0].tolist() == [0, 2**63]
    with pytest.raises(InputError, match="negative ids and ids of 2"):
        Numbering().number([-1, 2**63], 1)


def test_a_search_adds_nothing_and_compares_values_not_bits():
    numbering = Numbering()
    assert numbering.find(np.array([7]), 1).tolist() == [2**32 - 1]
    numbers = numbering.number(np.array([7, 2**64 - 1], np.uint64), 1)
    assert numbering.find(np.array([2**64 - 1, 7, 8], np.uint64), 2).tolist() == [
        *numbers[::-1].tolist(),
        2**32 - 1,
    ]
    assert numbering.find(np.array([-1, 7]), 1).tolist() == [2**32 - 1, numbers[0]]
    assert numbering.size == 2
    signed = Numbering()
    signed.number(np.array([-1]), 1)
    assert signed.find(np.array([2**64 - 1], np.uint64), 1).tolist() == [2**32 - 1]
    with pytest.raises(InputError, match="ids of type string after ids of type int64"):
        signed.find(pa.array(["a"]), 1)
