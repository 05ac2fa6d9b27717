"""``groups=``: all ids with one key are one component, whatever holds ids and keys."""

from __future__ import annotations

import datetime
import uuid

import numpy as np
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
import skerry.io
from skerry.errors import InputError, UnsupportedError
from skerry.inputs import groups
from support.named import named_components

IDS = ["kim", "bo", "lee", "al", "lee", "zoe"]
KEYS = [7, 9, 7, 9, 5, 3]
ANSWER = {"al": "al", "bo": "al", "kim": "kim", "lee": "kim", "zoe": "zoe"}


def answer_of(result):
    columns = result.table().to_pydict()
    return dict(zip(columns["id"], columns["component"], strict=True))


def plain_groups(rows):
    """The smallest id of the component of each id: each is joined to the first of its key."""
    first = {}
    return named_components([(id, first.setdefault(key, id)) for id, key in rows])


def table(**others):
    return pa.table({"id": IDS, "bucket": KEYS, **others})


def parquet(folder):
    pq.write_table(table(), folder / "rows.parquet", row_group_size=2)
    return folder / "rows.parquet"


def arrow(folder):
    with pa.ipc.new_file(str(folder / "rows.arrow"), table().schema) as writer:
        writer.write_table(table(), max_chunksize=2)
    return folder / "rows.arrow"


def text(folder, delimiter=",", suffix="csv"):
    rows = [("id", "bucket"), *zip(IDS, KEYS, strict=True)]
    lines = [delimiter.join(map(str, row)) for row in rows]
    (folder / f"rows.{suffix}").write_text("\n".join(lines) + "\n")
    return folder / f"rows.{suffix}"


INPUTS = {
    "table": lambda _: table(),
    "polars": lambda _: polars.from_arrow(table()),
    "LazyFrame": lambda _: polars.from_arrow(table()).lazy(),
    "batches of tables": lambda _: [table().slice(0, 1), table().slice(1, 3), table().slice(4)],
    "Parquet": parquet,
    "Arrow": arrow,
    "CSV": text,
    "TSV": lambda folder: text(folder, "\t", "tsv"),
    "several files": lambda folder: [str(parquet(folder))] * 2,
}


@pytest.mark.parametrize(
    "options", [{}, {"algorithm": "ecl"}, {"threads": 1}, {"stream": skerry.StreamOptions(10**12)}]
)
@pytest.mark.parametrize("name", INPUTS)
def test_ids_with_one_key_are_one_component(name, options, tmp_path):
    graph = INPUTS[name](tmp_path)
    result = skerry.connected_components(graph, groups="bucket", **options)
    assert answer_of(result) == ANSWER
    assert result.plan.input.source == ("id",) and result.plan.input.groups == ("bucket",)
    assert result.verify()
    assert skerry.verify(graph, result, groups="bucket")
    assert not skerry.verify(graph, np.zeros(5, np.int64), groups="bucket")


def test_there_are_fewer_edges_than_rows():
    result = skerry.connected_components(table(), groups="bucket")
    assert result.plan.edges == len(IDS) - len(set(KEYS))


def test_a_large_group_takes_as_many_edges_as_ids():
    """A join of the table with itself would have 10^10 pairs."""
    rows = pa.table({"id": np.arange(100_000), "key": np.zeros(100_000, np.int8)})
    result = skerry.connected_components(rows, groups="key")
    assert result.count == 1 and result.plan.edges == 99_999


ROWS = st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), max_size=40)
KINDS = {
    "int64": lambda values: pa.array(values, pa.int64()),
    "uint8": lambda values: pa.array(values, pa.uint8()),
    "far": lambda values: pa.array([value * 2**40 - 5 for value in values], pa.int64()),
    "text": lambda values: pa.array([f"{value:02}" for value in values], pa.string()),
    "bytes": lambda values: pa.array([bytes([value]) for value in values], pa.binary()),
    "dates": lambda values: pa.array(
        [datetime.date(2020, 1, 1 + value) for value in values], pa.date32()
    ),
    "dictionary": lambda values: pa.array(
        [f"{value:02}" for value in values], pa.string()
    ).dictionary_encode(),
}


