"""``previous=``: yesterday's answer is today's start, and the labels are those of all edges."""

from __future__ import annotations

import networkx
import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from support.emulated import emulated_gpu
from support.emulator import works

PAIRS = st.lists(st.tuples(st.integers(0, 25), st.integers(0, 25)), max_size=25)


def arrays(pairs):
    return tuple(np.array(pairs, np.int64).reshape(-1, 2).T)


def table(pairs):
    return pa.table({"src": [f"v{u:02}" for u, _ in pairs], "dst": [f"v{v:02}" for _, v in pairs]})


@settings(deadline=None)
@given(first=PAIRS, second=PAIRS, how=st.sampled_from(["labels", "dense", "result", "sets"]))
def test_vertex_numbers(first, second, how):
    before = skerry.connected_components(arrays(first), labels="dense" if how == "dense" else "min")
    previous = {
        "labels": before.labels,
        "dense": before.labels,
        "result": before,
        "sets": skerry.UnionFind.from_labels(before),
    }[how]
    right = skerry.connected_components(arrays(first + second))
    for graph in (arrays(second), [arrays(second)], iter([arrays(second)])):
        for options in ({}, {"algorithm": "ecl"}, {"threads": 2}, {"labels": "dense"}):
            if options and not isinstance(graph, tuple | list):
                continue
            result = skerry.connected_components(graph, previous=previous, **options)
            if "labels" not in options:
                assert result.labels.tolist() == right.labels.tolist()
            assert result.count == right.count
            if isinstance(graph, tuple | list):
                assert result.verify()


@settings(deadline=None)
@given(first=PAIRS, second=PAIRS, engine=st.sampled_from(["streaming", "gathering"]))
def test_external_ids_are_found_by_value(first, second, engine):
    options = {"algorithm": "ecl"} if engine == "gathering" else {}
    before = skerry.connected_components(table(first))
    result = skerry.connected_components(table(second), previous=before, **options)
    right = skerry.connected_components(table(first + second))
    assert list(result.ids) == list(right.ids) and result.labels.tolist() == right.labels.tolist()
    assert result.plan.engine == engine and result.verify()


def test_sizes_of_a_graph_that_says_its_own():
    matrix = sp.csr_array((np.ones(2), ([0, 3], [1, 4])), shape=(5, 5))
    for graph in (matrix, skerry.Edges(np.array([0, 3]), np.array([1, 4]), 5)):
        result = skerry.connected_components(graph, previous=[0, 1, 2, 1])
        assert result.labels.tolist() == [0, 0, 2, 0, 0] and result.verify()
        with pytest.raises(skerry.InputError, match="6 vertices, but the graph has only 5"):
            skerry.connected_components(graph, previous=[0, 1, 2, 3, 4, 0])
    with pytest.raises(skerry.InputError, match="6 vertices, but the graph has only 5"):
        skerry.connected_components(([0], [1]), num_vertices=5, previous=[0, 1, 2, 3, 4, 0])
    with pytest.raises(skerry.InputError, match="6 vertices, but the graph has only 5"):
        skerry.connected_components([([0], [1])], num_vertices=5, previous=[0, 1, 2, 3, 4, 0])


def test_a_threshold_leaves_nothing_of_it_out():
    pairs = pa.table({"src": ["a", "c"], "dst": ["b", "d"], "weight": [0.9, 0.1]})
    before = skerry.connected_components(pa.table({"src": ["b", "x"], "dst": ["c", "x"]}))
    for keep, right in (("above", ["a", "b", "c", "x"]), ("below", ["b", "c", "d", "x"])):
        result = skerry.connected_components(pairs, threshold=0.5, keep=keep, previous=before)
        assert result.ids.to_pylist() == right and result.labels.tolist() == [0, 0, 0, 3]


def test_files_that_count_from_one(tmp_path):
    path = tmp_path / "graph.mtx"
    head = "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 1\n"
    path.write_text(head + "2 1\n")
    before = skerry.connected_components(path)
    path.write_text(head + "4 3\n")
    result = skerry.connected_components(path, previous=before)
    assert result.ids.tolist() == [1, 2, 3, 4] and result.labels.tolist() == [0, 0, 2, 2]
    with pytest.raises(skerry.InputError, match="counts its vertices from 0, this graph from 1"):
        skerry.connected_components(path, previous=[0, 0, 1])


