"""`result.bridges`: the same as networkx', with repeats of an edge as one link."""

from __future__ import annotations

import pickle

import networkx
import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry.errors import InputError, UnsupportedError
from support.emulated import emulated_gpu
from support.graphs import small_graphs

N = 14
PAIRS = st.lists(st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)), max_size=24)


def right_bridges(n, pairs):
    """Each bridge of the simple graph, and the sizes of its two sides."""
    graph = networkx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((u, v) for u, v in pairs if u != v)
    bridges = {}
    for u, v in networkx.bridges(graph):
        cut = graph.copy()
        cut.remove_edge(u, v)
        sizes = {end: len(networkx.node_connected_component(cut, end)) for end in (u, v)}
        bridges[frozenset((u, v))] = sizes
    return bridges


def assert_bridges(result, n, pairs):
    bridges = result.bridges()
    right = right_bridges(n, pairs)
    assert {frozenset(bridge[:2]) for bridge in bridges} == set(right)
    assert len(bridges) == len(right)
    for bridge in bridges:
        assert set(pairs[bridge.row]) == {bridge.source, bridge.target}
        sizes = right[frozenset(bridge[:2])]
        assert (bridge.source_size, bridge.target_size) == tuple(map(sizes.get, bridge[:2]))
    ranks = [(-min(bridge[-2:]), bridge.row) for bridge in bridges]
    assert ranks == sorted(ranks)


def assert_cut_vertices(result, n, pairs):
    graph = networkx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(pairs)
    found = result.cut_vertices()
    assert {vertex.id for vertex in found} == set(networkx.articulation_points(graph))
    assert len({vertex.id for vertex in found}) == len(found)
    for vertex in found:
        others = networkx.node_connected_component(graph, vertex.id) - {vertex.id}
        parts = [len(part) for part in networkx.connected_components(graph.subgraph(others))]
        assert (vertex.parts, vertex.cut_off) == (len(parts), sum(parts) - max(parts))
    ranks = [(-vertex.cut_off, vertex.id) for vertex in found]
    assert ranks == sorted(ranks)


@settings(max_examples=300, deadline=None)
@given(PAIRS, st.sampled_from([1, 2, 4]))
def test_any_graph_has_the_cut_vertices_of_networkx(pairs, threads):
    ends = np.array(pairs, np.int64).reshape(-1, 2)
    result = skerry.connected_components(
        (ends[:, 0], ends[:, 1]), num_vertices=N, forest=True, threads=threads
    )
    assert_cut_vertices(result, N, pairs)


@pytest.mark.parametrize("seed", range(6))
def test_cut_vertices_of_larger_graphs(seed):
    """Sparse graphs whose cycles are long, and whose blocks are many."""
    draw = np.random.default_rng(seed)
    n = 400
    pairs = [(int(draw.integers(max(0, v - 40), v)), v) for v in range(1, n)]
    pairs += [tuple(pair) for pair in draw.integers(0, n, (60 * seed, 2)).tolist()]
    ends = draw.permutation(n)[np.array(pairs)]
    result = skerry.connected_components((ends[:, 0], ends[:, 1]), num_vertices=n, forest=True)
    assert_cut_vertices(result, n, ends.tolist())
    assert result.cut_vertices(3) == result.cut_vertices()[:3]


def test_cut_vertices_need_all_edges():
    before = skerry.connected_components(([0, 1], [1, 2]))
    with pytest.raises(UnsupportedError, match="needs all edges"):
        skerry.connected_components(([2], [3]), previous=before, forest=True).cut_vertices()
    with pytest.raises(UnsupportedError, match="pass forest=True"):
        before.cut_vertices()


@given(PAIRS, st.sampled_from([1, 2, 4]))
def test_any_graph_has_the_bridges_of_networkx(pairs, threads):
    """Loops, repeats and both directions included: they make no bridge and save none."""
    ends = np.array(pairs, np.int64).reshape(-1, 2)
    result = skerry.connected_components(
        (ends[:, 0], ends[:, 1]), num_vertices=N, forest=True, threads=threads
    )
    assert_bridges(result, N, pairs)