@settings(max_examples=120, deadline=None)
@given(
    ROWS,
    st.sampled_from(sorted(KINDS)),
    st.sampled_from(sorted(KINDS)),
    st.integers(1, 9),
    st.integers(1, 9),
    st.booleans(),
)
def test_any_ids_and_keys_in_any_batches(rows, id_kind, key_kind, cut, piece, gathers):
    """Keys that have the values of ids are not ids."""
    ids, keys = ([row[end] for row in rows] for end in (0, 1))
    whole = pa.table({"id": KINDS[id_kind](ids), "key": KINDS[key_kind](keys)})
    batches = [whole.slice(begin, cut) for begin in range(0, len(rows), cut)] or [whole]
    truth = plain_groups(rows)
    before, groups.PIECE = groups.PIECE, piece
    try:
        options = {"algorithm": "afforest"} if gathers else {}
        result = skerry.connected_components(iter(batches), groups="key", **options)
    finally:
        groups.PIECE = before
    names = sorted(truth)
    assert len(result.ids) == len(names)
    expected = [names.index(truth[name]) for name in names]
    assert result.labels.tolist() == expected


@settings(max_examples=60, deadline=None)
@given(ROWS, st.sampled_from([None, 15, 20]))
def test_arrays_of_vertex_numbers(rows, num_vertices):
    ids, keys = (np.array([row[end] for row in rows], np.int64) for end in (0, 1))
    truth = plain_groups(rows)
    n = num_vertices or max(ids.tolist(), default=-1) + 1
    for column in (keys, keys.astype(str), keys.astype(np.uint16)):
        result = skerry.connected_components((ids, column), groups=True, num_vertices=num_vertices)
        assert result.ids is None
        assert result.labels.tolist() == [truth.get(v, v) for v in range(n)]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(0, 12), max_size=5), max_size=12), st.integers(1, 4))
def test_every_list_is_a_group(lists, cut):
    rows = [(id, number) for number, members in enumerate(lists) for id in members]
    truth = plain_groups(rows)
    n = max(truth, default=-1) + 1
    expected = [truth.get(v, v) for v in range(n)]
    assert skerry.connected_components(lists, groups=True).labels.tolist() == expected
    sets = [set(members) for members in lists]
    assert skerry.connected_components(sets, groups=True).labels.tolist() == expected
    for kind in (pa.list_(pa.int64()), pa.large_list(pa.int32())):
        column = pa.table({"members": pa.array(lists, kind)})
        tables = [column.slice(begin, cut) for begin in range(0, len(lists), cut)] or [column]
        for graph in (column, tables):
            result = skerry.connected_components(graph, groups=True)
            assert answer_of(result) == truth
            assert result.verify()


def test_lists_in_files(tmp_path):
    lists = pa.table({"n": [1, 2, 3], "members": [["a", "b"], ["c"], ["b", "d"]]})
    pq.write_table(lists, tmp_path / "lists.parquet", row_group_size=1)
    result = skerry.connected_components(
        tmp_path / "lists.parquet",
        source="members",
        groups=True,
        stream=skerry.StreamOptions(limit=10**12),
    )
    assert answer_of(result) == {"a": "a", "b": "a", "c": "c", "d": "a"}
    with pytest.raises(InputError, match=r"one column of lists; name it: source="):
        skerry.connected_components(tmp_path / "lists.parquet", groups=True)
    with pytest.raises(InputError, match="needs a column of lists, and n is int64"):
        skerry.connected_components(tmp_path / "lists.parquet", source="n", groups=True)
    with pytest.raises(UnsupportedError, match="columns of lists, which this format has not"):
        skerry.connected_components(text(tmp_path), groups=True)


def test_fixed_lists_of_text():
    column = pa.array([["a", "b"], ["c", "b"]], pa.list_(pa.string(), 2))
    result = skerry.connected_components(pa.table({"pair": column}), groups=True)
    assert answer_of(result) == {"a": "a", "b": "a", "c": "a"}


def test_keys_of_several_columns():
    rows = table(band=[0, 0, 1, 0, 0, 0])
    result = skerry.connected_components(rows, source="id", groups=("band", "bucket"))
    assert answer_of(result) == {"al": "al", "bo": "al", "kim": "kim", "lee": "lee", "zoe": "zoe"}
    same = skerry.connected_components(rows, source=0, groups=[2, 1])
    assert same.labels.tolist() == result.labels.tolist()


def test_ids_of_several_columns():
    rows = pa.table({"year": [1, 1, 2], "no": [5, 6, 5], "key": ["x", "y", "x"]})
    result = skerry.connected_components(rows, source=("year", "no"), groups="key")
    assert result.table().to_pylist() == [
        {"year": 1, "no": 5, "component_year": 1, "component_no": 5},
        {"year": 1, "no": 6, "component_year": 1, "component_no": 6},
        {"year": 2, "no": 5, "component_year": 1, "component_no": 5},
    ]


