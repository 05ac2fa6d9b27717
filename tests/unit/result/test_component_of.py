"""``component_of``: the label of any ids, as the table has it."""

from __future__ import annotations

import pickle
import random
from collections import Counter

import networkx
import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import skerry
from skerry.errors import InputError, UnsupportedError
from support.emulated import emulated_gpu
from support.forests import path_problem
from support.graphs import small_graphs

WORDS = pa.table({"a": ["kim", "bo"], "b": ["lee", "al"]})
SHOPS = pa.table({"s": ["x", "y"], "n": [7, 7], "t": ["y", "x"], "m": [9, 8]})


def test_vertex_numbers_one_and_many():
    result = skerry.connected_components([(0, 5), (2, 3)], num_vertices=7)
    assert result.component_of(5) == 0
    assert type(result.component_of(5)) is int
    for many in ([3, 0, 6], np.array([3, 0, 6]), pa.array([3, 0, 6]), range(3, 4)):
        expected = [2, 0, 6][: len(many)]
        assert result.component_of(many).tolist() == expected
    assert result.component_of([]).tolist() == []


def test_columns_of_frames():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    result = skerry.connected_components([(0, 5), (2, 3)])
    for many in (
        pandas.Series([5, 3]),
        pandas.Series([5, 3], dtype="Int64"),
        polars.Series([5, 3]),
    ):
        assert result.component_of(many).tolist() == [0, 2]
    words = skerry.connected_components(WORDS)
    for many in (pandas.Series(["lee", "bo"]), polars.Series(["lee", "bo"])):
        assert words.component_of(many).to_pylist() == ["kim", "al"]
    with pytest.raises(InputError, match="vertices are integers"):
        result.component_of(pandas.Series([5, None], dtype="Int64"))


def test_external_ids_are_called_by_ids():
    result = skerry.connected_components(WORDS)
    assert result.component_of("lee") == "kim"
    assert result.component_of(pa.scalar("lee")) == "kim"
    assert result.component_of(["bo", "lee"]).to_pylist() == ["al", "kim"]
    integers = skerry.connected_components(([70, -3], [-9, 5]), ids="external")
    assert integers.component_of(70) == -9
    assert integers.component_of([5, 70]).tolist() == [-3, -9]


def test_ids_of_several_columns():
    result = skerry.connected_components(SHOPS, source=("s", "n"), target=("t", "m"))
    assert result.component_of(("y", 9)) == ("x", 7)
    first, second = result.component_of([("y", 9), ("x", 8)])
    assert (first.to_pylist(), second.tolist()) == (["x", "x"], [7, 8])


def test_nodes_of_networkx_are_the_callers_own():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph([("a", "b"), ((1, 2), "c")])
    result = skerry.connected_components(graph)
    assert result.component_of("b") == "a"
    assert result.component_of("c") == (1, 2)


def test_dense_labels_are_numbers():
    result = skerry.connected_components(WORDS, labels="dense")
    assert result.component_of("lee") == 1
    assert type(result.component_of("lee")) is int
    assert result.component_of(["lee", "al"]).tolist() == [1, 0]


def test_an_unknown_id_is_named():
    numbers = skerry.connected_components([(0, 5)])
    with pytest.raises(InputError, match=r"^vertex 9 is not in 0\.\.5$"):
        numbers.component_of(np.array([0, 9, 1]))
    words = skerry.connected_components(WORDS)
    with pytest.raises(InputError, match="'zoe' is not an id"):
        words.component_of(["kim", "zoe"])
    with pytest.raises(InputError, match="'zoe' is not an id"):
        words.component_of("zoe")
    with pytest.raises(InputError, match="7"):
        words.component_of(7)


def test_the_table_says_the_same():
    for graph in small_graphs():
        for kind in ("min", "dense"):
            result = skerry.connected_components(graph.edges, labels=kind)
            table = result.table()
            found = result.component_of(np.asarray(table["id"]))
            np.testing.assert_array_equal(found, np.asarray(table["component"]))
            copied = pickle.loads(pickle.dumps(result))
            np.testing.assert_array_equal(copied.component_of(np.asarray(table["id"])), found)


