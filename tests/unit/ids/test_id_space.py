"""Every id space: from ids to positions and back, one id and many."""

from __future__ import annotations

import datetime as dt
import decimal
import pickle
import uuid

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skerry import InputError, UnsupportedError
from skerry.ids.external import External
from skerry.ids.id_space import Counted, Positions
from skerry.ids.objects import Objects

UUIDS = [uuid.UUID(int=number) for number in (1, 2**90, 2**127)]
NODE = frozenset({1, 2})

SPACES = {
    "positions": (Positions(4), [0, 1, 2, 3]),
    "counted": (Counted(1, 3), [1, 2, 3]),
    "counted from below zero": (Counted(-1, 3), [-1, 0, 1]),
    "integers": (External(np.array([-3, 5, 2**40])), [-3, 5, 2**40]),
    "uint64": (External(np.array([1, 2**64 - 1], np.uint64)), [1, 2**64 - 1]),
    "arrow integers": (External(pa.array([2, 7], pa.uint8())), [2, 7]),
    "text": (External(pa.array(["a", "b", "ö"])), ["a", "b", "ö"]),
    "large text": (External(pa.array(["a", "b"], pa.large_string())), ["a", "b"]),
    "text views": (External(pa.array(["a", "b"], pa.string_view())), ["a", "b"]),
    "bytes": (External(pa.array([b"", b"a\0"])), [b"", b"a\0"]),
    "fixed bytes": (External(pa.array([b"ab", b"b\0"], pa.binary(2))), [b"ab", b"b\0"]),
    "dates": (
        External(pa.array([dt.date(1960, 1, 1), dt.date(2020, 2, 29)])),
        [dt.date(1960, 1, 1), dt.date(2020, 2, 29)],
    ),
    "times": (
        External(pa.array([dt.datetime(1960, 1, 1), dt.datetime(2020, 1, 1)], pa.timestamp("us"))),
        [dt.datetime(1960, 1, 1), dt.datetime(2020, 1, 1)],
    ),
    "durations": (
        External(pa.array([dt.timedelta(-1), dt.timedelta(2)], pa.duration("us"))),
        [dt.timedelta(-1), dt.timedelta(2)],
    ),
    "booleans": (External(pa.array([False, True])), [False, True]),
    "decimals": (
        External(pa.array([decimal.Decimal("-1.5"), decimal.Decimal("2.25")])),
        [decimal.Decimal("-1.50"), decimal.Decimal("2.25")],
    ),
    "uuids": (
        External(
            pa.ExtensionArray.from_storage(
                pa.uuid(), pa.array([value.bytes for value in UUIDS], pa.binary(16))
            )
        ),
        UUIDS,
    ),
    "composite": (
        External((np.array([1, 1, 2]), pa.array(["a", "b", "a"])), ("year", "name")),
        [(1, "a"), (1, "b"), (2, "a")],
    ),
    "three integer columns": (
        External((np.array([1, 1]), np.array([2, 2], np.uint8), np.array([3, 4])), ("a", "b", "c")),
        [(1, 2, 3), (1, 2, 4)],
    ),
    "one column in a tuple": (External((np.array([4, 8]),)), [(4,), (8,)]),
    "objects": (Objects([NODE, "b", 7, (1, "x"), None]), [NODE, "b", 7, (1, "x"), None]),
    "no integers": (External(np.array([], np.int64)), []),
    "no text": (External(pa.array([], pa.string())), []),
    "no objects": (Objects([]), []),
    "no positions": (Positions(0), []),
}


def listed(column):
    """A column, or a tuple of them, as a list of Python objects."""
    if isinstance(column, tuple):
        return list(zip(*map(listed, column), strict=True))
    return column if isinstance(column, list) else column.tolist()


@pytest.mark.parametrize("pickled", [False, True])
@pytest.mark.parametrize("name", SPACES)
def test_ids_and_positions(name, pickled):
    space, ids = SPACES[name]
    if pickled:
        space.positions(ids)  # what is cached is not part of the pickle, and does not harm it
        space = pickle.loads(pickle.dumps(space))
    everything = np.arange(len(ids), dtype=np.uint32)
    assert len(space) == len(ids)
    assert [space[i] for i in range(len(ids))] == ids
    assert [space.position(value) for value in ids] == list(range(len(ids)))
    assert space.positions(ids).tolist() == everything.tolist()
    assert space.positions(ids).dtype == np.int64
    assert space.positions(ids[::-1]).tolist() == everything[::-1].tolist()
    assert space.lookup(ids[::-1]).tolist() == everything[::-1].tolist()
    for i, value in enumerate(ids):
        assert space.lookup(value).tolist() == i
    assert space.objects(everything[::-1]) == ids[::-1]
    assert listed(space.take(everything)) == ids
    if name != "positions" and name != "no positions":
        assert listed(space.columns) == ids
    if name != "objects":
        assert listed(space.column(everything)) == ids
    assert len(space.names) == (len(ids[0]) if ids and isinstance(ids[0], tuple) else 1)
    assert type(space).__name__ in repr(space)


