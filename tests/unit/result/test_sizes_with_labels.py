"""Sizes beside labels, and one row for each component."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import skerry
from skerry import UnsupportedError
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
