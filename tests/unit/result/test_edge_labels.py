"""`result.edge_labels`: the component of every edge of the input."""

from __future__ import annotations

import pickle

import networkx
import numpy as np
import pytest
import scipy.sparse as sp

import skerry
from skerry.errors import InputError, UnsupportedError
from support.graphs import small_graphs


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
