"""Sizes beside labels, and one row for each component."""

from __future__ import annotations

import pickle

import numpy as np
import pyarrow as pa
import pytest

import skerry
from skerry import InputError, UnsupportedError
from skerry.engines.memory import label_type
from support.emulated import emulated_gpu
from support.graphs import small_graphs

PAIRS = [(1, 2), (2, 3), (0, 5), (4, 6)]
"""{0, 5}, {1, 2, 3}, {4, 6} and {7}, with 8 vertices."""


def test_a_table_with_sizes():
    result = skerry.connected_components(PAIRS, num_vertices=8)
    assert result.table(size=True).to_pydict() == {
        "id": list(range(8)),
        "component": [0, 1, 1, 1, 4, 0, 4, 7],
        "size": [2, 3, 3, 3, 2, 2, 2, 1],
    }
    assert result.table().column_names == ["id", "component"]
    assert result.columns(size=True)["size"].tolist() == [2, 3, 3, 3, 2, 2, 2, 1]
    assert result.table(size=True, min_size=3).to_pydict() == {
        "id": [1, 2, 3],
        "component": [1, 1, 1],
        "size": [3, 3, 3],
    }


def test_a_row_for_each_component_the_largest_first():
    result = skerry.connected_components(PAIRS, num_vertices=8)
    table = result.sizes_table().to_pydict()
    assert table == {"component": [1, 0, 4, 7], "size": [3, 2, 2, 1]}
    dense = skerry.connected_components(PAIRS, num_vertices=8, labels="dense")
    assert dense.sizes_table().to_pydict() == {"component": [1, 0, 2, 3], "size": [3, 2, 2, 1]}
    large = result.sizes_table(min_size=2).to_pydict()
    assert large == {"component": [1, 0, 4], "size": [3, 2, 2]}
    empty = skerry.connected_components([]).sizes_table()
    assert empty.to_pydict() == {"component": [], "size": []}


def test_sizes_of_all_graphs():
    for graph in small_graphs():
        result = skerry.connected_components(graph.edges)
        table = result.sizes_table().to_pydict()
        largest = result.largest(result.count)
        assert table["component"] == [each.label for each in largest]
        assert table["size"] == [each.size for each in largest]


def test_components_are_called_by_external_ids():
    words = skerry.connected_components(pa.table({"a": ["x", "y"], "b": ["z", "y"]}))
    assert words.sizes_table().to_pydict() == {"component": ["x", "y"], "size": [2, 1]}
    shops = pa.table({"s": ["x", "y"], "n": [7, 7], "t": ["y", "x"], "m": [9, 8]})
    result = skerry.connected_components(shops, source=("s", "n"), target=("t", "m"))
    assert result.sizes_table().column_names == ["component_s", "component_n", "size"]


def test_columns_of_one_name_are_refused():
    table = pa.table({"x": [1], "component_x": [2], "y": [3], "z": [4], "size": [5]})
    result = skerry.connected_components(table, source=("x", "component_x"), target=("y", "z"))
    with pytest.raises(UnsupportedError, match="two columns 'component_x'"):
        result.table()
    sized = skerry.connected_components(table, source=("x", "size"), target=("y", "z"))
    assert "size" in sized.table().column_names
    with pytest.raises(UnsupportedError, match="two columns 'size'"):
        sized.table(size=True)


def test_sizes_of_a_device():
    src, dst = np.array(PAIRS, np.uint32).T.copy()
    with emulated_gpu(on_device=True):
        result = skerry.connected_components((src, dst), num_vertices=8)
        assert result.table(size=True)["size"].to_pylist() == [2, 3, 3, 3, 2, 2, 2, 1]
        assert result.sizes_table()["component"].to_pylist() == [1, 0, 4, 7]


def test_many_of_the_largest_take_one_pass(monkeypatch):
    graph = (np.arange(0, 4000, 2), np.arange(1, 4000, 2))
    result = skerry.connected_components(graph)
    passes = []
    original = type(result)._members_of
    monkeypatch.setattr(
        type(result), "_members_of", lambda *given: passes.append(1) or original(*given)
    )
    found = result.largest(1500)
    assert len(passes) == 1
    assert [each.members.tolist() for each in found] == [[2 * i, 2 * i + 1] for i in range(1500)]
    assert [each.label for each in found] == [2 * i for i in range(1500)]


