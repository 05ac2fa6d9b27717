"""The checker accepts right answers, rejects wrong ones, and its forest is a spanning forest."""

from __future__ import annotations

import subprocess
import sys
from itertools import product

import networkx
import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skerry
from support.graphs import graph_of, large_graphs, small_graphs
from support.oracle import scipy_labels

GRAPH = graph_of("three components", 9, [(0, 4), (4, 2), (2, 0), (1, 5), (5, 3), (3, 1), (6, 7)])
"""{0, 2, 4}, {1, 3, 5}, {6, 7} and {8}."""


def rows_of(graph):
    return skerry.Csr(graph.csr.indptr.astype(np.uint64), graph.csr.indices.astype(np.uint32))


def forms(graph):
    yield graph.edges
    yield rows_of(graph)


def ends_of(graph, positions):
    """The ends of the edges at these positions, read without the checker's help."""
    if isinstance(graph, skerry.Edges):
        return graph.src[positions], graph.dst[positions]
    degrees = np.diff(graph.offsets.astype(np.int64))
    return np.repeat(np.arange(graph.num_vertices), degrees)[positions], graph.neighbors[positions]


def assert_spanning_forest(graph, form, forest):
    """Its edges alone give the same components, and one edge less could not."""
    src, dst = ends_of(form, forest.astype(np.int64))
    np.testing.assert_array_equal(scipy_labels(graph.n, src, dst), graph.labels, graph.name)
    assert len(forest) == graph.n - graph.count, graph.name
    assert len(set(forest.tolist())) == len(forest)


def wrong_answers():
    """What a broken algorithm could say of `GRAPH`."""
    right = GRAPH.labels
    swapped = right.copy()
    swapped[[4, 5]] = swapped[[5, 4]]
    split = right.copy()
    split[2] = 2
    torn = right.copy()
    torn[[3, 5]] = 3
    merged = np.where(right == 6, 0, right)
    swallowed = right.copy()
    swallowed[8] = 6
    everything = np.zeros(9, np.int64)
    return {
        "all singletons": np.arange(9),
        "everything one component": everything,
        "one vertex split off": split,
        "a component torn apart": torn,
        "two members swapped": swapped,
        "two components merged": merged,
        "an isolated vertex swallowed": swallowed,
        "labels shifted by a vertex": np.roll(right, 1),
        "one vertex moved to another component": np.where(np.arange(9) == 7, 0, right),
    }


@pytest.mark.parametrize("what", wrong_answers())
def test_wrong_answers_are_rejected(what):
    wrong = wrong_answers()[what]
    kinds = {"min": wrong, "dense": np.unique(wrong, return_inverse=True)[1], "odd": 7 * wrong - 3}
    for (kind, labels), graph in product(kinds.items(), forms(GRAPH)):
        found = skerry.verify(graph, labels)
        assert not found, (what, kind, graph)
        assert not found.ok
        assert "WRONG" in repr(found)
        assert found.message


def test_messages_name_the_place():
    labels = GRAPH.labels.copy()
    labels[7] = 8
    found = skerry.verify(GRAPH.edges, labels)
    assert found.message == "edge 6 joins vertices 6 and 7, but their labels are 6 and 8"
    labels[7] = 6
    labels[8] = 6
    found = skerry.verify(GRAPH.edges, labels)
    assert found.message.startswith("3 different labels, but the graph has 4 components")


def test_right_answers_are_accepted():
    for graph in (*small_graphs(), *large_graphs()):
        for form, labels in product(forms(graph), (graph.labels, graph.dense, -5 * graph.labels)):
            found = skerry.verify(form, labels)
            assert found, (graph.name, found)
            assert found.forest.dtype == np.uint64
        assert_spanning_forest(graph, form, found.forest)


def test_forests_of_edges():
    for graph in small_graphs():
        assert_spanning_forest(graph, graph.edges, skerry.verify(graph.edges, graph.labels).forest)


@pytest.mark.parametrize("kind", ["min", "dense"])
def test_components_check_themselves(kind):
    for graph, form in product(small_graphs(), ("edges", "csr", "csc", "symmetric")):
        given = getattr(graph, form)
        assert skerry.connected_components(given, labels=kind).verify(), graph.name


def test_a_graph_changed_since_is_found_out():
    edges = skerry.Edges(GRAPH.src.copy(), GRAPH.dst.copy(), 9)
    result = skerry.connected_components(edges)
    assert result.verify()
    edges.dst[0] = 8
    assert not result.verify()


@pytest.mark.parametrize("options", [{}, {"forest": True}, {"previous": [0, 0]}])
@pytest.mark.parametrize("vertex", [9, 10**8, -1])
def test_a_vertex_that_arrays_did_not_have_is_in_no_component(vertex, options):
    src = GRAPH.src.copy()
    result = skerry.connected_components((src, GRAPH.dst), **options)
    src[2] = vertex
    check = result.verify()
    assert not check
    if "previous" not in options:
        assert check.message == f"vertex {vertex} is in no component"


def test_columns_of_other_lengths_are_an_error():
    src = GRAPH.src.copy()
    result = skerry.connected_components((src, GRAPH.dst))
    src.resize(3, refcheck=False)
    for question in (result.verify, result.edge_labels, result.subgraph):
        with pytest.raises(skerry.InputError, match=r"is not what it was.* 3 and 7 ids"):
            question()