@pytest.mark.parametrize(
    ("graph", "previous", "error", "message"),
    [
        ((np.array([0]), np.array([1])), table([(0, 1)]), skerry.InputError, "vertex numbers"),
        (table([(0, 1)]), None, skerry.InputError, "must say its ids"),
        (
            networkx.path_graph(3),
            None,
            skerry.UnsupportedError,
            "previous= is not supported",
        ),
        (
            {0: [1]},
            None,
            skerry.UnsupportedError,
            "mappings of neighbors, but for arrays",
        ),
    ],
)
def test_what_does_not_match_is_refused(graph, previous, error, message):
    earlier = [0, 0] if previous is None else skerry.connected_components(previous)
    with pytest.raises(error, match=message):
        skerry.connected_components(graph, previous=earlier)


def test_ids_of_another_kind_are_refused():
    before = skerry.connected_components(pa.table({"src": [1], "dst": [2]}))
    with pytest.raises(skerry.InputError, match="ids of type"):
        skerry.connected_components(table([(0, 1)]), previous=before)


@pytest.mark.parametrize("previous", ["labels", 3, [0.5], [[0, 1]], [None]])
def test_what_is_not_an_answer_is_refused(previous):
    with pytest.raises(skerry.InputError, match="previous"):
        skerry.connected_components(([0], [1]), previous=previous)


def table_ids(result):
    return result.table()["id"].to_pylist()


@settings(deadline=None)
@given(first=PAIRS, second=PAIRS, external=st.booleans(), threads=st.integers(1, 2))
def test_a_forest_begins_with_what_was_joined_before(first, second, external, threads):
    """Its rows join what was apart, and it is a spanning forest with the links of before."""
    as_graph = table if external else arrays
    before = skerry.connected_components(as_graph(first))
    result = skerry.connected_components(
        as_graph(second), previous=before, forest=True, threads=threads
    )
    right = skerry.connected_components(as_graph(first + second))
    assert result.labels.tolist() == right.labels.tolist() and result.verify()
    links = list(result.spanning_forest())
    assert len(links) == result.num_vertices - result.count
    ids = table_ids(result)
    graph = networkx.Graph([(link.source, link.target) for link in links])
    graph.add_nodes_from(ids)
    assert networkx.number_connected_components(graph) == result.count
    for link in links:
        if link.row >= 0:
            pair = sorted(f"v{end:02}" if external else end for end in second[link.row])
            assert pair == sorted((link.source, link.target))
        else:
            assert before.connected(link.source, link.target)
    old = set(table_ids(before))
    merges = sum(link.row >= 0 for link in links)
    assert merges == before.count + len(set(ids) - old) - result.count


def test_bridges_and_paths_beside_earlier_links():
    before = skerry.connected_components(table([(0, 1), (1, 2)]))
    today = pa.table({"src": ["v02", "v03"], "dst": ["v03", "v04"], "weight": [0.5, 0.7]})
    result = skerry.connected_components(today, previous=before, forest=True, weight="weight")
    assert [(b.row, b.weight) for b in result.bridges()] == [(0, 0.5), (1, 0.7)]
    path = result.why("v01", "v04")
    assert [(link.weight, link.row) for link in path if link.row >= 0] == [(0.5, 0), (0.7, 1)]
    assert all(link.weight is None for link in path if link.row < 0)
    around = pa.table({"src": ["v02", "v03"], "dst": ["v03", "v00"]})
    both = skerry.connected_components(around, previous=before, forest=True)
    assert not len(both.bridges())  # the earlier links go around


def test_the_plan_says_so():
    plan = skerry.connected_components(([0, 2], [1, 3]), previous=[0, 1, 1, 3, 3]).plan
    assert plan.passes[-1].name == "join previous" and plan.vertices == 5
    assert plan.notes[-1] == "previous: 5 vertices in 3 components"
    assert plan.edges == 2


@pytest.mark.skipif(not works(), reason="no compiler for the emulated GPU")
def test_a_gpu():
    with emulated_gpu():
        result = skerry.connected_components(([0, 2], [1, 3]), device="cuda", previous=[0, 1, 1])
        assert result.plan.engine == "upload" and result.labels.tolist() == [0, 0, 0, 0]