@pytest.mark.parametrize("kind", ["min", "dense"])
def test_ids_of_the_host_on_a_device(kind):
    src, dst = np.array([0, 2], np.uint32), np.array([5, 3], np.uint32)
    host = skerry.connected_components((src, dst), num_vertices=7, labels=kind)
    with emulated_gpu(on_device=True):
        result = skerry.connected_components((src, dst), num_vertices=7, labels=kind)
        assert result.component_of(3) == host.component_of(3)
        np.testing.assert_array_equal(result.component_of([3, 6]), host.component_of([3, 6]))
        with pytest.raises(InputError, match=r"vertex 7 is not in 0\.\.6"):
            result.component_of([3, 7])


# Ids with the most edges, against counts in plain Python.


@pytest.mark.parametrize("seed", range(20))
def test_random_graphs(seed):
    draw = random.Random(seed)
    pairs = [(f"r{draw.randrange(9)}", f"r{draw.randrange(9)}") for _ in range(12)]
    src, dst = zip(*pairs, strict=True)
    result = skerry.connected_components(pa.table({"src": src, "dst": dst}))
    counts = Counter(end for pair in pairs if pair[0] != pair[1] for end in pair)
    for label in set(result.table()["component"].to_pylist()):
        ids = [id for id in counts if result.component_of(id) == label]
        right = sorted(((id, counts[id]) for id in ids), key=lambda hub: (-hub[1], hub[0]))
        for k in (0, 2, 10):
            assert result.hubs(k, label) == right[:k]


def test_the_largest_by_default_and_what_is_refused():
    result = skerry.connected_components([(0, 1), (1, 2), (5, 6)])
    assert result.hubs(1) == [(1, 2)]
    with pytest.raises(skerry.InputError, match="k must be an integer"):
        result.hubs(-1)
    once = skerry.connected_components(iter([([0], [1])]))
    with pytest.raises(skerry.UnsupportedError):
        once.hubs()


# `result.why`: a path of edges of the input between two vertices.

PAIRS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=30)


@given(PAIRS, st.integers(0, 12), st.integers(0, 12))
def test_any_two_vertices(pairs, u, v):
    ends = np.array(pairs, np.int64).reshape(-1, 2)
    result = skerry.connected_components(
        (ends[:, 0], ends[:, 1]), num_vertices=13, forest=True, threads=2
    )
    if not result.connected(u, v):
        with pytest.raises(InputError, match=f"no path joins {u} and {v}"):
            result.why(u, v)
        return
    path = result.why(u, v)
    assert path_problem(path, u, v, pairs) is None
    forest = networkx.Graph()
    forest.add_node(u)
    forest.add_edges_from((link.source, link.target) for link in result.spanning_forest())
    assert len(path) == networkx.shortest_path_length(forest, u, v)
    back = [(link.target, link.source, link.weight, link.row) for link in reversed(path)]
    assert list(result.why(v, u)) == back


def test_a_wrong_path_is_noticed():
    edges, link = [(0, 1), (1, 2)], skerry.Link
    assert path_problem([link(0, 1, None, 0), link(1, 2, None, 1)], 0, 2, edges) is None
    assert "does not begin" in path_problem([link(1, 2, None, 1)], 0, 2, edges)
    assert "row 1 is not" in path_problem([link(0, 1, None, 1)], 0, 1, edges)
    assert "ends at" in path_problem([link(0, 1, None, 0)], 0, 2, edges)
    there_and_back = [link(0, 1, None, 0), link(1, 0, None, 0), link(0, 1, None, 0)]
    assert "twice" in path_problem(there_and_back, 0, 1, edges)


