"""Tables of edges between ids of any type, and the answer under these ids."""

from __future__ import annotations

import datetime
import uuid
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skerry
from skerry.graph.edge_source import Batch
from skerry.ids.external import External
from skerry.ids.id_space import Positions
from skerry.result.verify_source import certify_batches
from support.emulated import emulated_gpu
from support.emulator import works
from support.named import as_dict, named_components

PAIRS = [(3, 1), (7, 7), (1, 9), (4, 5), (3, 9)]
"""{1, 3, 9}, {4, 5} and {7}; each number stands for an id of the type under test."""

TYPES = {
    "int8": (pa.int8(), lambda k: k - 5),
    "int64": (pa.int64(), lambda k: (k - 5) * 10**17),
    "uint32": (pa.uint32(), lambda k: k),
    "uint64 above 2^63": (pa.uint64(), lambda k: 2**64 - 11 + k),
    "string": (pa.string(), lambda k: "naïve" * (k % 3) + chr(97 + k)),
    "large_string": (pa.large_string(), lambda k: f"{k}" * 20),
    "string_view": (pa.string_view(), lambda k: f"{k}" * 20),
    "binary": (pa.binary(), lambda k: bytes([255 - k, 0, k])),
    "uuid": (pa.binary(16), lambda k: uuid.UUID(int=k**20).bytes),
    "date32": (pa.date32(), lambda k: datetime.date(1965 + k, 2, 3)),
    "timestamp": (pa.timestamp("us"), lambda k: datetime.datetime(1965 + k, 2, 3, 4)),
    "decimal": (pa.decimal128(20, 2), lambda k: Decimal(k - 5)),
    "dictionary": (pa.dictionary(pa.int32(), pa.string()), lambda k: f"x{k}"),
}


def table_of(pairs, kind, make, names=("src", "dst")):
    columns = [pa.array([make(pair[end]) for pair in pairs], kind) for end in (0, 1)]
    return pa.table(dict(zip(names, columns, strict=True)))


def answer(graph, **arguments):
    result = skerry.connected_components(graph, **arguments)
    assert result.verify(), result.verify()
    return as_dict(result.table())


def test_periods_are_no_ids_of_their_numbers():
    # A month and a day that are stored as the same integer.
    pd = pytest.importorskip("pandas")
    month, day = pd.PeriodIndex(["1972-01"], freq="M"), pd.PeriodIndex(["1970-01-25"], freq="D")
    frames = [pd.DataFrame({"a": month, "b": other}) for other in (day, [24])]
    for frame in frames:
        with pytest.raises(skerry.InputError, match="convert the column to text"):
            skerry.connected_components(frame)
    with pytest.raises(skerry.InputError, match="convert the column to text"):
        skerry.connected_components(pa.table({"a": [1], "b": [2]}), vertices=frames[0]["a"])


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("algorithm", ["auto", "ecl"])
def test_types(name, algorithm):
    kind, make = TYPES[name]
    pairs = [(make(u), make(v)) for u, v in PAIRS]
    result = skerry.connected_components(table_of(PAIRS, kind, make), algorithm=algorithm)
    assert as_dict(result.table()) == named_components(pairs)
    assert result.ids.tolist() == sorted(named_components(pairs))
    assert result.verify()
    assert result.count == 3
    assert result.connected(make(1), make(9))
    assert not result.connected(make(4), make(9))
    assert result.largest().label == min(make(k) for k in (1, 3, 9))


@pytest.mark.parametrize("name", ["int64", "string"])
@given(
    pairs=st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=40),
    size=st.integers(1, 50),
    threads=st.sampled_from([1, 2, 5]),
)
def test_cuts_and_threads(name, pairs, size, threads):
    kind, make = TYPES[name]
    table = table_of(pairs, kind, make)
    first = skerry.connected_components(table, threads=1).table()
    cut = pa.Table.from_batches(table.to_batches(max_chunksize=size), table.schema)
    assert skerry.connected_components(cut, threads=threads).table().equals(first)
    assert skerry.connected_components(cut, threads=threads, algorithm="bfs").table().equals(first)
    backwards = table.take(pa.array(range(len(pairs))[::-1], pa.int64()))
    assert skerry.connected_components(backwards, threads=threads).table().equals(first)
    made = [(make(u), make(v)) for u, v in pairs]
    assert as_dict(first) == named_components(made)


