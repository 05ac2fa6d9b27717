"""`forest=True` on tables, files and batches: rows of the source, ids of the caller, any cut."""

from __future__ import annotations

import networkx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skerry
import skerry.io
from skerry.engines.streaming import external_ids, recorder
from skerry.errors import InputError, UnsupportedError
from skerry.formats.memory import resident
from skerry.graph.edge_source import Batch, EdgeSource
from support.forests import forest_problem, path_problem

IDS = st.sampled_from([0, 1, 2, 3, 5, 8, 40, 2**21, 2**40, -7])
PAIRS = st.lists(st.tuples(IDS, IDS), max_size=30)


def components(pairs):
    graph = networkx.Graph()
    graph.add_edges_from(pairs)
    return {
        node: min(members) for members in networkx.connected_components(graph) for node in members
    }


def cut(pairs, size):
    """Batches of so many pairs, as columns of NumPy."""
    ends = np.array(pairs, np.int64).reshape(-1, 2)
    return [(part[:, 0], part[:, 1]) for part in np.split(ends, range(size, len(ends), size))]


def assert_stream_forest(result, pairs, used=None, weights=None):
    used = range(len(pairs)) if used is None else used
    edges = [pair if row in used else None for row, pair in enumerate(pairs)]
    labels = components([pair for pair in edges if pair is not None])
    assert {id: result.component_of(id) for id in labels} == labels
    problem = forest_problem(list(result.spanning_forest()), edges, labels, weights)
    assert problem is None, problem


@given(PAIRS, st.integers(1, 9), st.sampled_from([1, 2, 4]))
def test_batches_in_any_cut(pairs, size, threads):
    """Integers with gaps: the recorder moves from ids that are numbers to numbered ids."""
    result = skerry.connected_components(
        cut(pairs, size), ids="external", forest=True, threads=threads
    )
    assert_stream_forest(result, pairs)
    assert result.edge_labels().tolist() == [
        result.ids.tolist().index(components(pairs)[u]) for u, _ in pairs
    ]


@given(PAIRS)
def test_text_ids_and_weights(pairs):
    names = [(f"n{u}", f"n{v}") for u, v in pairs]
    weights = [row / 4 for row in range(len(pairs))]
    table = pa.table(
        {
            "a": pa.array([u for u, _ in names], pa.string()),
            "b": pa.array([v for _, v in names], pa.string()),
            "w": pa.array(weights, pa.float64()),
        }
    )
    result = skerry.connected_components(table, weight="w", forest=True)
    assert_stream_forest(result, names, weights=weights if pairs else None)
    kept = skerry.connected_components(table, weight="w", threshold=2, forest=True)
    assert_stream_forest(kept, names, range(8, len(pairs)), weights)
    labels = kept.edge_labels().tolist()
    assert labels[:8] == [-1] * min(8, len(pairs)) and -1 not in labels[8:]


@given(PAIRS)
def test_bridges_of_a_table_are_those_of_networkx(pairs):
    graph = networkx.Graph([(u, v) for u, v in pairs if u != v])
    right = {frozenset(edge) for edge in networkx.bridges(graph)}
    result = skerry.connected_components(cut(pairs, 4), ids="external", forest=True)
    bridges = result.bridges()
    assert {frozenset(bridge[:2]) for bridge in bridges} == right and len(bridges) == len(right)
    for bridge in bridges:
        assert {bridge.source, bridge.target} == set(pairs[bridge.row])


def test_vertex_numbers_in_batches():
    rng = np.random.default_rng(2)
    pairs = list(map(tuple, rng.integers(0, 300, (400, 2)).tolist()))
    for n in (None, 300):
        result = skerry.connected_components(
            iter(cut(pairs, 64)), ids="vertices", num_vertices=n, forest=True
        )
        labels = dict(enumerate(range(result.num_vertices))) | components(pairs)
        assert forest_problem(list(result.spanning_forest()), pairs, labels) is None
        u, v = next((u, v) for u, v in pairs if u != v)
        assert path_problem(result.why(u, v), u, v, pairs) is None


def test_rows_count_over_all_files_in_order(tmp_path):
    for part, rows in enumerate(("1,2\n2,3\n", "3,4\n", "9,4\n1,9\n")):
        (tmp_path / f"part-{part}.csv").write_text("src,dst\n" + rows)
    result = skerry.connected_components(tmp_path / "part-*.csv", forest=True, threads=1)
    assert [link.row for link in result.why(1, 9)] == [0, 1, 2, 3]
    assert result.bridges().table().num_rows == 0
    assert result.edge_labels().tolist() == [0] * 5


