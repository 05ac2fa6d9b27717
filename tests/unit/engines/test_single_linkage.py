"""`skerry.single_linkage`: as scipy's linkage, on full distance matrices and on sparse graphs."""

from __future__ import annotations

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