def test_ids_of_other_types():
    names = [uuid.UUID(int=value) for value in (3, 1, 2)]
    ids, keys = np.array(names, object), np.array(["b", "b", "a"])
    result = skerry.connected_components((ids, keys), groups=True)
    assert result.labels.tolist() == [0, 1, 0]


def test_pairs_that_a_program_makes():
    rows = list(zip(IDS, KEYS, strict=True))
    assert answer_of(skerry.connected_components(iter(rows), groups=True)) == ANSWER
    numbers = skerry.connected_components(((i, i // 2) for i in range(5)), groups=True)
    assert numbers.labels.tolist() == [0, 0, 2, 2, 4]
    arrays = [(np.array([0, 1]), np.array(["a", "b"])), (np.array([4]), np.array(["b"]))]
    assert skerry.connected_components(arrays, groups=True).labels.tolist() == [0, 1, 2, 3, 1]


def test_lists_in_an_iterator_are_refused():
    """In a list of lists each is a group: an iterator of the same must not give another answer."""
    groups = [[0, 1], [2, 1]]
    assert skerry.connected_components(groups, groups=True).count == 1
    for rows, number in [(groups, 0), ([(0, 1), [2, 1]], 1)]:
        with pytest.raises(InputError, match=f"element {number} is a list, .*a group, or an id"):
            skerry.connected_components(iter(rows), groups=True)


@pytest.mark.parametrize("column", ["id", "bucket"])
def test_missing_ids_and_keys(column):
    columns = {"id": IDS, "bucket": KEYS}
    columns[column] = [*columns[column][:-1], None]
    rows = pa.table(columns)
    with pytest.raises(InputError, match=f"column {column} is null"):
        skerry.connected_components(rows, groups="bucket")
    result = skerry.connected_components(rows, groups="bucket", on_null="drop")
    assert answer_of(result) == {id: name for id, name in ANSWER.items() if id != "zoe"}


def test_missing_lists_and_elements():
    rows = pa.table({"members": [["a", None, "b"], None, ["c"]]})
    with pytest.raises(InputError, match="column members is null in row 1"):
        skerry.connected_components(rows, groups=True)
    with pytest.raises(InputError, match="in row 0 of it has a null"):
        skerry.connected_components(rows.slice(0, 1), groups=True)
    result = skerry.connected_components(rows, groups=True, on_null="drop")
    assert answer_of(result) == {"a": "a", "b": "a", "c": "c"}


def test_further_vertices():
    result = skerry.connected_components(table(), groups="bucket", vertices=["max", "kim"])
    assert answer_of(result) == {**ANSWER, "max": "max"}


def test_vertex_numbers_in_a_table():
    rows = pa.table({"id": [3, 1], "key": ["x", "x"]})
    result = skerry.connected_components(rows, groups="key", ids="vertices", num_vertices=5)
    assert result.labels.tolist() == [0, 1, 2, 1, 4]


@pytest.mark.parametrize("name", ["target", "weight", "threshold", "keep"])
def test_groups_have_no_edges_and_no_weights(name):
    value = {"target": "id", "weight": "w", "threshold": 0.5, "keep": "above"}[name]
    beside = {} if name not in ("weight", "keep") else {"threshold": 0.5}
    with pytest.raises(InputError, match=r"(target|weight|threshold)= is given with groups="):
        skerry.connected_components(table(w=[1.0] * 6), groups="bucket", **{name: value}, **beside)


@pytest.mark.parametrize("value", [False, 1.5, (), b"bucket"])
def test_columns_of_keys_that_are_none(value):
    with pytest.raises(InputError, match="groups"):
        skerry.connected_components(table(), groups=value)


def test_which_column_holds_the_ids_must_be_clear():
    rows = pa.table({"x": [1], "y": [2], "key": [3]})
    with pytest.raises(InputError, match=r"not clear; name them: source=; there are: x, y"):
        skerry.connected_components(rows, groups="key")
    named = pa.table({"y": [2], "key": [3], "id": [1]})
    assert skerry.connected_components(named, groups="key").ids.tolist() == [1]
    with pytest.raises(InputError, match="both the id and its group"):
        skerry.connected_components(rows, source="key", groups="key")
    with pytest.raises(InputError, match="there is no column bucket"):
        skerry.connected_components(rows, groups="bucket")


def test_what_has_no_columns_of_keys(tmp_path):
    (tmp_path / "edges.txt").write_text("0 1\n")
    with pytest.raises(UnsupportedError, match="needs a table with a column of keys"):
        skerry.connected_components(tmp_path / "edges.txt", groups=1)
    with pytest.raises(InputError, match=r"for arrays pass \(ids, keys\) and groups=True"):
        skerry.connected_components((np.array([0]), np.array([1])), groups="key")
    with pytest.raises(InputError, match="a list of lists, tuples or sets"):
        skerry.connected_components(np.zeros((3, 2), np.int64), groups=True)
    with pytest.raises(InputError, match="a row needs one of each"):
        skerry.connected_components((np.array([0]), np.array([1, 2])), groups=True)
    for graph in (skerry.Edges(np.array([0]), np.array([1]), 2), {0: [1]}):
        with pytest.raises(UnsupportedError, match="groups= is not supported for"):
            skerry.connected_components(graph, groups=True)


def test_edges_of_groups_from_read_edges(tmp_path):
    edges = skerry.io.read_edges(parquet(tmp_path), groups="bucket")
    assert str(edges.facts) == "parquet; source id; groups bucket"
    assert answer_of(skerry.connected_components(edges)) == ANSWER


def test_a_path_through_groups_names_rows_of_the_table():
    rows = table()
    result = skerry.connected_components(rows, groups="bucket", forest=True)
    links = result.why("kim", "lee")
    assert [link.row for link in links] == [2]
    dropped = pa.table({"id": [None, *IDS], "bucket": [7, *KEYS]})
    result = skerry.connected_components(dropped, groups="bucket", forest=True, on_null="drop")
    assert [link.row for link in result.why("kim", "lee")] == [3]
    lists = pa.table({"members": [["a"], ["b", "c"], [], ["c", "d"]]})
    result = skerry.connected_components([lists, lists], groups=True, forest=True)
    assert [link.row for link in result.why("b", "d")] == [1, 3]


def test_keys_count_against_the_limit(tmp_path):
    rng = np.random.default_rng(0)
    rows = pa.table({"id": np.zeros(300_000, np.int64), "key": rng.integers(0, 2**60, 300_000)})
    pq.write_table(rows, tmp_path / "rows.parquet")
    with pytest.raises(MemoryError):
        skerry.connected_components(
            tmp_path / "rows.parquet", groups="key", stream=skerry.StreamOptions(limit=10**6)
        )


def test_parts_with_ids_of_other_widths():
    """The parts of a graph may store ids in other widths: those that stand for a group too."""
    kinds = [pa.int32(), pa.int64(), pa.uint64(), pa.int8()]
    parts = [
        pa.table({"id": pa.array([i, i + 10], kind), "key": [i, 99]})
        for i, kind in enumerate(kinds)
    ]
    result = skerry.connected_components(iter(parts), groups="key")
    assert result.labels.tolist() == [0, 1, 2, 3, 4, 4, 4, 4]
    texts = [
        pa.table({"id": pa.array([f"{i}", "x"], kind), "key": [i, 5]})
        for i, kind in enumerate((pa.string(), pa.large_string(), pa.string_view()))
    ]
    assert skerry.connected_components(iter(texts), groups="key").labels.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("order", [("id", "bucket"), ("bucket", "id")])
def test_text_of_integers_needs_no_arrow(order, tmp_path):
    """An id and a key that are integers are read by the native parser of edges."""
    columns = {"id": [5, 70, 2**62, 5], "bucket": [-1, 4, -1, 8]}
    rows = zip(*(columns[name] for name in order), strict=True)
    lines = [",".join(order), *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    edges = skerry.io.read_edges(tmp_path / "rows.csv", groups="bucket")
    batches = [batch for batch in edges.open(1) if not batch.only_vertices]
    assert all(isinstance(batch.src, np.ndarray) for batch in batches)
    assert answer_of(skerry.connected_components(edges)) == {5: 5, 70: 70, 2**62: 5}


def test_negative_keys_beside_large_ids(tmp_path):
    """No integer type holds both, and none needs to: keys are not ids."""
    (tmp_path / "rows.csv").write_text(f"id,bucket\n{2**63},-1\n7,-1\n8,3\n")
    result = skerry.connected_components(tmp_path / "rows.csv", groups="bucket")
    assert answer_of(result) == {7: 7, 8: 8, 2**63: 7}