@given(PAIRS, st.randoms(use_true_random=False))
def test_repeats_anywhere_save_no_bridge(pairs, random):
    """Each edge three times, in either direction and any order: the bridges of the edges once."""
    many = [random.choice([(u, v), (v, u)]) for u, v in pairs * 3]
    random.shuffle(many)
    ends = np.array(many, np.int64).reshape(-1, 2)
    result = skerry.connected_components((ends[:, 0], ends[:, 1]), num_vertices=N, forest=True)
    assert_bridges(result, N, many)
    assert len(result.bridges()) == len(right_bridges(N, pairs))


@given(PAIRS)
def test_both_directions_of_a_matrix_are_one_edge(pairs):
    ends = np.array(pairs, np.int64).reshape(-1, 2)
    both = np.append(ends[:, 0], ends[:, 1]), np.append(ends[:, 1], ends[:, 0])
    matrix = sp.csr_array((np.ones(len(both[0])), both), shape=(N, N))
    entries = matrix.tocoo()
    stored = list(zip(entries.row.tolist(), entries.col.tolist(), strict=True))
    for symmetric in (None, True):
        result = skerry.connected_components(matrix, forest=True, symmetric=symmetric)
        assert_bridges(result, N, stored)


@pytest.mark.parametrize("graph", small_graphs(), ids=lambda graph: graph.name)
def test_graphs_of_all_kinds(graph):
    result = skerry.connected_components(graph.edges, forest=True)
    pairs = list(zip(graph.src.tolist(), graph.dst.tolist(), strict=True))
    if graph.n <= 200:
        assert_bridges(result, graph.n, pairs)
    else:
        simple = networkx.Graph([(u, v) for u, v in pairs if u != v])
        right = {frozenset(bridge) for bridge in networkx.bridges(simple)}
        assert {frozenset(bridge[:2]) for bridge in result.bridges()} == right


def test_the_most_even_split_comes_first():
    path = [(i, i + 1) for i in range(9)]
    bridges = skerry.connected_components(path, forest=True).bridges()
    assert bridges[0] == skerry.Bridge(4, 5, None, 4, 5, 5)
    assert bridges.row.tolist() == [4, 3, 5, 2, 6, 1, 7, 0, 8]
    assert bridges.source_size.tolist() == [5, 4, 6, 3, 7, 2, 8, 1, 9]
    assert (bridges.source_size + bridges.target_size == 10).all()
    assert bridges.table().column_names == ["source", "target", "row", "source_size", "target_size"]


def test_a_threshold_leaves_edges_out_of_the_way_around():
    src, dst, weight = [0, 1, 2, 2], [1, 2, 0, 3], [0.9, 0.9, 0.1, 0.9]
    result = skerry.connected_components((src, dst), weight=weight, threshold=0.5, forest=True)
    assert [(bridge.row, bridge.weight) for bridge in result.bridges()] == [
        (1, 0.9),
        (0, 0.9),
        (3, 0.9),
    ]
    every = skerry.connected_components((src, dst), weight=weight, forest=True)
    assert every.bridges().row.tolist() == [3]


def test_a_changed_input_is_noticed():
    src, dst = np.array([0, 2]), np.array([1, 3])
    result = skerry.connected_components((src, dst), forest=True)
    src[1] = 0
    with pytest.raises(InputError, match="is not what it was when it was solved"):
        result.bridges()


def test_a_long_chain_needs_no_recursion():
    n = 200_000
    src = np.arange(n - 1, dtype=np.uint32)
    result = skerry.connected_components((src, src + 1), forest=True)
    assert len(result.bridges()) == n - 1
    closed = np.append(src, n - 1).astype(np.uint32), np.append(src + 1, 0).astype(np.uint32)
    assert len(skerry.connected_components(closed, forest=True).bridges()) == 0


# `result.subgraph`: a component as a graph of its own.


def pairs_of(part, ids):
    """The edges by the ids of their ends, in their order."""
    return [(ids[u], ids[v]) for u, v in zip(part.src.tolist(), part.dst.tolist(), strict=True)]


@pytest.mark.parametrize("graph", small_graphs(), ids=lambda graph: graph.name)
def test_every_component_of_every_form(graph):
    for form, src, dst in (
        (graph.edges, graph.src, graph.dst),
        (graph.csr, graph.csr.tocoo().row, graph.csr.indices),
    ):
        result = skerry.connected_components(form)
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