TABLE_OF_TEXT = pa.table({"x": list("bcdz"), "y": list("abcd")})


def composite():
    years, letters = [2001, 2003, 2001, 2002], ["b", "a", "a", "z"]
    return pa.table(
        {
            "year_l": pa.array(years, pa.int16()),
            "key_l": letters,
            "score": [1.0, 0.2, 0.9, 0.8],
            "year_r": pa.array(years[1:] + years[:1], pa.int16()),
            "key_r": letters[1:] + letters[:1],
        }
    )


ENDS = {"source": ["year_l", "key_l"], "target": ("year_r", "key_r")}


@pytest.mark.parametrize("algorithm", ["auto", "cc"])
def test_composite_ids(algorithm):
    result = skerry.connected_components(
        composite(), **ENDS, weight="score", threshold=0.5, algorithm=algorithm
    )
    pairs = [
        ((2001, "b"), (2003, "a")),
        ((2001, "a"), (2002, "z")),
        ((2002, "z"), (2001, "b")),
    ]
    assert as_dict(result.table()) == named_components(pairs)
    names = ["year_l", "key_l", "component_year_l", "component_key_l"]
    assert result.table().column_names == names
    assert result.verify()
    assert result.connected((2001, "a"), (2003, "a"))
    assert result.connected([(2001, "a"), (2001, "b")], [(2003, "a"), (2003, "a")]).all()
    assert result.largest().label == (2001, "a")
    assert [part.tolist() for part in result.groups()[0]] == [
        [2001, 2001, 2002, 2003],
        ["a", "b", "z", "a"],
    ]
    with pytest.raises(skerry.InputError, match="is not an id of this graph"):
        result.connected((2001, "zz"), (2001, "a"))
    dense = skerry.connected_components(composite(), **ENDS, labels="dense").table()
    assert dense.column_names == ["year_l", "key_l", "component"]


EDGES = pa.table({"a": [5, 9, 2], "b": [9, 7, 2], "weight": [1.0, 0.5, 0.7]})


def test_vertices_weights_and_sizes():
    cut = {"weight": "weight", "threshold": 0.7}
    assert answer(EDGES, source="a", target="b", threshold=0.7) == {2: 2, 5: 5, 9: 5}
    for vertices in ([1, 7], np.array([1, 7]), pa.array([7, 1]), pa.table({"id": [1, 7, 7]})):
        found = answer(EDGES, source="a", target="b", vertices=vertices, **cut)
        assert found == {1: 1, 2: 2, 5: 5, 7: 7, 9: 5}
    few = skerry.connected_components(EDGES, source=0, target=1, vertices=[1, 7], **cut)
    assert as_dict(few.table(min_size=2)) == {5: 5, 9: 5}
    assert [group.tolist() for group in few.groups(min_size=2)] == [[5, 9]]
    assert repr(few.groups(min_size=2)) == "Groups(1 components of 2 vertices)"
    assert (few.count, few.num_vertices, len(few.sizes())) == (4, 5, 4)
    result = skerry.connected_components(EDGES, source="a", target="b")
    for size, rows in ((1, 4), (2, 3), (3, 3), (4, 0)):
        assert result.table(min_size=size).num_rows == rows
    for size in (0, True, "2"):
        for listed in (result.table, result.groups, result.sizes_table):
            with pytest.raises(skerry.InputError, match="min_size must be an integer"):
                listed(min_size=size)


def test_dense_labels():
    result = skerry.connected_components(EDGES, source="a", target="b", labels="dense")
    assert as_dict(result.table()) == {2: 0, 5: 1, 7: 1, 9: 1}
    assert result.largest().label == 1
    assert result.largest().members.tolist() == [5, 7, 9]
    assert result.verify()


