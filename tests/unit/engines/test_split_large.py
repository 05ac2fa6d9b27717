"""`skerry.split_large`: too large components fall apart at thresholds of their own."""

from __future__ import annotations

import networkx
import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cophenet, fcluster, is_valid_linkage, linkage
from scipy.spatial.distance import pdist, squareform

import skerry
from skerry.engines.thresholds import collect, ordered_forest
from skerry.errors import InputError, UnsupportedError

EDGES = st.lists(
    st.tuples(st.integers(0, 11), st.integers(0, 11), st.sampled_from([0.2, 0.4, 0.6, 0.8])),
    max_size=30,
)


def split_by_recursion(graph, max_size, threshold):
    """Raises the threshold of a component to its next weight, until every part is small enough."""
    kept = networkx.Graph()
    kept.add_nodes_from(graph)
    kept.add_edges_from(
        (u, v, data) for u, v, data in graph.edges(data=True) if data["weight"] >= threshold
    )
    parts = []
    for members in networkx.connected_components(kept):
        part = kept.subgraph(members)
        if len(members) <= max_size:
            parts.append(sorted(members))
            continue
        weights = {data["weight"] for _, _, data in part.edges(data=True)}
        stricter = min((each for each in weights if each > threshold), default=np.inf)
        parts += split_by_recursion(part, max_size, stricter)
    return parts


def strongest(edges):
    """A simple graph: of several edges between two vertices, the strongest."""
    graph = networkx.Graph()
    for u, v, weight in edges:
        if not graph.has_edge(u, v) or graph[u][v]["weight"] < weight:
            graph.add_edge(u, v, weight=weight)
    return graph


@settings(max_examples=150, deadline=None)
@given(EDGES, st.integers(1, 12), st.sampled_from([None, 0.1, 0.4, 0.5]), st.booleans())
def test_a_component_falls_apart_at_the_loosest_threshold_that_will_do(
    edges, max_size, threshold, above
):
    sign = 1 if above else -1
    pairs = pa.table(
        {
            "a": pa.array([edge[0] for edge in edges], pa.int64()),
            "b": pa.array([edge[1] for edge in edges], pa.int64()),
            "w": pa.array([sign * edge[2] for edge in edges], pa.float64()),
        }
    )
    keep = "above" if above else "below"
    bound = None if threshold is None else sign * threshold
    result = skerry.split_large(pairs, "w", max_size, threshold=bound, keep=keep)
    used = [edge for edge in edges if threshold is None or edge[2] >= threshold]
    truth = split_by_recursion(strongest(used), max_size, -np.inf)
    assert sorted(group.tolist() for group in result.groups()) == sorted(truth)
    assert max(result.sizes().tolist(), default=0) <= max_size


@settings(max_examples=50, deadline=None)
@given(EDGES, st.integers(1, 12), st.randoms(use_true_random=False))
def test_the_order_of_the_edges_does_not_matter(edges, max_size, random):
    def solve(rows):
        ends = [np.array([row[i] for row in rows], np.int64) for i in (0, 1)]
        weights = np.array([row[2] for row in rows], np.float64)
        return skerry.split_large(tuple(ends), weights, max_size, num_vertices=12).labels.tolist()

    mixed = list(edges)
    random.shuffle(mixed)
    assert solve(edges) == solve(mixed)


def test_small_components_are_those_of_the_threshold():
    src, dst, weights = np.array([0, 1, 4]), np.array([1, 2, 5]), np.array([0.9, 0.3, 0.8])
    options = {"threshold": 0.5, "num_vertices": 7}
    result = skerry.split_large((src, dst), weights, 3, **options)
    single = skerry.connected_components((src, dst), weight=weights, **options)
    assert result.labels.tolist() == single.labels.tolist()
    assert result.verify() and result.plan.edges == single.plan.edges == 2


def test_a_tie_that_is_too_large_leaves_its_vertices_alone():
    src, dst, weights = np.array([0, 1, 2, 3]), np.array([1, 2, 3, 4]), np.array([1, 1, 1, 0])
    result = skerry.split_large((src, dst), weights, 3)
    assert result.labels.tolist() == [0, 1, 2, 3, 4]
    assert "4 edges of the forest would join more than 3 vertices" in result.plan.notes
    with pytest.raises(UnsupportedError, match="thresholds of their own"):
        result.verify()


@pytest.mark.parametrize("max_size", [0, -1, 2.0, "3", True, None])
def test_sizes_that_are_none(max_size):
    with pytest.raises(InputError, match="max_size must be an integer, 1 or more"):
        skerry.split_large((np.array([0]), np.array([1])), np.array([1.0]), max_size)


