"""The members that all forms of a graph share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import skerry
from skerry.graph.device import DeviceCsr, DeviceEdges
from skerry.graph.graph import Graph

SOURCES = [0, 0, 2, 2, 2, 5]
TARGETS = [1, 3, 2, 0, 3, 1]
OFFSETS = [0, 2, 2, 5, 5, 5, 6, 6]


def _edges(kind: Callable[..., Graph]) -> Graph:
    return kind(np.array(SOURCES, np.uint32), np.array(TARGETS, np.uint32), 7)


def _csr(kind: Callable[..., Graph]) -> Graph:
    return kind(np.array(OFFSETS, np.uint64), np.array(TARGETS, np.uint32))


GRAPHS = {
    "Edges": _edges(skerry.Edges),
    "Csr": _csr(skerry.Csr),
    "DeviceEdges": _edges(DeviceEdges),
    "DeviceCsr": _csr(DeviceCsr),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_every_form_has_the_members_of_a_graph(name: str) -> None:
    graph = GRAPHS[name]
    assert graph.form == ("csr" if name.endswith("Csr") else "edges")
    assert graph.device == ("cuda" if name.startswith("Device") else "cpu")
    assert (graph.num_vertices, graph.num_entries) == (7, 6)
    assert graph.id_dtype == np.uint32
    assert graph.nbytes == sum(array.nbytes for array in graph.arrays())
    assert graph.symmetric is None
    assert not graph.trusted


@pytest.mark.parametrize("entries", [1, 2, 3, 5, 6, 100])
@pytest.mark.parametrize("name", GRAPHS)
def test_batches_are_all_entries_in_their_order(name: str, entries: int) -> None:
    batches = list(GRAPHS[name].batches(entries))
    assert all(0 < len(src) == len(dst) <= entries for src, dst in batches)
    assert np.concatenate([src for src, _ in batches]).tolist() == SOURCES
    assert np.concatenate([dst for _, dst in batches]).tolist() == TARGETS


@pytest.mark.parametrize("kind", [skerry.Csr, DeviceCsr])
def test_batches_of_rows_without_entries(kind: Callable[..., Graph]) -> None:
    empty = kind(np.zeros(4, np.uint64), np.empty(0, np.uint32))
    assert list(empty.batches(8)) == []


def test_arrays_come_in_the_order_of_the_kernels() -> None:
    src, _ = GRAPHS["Edges"].arrays()
    offsets, _ = GRAPHS["Csr"].arrays()
    assert src.tolist() == SOURCES
    assert offsets.tolist() == OFFSETS