def test_plain_vertices_have_a_table_too():
    for labels in ("min", "dense"):
        result = skerry.connected_components(([0, 3], [2, 1]), num_vertices=5, labels=labels)
        right = {0: 0, 1: 1, 2: 0, 3: 1, 4: 4 if labels == "min" else 2}
        assert as_dict(result.table()) == right
        assert result.ids is None
    few = skerry.connected_components(([0, 3], [2, 1]), num_vertices=5)
    assert as_dict(few.table(min_size=2)) == {0: 0, 1: 1, 2: 0, 3: 1}
    assert [group.tolist() for group in few.groups(min_size=2)] == [[0, 2], [1, 3]]


def test_questions_by_id():
    result = skerry.connected_components(pa.table({"x": ["b", "q"], "y": ["a", "q"]}))
    assert result.connected(["a", "q"], ["b", "b"]).tolist() == [True, False]
    assert result.connected(pa.array(["a", "q"]), np.array(["b", "b"])).tolist() == [True, False]
    assert result.connected("a", ["b", "q"]).tolist() == [True, False]
    assert [group.tolist() for group in result.groups()] == [["a", "b"], ["q"]]
    assert [(c.label, c.size) for c in result.largest(5)] == [("a", 2), ("q", 1)]
    assert "label a" in result._repr_html_()
    for u, message in (
        ("zz", "'zz' is not an id of this graph"),
        (5, "5 is not an id of this graph, whose ids are like 'a'"),
        (["a", "zz"], "'zz' is not an id"),
        ([5], "ids of this graph are string"),
    ):
        with pytest.raises(skerry.InputError, match=message):
            result.connected(u, u)


def test_a_reader_is_used_up():
    table = pa.table({"x": [1], "y": [2]})
    result = skerry.connected_components(table.to_reader())
    assert as_dict(result.table()) == {1: 1, 2: 1}
    with pytest.raises(skerry.UnsupportedError, match="used up by reading it"):
        result.verify()


WRONG = {
    "all singletons": [0, 1, 2, 3],
    "one split off": [0, 0, 2, 3],
    "two swapped": [0, 3, 0, 0],
    "all one": [0, 0, 0, 0],
}


@pytest.mark.parametrize("case", WRONG)
def test_the_check_finds_wrong_answers(case):
    """2 - 5 - 9, and 7 alone: right are 0, 0, 2, 0."""
    ids = External(pa.array([2, 5, 7, 9]))
    batches = [
        Batch(pa.array([2, 7]), pa.array([5, 7])),
        Batch(np.array([5]), np.array([9])),
    ]
    assert certify_batches(iter(batches), ids, np.array([0, 0, 2, 0], np.uint32))
    said = certify_batches(iter(batches), ids, np.array(WRONG[case], np.uint32))
    assert not said.ok, said
    assert ("labels are" in said.message) == (case != "all one")
    lost = External(pa.array([2, 5, 9]))
    said = certify_batches(iter(batches), lost, np.array([0, 0, 0], np.uint32))
    assert said.message == "7 is in no component"
    assert not certify_batches(iter(batches), ids, np.array([0, 0, 0], np.uint32))
    alone = [Batch(np.array([0]), np.array([5]))]
    said = certify_batches(iter(alone), Positions(2), np.array([0, 1], np.uint32))
    assert said.message == "5 is in no component"


@pytest.mark.parametrize("rows", [1, 2, 100])
def test_the_check_of_many_batches(rows):
    for table, ends in ((TABLE_OF_TEXT, {}), (composite(), ENDS)):
        cut = pa.Table.from_batches(table.to_batches(max_chunksize=rows), table.schema)
        result = skerry.connected_components(cut, **ends)
        edges = table.num_rows
        assert f"all {edges} edges join equal labels" in result.verify().message
        result._smallest = result._smallest.copy()
        result._smallest[-1] = len(result._smallest) - 1
        assert "but their labels are" in result.verify().message


