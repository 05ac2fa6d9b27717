"""Rows of Python objects: networkx graphs, mappings of neighbors; and iterables of pairs."""

from __future__ import annotations

import datetime
import pickle
import random
from collections import OrderedDict, defaultdict

import networkx
import numpy as np
import pytest

import skerry


class Node:
    """Compares and hashes by a name, with code of its own."""

    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return isinstance(other, Node) and self.name == other.name

    def __hash__(self):
        return hash(self.name)


MAKERS = {
    "0..n-1": lambda k: k,
    "few gaps": lambda k: 3 * k - 50,
    "sparse": lambda k: (k * 2654435761) % 2**40 - 2**39,
    "beyond 64 bits": lambda k: k * 2**70,
    "text": lambda k: f"n{k}",
    "bytes": lambda k: b"n%d" % k,
    "floats": lambda k: k / 4,
    "tuples": lambda k: (k % 7, f"n{k}"),
    "tuples of different lengths": lambda k: (k,) * (1 + k % 3),
    "nested tuples": lambda k: ((k, "x"), None),
    "a mixture": lambda k: (k, f"n{k}", (k, 1), b"b%d" % k)[k % 4],
    "objects": lambda k: Node(k),
    "dates": lambda k: datetime.date(2026, 1, 1) + datetime.timedelta(days=k),
    "frozen sets": lambda k: frozenset([k, "x"]),
}


