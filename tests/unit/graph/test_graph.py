"""The members that all forms of a graph share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import skerry
from skerry import _native
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


# Ids of any type, copied into unsigned ones by a team; what does not fit is no vertex.

KINDS = ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8")


def expected(ids, out):
    top = np.iinfo(out).max
    return [int(id) if 0 <= id <= top else top for id in ids.tolist()]


@pytest.mark.parametrize("out", ["u4", "u8"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_does_not_fit_becomes_the_largest_number(kind, out):
    info = np.iinfo(kind)
    ids = np.array([0, 1, info.max, info.min, info.max // 2, 7, 100] * 11, kind)
    if kind == "i8":
        ids[::5] = 2**32 + 3
    for column in (ids, ids[::-1], ids[::3]):
        copies, others = np.zeros((2, len(column)), out)
        _native.copy_ids(column, copies, 2)
        if out == "u8" and kind.startswith("i"):
            assert copies.tolist() == [id % 2**64 for id in column.tolist()]  # no vertices either
        else:
            assert copies.tolist() == expected(column, out)
        both = np.zeros(len(column), out)
        _native.copy_edges(column, column[::-1], both, others, 2)
        assert both.tolist() == copies.tolist() == others[::-1].tolist()


def test_large_columns_are_copied_by_a_team():
    table = np.random.default_rng(0).integers(0, 2**31, (1 << 20, 2))
    src, dst = np.empty((2, len(table)), np.uint32)
    _native.copy_edges(table[:, 0], table[:, 1], src, dst, 2)
    assert np.array_equal(src, table[:, 0]) and np.array_equal(dst, table[:, 1])


def test_columns_that_do_not_match_are_refused():
    ids, copies = np.zeros(3, np.int64), np.zeros(4, np.uint32)
    with pytest.raises(ValueError, match="lengths differ"):
        _native.copy_ids(ids, copies, 1)
    with pytest.raises(ValueError, match="types differ"):
        _native.copy_edges(ids, ids.astype("i4"), copies[:3], copies[:3], 1)
    with pytest.raises(ValueError, match="lengths differ"):
        _native.copy_edges(ids, ids[:2], copies[:3], copies[:3], 1)