def test_a_long_path_is_in_order():
    order = np.random.default_rng(3).permutation(5000)
    result = skerry.connected_components((order[:-1], order[1:]), forest=True)
    path = result.why(order[0], order[-1])
    assert path.source.tolist() == order[:-1].tolist()
    assert path.target.tolist() == order[1:].tolist()
    assert path.row.tolist() == list(range(4999))


def test_ends_that_are_one_vertex_need_no_edge():
    result = skerry.connected_components([(0, 1)], forest=True)
    path = result.why(1, 1)
    assert list(path) == [] and path.table().column_names == ["source", "target", "row"]


def test_ends_that_cannot_be_joined():
    result = skerry.connected_components([(0, 1), (2, 3)], forest=True)
    with pytest.raises(InputError, match="no path joins 1 and 3: they are in the components of 0"):
        result.why(1, 3)
    with pytest.raises(InputError, match=r"vertex 9 is not in 0\.\.3"):
        result.why(1, 9)
    with pytest.raises(InputError, match="why takes two vertices, not arrays"):
        result.why([0], [1])


def test_links_are_a_sequence():
    result = skerry.connected_components([(0, 1), (1, 2), (2, 3)], weight=[5, 6, 7], forest=True)
    path = result.why(0, 3)
    assert path[-1] == skerry.Link(2, 3, 7, 2) and path[0:2] == [(0, 1, 5, 0), (1, 2, 6, 1)]
    assert len(path) == 3 and repr(path) == "Links(3 edges)"
    with pytest.raises(IndexError):
        path[3]
    assert path.table().to_pydict() == {
        "source": [0, 1, 2],
        "target": [1, 2, 3],
        "weight": [5, 6, 7],
        "row": [0, 1, 2],
    }
    with pytest.raises(ValueError, match="read-only"):
        path.row[0] = 1


# `result.edge_labels`: the component of every edge of the input.


@pytest.mark.parametrize("graph", small_graphs(), ids=lambda graph: graph.name)
def test_edges_have_the_labels_of_their_ends(graph):
    result = skerry.connected_components(graph.edges)
    assert result.edge_labels().tolist() == graph.labels[graph.src].tolist()
    rows = skerry.connected_components(graph.csr)
    assert rows.edge_labels().tolist() == graph.labels[graph.csr.indices].tolist()


def test_labels_by_number_and_type():
    edges = [(5, 6), (0, 1)]
    assert skerry.connected_components(edges, labels="dense").edge_labels().tolist() == [4, 0]
    assert skerry.connected_components(edges, dtype="int32").edge_labels().dtype == np.int64


def test_rows_that_are_no_edges_have_none():
    graph = ([0, 1, 2], [1, 2, 3])
    result = skerry.connected_components(graph, weight=[1, 0, 1], threshold=1)
    assert result.edge_labels().tolist() == [0, -1, 2]
    matrix = sp.csr_array(([1, 0, 1], graph), shape=(4, 4))
    assert skerry.connected_components(matrix, threshold=1).edge_labels().tolist() == [0, -1, 2]


def test_edges_of_networks():
    graph = networkx.Graph([("b", "c"), ("x", "y"), ("b", "a")])
    for options in ({}, {"algorithm": "ecl"}, {"forest": True}):
        result = skerry.connected_components(graph, **options)
        assert result.ids.take(result.edge_labels()).to_pylist() == ["a", "a", "x"]


def test_no_edges():
    assert skerry.connected_components(([], []), num_vertices=3).edge_labels().tolist() == []


def test_a_changed_input_has_no_labels():
    src, dst = np.array([0, 2]), np.array([1, 3])
    result = skerry.connected_components((src, dst))
    src[1] = 0
    with pytest.raises(InputError, match="is not what it was when it was solved"):
        result.edge_labels()


def test_a_pickle_holds_no_edges():
    copy = pickle.loads(pickle.dumps(skerry.connected_components([(0, 1)])))
    with pytest.raises(UnsupportedError, match=r"edge_labels\(\) reads the edges again"):
        copy.edge_labels()