def test_rows_of_row_groups_and_a_threshold(tmp_path):
    rng = np.random.default_rng(4)
    src, dst, score = rng.integers(0, 50, 200), rng.integers(0, 50, 200), rng.random(200)
    path = tmp_path / "pairs.parquet"
    table = pa.table({"id_l": src, "id_r": dst, "score": score})
    pq.write_table(table, path, row_group_size=16)
    result = skerry.connected_components(path, weight="score", threshold=0.7, forest=True)
    pairs = list(zip(src.tolist(), dst.tolist(), strict=True))
    assert_stream_forest(result, pairs, np.flatnonzero(score >= 0.7).tolist(), score.tolist())


@pytest.mark.parametrize("kind", ["table", "parquet", "csv"])
def test_rows_with_nulls_are_counted(kind, tmp_path):
    """A dropped row is still a row, so that the others can be looked up."""
    table = pa.table({"src": ["a", None, "b", "x"], "dst": ["b", "z", "c", None]})
    graph = table
    if kind == "parquet":
        graph = tmp_path / "pairs.parquet"
        pq.write_table(table, graph, row_group_size=3)
    elif kind == "csv":
        graph = tmp_path / "pairs.csv"
        graph.write_text("src,dst\na,b\n,z\nb,c\nx,\n")
    result = skerry.connected_components(graph, on_null="drop", forest=True)
    assert [link.row for link in result.why("a", "c")] == [0, 2]
    assert result.edge_labels().tolist() == [0, -1, 0, -1]
    assert result.bridges().row.tolist() == [0, 2]


def test_ids_of_several_columns():
    table = pa.table({"a": ["x", "x"], "i": [1, 2], "b": ["x", "y"], "j": [2, 3]})
    result = skerry.connected_components(
        table, source=("a", "i"), target=("b", "j"), forest=True, threads=1
    )
    path = result.why(("x", 1), ("y", 3))
    assert list(path) == [(("x", 1), ("x", 2), None, 0), (("x", 2), ("y", 3), None, 1)]
    assert path.table().column_names == ["source_a", "source_i", "target_a", "target_i", "row"]
    assert len(result.bridges()) == 2 and result.edge_labels().tolist() == [0, 0]


def test_files_that_count_from_one(tmp_path):
    path = tmp_path / "graph.mtx"
    path.write_text("%%MatrixMarket matrix coordinate pattern general\n4 4 2\n1 2\n2 4\n")
    result = skerry.connected_components(path, forest=True)
    assert [link[:2] for link in result.why(1, 4)] == [(1, 2), (2, 4)]
    assert result.bridges()[0][:2] == (1, 2)
    assert result.edge_labels().tolist() == [0, 0]


def test_vertices_without_an_edge_are_no_rows(tmp_path):
    (tmp_path / "g.v").write_text("5\n6\n7\n8\n")
    (tmp_path / "g.e").write_text("6 5\n7 5\n")
    result = skerry.connected_components(tmp_path / "g.e", forest=True)
    assert [link.row for link in result.why(6, 7)] == [0, 1]
    further = skerry.connected_components([("a", "b")], vertices=["q"], forest=True)
    assert len(further.spanning_forest()) == 1 and len(further.why("q", "q")) == 0


def test_weights_turn_from_integers_to_numbers_with_a_point():
    parts = [
        pa.table({"src": [1], "dst": [2], "weight": pa.array([7], pa.int16())}),
        pa.table({"src": [2], "dst": [3], "weight": pa.array([0.5])}),
        pa.table({"src": [3], "dst": [4], "weight": pa.array([2**60])}),
    ]
    result = skerry.connected_components(parts, weight="weight", forest=True, threads=1)
    assert result.spanning_forest().weight.tolist() == [7, 0.5, 2.0**60]
    integers = skerry.connected_components(parts[2], weight="weight", forest=True)
    assert integers.why(3, 4)[0].weight == 2**60


def test_weights_of_some_edges_only_are_refused():
    ids = np.array([1, 2])
    batches = [Batch(ids[:1], ids[1:], np.array([7])), Batch(ids[:1], ids[1:])]
    for order in (1, -1):
        source = EdgeSource("made up", "external", lambda _, order=order: iter(batches[::order]))
        with pytest.raises(InputError, match="some edges have weights and others have none"):
            skerry.connected_components(source, forest=True)


