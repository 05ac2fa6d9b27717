"""``component_of``: the label of any ids, as the table has it."""

from __future__ import annotations

import pickle
import random
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import skerry
from skerry import InputError
from support.emulated import emulated_gpu
from support.graphs import small_graphs

WORDS = pa.table({"a": ["kim", "bo"], "b": ["lee", "al"]})
SHOPS = pa.table({"s": ["x", "y"], "n": [7, 7], "t": ["y", "x"], "m": [9, 8]})


def test_vertex_numbers_one_and_many():
    result = skerry.connected_components([(0, 5), (2, 3)], num_vertices=7)
    assert result.component_of(5) == 0
    assert type(result.component_of(5)) is int
    for many in ([3, 0, 6], np.array([3, 0, 6]), pa.array([3, 0, 6]), range(3, 4)):
        expected = [2, 0, 6][: len(many)]
        assert result.component_of(many).tolist() == expected
    assert result.component_of([]).tolist() == []


def test_columns_of_frames():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    result = skerry.connected_components([(0, 5), (2, 3)])
    for many in (
        pandas.Series([5, 3]),
        pandas.Series([5, 3], dtype="Int64"),
        polars.Series([5, 3]),
    ):
        assert result.component_of(many).tolist() == [0, 2]
    words = skerry.connected_components(WORDS)
    for many in (pandas.Series(["lee", "bo"]), polars.Series(["lee", "bo"])):
        assert words.component_of(many).to_pylist() == ["kim", "al"]
    with pytest.raises(InputError, match="vertices are integers"):
        result.component_of(pandas.Series([5, None], dtype="Int64"))


def test_external_ids_are_called_by_ids():
    result = skerry.connected_components(WORDS)
    assert result.component_of("lee") == "kim"
    assert result.component_of(pa.scalar("lee")) == "kim"
    assert result.component_of(["bo", "lee"]).to_pylist() == ["al", "kim"]
    integers = skerry.connected_components(([70, -3], [-9, 5]), ids="external")
    assert integers.component_of(70) == -9
    assert integers.component_of([5, 70]).tolist() == [-3, -9]


def test_ids_of_several_columns():
    result = skerry.connected_components(SHOPS, source=("s", "n"), target=("t", "m"))
    assert result.component_of(("y", 9)) == ("x", 7)
    first, second = result.component_of([("y", 9), ("x", 8)])
    assert (first.to_pylist(), second.tolist()) == (["x", "x"], [7, 8])


def test_nodes_of_networkx_are_the_callers_own():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph([("a", "b"), ((1, 2), "c")])
    result = skerry.connected_components(graph)
    assert result.component_of("b") == "a"
    assert result.component_of("c") == (1, 2)


def test_dense_labels_are_numbers():
    result = skerry.connected_components(WORDS, labels="dense")
    assert result.component_of("lee") == 1
    assert type(result.component_of("lee")) is int
    assert result.component_of(["lee", "al"]).tolist() == [1, 0]


def test_an_unknown_id_is_named():
    numbers = skerry.connected_components([(0, 5)])
    with pytest.raises(InputError, match=r"^vertex 9 is not in 0\.\.5$"):
        numbers.component_of(np.array([0, 9, 1]))
    words = skerry.connected_components(WORDS)
    with pytest.raises(InputError, match="'zoe' is not an id"):
        words.component_of(["kim", "zoe"])
    with pytest.raises(InputError, match="'zoe' is not an id"):
        words.component_of("zoe")
    with pytest.raises(InputError, match="7"):
        words.component_of(7)


def test_the_table_says_the_same():
    for graph in small_graphs():
        for kind in ("min", "dense"):
            result = skerry.connected_components(graph.edges, labels=kind)
            table = result.table()
            found = result.component_of(np.asarray(table["id"]))
            np.testing.assert_array_equal(found, np.asarray(table["component"]))
            copied = pickle.loads(pickle.dumps(result))
            np.testing.assert_array_equal(copied.component_of(np.asarray(table["id"])), found)


@pytest.mark.parametrize("kind", ["min", "dense"])
def test_ids_of_the_host_on_a_device(kind):
    src, dst = np.array([0, 2], np.uint32), np.array([5, 3], np.uint32)
    host = skerry.connected_components((src, dst), num_vertices=7, labels=kind)
    with emulated_gpu(on_device=True):
        result = skerry.connected_components((src, dst), num_vertices=7, labels=kind)
        assert result.component_of(3) == host.component_of(3)
        np.testing.assert_array_equal(result.component_of([3, 6]), host.component_of([3, 6]))
        with pytest.raises(InputError, match=r"vertex 7 is not in 0\.\.6"):
            result.component_of([3, 7])


# Ids with the most edges, against counts in plain Python.


@pytest.mark.parametrize("seed", range(20))
def test_random_graphs(seed):
    draw = random.Random(seed)
    pairs = [(f"r{draw.randrange(9)}", f"r{draw.randrange(9)}") for _ in range(12)]
    src, dst = zip(*pairs, strict=True)
    result = skerry.connected_components(pa.table({"src": src, "dst": dst}))
    counts = Counter(end for pair in pairs if pair[0] != pair[1] for end in pair)
    for label in set(result.table()["component"].to_pylist()):
        ids = [id for id in counts if result.component_of(id) == label]
        right = sorted(((id, counts[id]) for id in ids), key=lambda hub: (-hub[1], hub[0]))
        for k in (0, 2, 10):
            assert result.hubs(k, label) == right[:k]


def test_the_largest_by_default_and_what_is_refused():
    result = skerry.connected_components([(0, 1), (1, 2), (5, 6)])
    assert result.hubs(1) == [(1, 2)]
    with pytest.raises(skerry.InputError, match="k must be an integer"):
        result.hubs(-1)
    once = skerry.connected_components(iter([([0], [1])]))
    with pytest.raises(skerry.UnsupportedError):
        once.hubs()
