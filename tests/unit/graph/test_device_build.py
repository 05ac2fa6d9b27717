"""Builders on device arrays against those of the CPU, array by array; the device is NumPy here."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skerry.errors import InputError, UnsupportedError
from skerry.graph import build, device_build
from skerry.graph.csr import Csr
from skerry.graph.device import DeviceCsr, DeviceEdges
from skerry.graph.device_build import (
    csr_from_edges,
    edges_from_csr,
    is_symmetric,
    symmetrize,
)
from skerry.graph.edges import Edges
from support.emulator import EmulatedRuntime
from support.graphs import small_graphs

RUNTIME = EmulatedRuntime()
TYPES = [np.uint32, np.uint64]


@pytest.fixture(params=["keys", "pairs"])
def entries(request, monkeypatch):
    """Both ways to sort entries, and parts that end in the middle of everything."""
    monkeypatch.setattr(device_build, "PART", 97)
    if request.param == "pairs":
        monkeypatch.setattr(device_build, "KEYED_BELOW", 0)


def random_pairs(n, m, dtype=np.uint32, seed=0):
    """Repeats and loops included."""
    rng = np.random.default_rng(seed)
    pairs = rng.integers(0, n, (m, 2)).astype(dtype)
    pairs[::7, 1] = pairs[::7, 0]
    pairs[1::5] = pairs[0]
    return pairs


def random_csr(n, m, dtype=np.uint32, offset=np.uint32, seed=0):
    """Not symmetric, rows not sorted, repeats and loops included."""
    rng = np.random.default_rng(seed)
    degrees = rng.multinomial(m, rng.dirichlet(np.full(n, 0.1)))
    offsets = np.concatenate(([0], np.cumsum(degrees))).astype(offset)
    return DeviceCsr(offsets, rng.integers(0, n, m).astype(dtype))


def csr_of_rows(*rows, symmetric=None):
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.uint32)
    neighbors = np.array([v for row in rows for v in row], np.uint32)
    return DeviceCsr(offsets, neighbors, symmetric=symmetric)


def on_cpu(csr):
    return Csr(csr.offsets.astype(np.uint64), csr.neighbors, symmetric=csr.symmetric)


def assert_rows(made, expected, offset=np.uint32):
    assert made.symmetric
    assert made.offsets.dtype == offset
    assert made.neighbors.dtype == expected.neighbors.dtype
    np.testing.assert_array_equal(made.offsets, expected.offsets)
    np.testing.assert_array_equal(made.neighbors, expected.neighbors)


def assert_edges(made, expected):
    assert made.num_vertices == expected.num_vertices
    for name in ("src", "dst"):
        actual, wanted = getattr(made, name), getattr(expected, name)
        assert actual.dtype == wanted.dtype
        np.testing.assert_array_equal(actual, wanted)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("vertex", [None, *TYPES])
@pytest.mark.parametrize("ids", TYPES)
@pytest.mark.usefixtures("entries")
def test_csr_from_edges(ids, vertex, seed):
    pairs = random_pairs(300, 2000, ids, seed)
    before = pairs.copy()
    made = csr_from_edges(RUNTIME, DeviceEdges(pairs[:, 0], pairs[:, 1], 300), dtype=vertex)
    assert_rows(made, build.csr_from_edges(Edges(pairs[:, 0], pairs[:, 1], 300), dtype=vertex))
    np.testing.assert_array_equal(pairs, before)


@pytest.mark.parametrize("step", [1, 3, -1, -2])
def test_columns_with_steps(step):
    table = np.random.default_rng(1).integers(0, 500, (4000, 3)).astype(np.uint32)
    src, dst = table[::step, 2], table[::step, 0]
    made = csr_from_edges(RUNTIME, DeviceEdges(src, dst, 500))
    assert_rows(made, build.csr_from_edges(Edges(src, dst, 500)))


@pytest.mark.parametrize("graph", small_graphs(), ids=lambda graph: graph.name)
@pytest.mark.usefixtures("entries")
def test_small_graphs(graph):
    src, dst = graph.src.view(np.uint64), graph.dst.view(np.uint64)
    made = csr_from_edges(RUNTIME, DeviceEdges(src, dst, graph.n))
    assert_rows(made, build.csr_from_edges(graph.edges))
    assert is_symmetric(RUNTIME, made)
    assert_rows(symmetrize(RUNTIME, made), made)
    for one_direction in (False, True):
        edges = edges_from_csr(RUNTIME, made, one_direction)
        assert_edges(edges, build.edges_from_csr(on_cpu(made), one_direction))


@given(
    n=st.integers(1, 40),
    pairs=st.lists(st.tuples(st.integers(0, 39), st.integers(0, 39)), max_size=60),
    part=st.integers(1, 30),
    keyed=st.sampled_from([0, 2**32]),
)
def test_any_small_graph_in_any_parts(n, pairs, part, keyed):
    table = np.array(pairs, np.uint64).reshape(-1, 2) % np.uint64(n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(device_build, "PART", part)
        patch.setattr(device_build, "KEYED_BELOW", keyed)
        made = csr_from_edges(RUNTIME, DeviceEdges(table[:, 0], table[:, 1], n))
    assert_rows(made, build.csr_from_edges(Edges(table[:, 0], table[:, 1], n)))


def test_the_largest_ids_that_fit_into_a_key():
    n = 2**32 - 1  # an array of offsets would be too large: only its end is looked at
    entries = device_build._Entries(RUNTIME, 5, n)
    ends = np.array([(n - 1, 0), (n - 1, n - 1), (0, n - 1), (n - 2, n - 1), (n - 1, 0)], np.uint32)
    entries.put(0, ends[:, 0], ends[:, 1])
    entries.sort()
    entries.drop_loops_and_repeats()
    assert entries.keyed
    assert entries.starts(0, 2).tolist() == [0, 1]
    assert entries.starts(n - 2, n + 1).tolist() == [1, 2, 3]
    for dtype in TYPES:
        targets = RUNTIME.empty(3, dtype)
        entries.copy_targets(targets)
        assert targets.tolist() == [n - 1, n - 1, 0]


class Unsorted(np.ndarray):
    """An array of a library that takes an order to sort for done."""

    def sort(self):
        pass


@pytest.mark.parametrize("ends", [[(0, 1), (1, 0)], [(3, 4), (2, 9)], [(v, 0) for v in range(9)]])
def test_a_sort_that_does_nothing_is_noticed(monkeypatch, ends):
    monkeypatch.setattr(device_build, "SORTED_BELOW", len(ends))
    for part in range(1, 11):
        monkeypatch.setattr(device_build, "PART", part)
        for order in (ends, ends[::-1]):
            entries = device_build._Entries(RUNTIME, len(ends), 10)
            entries.put(0, *np.array(order, np.uint32).T)
            entries.words[0] = entries.words[0].view(Unsorted)
            if order == sorted(order):
                entries.sort()
            else:
                with pytest.raises(UnsupportedError, match="cannot sort"):
                    entries.sort()


def test_the_width_of_offsets(monkeypatch):
    pairs = random_pairs(100, 300)
    edges = DeviceEdges(pairs[:, 0], pairs[:, 1], 100)
    expected = build.csr_from_edges(Edges(pairs[:, 0], pairs[:, 1], 100))
    for bits, kind in ((32, np.uint32), (64, np.uint64)):
        assert_rows(csr_from_edges(RUNTIME, edges, bits), expected, kind)
    with pytest.raises(InputError, match="cannot have 16 bits"):
        csr_from_edges(RUNTIME, edges, 16)
    monkeypatch.setattr(device_build, "NARROW_BELOW", expected.num_entries)
    assert_rows(csr_from_edges(RUNTIME, edges), expected, np.uint64)
    monkeypatch.setattr(device_build, "NARROW_BELOW", expected.num_entries + 1)
    assert_rows(csr_from_edges(RUNTIME, edges), expected, np.uint32)


@pytest.mark.parametrize("offset", TYPES)
@pytest.mark.parametrize("ids", TYPES)
@pytest.mark.usefixtures("entries")
def test_rows_that_are_not_symmetric(ids, offset):
    for seed in range(3):
        csr = random_csr(200, 1500, ids, offset, seed)
        before = csr.neighbors.copy()
        assert_edges(edges_from_csr(RUNTIME, csr), build.edges_from_csr(on_cpu(csr)))
        assert np.shares_memory(edges_from_csr(RUNTIME, csr).dst, csr.neighbors)
        assert not is_symmetric(RUNTIME, csr)
        made = symmetrize(RUNTIME, csr)
        assert_rows(made, build.symmetrize(on_cpu(csr)))
        assert is_symmetric(RUNTIME, made)
        np.testing.assert_array_equal(csr.neighbors, before)


@pytest.mark.parametrize("ids", TYPES)
@pytest.mark.usefixtures("entries")
def test_one_direction_of_rows_with_repeats_and_loops(ids):
    pairs = random_pairs(150, 900, ids)
    order = np.lexsort((np.append(pairs[:, 1], pairs[:, 0]), np.append(pairs[:, 0], pairs[:, 1])))
    rows = np.append(pairs[:, 0], pairs[:, 1])[order].astype(np.int64)
    offsets = np.append(0, np.cumsum(np.bincount(rows, minlength=150))).astype(np.uint32)
    csr = DeviceCsr(offsets, np.append(pairs[:, 1], pairs[:, 0])[order])
    assert is_symmetric(RUNTIME, csr)
    assert_edges(edges_from_csr(RUNTIME, csr, True), build.edges_from_csr(on_cpu(csr), True))


@pytest.mark.parametrize(
    "rows",
    [
        ([1], [0]),
        ([1, 2], [0, 2], [0, 1]),
        ([0], [1]),  # loops are their own reverse
        ([1, 1], [0]),  # repeats do not count
        ([2, 1], [0], [0]),  # rows that are not sorted
        ([1], []),
        ([], [0]),
        ([1], [], [1]),  # as many up as down
        ([1], [2], [0]),
        ([2, 1], [2, 0], [0, 2]),
        ([1, 1], [0, 0, 2], []),
        ([], []),
    ],
)
@pytest.mark.usefixtures("entries")
def test_symmetry(rows):
    for claim in (None, False, True):
        csr = csr_of_rows(*rows, symmetric=claim)
        assert is_symmetric(RUNTIME, csr) == build.is_symmetric(on_cpu(csr))


@pytest.mark.usefixtures("entries")
def test_one_missing_entry_is_found():
    pairs = random_pairs(200, 1000)
    csr = csr_from_edges(RUNTIME, DeviceEdges(pairs[:, 0], pairs[:, 1], 200))
    sources = edges_from_csr(RUNTIME, csr).src
    for entry in (0, csr.num_entries // 2, csr.num_entries - 1):
        offsets = csr.offsets.copy()
        offsets[sources[entry] + 1 :] -= np.uint32(1)
        assert not is_symmetric(RUNTIME, DeviceCsr(offsets, np.delete(csr.neighbors, entry)))


def test_one_direction_of_a_one_way_graph_is_refused():
    for known in (None, False):
        with pytest.raises(InputError, match="symmetrize it first"):
            edges_from_csr(RUNTIME, csr_of_rows([1], [], symmetric=known), True)
    assert edges_from_csr(RUNTIME, csr_of_rows([1], [0]), True).num_edges == 1


def test_neighbors_beyond_the_last_row_are_not_read():
    csr = DeviceCsr(np.array([0, 1, 2], np.uint32), np.array([1, 0, 9], np.uint32))
    assert is_symmetric(RUNTIME, csr)
    assert edges_from_csr(RUNTIME, csr).num_edges == 2
    assert symmetrize(RUNTIME, csr).neighbors.tolist() == [1, 0]


def test_ids_too_narrow_for_rows_are_widened(monkeypatch):
    """More than 2**32 rows need wide ids; the limit is lowered for this test."""
    rows = [[1, 2], [0], [0], [4], [3]]
    right = [edges_from_csr(RUNTIME, csr_of_rows(*rows), flag) for flag in (False, True)]
    rows_of = symmetrize(RUNTIME, csr_of_rows(*rows))
    monkeypatch.setattr(device_build, "vertex_dtype", lambda _n: np.dtype(np.uint64))
    csr = csr_of_rows(*rows)
    assert csr.neighbors.dtype == np.uint32 and is_symmetric(RUNTIME, csr)
    for one_direction, narrow in zip((False, True), right, strict=True):
        wide = edges_from_csr(RUNTIME, csr, one_direction)
        assert wide.src.dtype == wide.dst.dtype == np.uint64
        np.testing.assert_array_equal(wide.src, narrow.src)
        np.testing.assert_array_equal(wide.dst, narrow.dst)
    wide = symmetrize(RUNTIME, csr)
    assert wide.neighbors.dtype == np.uint64
    np.testing.assert_array_equal(wide.neighbors, rows_of.neighbors)


@pytest.mark.parametrize("ids", TYPES)
def test_an_id_out_of_range_is_named(ids):
    src, dst = np.zeros(50, ids), np.ones(50, ids)
    dst[[31, 49]] = 7
    with pytest.raises(InputError, match=r"dst\[31\] is 7, but the graph has 7 vertices \(ids 0"):
        csr_from_edges(RUNTIME, DeviceEdges(src, dst, 7))
    src[5] = np.iinfo(ids).max
    with pytest.raises(InputError, match=r"src\[5\] is -1, but"):
        csr_from_edges(RUNTIME, DeviceEdges(src, dst, 7))
    for function in (symmetrize, is_symmetric, edges_from_csr):
        with pytest.raises(InputError, match=r"neighbors\[1\] is 9, but the graph has 2"):
            function(RUNTIME, csr_of_rows([1, 9], [0]))


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        ([0, 2, 1, 3], "falls from 2 to 1 at row 1"),
        ([0, 1, 2, 9], "ends at 9"),
        ([0, 2**32 - 5, 2, 3], r"offsets\[1\] is -5; it must not be negative"),
        ([1, 2, 3, 3], r"offsets\[0\] is 1; it must be 0"),
        ([], "offsets is empty"),
    ],
)
def test_broken_offsets_are_refused(offsets, message):
    csr = DeviceCsr(np.array(offsets, np.uint32), np.zeros(3, np.uint32))
    for function in (symmetrize, is_symmetric, edges_from_csr):
        with pytest.raises(InputError, match=message):
            function(RUNTIME, csr)


@pytest.mark.parametrize(
    ("src", "dst"),
    [
        (np.zeros(3, np.uint32), np.zeros(4, np.uint32)),
        (np.zeros(3, np.int64), np.zeros(3, np.int64)),
        (np.zeros(3), np.zeros(3)),
        (np.zeros((3, 1), np.uint32), np.zeros((3, 1), np.uint32)),
    ],
)
def test_columns_that_do_not_match_are_refused(src, dst):
    with pytest.raises(InputError):
        csr_from_edges(RUNTIME, DeviceEdges(src, dst, 10))


def test_a_type_too_narrow_is_refused():
    ids = np.zeros(3, np.uint32)
    with pytest.raises(InputError, match="cannot be int32"):
        csr_from_edges(RUNTIME, DeviceEdges(ids, ids, 10), dtype=np.int32)