def test_the_recorder_widens_its_vertices(monkeypatch):
    """As it does from 2^32 vertices on."""
    monkeypatch.setattr(
        recorder, "vertex_dtype", lambda n: np.dtype(np.uint32 if n < 100 else np.uint64)
    )
    pairs = [(i, i + 1) for i in range(150)]
    result = skerry.connected_components(cut(pairs, 20), ids="vertices", forest=True)
    labels = dict.fromkeys(range(151), 0)
    assert forest_problem(list(result.spanning_forest()), pairs, labels) is None


def test_what_was_recorded_moves_to_numbered_ids(monkeypatch):
    """Weights and rows stay with their edges when ids turn out to leave wide gaps."""
    monkeypatch.setattr(external_ids, "DENSE_FROM", 16)
    table = pa.table({"a": [1, 2, 5, 10**9], "b": [2, 3, 5, 3], "w": [4, 3, 2, 1]})
    batches = iter(table.to_batches(max_chunksize=2))
    result = skerry.connected_components(batches, source="a", target="b", weight="w", forest=True)
    assert list(result.why(10**9, 1)) == [(10**9, 3, 1, 3), (3, 2, 3, 1), (2, 1, 4, 0)]


def test_a_used_up_iterator_has_no_second_reading():
    result = skerry.connected_components(iter([("a", "b")]), forest=True)
    assert len(result.why("a", "b")) == 1
    for question in (result.bridges, result.edge_labels):
        with pytest.raises(UnsupportedError, match="was used up by reading it"):
            question()


def test_a_changed_file_is_noticed(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("src,dst\na,b\nc,d\n")
    result = skerry.connected_components(path, forest=True)
    for changed in ("src,dst\na,b\nc,z\n", "src,dst\na,b\nb,c\n"):
        path.write_text(changed)
        for question in (result.bridges, result.edge_labels):
            with pytest.raises(InputError, match="is not what it was when it was solved"):
                question()


def test_edges_of_gathered_streams(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("src,dst,weight\na,b,1\nb,c,0\nx,y,1\n")
    result = skerry.connected_components(path, weight="weight", threshold=1, algorithm="ecl")
    assert result.plan.engine == "gathering"
    assert result.edge_labels().tolist() == [0, -1, 2]


def test_the_memory_of_a_forest_counts_for_the_limit():
    n = 1 << 21
    batches = [(np.arange(n - 1), np.arange(1, n))]
    limit = resident() + 30 * n
    assert (
        skerry.connected_components(
            batches, ids="vertices", stream=skerry.StreamOptions(limit=limit)
        ).count
        == 1
    )
    with pytest.raises(MemoryError, match="the forest of"):
        skerry.connected_components(
            batches, ids="vertices", stream=skerry.StreamOptions(limit=limit), forest=True
        )


def test_an_edge_source_keeps_its_weights(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("src,dst,weight\na,b,1\n")
    source = skerry.io.read_edges(path, weight="weight")
    assert skerry.connected_components(source, forest=True).why("a", "b")[0].weight == 1


def test_a_certificate_counts_rows_as_a_forest_does(tmp_path):
    """Dropped rows are counted, vertices that a format lists are not."""
    table = pa.table({"a": ["x", None, "y", "y"], "b": ["x", "q", None, "z"], "w": [1, 1, 1, 2]})
    for options in ({}, {"weight": "w", "threshold": 2}):
        result = skerry.connected_components(table, on_null="drop", forest=True, **options)
        assert result.verify().forest.tolist() == result.spanning_forest().row.tolist() == [3]
    (tmp_path / "g.v").write_text("5\n6\n7\n")
    (tmp_path / "g.e").write_text("6 6\n7 5\n")
    result = skerry.connected_components(tmp_path / "g.e", forest=True)
    assert result.verify().forest.tolist() == result.spanning_forest().row.tolist() == [1]
    assert result.verify()


def test_a_certificate_counts_lists_as_rows():
    lists = pa.table({"members": [["kim", "lee", "x"], ["bo"], ["mia"], ["lee", "mia"]]})
    batches = lists.to_batches(max_chunksize=1)
    result = skerry.connected_components(batches, source="members", groups=True, forest=True)
    assert result.verify().forest.tolist() == result.spanning_forest().row.tolist() == [0, 0, 3]
    assert result.edge_labels().tolist() == [1, -1, -1, 1]


@pytest.mark.parametrize("vertex", [2**45, 2**58])
def test_too_many_vertices_are_a_memory_error(vertex):
    with pytest.raises(MemoryError, match="vertices"):
        skerry.connected_components(
            [(np.array([0]), np.array([vertex]))], ids="vertices", forest=True
        )