# `skerry.single_linkage`: as scipy's linkage, on full distance matrices and on sparse graphs.


def full_graph(condensed):
    """All pairs and their distances, as arrays."""
    matrix = squareform(condensed)
    src, dst = np.triu_indices(len(matrix), 1)
    return (src, dst), matrix[src, dst]


@pytest.mark.parametrize("n", [2, 3, 10, 60])
def test_distinct_distances_give_the_matrix_of_scipy(n):
    rng = np.random.default_rng(n)
    condensed = pdist(rng.random((n, 3)))
    graph, distances = full_graph(condensed)
    truth = linkage(condensed, "single")
    np.testing.assert_array_equal(skerry.single_linkage(graph, distances).matrix, truth)
    shuffled = rng.permutation(len(distances))
    mixed = tuple(end[shuffled] for end in graph[::-1]), distances[shuffled]
    np.testing.assert_array_equal(skerry.single_linkage(*mixed).matrix, truth)
    np.testing.assert_array_equal(
        skerry.single_linkage(sp.csr_array(squareform(condensed))).matrix, truth
    )


@settings(max_examples=80, deadline=None)
@given(st.integers(2, 12), st.randoms(use_true_random=False), st.integers(1, 40))
def test_ties_have_the_heights_and_cophenetic_distances_of_scipy(n, random, pending):
    condensed = np.array([float(random.randint(1, 4)) for _ in range(n * (n - 1) // 2)])
    graph, distances = full_graph(condensed)
    before = ordered_forest.PENDING, collect.PIECE
    ordered_forest.PENDING = collect.PIECE = pending
    try:
        ours = skerry.single_linkage(graph, distances).matrix
    finally:
        ordered_forest.PENDING, collect.PIECE = before
    truth = linkage(condensed, "single")
    assert is_valid_linkage(ours)
    assert ours[:, 2].tolist() == truth[:, 2].tolist()
    assert cophenet(ours.copy()).tolist() == cophenet(truth).tolist()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from([0.5, 1.0, 1.5, 2.0])),
        max_size=15,
    ),
    st.sampled_from([0.4, 0.5, 1.2, 2.0, 7.0]),
)
def test_cutting_a_dendrogram_gives_the_components(edges, threshold):
    """Also where the graph is not connected: its components are joined at infinity."""
    src, dst, weights = (np.array([edge[i] for edge in edges]) for i in range(3))
    graph = src.astype(np.int64), dst.astype(np.int64)
    weights = weights.astype(np.float64)
    tree = skerry.single_linkage(graph, weights, num_vertices=10)
    assert tree.matrix.shape == (9, 4) and is_valid_linkage(tree.matrix)
    clusters = fcluster(tree.matrix.copy(), threshold, "distance")
    single = skerry.connected_components(
        graph, weight=weights, threshold=threshold, keep="below", num_vertices=10
    )
    pairs = set(zip(clusters.tolist(), single.labels.tolist(), strict=True))
    assert len(pairs) == len(set(clusters.tolist())) == single.count


def test_parts_of_a_graph_are_joined_at_infinity_in_order():
    matrix = skerry.single_linkage(
        (np.array([4, 1]), np.array([2, 3])), np.array([1.0, 2.0]), num_vertices=6
    ).matrix
    assert matrix.tolist() == [
        [2, 4, 1, 2],
        [1, 3, 2, 2],
        [0, 7, np.inf, 3],
        [6, 8, np.inf, 5],
        [5, 9, np.inf, 6],
    ]


def test_external_ids_of_a_dendrogram():
    pairs = pa.table({"a": ["kim", "bo"], "b": ["lee", "kim"], "d": [2, 1]})
    tree = skerry.single_linkage(pairs, "d")
    assert tree.ids.to_pylist() == ["bo", "kim", "lee"]
    assert tree.matrix.tolist() == [[0, 1, 1, 2], [2, 3, 2, 3]]
    assert repr(tree) == "Linkage(vertices=3, merges=2)"


@pytest.mark.parametrize("n", [0, 1])
def test_graphs_without_a_merge(n):
    empty = np.empty(0, np.int64)
    tree = skerry.single_linkage((empty, empty), np.empty(0), num_vertices=n)
    assert tree.matrix.shape == (0, 4) and tree.num_vertices == n


def test_distances_that_are_none():
    graph = np.array([0]), np.array([1])
    with pytest.raises(InputError, match=r"weight\[0\] is NaN"):
        skerry.single_linkage(graph, np.array([np.nan]))
    with pytest.raises(UnsupportedError, match="not supported"):
        skerry.single_linkage({0: [1]})