# ``dtype=``: signed and unsigned labels of every engine.

TYPES = ["uint32", "uint64", "int32", "int64"]
SRC, DST = np.array([0, 2], np.uint32), np.array([5, 3], np.uint32)
LABELS = {"min": [0, 1, 2, 2, 4, 0, 6], "dense": [0, 1, 2, 2, 3, 0, 4]}


@pytest.fixture(params=["min", "dense"])
def kind(request):
    return request.param


def check(result, dtype, kind):
    assert result.labels.dtype == dtype
    assert result.labels.tolist() == LABELS[kind]
    assert result.labels is result.labels
    assert result.count == 5
    assert result.sizes().tolist() == [2, 1, 2, 1, 1]
    assert [members.tolist() for members in result.groups()] == [[0, 5], [1], [2, 3], [4], [6]]
    assert {members.dtype for members in result.groups()} == {np.dtype(dtype)}
    assert [each.members.tolist() for each in result.largest(2)] == [[0, 5], [2, 3]]
    assert result.component_of([5, 3]).dtype == dtype
    assert result.connected(0, 5)
    assert result.verify()
    assert result.columns()["component"].dtype == dtype
    copied = pickle.loads(pickle.dumps(result))
    assert copied.labels.dtype == dtype
    assert copied.labels.tolist() == LABELS[kind]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("algorithm", ["auto", "ecl", "bfs"])
def test_labels_of_arrays(dtype, algorithm, kind):
    options = {"num_vertices": 7, "labels": kind, "algorithm": algorithm}
    check(skerry.connected_components((SRC, DST), dtype=dtype, **options), dtype, kind)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("algorithm", ["auto", "ecl"])
def test_labels_of_batches(dtype, algorithm, kind):
    result = skerry.connected_components(
        [(SRC, DST)], ids="vertices", num_vertices=7, labels=kind, dtype=dtype, algorithm=algorithm
    )
    check(result, dtype, kind)


@pytest.mark.parametrize("dtype", TYPES)
def test_labels_of_external_ids(dtype):
    table = pa.table({"a": ["x", "y"], "b": ["z", "y"]})
    result = skerry.connected_components(table, dtype=dtype)
    assert result.labels.dtype == dtype
    assert result.table().to_pydict() == {"id": ["x", "y", "z"], "component": ["x", "y", "x"]}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("on_device", [True, False])
def test_labels_of_a_device(dtype, on_device, kind):
    with emulated_gpu(on_device=on_device):
        result = skerry.connected_components(
            (SRC, DST), num_vertices=7, labels=kind, dtype=dtype, device="cuda"
        )
        check(result, dtype, kind)


def test_signed_labels_do_not_wrap():
    result = skerry.connected_components((SRC, DST), dtype="int64")
    assert (result.labels - 1).min() == -1
    assert not result.labels.flags.writeable


def test_labels_that_do_not_fit_are_refused():
    assert label_type(np.dtype("int32"), 2**31 - 1) == np.uint32
    assert label_type(np.dtype("uint32"), 2**32 - 1) == np.uint32
    assert label_type(np.dtype("int64"), 2**40) == np.uint64
    with pytest.raises(InputError, match=r"2,147,483,648 vertices do not fit.*int32.*use int64"):
        skerry.estimate(2**31, 5, dtype="int32")
    with pytest.raises(InputError, match="do not fit into int32"):
        skerry.estimate(2**31, 5, dtype="int32", form="batches")
    with pytest.raises(InputError, match="do not fit into int32"):
        skerry.estimate(2**31, 5, dtype="int32", device="cuda")
    with pytest.raises(InputError, match="do not fit into uint32 labels; use uint64"):
        skerry.estimate(2**32, 5, dtype="uint32")
    assert skerry.estimate(100, 5, dtype="int64").run >= 800


@pytest.mark.parametrize("bad", ["int16", "float64", "nonsense", object()])
def test_other_types_are_refused(bad):
    with pytest.raises(InputError, match="dtype must be uint32, uint64, int32 or int64"):
        skerry.connected_components((SRC, DST), dtype=bad)


def test_a_union_find_stays_unsigned():
    with pytest.raises(InputError, match="dtype must be uint32 or uint64, got int64"):
        skerry.UnionFind(dtype="int64")