def random_graph(kind, make, seed, n=80, m=60):
    rng = random.Random(seed)
    graph = kind()
    order = list(range(n))
    rng.shuffle(order)
    graph.add_nodes_from(map(make, order[: n // 2]))
    graph.add_edges_from((make(rng.randrange(n)), make(rng.randrange(n))) for _ in range(m))
    return graph


def partition(graph):
    undirected = graph.to_undirected(as_view=True) if graph.is_directed() else graph
    return {frozenset(group) for group in networkx.connected_components(undirected)}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize(
    "kind", [networkx.Graph, networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph]
)
def test_groups_are_those_of_networkx(kind, make):
    for seed in range(3):
        graph = random_graph(kind, make, seed)
        result = skerry.connected_components(graph)
        assert {frozenset(group) for group in result.groups()} == partition(graph)
        assert result.verify()
        assert skerry.verify(graph, result.labels)
        named = skerry.connected_components(graph, algorithm="bfs")
        assert (named.labels == result.labels).all()
        again = pickle.loads(pickle.dumps(result))
        assert [list(group) for group in again.groups()] == [list(g) for g in result.groups()]


@pytest.mark.parametrize("name", ["text", "0..n-1", "tuples", "objects", "a mixture"])
def test_members_are_the_nodes_of_the_caller_for_subgraph(name):
    make = MAKERS[name]
    graph = networkx.Graph([(make(0), make(1)), (make(1), make(2)), (make(8), make(9))])
    result = skerry.connected_components(graph)
    largest = result.largest()
    own = {id(node) for node in graph}
    assert {id(node) for node in largest.members} <= own
    assert {id(node) for group in result.groups() for node in group} == own
    assert graph.subgraph(largest.members).number_of_edges() == 2
    assert make(0) in largest.members
    assert make(8) not in largest.members
    assert result.connected(make(0), make(2))
    assert not result.connected(make(0), make(8))


def test_ids_and_tables_of_nodes_are_columns():
    numbers = skerry.connected_components(networkx.Graph([(30, 10), (7, 8)]))
    assert numbers.ids.tolist() == [7, 8, 10, 30]
    assert numbers.ids.dtype == np.int64
    assert numbers.connected(np.array([7, 10]), np.array([8, 7])).tolist() == [True, False]
    assert numbers.connected([7, 10], [8, 7]).tolist() == [True, False]
    assert numbers.table().to_pydict() == {"id": [7, 8, 10, 30], "component": [7, 7, 10, 10]}
    pairs = skerry.connected_components(networkx.grid_2d_graph(2, 2))
    assert [part.tolist() for part in pairs.ids] == [[0, 0, 1, 1], [0, 1, 0, 1]]
    assert pairs.table().column_names == ["id_0", "id_1", "component_id_0", "component_id_1"]
    assert pairs.largest().label == (0, 0)


def test_text_that_arrow_cannot_hold_still_has_groups():
    result = skerry.connected_components(networkx.Graph([("\ud800", "b")]))
    assert list(result.groups()) == [["b", "\ud800"]]
    with pytest.raises(skerry.UnsupportedError, match="no Arrow column"):
        result.table()


def test_reading_stops_when_all_nodes_are_connected():
    """As networkx does: the other rows of a complete graph are not read."""
    rows = {k: list(range(300)) for k in range(300)}
    assert skerry.connected_components(rows).count == 1
    rows[299] = ["not a number"]  # adds a node: not everything is connected after the first row
    assert skerry.connected_components(rows).count == 1
    assert "not a number" in skerry.connected_components(rows).groups()[0]


def test_views_of_networkx_are_read_through_networkx():
    graph = random_graph(networkx.Graph, MAKERS["text"], 5)
    view = graph.subgraph(list(graph)[:30])
    result = skerry.connected_components(view)
    assert {frozenset(group) for group in result.groups()} == partition(view)


def test_a_number_of_vertices_that_is_not_the_graphs_is_an_error():
    graph = networkx.path_graph(3)
    assert skerry.connected_components(graph, num_vertices=3).count == 1
    with pytest.raises(skerry.InputError, match="num_vertices=4, but the graph itself says 3"):
        skerry.connected_components(graph, num_vertices=4)


@pytest.mark.parametrize("row", [list, tuple, set, frozenset, dict.fromkeys, iter, np.array])
def test_a_dict_holds_the_neighbors_of_nodes(row):
    graph = {5: row([9]), 3: row([4, 3]), 8: row([])}
    result = skerry.connected_components(graph)
    assert result.ids.tolist() == [3, 4, 5, 8, 9]
    assert result.labels.tolist() == [0, 0, 2, 3, 2]
    assert result.plan.input.format == "mapping"
    assert result.plan.edges == 3
    assert result.verify()


def test_kinds_of_dicts():
    rows = defaultdict(list)
    rows["a"].append("b")
    assert skerry.connected_components(rows).count == 1
    assert skerry.connected_components(OrderedDict(rows)).count == 1
    assert skerry.connected_components({}).count == 0
    assert skerry.connected_components({"a": ["b"], "b": ["a"]}).count == 1
    assert skerry.connected_components({"u": {"v": 0.5}, "v": {}}).count == 1


def test_columns_of_a_table_in_a_dict_are_not_neighbors():
    with pytest.raises(skerry.InputError, match="look like columns of a table"):
        skerry.connected_components({"src": [0, 1], "dst": [1, 2]})


@pytest.mark.parametrize("row", ["bc", b"bc", 7, None])
def test_neighbors_that_are_no_collection_are_an_error(row):
    with pytest.raises(skerry.InputError, match=r"the neighbors of 'a' are"):
        skerry.connected_components({"a": row})


def test_a_node_that_cannot_be_hashed_is_an_error():
    with pytest.raises(skerry.InputError, match="unhashable"):
        skerry.connected_components({"a": [["b"]]})


@pytest.mark.parametrize(
    "pairs",
    [
        lambda: zip([0, 1, 4], [1, 2, 5], strict=True),
        lambda: iter([(0, 1), (1, 2), (4, 5)]),
        lambda: (pair for pair in [[0, 1], [1, 2], [4, 5]]),
        lambda: {(0, 1), (1, 2), (4, 5)},
        lambda: frozenset({(0, 1), (1, 2), (4, 5)}),
        lambda: {(0, 1): 0, (1, 2): 0, (4, 5): 0}.keys(),
        lambda: networkx.Graph([(0, 1), (1, 2), (4, 5)]).edges,
    ],
)
def test_any_iterable_of_pairs_is_a_graph(pairs):
    result = skerry.connected_components(pairs())
    assert result.labels.tolist() == [0, 0, 0, 3, 4, 4]
    assert skerry.connected_components(pairs(), num_vertices=7).count == 4


def test_pairs_of_text_are_external_ids():
    result = skerry.connected_components(zip("acx", "bay", strict=True))
    assert result.table().to_pydict() == {"id": list("abcxy"), "component": list("aaaxx")}
    numbers = skerry.connected_components(iter([(10**12, 5)]), ids="external")
    assert numbers.ids.tolist() == [5, 10**12]


def test_many_pairs_come_in_several_batches():
    n = 200_000
    result = skerry.connected_components((k, k + 1) for k in range(n))
    assert result.count == 1
    assert result.plan.edges == n


def test_an_element_that_is_not_a_pair_is_named():
    with pytest.raises(skerry.InputError, match=r"element 1 is \(1, 2, 3\)"):
        skerry.connected_components(iter([(0, 1), (1, 2, 3)]))
    with pytest.raises(skerry.InputError, match="element 1 is 'ab'"):
        skerry.connected_components(iter([(0, 1), "ab"]))


def test_what_an_iterable_raises_passes_through():
    def pairs():
        yield 0, 1
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        skerry.connected_components(pairs())


def test_the_forest_of_a_graph_with_a_threshold_counts_all_its_edges():
    graph = networkx.Graph()
    graph.add_weighted_edges_from([("a", "b", 0.1), ("b", "c", 0.9), ("c", "d", 10**30)])
    result = skerry.connected_components(graph, threshold=0.5)
    assert result.verify().forest.tolist() == [1, 2]
    assert skerry.verify(graph, result, threshold=0.5).forest.tolist() == [1, 2]
    assert list(result.groups()) == [["a"], ["b", "c", "d"]]
