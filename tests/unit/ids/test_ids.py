"""Numbering ids of every kind, against Python's dict and sorted."""

from __future__ import annotations

import datetime as dt
import decimal
import json
import threading
import uuid
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry import InputError, _native
from skerry.ids.numbering import Numbering
from skerry_bench import ids as bench
from skerry_bench.record import Record

WEAK = 0x7000_0000_0000_0000  # three bits of a hash
THREADS = st.sampled_from([1, 2, 3])
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def rows(column):
    """The ids of a column as Python has them."""
    if isinstance(column, tuple):
        return list(zip(*map(rows, column), strict=True))
    return column.tolist() if isinstance(column, np.ndarray) else pa.array(column).to_pylist()


def check(*batches, threads=2, key=None, kind=None, numbering=None):
    """Numbers all batches and looks at everything that is promised."""
    names = Numbering() if numbering is None else numbering
    number_of = {}
    for batch in batches:
        numbers = names.number(batch, threads)
        ids = rows(batch)
        assert numbers.dtype == np.uint32
        assert len(numbers) == len(ids)
        for one, number in zip(ids, numbers.tolist(), strict=True):
            assert number_of.setdefault(one, number) == number
    assert sorted(number_of.values()) == list(range(len(number_of)))
    assert names.size == len(number_of)
    expected = sorted(number_of, key=key)
    for take in (names.in_order, names.take_in_order):
        ids, order = take(threads)
        if isinstance(ids, tuple):
            assert rows(ids) == expected
        elif isinstance(ids, np.ndarray):
            assert ids.tolist() == expected
            assert ids.dtype.kind in "iu"
            assert kind is None or pa.from_numpy_dtype(ids.dtype) == kind
        else:
            assert not pa.types.is_integer(ids.type)  # those are NumPy's
            ids.validate(full=True)
            assert ids.to_pylist() == expected
            assert kind is None or ids.type == kind
        assert order.tolist() == [number_of[one] for one in expected]
    assert names.size == names.nbytes == 0
    return ids


def type_of(column):
    return pa.from_numpy_dtype(column.dtype) if isinstance(column, np.ndarray) else column.type


def by_bytes(text):
    return text.encode()


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


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("distinct", [1, 1000, 300_000])
def test_many_integers(distinct, threads):
    random = np.random.default_rng(distinct)
    pool = random.integers(-(2**63), 2**63 - 1, distinct)
    column = pool[random.integers(0, distinct, 400_000)]
    names = Numbering()
    numbers = np.concatenate([names.number(part, threads) for part in np.array_split(column, 3)])
    truth, inverse = np.unique(column, return_inverse=True)
    ids, order = names.take_in_order(threads)
    assert np.array_equal(ids, truth)
    assert np.array_equal(order[inverse], numbers)
    if threads == 1:
        firsts = np.unique(numbers, return_index=True)[1]
        assert (np.diff(firsts) > 0).all()  # numbers follow first appearance


@pytest.mark.parametrize(
    "keys",
    [
        np.arange(100_000),
        np.arange(100_000)[::-1] << 40,
        np.concatenate([np.arange(50_000), [2**62]]),
        np.concatenate([[-(2**63), 2**63 - 1], np.arange(50_000) * 2 + 2**50]),
        (np.arange(300)[:, None] * 2**44 + np.arange(300)).reshape(-1),
        2 ** np.arange(63),
    ],
    ids=["small", "shifted", "outlier", "ends", "clusters", "powers"],
)
def test_order_of_uneven_keys(keys):
    shuffled = np.random.default_rng(1).permutation(keys.astype(np.int64))
    names = Numbering()
    numbers = names.number(shuffled, 2)
    by_number = np.empty_like(shuffled)
    by_number[numbers] = shuffled
    ids, order = names.in_order(2)
    assert np.array_equal(ids, np.sort(keys))
    assert np.array_equal(by_number[order], ids)


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
def test_negative_beside_huge_is_refused(swap):
    columns = [np.array([-1]), np.array([2**64 - 1], np.uint64)]
    first, second = columns[::-1] if swap else columns
    names = Numbering()
    names.number(first, 1)
    with pytest.raises(InputError, match="negative ids and ids of 2\\^63"):
        names.number(second, 1)


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


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("common", ["", "https://example.org/a/very/long/way/to/"])
def test_many_strings(common, threads):
    random = np.random.default_rng(1)
    numbers = random.integers(0, 120_000, 300_000)
    texts = [common * (n % 3 != 0) + "\0" * (n % 5) + str(n) for n in numbers.tolist()]
    names = Numbering()
    got = names.number(pa.array(texts), threads)
    truth = sorted(set(texts), key=by_bytes)
    ids, order = names.take_in_order(threads)
    assert ids.to_pylist() == truth
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    assert [truth[i] for i in rank[got].tolist()] == texts