@pytest.mark.parametrize("name", SPACES)
def test_unknown_ids(name):
    space, ids = SPACES[name]
    unknown = 3.5 if isinstance(space, Counted) else object()
    with pytest.raises(InputError, match=r"vertices are integers|is not an id of this graph"):
        space.position(unknown)
    if ids and not isinstance(space, Counted):
        with pytest.raises(InputError, match=r"not an id of this graph|ids of this graph"):
            space.lookup([*ids, unknown])


def test_positions_say_their_range():
    space = Positions(6)
    with pytest.raises(InputError, match=r"^vertex 7 is not in 0\.\.5$"):
        space.position(7)
    with pytest.raises(InputError, match=r"^vertex -1 is not in 0\.\.5$"):
        space.lookup([0, -1])
    with pytest.raises(InputError, match=r"^vertices are integers, got float64 \(0\.5\)$"):
        space.lookup(0.5)
    with pytest.raises(InputError, match="vertices are integers, got bool"):
        space.positions([True])
    with pytest.raises(InputError, match="vertex 0 is not in this graph, which has no vertices"):
        Positions(0).position(0)
    assert space.columns is None
    assert space.positions(np.array([5, 6, -1])).tolist() == [5, -1, -1]
    assert space.positions(np.array([2**64 - 1, 3], np.uint64)).tolist() == [-1, 3]
    assert space.lookup(np.array([[1, 2], [3, 4]])).shape == (2, 2)
    assert space.lookup([]).tolist() == []


def test_counted_says_its_range():
    space = Counted(1, 3)
    assert space.positions(np.array([0, 1, 3, 4], np.uint8)).tolist() == [-1, 0, 2, -1]
    with pytest.raises(InputError, match=r"^vertex 0 is not in 1\.\.3$"):
        space.position(0)
    assert space.columns.tolist() == [1, 2, 3]
    assert Counted(-1, 3).lookup(np.array([0, 1], np.uint8)).tolist() == [1, 2]


def test_integers_are_numpy_and_read_only():
    for column in (np.array([3, 9], np.int16), pa.array([3, 9], pa.int16())):
        space = External(column)
        assert space.are_integers
        assert isinstance(space.columns, np.ndarray)
        assert space.columns.dtype == np.int16
        assert not space.columns.flags.writeable
        assert space.column(np.array([1])).dtype == np.int16
    chunked = External(pa.chunked_array([["a"], ["b"]]))
    assert isinstance(chunked.columns, pa.Array)
    assert not chunked.are_integers
    assert not External((np.array([1]), np.array([2])), ("a", "b")).are_integers
    with pytest.raises(InputError, match="holds integers, not float64"):
        External(np.array([0.5]))


def test_the_callers_array_stays_writeable():
    column = np.array([1, 2])
    External(column)
    column[0] = 0


@pytest.mark.parametrize(
    "queries",
    [
        [-1, 0, 5, 6, 200, 256, 300],
        np.array([-1, 0, 5, 6, 200, 256, 300], np.int16),
        pa.array([-1, 0, 5, 6, 200, 256, 300]),
        pa.chunked_array([[-1, 0, 5], [6, 200, 256, 300]]),
        pa.array([-1, 0, 5, 6, 200, 256, 300]).dictionary_encode(),
        np.array([-1, 0, 5, 6, 200, 256, 300], object),
        (np.array([-1, 0, 5, 6, 200, 256, 300]),),
    ],
    ids=["list", "numpy", "arrow", "chunked", "dictionary", "objects", "tuple of one column"],
)
def test_integers_that_do_not_fit_are_unknown(queries):
    space = External(np.array([0, 5, 200], np.uint8))
    assert space.positions(queries).tolist() == [-1, 0, 1, -1, 2, -1, -1]
    assert External(np.array([], np.int64)).positions(queries).tolist() == [-1] * 7


