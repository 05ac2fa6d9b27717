"""`result.bridges`: the same as networkx', with repeats of an edge as one link."""

from __future__ import annotations

import networkx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import skerry
from skerry.errors import InputError
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