def test_ranks_of_integers_that_do_not_fit():
    ids = External(pa.array([0, 5, 200], pa.uint8()))
    asked = np.array([-1, 0, 5, 6, 200, 256, 300])
    assert ids.positions(asked).tolist() == [-1, 0, 1, -1, 2, -1, -1]
    assert External(pa.array([], pa.int64())).positions(asked).tolist() == [-1] * 7
    wide = External(pa.array([1, 2**63], pa.uint64()))
    assert wide.positions(np.array([1, 2**63 - 1])).tolist() == [0, -1]


@pytest.mark.parametrize(
    ("graph", "arguments", "message"),
    [
        (EDGES, {}, "which columns are the ends of an edge is not clear"),
        (EDGES.select(["a"]), {}, "an edge needs two columns"),
        (EDGES, {"source": "a", "target": "c"}, "there is no column c"),
        (EDGES, {"source": "a"}, "source= is given without the other end"),
        (EDGES, {"source": "a", "target": "weight"}, "ids cannot be floating-point"),
        (EDGES, {"source": ["a", "b"], "target": "b"}, "equally many columns"),
        (EDGES, {"source": "a", "target": "b", "weight": "weight"}, "without threshold="),
        (EDGES, {"source": "a", "target": "b", "weight": "w", "threshold": 1}, "no column w"),
        (EDGES, {"source": "a", "target": "b", "threshold": "1"}, "threshold must be a number"),
        (EDGES, {"source": "a", "target": "b", "threshold": np.nan}, "threshold must be a number"),
        (EDGES, {"source": "a", "target": "b", "num_vertices": 10}, "num_vertices= is for"),
        (EDGES, {"source": "a", "target": "b", "ids": "all"}, 'ids must be "auto", "vertices" or'),
        (EDGES, {"source": "a", "target": "b", "vertices": ["x"]}, "ids of type"),
        (EDGES, {"source": "a", "target": "b", "vertices": [0.5]}, "vertices: floats are not ids"),
        (pa.table({"a": [1, None], "b": [2, 3]}), {}, "column a is null in row 1"),
        (pa.table({"a": ["1"], "b": [2]}), {}, "the ids of both ends must be of one kind"),
    ],
)
def test_refuses(graph, arguments, message):
    if graph is EDGES and not arguments:
        graph = EDGES.rename_columns(["x", "y", "z"]).select(["x", "z", "y"])
    with pytest.raises(skerry.InputError) as error:
        skerry.connected_components(graph, **arguments)
    assert message in str(error.value)


def test_numbers_of_vertices_in_a_table():
    table = pa.table({"u": [4, 0], "v": [1, 0]})
    result = skerry.connected_components(table, ids="vertices", num_vertices=6)
    assert result.labels.tolist() == [0, 1, 2, 3, 1, 5]
    assert result.ids is None
    assert result.verify()
    assert answer(table, ids="vertices") == {0: 0, 1: 1, 2: 2, 3: 3, 4: 1}
    promised = table.replace_schema_metadata({"n_vertices": "6"})
    assert len(answer(promised)) == 6
    with pytest.raises(skerry.InputError, match="its ids are vertex numbers, not external ids"):
        skerry.connected_components(promised, ids="external")


def test_the_plan_says_what_ran():
    plan = skerry.connected_components(EDGES, source="a", target="b").plan
    assert (plan.algorithm, plan.form, plan.edges, plan.vertices) == ("stream", "batches", 3, 4)
    assert "joined as they are read" in plan.reason
    assert [step.name for step in plan.passes] == ["wait for edges", "join edges", "label"]
    plan = skerry.connected_components(EDGES, source="a", target="b", algorithm="ecl").plan
    assert (plan.algorithm, plan.reason) == ("ecl", "asked for by name")
    assert "3 edges were gathered in memory" in plan.notes
    assert {"number ids", "sort ids"} <= {step.name for step in plan.passes}
    assert replace(plan, algorithm="x").algorithm == "x"


