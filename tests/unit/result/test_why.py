"""`result.why`: a path of edges of the input between two vertices."""

from __future__ import annotations

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skerry
from skerry.errors import InputError
from support.forests import path_problem

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