def test_integers_beyond_63_bits():
    space = External(np.array([1, 2**63], np.uint64))
    assert space.positions(np.array([1, 2**63 - 1])).tolist() == [0, -1]
    assert space.positions([2**63, -1, 2**70, -(2**70)]).tolist() == [1, -1, -1, -1]
    signed = External(np.array([-(2**63), 0, 2**63 - 1]))
    queries = np.array([0, 2**63 - 1, 2**63, 2**64 - 1], np.uint64)
    assert signed.positions(queries).tolist() == [1, 2, -1, -1]


def test_nulls_are_unknown():
    assert External(np.array([0, 5])).positions(pa.array([None, 5, 0])).tolist() == [-1, 1, 0]
    assert External(np.array([0, 5])).positions(pa.nulls(2)).tolist() == [-1, -1]
    assert External(pa.array(["", "a"])).positions(pa.array([None, "a", ""])).tolist() == [-1, 1, 0]


@given(
    st.lists(st.integers(-50, 50), unique=True, max_size=30),
    st.lists(st.integers(-60, 60), max_size=30),
)
def test_integers_in_any_order(ids, queries):
    space = External(np.array(ids, np.int64))
    assert space.positions(queries).tolist() == [
        ids.index(value) if value in ids else -1 for value in queries
    ]


def test_queries_of_the_wrong_form():
    composite = SPACES["composite"][0]
    with pytest.raises(InputError, match=r"\(1, 'c'\) is not an id of this graph$"):
        composite.lookup([(1, "a"), (1, "c")])
    with pytest.raises(InputError, match=r"have 2 column\(s\), \(1,\) has not"):
        composite.positions([(1,)])
    with pytest.raises(InputError, match="have 2 columns, got 3"):
        composite.positions((np.array([1]), pa.array(["a"]), np.array([1])))
    with pytest.raises(InputError, match="differ in length"):
        composite.positions((np.array([1]), pa.array(["a", "b"])))
    with pytest.raises(InputError, match="have one column, got 2"):
        SPACES["text"][0].positions((["a"], ["b"]))
    with pytest.raises(InputError, match="ids of this graph are int64: got float64"):
        SPACES["integers"][0].positions([0.5])
    with pytest.raises(InputError, match="ids of this graph are int64: setting an array"):
        SPACES["integers"][0].positions([[1], [2, 3]])
    with pytest.raises(InputError, match="ids of this graph are int64: got <U1"):
        SPACES["integers"][0].positions(["a"])
    with pytest.raises(InputError, match="ids of this graph are int64: got string"):
        SPACES["integers"][0].positions(pa.array(["a"]))
    with pytest.raises(InputError, match="ids of this graph are string: "):
        SPACES["text"][0].positions([1])


def test_errors_show_what_ids_look_like():
    with pytest.raises(InputError, match=r"^7 is not an id of this graph, whose ids are like 'a'$"):
        SPACES["text"][0].position(7)
    with pytest.raises(InputError, match=r"^'c' is not an id of this graph$"):
        SPACES["text"][0].position("c")
    with pytest.raises(InputError, match=r"^7 is not an id of this graph, which has none$"):
        SPACES["no text"][0].position(7)


def test_scalars_of_numpy_and_arrow():
    assert SPACES["integers"][0].position(np.int8(5)) == 1
    assert SPACES["text"][0].lookup(np.str_("b")).tolist() == 1
    assert SPACES["text"][0].lookup(pa.scalar("b")).tolist() == 1
    assert SPACES["composite"][0].lookup((np.int64(1), np.str_("b"))).tolist() == 1
    assert SPACES["dates"][0].lookup(np.datetime64("2020-02-29")).tolist() == 1


def test_objects_are_the_callers_own():
    nodes = [object(), "text", 7]
    space = Objects(nodes)
    assert space.objects(np.array([2, 0]))[1] is nodes[0]
    assert space.columns is nodes
    assert space.positions(["text", "other", 7, [1]]).tolist() == [1, -1, 2, -1]
    with pytest.raises(InputError, match=r"\[1\] is not an id of this graph"):
        space.position([1])
    with pytest.raises(UnsupportedError, match="ids of these types have no Arrow table"):
        space.column(np.arange(3))
    assert Objects(["b", "a"]).column(np.array([1])).to_pylist() == ["a"]