@pytest.mark.parametrize(
    ("array", "value", "message"),
    [
        ("neighbors", 9, r"neighbors\[3\] is 9, but the graph has 9 vertices"),
        ("neighbors", 2**32 - 1, r"neighbors\[3\] is 4294967295"),
        ("offsets", 10**6, "offsets of its rows are not in order"),
        ("offsets", 0, "offsets of its rows are not in order"),
    ],
)
def test_rows_that_do_not_fit_any_more_are_an_error(array, value, message):
    """They were read out of bounds: segmentation faults, or labels of other memory."""
    rows = rows_of(GRAPH)
    result = skerry.connected_components(rows)
    getattr(rows, array)[3] = value
    for question in (result.verify, result.edge_labels, result.subgraph):
        with pytest.raises(skerry.InputError, match=message):
            question()


def test_a_matrix_that_does_not_fit_any_more_is_an_error():
    matrix = GRAPH.csr.copy()
    matrix.indices = matrix.indices.astype(np.int32)  # these are read where they are
    result = skerry.connected_components(matrix)
    matrix.indices[0] = -1
    with pytest.raises(skerry.InputError, match="is not what it was"):
        result.verify()


def test_a_new_node_of_networkx_is_an_error():
    graph = networkx.Graph([("a", "b")])
    result = skerry.connected_components(graph)
    graph.add_edge("b", "c")
    for question in (result.verify, result.edge_labels, result.subgraph):
        with pytest.raises(skerry.InputError, match="'c' is a new node"):
            question()


def test_columns_of_a_frame_that_moved_are_an_error():
    frame = pandas.DataFrame({"a": ["x", "z"], "b": ["y", "u"]})
    result = skerry.connected_components(frame)
    frame.insert(0, "c", ["x", "y"])  # was read as the first column
    for question in (result.verify, result.edge_labels):
        with pytest.raises(skerry.InputError, match=r"its columns are .*'c', 'a', 'b'"):
            question()


@given(data=st.data())
def test_drawn_partitions(data):
    """Any labels at all: accepted exactly if they are the components."""
    n = data.draw(st.integers(1, 8))
    ends = st.integers(0, n - 1)
    graph = graph_of("drawn", n, data.draw(st.lists(st.tuples(ends, ends), max_size=8)))
    labels = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    same_answer = (labels[:, None] == labels) == (graph.labels[:, None] == graph.labels)
    for form in forms(graph):
        assert bool(skerry.verify(form, labels)) == same_answer.all()


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "i4", "u4", "i8", "u8", ">i4", ">u8"])
def test_labels_of_every_integer_type(dtype):
    labels = GRAPH.labels.astype(dtype)
    assert skerry.verify(GRAPH.edges, labels)
    labels[4] = 1
    assert not skerry.verify(GRAPH.edges, labels)


def test_labels_with_a_step_and_read_only():
    labels = np.repeat(GRAPH.labels, 2)[::2]
    labels.flags.writeable = False
    assert skerry.verify(GRAPH.edges, labels)
    assert skerry.verify(GRAPH.edges, GRAPH.labels[::-1][::-1])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (np.zeros(8, int), "9 vertices"),
        ([0] * 8, "9 vertices"),
        (np.zeros(10, int), "9 vertices"),
        (np.zeros((9, 1), int), "one-dimensional"),
        (np.int64(3), "one-dimensional"),
        (np.zeros(9), "must hold integers, got float64"),
        (np.zeros(9, bool), "must hold integers, got bool"),
        (np.array(list("abcdefghi")), "must hold integers, got <U1"),
    ],
)
def test_bad_labels(labels, message):
    with pytest.raises(skerry.InputError, match=message):
        skerry.verify(GRAPH.edges, labels)


BAD_GRAPHS = {
    "id too large": "skerry.Edges(np.array([0, 10**9]), np.array([1, 2]), 9)",
    "negative id": "skerry.Edges(np.array([0, -1]), np.array([1, 2]), 9)",
    "columns that differ": "skerry.Edges(np.array([0, 1]), np.array([1]), 9)",
    "neighbor too large": (
        "skerry.Csr(np.arange(10).astype(np.uint64), np.array([10**9] * 9, np.uint32))"
    ),
    "offsets beyond the end": (
        "skerry.Csr(np.array([0] * 9 + [10**9], np.uint64), np.zeros(4, np.uint32))"
    ),
    "offsets that fall": (
        "skerry.Csr(np.array([0, 4] + [1] * 8, np.uint64), np.zeros(4, np.uint32))"
    ),
    "no graph": "[(0, 1), (1, 2), (2, None)]",
}


@pytest.mark.parametrize("case", BAD_GRAPHS)
def test_bad_graphs(case):
    """A graph nobody has looked at yet; in a process of its own, which it must not end."""
    code = f"""
import numpy as np, skerry
try:
    skerry.verify({BAD_GRAPHS[case]}, np.zeros(9, np.int64))
except skerry.InputError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr or f"ended by signal {-done.returncode}"
    assert done.stdout, "accepted without a word"


def test_graphs_of_other_integer_types():
    for dtype in ("i1", "u2", "i4", ">i8"):
        graph = skerry.Edges(GRAPH.src.astype(dtype), GRAPH.dst.astype(dtype), 9)
        assert skerry.verify(graph, GRAPH.labels)
    assert skerry.verify(skerry.Edges(GRAPH.src.astype("i4"), GRAPH.dst, 9), GRAPH.labels)
    rows = skerry.Csr(GRAPH.csr.indptr.astype("i4"), GRAPH.csr.indices.astype("i8"))
    assert skerry.verify(rows, GRAPH.labels)
