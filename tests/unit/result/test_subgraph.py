"""`result.subgraph`: a component as a graph of its own."""

from __future__ import annotations

import pickle

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import skerry
from support.emulated import emulated_gpu
from support.graphs import small_graphs


def pairs_of(part, ids):
    """The edges by the ids of their ends, in their order."""
    return [(ids[u], ids[v]) for u, v in zip(part.src.tolist(), part.dst.tolist(), strict=True)]


@pytest.mark.parametrize("graph", small_graphs(), ids=lambda graph: graph.name)
def test_every_component_of_every_form(graph):
    for given, src, dst in (
        (graph.edges, graph.src, graph.dst),
        (graph.csr, graph.csr.tocoo().row, graph.csr.indices),
    ):
        result = skerry.connected_components(given)
        for label in np.unique(graph.labels)[:5].tolist():
            part = result.subgraph(label)
            assert part.vertices.tolist() == np.flatnonzero(graph.labels == label).tolist()
            rows = np.flatnonzero(graph.labels[src] == label)
            assert part.rows.tolist() == rows.tolist()
            pairs = list(zip(src[rows].tolist(), dst[rows].tolist(), strict=True))
            assert pairs_of(part, part.vertices.tolist()) == pairs
            if part.num_vertices:
                again = skerry.connected_components(
                    (part.src, part.dst), num_vertices=len(part.ids)
                )
                assert again.count == 1


def test_the_largest_is_the_default_and_names_come_back():
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"a": ["x", "kim", "bo"], "b": ["y", "lee", "kim"], "w": [0.1, 0.2, 0.3]})
    result = skerry.connected_components(table, source="a", target="b")
    part = result.subgraph()
    assert part.ids.to_pylist() == ["bo", "kim", "lee"]
    assert pairs_of(part, part.ids.to_pylist()) == [("kim", "lee"), ("bo", "kim")]
    assert part.rows.tolist() == [1, 2] and part.vertices.tolist() == [0, 1, 2]
    assert table["w"].take(part.rows).to_pylist() == [0.2, 0.3]
    assert result.subgraph("x").ids.to_pylist() == ["x", "y"]
    assert repr(part) == "Subgraph(vertices=3, edges=2)"


def test_rows_of_edges_that_a_threshold_keeps():
    edges = ([0, 1, 2, 3], [1, 2, 3, 4])
    result = skerry.connected_components(edges, weight=[1, 0, 1, 1], threshold=1)
    part = result.subgraph(2)
    assert part.rows.tolist() == [2, 3] and part.vertices.tolist() == [2, 3, 4]


def test_dense_labels():
    result = skerry.connected_components([(5, 6), (0, 1)], labels="dense")
    assert result.subgraph(4).ids.tolist() == [5, 6]
    for label in (-1, 5, 1.0, "a"):
        with pytest.raises(skerry.InputError, match=r"labels are 0\.\.4"):
            result.subgraph(label)


def test_nodes_of_networkx():
    part = skerry.connected_components(nx.Graph([("b", 3), ("x", "y"), ("b", None.__class__)]))
    assert set(part.subgraph().ids) == {"b", 3, type(None)}


def test_a_matrix_of_the_component():
    matrix = sp.csr_array(([1.5, 2.5, 4.0], ([1, 3, 0], [3, 1, 0])), shape=(4, 4))
    result = skerry.connected_components(matrix)
    part = result.subgraph(1)
    assert part.matrix(values=matrix.data).toarray().tolist() == [[0, 1.5], [2.5, 0]]
    assert part.matrix().toarray().tolist() == [[0, 1], [1, 0]]
    assert result.subgraph(2).matrix().shape == (1, 1)
    for values in ([1.0], 3, [[1]] * 3):
        with pytest.raises(skerry.InputError, match="rows"):
            part.matrix(values=values)


def test_a_member_that_is_no_label_is_refused_with_its_label():
    result = skerry.connected_components([(2, 7), (7, 3)])
    with pytest.raises(skerry.InputError, match="7 is not the label of a component: its own is 2"):
        result.subgraph(7)
    with pytest.raises(skerry.InputError, match="one component"):
        result.subgraph([2, 2])
    with pytest.raises(skerry.InputError, match="9"):
        result.subgraph(9)


def test_without_edges_to_read_there_is_none():
    copy = pickle.loads(pickle.dumps(skerry.connected_components([(0, 1)])))
    with pytest.raises(skerry.UnsupportedError, match=r"subgraph\(\) reads the edges again"):
        copy.subgraph()
    with emulated_gpu(on_device=True):
        result = skerry.connected_components(skerry.Edges(np.array([0]), np.array([1]), 2))
        with pytest.raises(skerry.UnsupportedError, match=r"subgraph\(\)"):
            result.subgraph()


def test_a_graph_without_vertices_has_none():
    with pytest.raises(skerry.InputError, match="no largest component"):
        skerry.connected_components([]).subgraph()


def test_a_changed_input_is_an_error():
    src, dst = np.array([0, 2]), np.array([1, 3])
    result = skerry.connected_components((src, dst), num_vertices=4)
    src[1] = 0
    with pytest.raises(skerry.InputError, match="is not what it was when it was solved"):
        result.subgraph(0)
    src[1] = 9
    with pytest.raises(skerry.InputError, match="is not what it was when it was solved"):
        result.subgraph(0)
