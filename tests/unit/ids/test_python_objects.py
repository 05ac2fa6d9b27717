"""Any Python objects as ids: an error, or ids that are equal exactly where the objects are (==)."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from uuid import UUID

import networkx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry.errors import InputError
from skerry.ids.python_objects import column_of_objects

EAST = dt.timezone(dt.timedelta(hours=5, minutes=30))
few = st.integers(-3, 3)
TIMES = st.datetimes(dt.datetime(1969, 12, 31, 23), dt.datetime(1970, 1, 1, 1))
KINDS = {
    "integers": st.one_of(
        few, st.integers(-(2**64), 2**65), few.map(np.int8), st.just(np.uint64(2))
    ),
    "text": st.one_of(st.text("ab\x00\ud800", max_size=2), st.sampled_from("ab").map(np.str_)),
    "bytes": st.one_of(st.binary(max_size=1), st.just(np.bytes_(b"a"))),
    "dates": st.one_of(
        few.map(lambda d: dt.date(1970, 1, 4 + d)), few.map(lambda d: np.datetime64(d, "D"))
    ),
    "timestamps": st.one_of(
        few.map(lambda us: dt.datetime(1970, 1, 1, microsecond=abs(us))),
        TIMES,
        few.map(pd.Timestamp),
        few.map(lambda n: np.datetime64(n, "ns")),
        few.map(lambda n: np.datetime64(n, "us")),
        few.map(lambda n: np.datetime64(n, "s")),
        st.sampled_from([dt.datetime.min, dt.datetime.max]),
        few.map(lambda n: pa.scalar(n, pa.timestamp("ns"))),
    ),
    "timestamps with a zone": st.one_of(
        few.map(lambda us: dt.datetime(1970, 1, 1, 0, 0, 3 + us, tzinfo=dt.UTC)),
        few.map(lambda us: dt.datetime(1970, 1, 1, 5, 30, 3 + us, tzinfo=EAST)),
        few.map(lambda n: pd.Timestamp(n, tz="UTC")),
        few.map(lambda n: pd.Timestamp(n, tz="Europe/Berlin")),
    ),
    "durations": st.one_of(
        few.map(lambda us: dt.timedelta(microseconds=us)),
        few.map(pd.Timedelta),
        few.map(lambda n: np.timedelta64(n, "ns")),
        few.map(lambda n: np.timedelta64(n, "m")),
        st.just(dt.timedelta.max),
    ),
    "times of day": st.one_of(
        st.times().map(lambda t: t.replace(hour=0)), st.just(dt.time(0, tzinfo=dt.UTC))
    ),
    "decimals": st.one_of(
        st.decimals(-2, 2, places=1),
        st.sampled_from(
            [Decimal("1"), Decimal("1.0"), Decimal("1E+3"), Decimal("-0"), Decimal("1E-60")]
        ),
        st.sampled_from([Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), Decimal("1E+99")]),
    ),
    "UUIDs": few.map(lambda n: UUID(int=n + 3)),
    "others": st.sampled_from(
        [True, False, np.True_, None, float("nan"), 1.0, pd.NaT, pd.NA, object]
    ),
}
ONE_KIND = st.one_of([st.lists(kind, min_size=1, max_size=5) for kind in KINDS.values()])
MIXED = st.lists(st.one_of(list(KINDS.values())), min_size=1, max_size=4)
LISTS = st.one_of(ONE_KIND, ONE_KIND, MIXED)


def key(value):
    """What objects have in common that are one id: times by their nanoseconds."""
    if isinstance(value, pa.Scalar | pd.Timestamp | pd.Timedelta):
        zone = getattr(value, "tzinfo", None) is not None
        return ("duration" if isinstance(value, pd.Timedelta) else "timestamp", zone, value.value)
    if isinstance(value, np.datetime64 | np.timedelta64):
        if np.datetime_data(value.dtype)[0] == "D":
            return value.item()
        kind = "duration" if isinstance(value, np.timedelta64) else "timestamp"
        return (kind, False, int(value.astype(f"{value.dtype.kind}8[ns]").astype(int)))
    if isinstance(value, dt.datetime):
        zone = value.tzinfo is not None
        length = value - dt.datetime(1970, 1, 1, tzinfo=dt.UTC if zone else None)
        return ("timestamp", zone, length // dt.timedelta(microseconds=1) * 1000)
    if isinstance(value, dt.timedelta):
        return ("duration", False, value // dt.timedelta(microseconds=1) * 1000)
    if isinstance(value, np.generic):
        return key(value.item())
    if isinstance(value, Decimal | bool) or value is pd.NA:
        return (type(value), id(value) if value is pd.NA else value)
    return value.bytes if isinstance(value, UUID) else value


def equal(a, b):
    """Whether two objects are equal as ids; tables give UUIDs as their bytes."""
    return bool(key(a) == key(b))


def distinct(values):
    kept = []
    for value in values:
        if not any(equal(value, other) for other in kept):
            kept.append(value)
    return kept


def check(values, ids):
    """The ids are the values: as many, each equal to one of them."""
    right = distinct(values)
    assert len(ids) == len(right)
    assert all(any(equal(id, value) for value in right) for id in ids)
    assert all(any(equal(id, value) for id in ids) for value in right)


def attempt(work):
    """The result of a call, None where it is refused as it should be."""
    try:
        return work()
    except InputError as error:
        assert str(error)
        return None


def object_array(values):
    array = np.empty(len(values), object)
    array[:] = values
    return array


def graphs(values):
    array = object_array(values)
    yield [(value, value) for value in values]
    yield list(values), list(values)
    yield array, array
    yield pd.DataFrame(
        {"src": pd.Series(array, dtype=object), "dst": pd.Series(array, dtype=object)}
    )


@settings(max_examples=100, deadline=None)
@given(LISTS)
def test_results_hold_the_objects(values):
    for graph in graphs(values):
        kind = {} if isinstance(graph, pd.DataFrame) else {"ids": "external"}
        result = attempt(lambda graph=graph, kind=kind: skerry.connected_components(graph, **kind))
        if result is None:
            continue
        check(values, result.ids.tolist())
        assert result.table().num_rows == result.num_vertices == result.count
        assert all(value in result for value in values)
        known = result.connected(list(values), list(values[::-1]))
        assert known.tolist() == [equal(a, b) for a, b in zip(values, values[::-1], strict=True)]


@settings(max_examples=100, deadline=None)
@given(LISTS)
def test_sets_hold_the_objects(values):
    one_by_one, at_once = (skerry.UnionFind(ids="external") for _ in range(2))
    added = []
    for value in values:
        if attempt(lambda value=value: one_by_one.add(value)) is not None:
            added.append(value)
    check(added, list(one_by_one))
    assert all(value in one_by_one for value in added)
    if attempt(lambda: at_once.add(list(values))) is not None:
        check(values, list(at_once))
        assert all(value in at_once for value in values)


@settings(max_examples=100, deadline=None)
@given(ONE_KIND, ONE_KIND)
def test_unknown_objects_are_not_found(values, others):
    result = attempt(lambda: skerry.connected_components((values, values), ids="external"))
    if result is not None:
        for other in others:
            assert (other in result) is any(equal(other, value) for value in values)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "others"])
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_one_object_is_held_or_refused_for_a_reason(kind, data):
    value = data.draw(KINDS[kind])
    try:
        column = column_of_objects([value])
    except InputError as error:
        reasons = (
            "64 bits",
            "valid text",
            "is missing",
            "not a number",
            "76 digits",
            "time zone",
            "does not hold",
        )
        assert any(reason in str(error) for reason in reasons)
    else:
        assert equal(column.tolist()[0], value)


MIXTURES = {
    "naive and aware": [dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 1, tzinfo=dt.UTC)],
    "date and datetime": [dt.date(2020, 1, 1), dt.datetime(2020, 1, 1)],
    "text and bytes": ["a", b"a"],
    "bool and int": [True, 1],
    "decimal and int": [Decimal(1), 1],
    "UUID and text": [UUID(int=1), str(UUID(int=1))],
}


@pytest.mark.parametrize("case", MIXTURES)
def test_kinds_do_not_mix_in_any_route(case):
    a, b = MIXTURES[case]
    for graph in [*graphs([a, b]), [(a, b)], ([a], [b])]:
        kind = {} if isinstance(graph, pd.DataFrame) else {"ids": "external"}
        with pytest.raises(InputError, match=r"type|holds bool"):
            skerry.connected_components(graph, **kind)
    for arguments in ((a, b), ([a], [b])):
        with pytest.raises(InputError, match="type"):
            skerry.UnionFind(ids="external").union(*arguments)


def test_types_of_two_units_scales_and_zones_are_one_kind():
    pairs = [
        (pa.array([1, 2], pa.timestamp("s")), pa.array([1000, 5], pa.timestamp("ms")), 3),
        (
            pa.array([1], pa.timestamp("us", "UTC")),
            pa.array([1], pa.timestamp("us", "Asia/Tokyo")),
            1,
        ),
        (pa.array([1], pa.time32("s")), pa.array([10**9], pa.time64("ns")), 1),
        (pa.array([1], pa.duration("ns")), pa.array([0], pa.duration("s")), 2),
        (pa.array([Decimal("1.5")]), pa.array([Decimal("1.50")], pa.decimal256(50, 20)), 1),
    ]
    for first, second, count in pairs:
        for src, dst in ((first, second), (second, first)):
            n = len(src)
            sets = skerry.UnionFind(ids="external")
            sets.add(src)
            assert (dst[0] in sets) is (count < 2 * n)
            sets.union(src, dst)
            sets.union(dst, src)
            assert len(sets) == count
            table = pa.table({"src": src, "dst": dst})
            for graph in ((src, dst), table):
                result = skerry.connected_components(graph, forest=True)
                assert result.num_vertices == count
                assert result.verify()
                assert result.connected(src, dst).all()


def test_a_finer_unit_that_cannot_hold_all_ids_is_an_error_and_changes_nothing():
    sets = skerry.UnionFind(ids="external")
    sets.add(dt.datetime(9999, 1, 1))
    with pytest.raises(InputError, match="does not hold all of them"):
        sets.add(pd.Timestamp(1))
    assert list(sets) == [dt.datetime(9999, 1, 1)]
    sets.union(dt.datetime(9999, 1, 1), dt.datetime(1, 1, 1))
    assert pd.Timestamp(1) not in sets
    assert len(sets) == 2


def test_rows_of_tuples_are_columns():
    for graph in (((1, 2), (2, 3)), (("a", "b"), ("b", "c"))):
        assert skerry.connected_components(graph, ids="external").num_vertices == 3


def test_single_ids_are_members_of_results():
    result = skerry.connected_components([("kim", "lee")])
    assert ("kim" in result, "bo" in result, 3 in result, None in result, ["kim"] in result) == (
        (True, False, False, False, False)
    )
    numbers = skerry.connected_components([(0, 1)])
    assert (1 in numbers, 2 in numbers, "1" in numbers, (0, 1) in numbers) == (
        True,
        False,
        False,
        False,
    )
    count, labels = numbers
    assert (count, len(labels)) == (1, 2)


def test_times_with_nanoseconds_are_no_integers():
    sets = skerry.UnionFind(ids="external")
    sets.union(1, 2)
    for unknown in (np.datetime64(1, "ns"), np.timedelta64(1, "ns"), np.array(1, "M8[ns]")):
        assert unknown not in sets
    with pytest.raises(InputError, match="is not an id"):
        sets.connected(np.array([1], "M8[ns]"), np.array([2], "M8[ns]"))


def test_tables_of_networks_keep_nanoseconds():
    graph = networkx.Graph([(pd.Timestamp(1), pd.Timestamp(2))])
    result = skerry.connected_components(graph)
    assert result.table()["id"].to_pylist() == [pd.Timestamp(1), pd.Timestamp(2)]
    assert pd.Timestamp(2) in result
    assert pd.Timestamp(3) not in result