def test_long_strings():
    deep = ["x" * length for length in range(0, 3000, 7)]
    far = ["y" * 5000 + str(i) for i in range(300)]
    huge = ["z" * (5 << 20), "z" * (5 << 20) + "a"]
    check(pa.array(deep + far + huge + deep[::-1]), threads=2)


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


def test_the_key_that_looks_free():
    for key in (0x5BD1E9955BD1E995, 0, 1, -1):
        check(np.array([key, 4, key, 5], np.int64))


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
    one, other = (pa.array(values, pa.decimal128(digits, 2)) for digits in (5, 9))
    check(one, other, kind=pa.decimal128(9, 2))


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
    names = Numbering()
    names.number(encoded.slice(0, 3), 1)
    assert names.size == 2  # the value that does not occur is no id
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

    names = Numbering()
    assert names.number(Stream(), 1).tolist() == [0, 1]


def test_nothing():
    for empty in (np.array([], np.int64), pa.array([], pa.string()), [], np.array([], object)):
        check(empty)
    ids, order = Numbering().in_order(1)
    assert len(ids) == len(order) == 0
    check([], np.array([2, 1]), kind=pa.int64())
    check((pa.array([], pa.int64()), pa.array([], pa.string())))


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(-2, 2), st.text("ab", max_size=2), st.integers(0, 3)), max_size=60
    ),
    st.integers(1, 3),
    THREADS,
)
def test_ids_of_several_columns(values, width, threads):
    kinds = [pa.int64(), pa.string(), pa.uint8()]
    columns = tuple(pa.array([row[i] for row in values], kinds[i]) for i in range(width))
    ids = check(columns, tuple(column.slice(1) for column in columns), threads=threads)
    assert [type_of(column) for column in ids] == kinds[:width]


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
    "ragged list": ([1, "a"], "not a column of ids"),
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
        (pa.array([1], pa.timestamp("s")), pa.array([1], pa.timestamp("ms"))),
        (np.array([1]), pa.array([1], pa.timestamp("s"))),
        (np.array([1]), (np.array([1]), np.array([1]))),
        ((np.array([1]), np.array([1])), np.array([1])),
        ((np.array([1]), np.array([1])), (np.array([1]),)),
    ],
)
def test_kinds_do_not_mix(first, second):
    names = Numbering()
    names.number(first, 1)
    with pytest.raises(InputError, match="after ids of"):
        names.number(second, 1)


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
    names = Numbering()
    names.number(ids, 1)
    names._ids._ids._table = _native.KeyTable(limit=2)
    with pytest.raises(InputError, match="more than 4,294,967,295 distinct ids"):
        names.number(ids, 1)
    with pytest.raises(ValueError, match="one place for each id"):
        _native.KeyTable().number(ids, numbers[:3], 1)


def test_memory_is_told_and_small():
    names = Numbering()
    names.number(np.random.default_rng(1).integers(0, 2**60, 1_000_000), 2)
    assert 12 * names.size <= names.nbytes <= 33 * names.size


def test_threads_of_python_take_turns():
    names = Numbering()
    column = np.random.default_rng(1).integers(0, 5000, 50_000)
    found = []

    def work():
        found.append(names.number(column, 2))

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(np.array_equal(found[0], other) for other in found)
    assert names.size == len(np.unique(column))


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="peak memory is Linux's")
def test_the_measurement(tmp_path):
    output = tmp_path / "results.jsonl"
    bench.run(
        Record(output), ids=300, pairs=400, kinds=["string"], threads=1, times=1, peers=["pandas"]
    )
    results = [json.loads(line) for line in output.read_text().splitlines()]
    assert any(result.get("what") == "skerry" and result.get("ms", 0) > 0 for result in results)
    assert any("per_id" in result for result in results)