def test_progress_and_limit():
    told = []
    skerry.connected_components(
        EDGES,
        source="a",
        target="b",
        stream=skerry.StreamOptions(progress=lambda *n: told.append(n)),
    )
    assert told[-1][0] == 3
    with pytest.raises(MemoryError, match="the limit is 10"):
        skerry.connected_components(
            EDGES, source="a", target="b", stream=skerry.StreamOptions(limit=10)
        )


@pytest.mark.skipif(not works(), reason="needs a C++ compiler")
def test_on_a_gpu():
    """Edges of a table are numbered and gathered, and go to the device."""
    with emulated_gpu():
        result = skerry.connected_components(EDGES, source="a", target="b", device="cuda")
        assert as_dict(result.table()) == {2: 2, 5: 5, 7: 5, 9: 5}
        names = skerry.connected_components((["b"], ["a"]), device="cuda")
        assert as_dict(names.table()) == {"a": "a", "b": "a"}
    assert result.plan.device != "cpu"
    assert result.verify()


def test_integer_labels_of_a_frame_are_labels():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[1, 2, 3], [4, 5, 6]], columns=[2, 1, 0])
    result = skerry.connected_components(frame, source=2, target=1)
    assert result.ids.tolist() == [1, 2, 4, 5]
    weighted = skerry.connected_components(frame, source=2, target=1, weight=0, threshold=4)
    assert weighted.labels.tolist() == [0, 0]
    assert weighted.ids.tolist() == [4, 5]
    grouped = skerry.connected_components(frame, source=0, groups=2)
    assert grouped.ids.tolist() == [3, 6]
    with pytest.raises(skerry.InputError, match=r"no column is labeled 5; there are: 2, 1, 0"):
        skerry.connected_components(frame, source=5, target=1)
    twice = pandas.DataFrame([[1, 2, 3]], columns=[1, 1, 0])
    with pytest.raises(skerry.InputError, match="2 columns are labeled 1"):
        skerry.connected_components(twice, source=1, target=0)
    mixed = pandas.DataFrame([[1, 2, 3]], columns=["a", 0, "b"])
    assert skerry.connected_components(mixed, source=0, target="b").ids.tolist() == [2, 3]
    named = pandas.DataFrame([[1, 2, 3]], columns=list("abc"))
    assert skerry.connected_components(named, source=0, target=2).ids.tolist() == [1, 3]


def test_frames_without_rows_have_no_types():
    pandas = pytest.importorskip("pandas")
    text = pandas.DataFrame({"src": ["a"], "dst": ["b"]})
    for frame in (
        pandas.DataFrame(),
        pandas.DataFrame({"src": [], "dst": []}),
        text[text.src == "x"],
    ):
        assert skerry.connected_components(frame).num_vertices == 0
        assert skerry.connected_components([frame, text]).num_vertices == 2
    with pytest.raises(skerry.InputError, match="an edge needs two columns"):
        skerry.connected_components(pandas.DataFrame({"src": []}))


def test_the_index_of_a_frame_is_a_column_by_its_name():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"src": [5, 2, 9], "dst": [2, 3, 9]}).set_index("src")
    assert skerry.connected_components(frame).ids.tolist() == [2, 3, 5, 9]
    assert skerry.connected_components(frame.reset_index().set_axis([7, 9, 8])).count == 2


def test_objects_of_a_frame_keep_their_kinds():
    pandas = pytest.importorskip("pandas")
    naive, aware = pandas.Timestamp(1), pandas.Timestamp(1, tz="UTC")
    frame = pandas.DataFrame({"src": [naive, naive], "dst": [naive, aware]}, dtype=object)
    with pytest.raises(skerry.InputError, match="column dst: row 1 of the ids is Timestamp"):
        skerry.connected_components(frame)
    nulls = pandas.DataFrame({"src": [b"a", None], "dst": [b"b", b"c"]}, dtype=object)
    assert skerry.connected_components(nulls, on_null="drop").num_vertices == 2
