"""Graph builders against scipy and NumPy, which share nothing with them."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry import _native
from skerry.errors import InputError
from skerry.graph.build import (
    csr_from_edges,
    edges_from_csr,
    first_one_way,
    has_sorted_rows,
    is_symmetric,
    sort_rows,
    symmetrize,
    transpose,
)
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges

THREADS = [1, 2, 5]
ID_TYPES = [np.uint32, np.uint64, np.int32, np.int64]


def random_edges(n, m, dtype=np.uint32, seed=0):
    """Repeats and loops included."""
    rng = np.random.default_rng(seed)
    pairs = rng.integers(0, n, (m, 2)).astype(dtype)
    pairs[::7, 1] = pairs[::7, 0]
    pairs[1::5] = pairs[0]
    return Edges(pairs[:, 0], pairs[:, 1], n)


def matrix_of(src, dst, n):
    """How often each entry is stored."""
    ones = np.ones(len(src), np.int64)
    return sp.coo_array((ones, (src.astype(np.int64), dst.astype(np.int64))), shape=(n, n)).tocsr()


def matrix(csr):
    sources = np.repeat(np.arange(csr.num_vertices), np.diff(csr.offsets.astype(np.int64)))
    return matrix_of(sources, csr.neighbors[: csr.num_entries], csr.num_vertices)


def symmetric_oracle(src, dst, n):
    both = matrix_of(src, dst, n)
    both = sp.csr_array(both + both.T)
    both.setdiag(0)
    both.eliminate_zeros()
    both.sort_indices()
    return both


def assert_rows(csr, oracle):
    assert csr.offsets.dtype == np.uint64
    np.testing.assert_array_equal(csr.offsets, oracle.indptr)
    np.testing.assert_array_equal(csr.neighbors, oracle.indices)


def random_csr(n, m, seed=0, dtype=np.uint32):
    """Not symmetric, rows not sorted, repeats and loops included."""
    rng = np.random.default_rng(seed)
    degrees = rng.multinomial(m, np.full(n, 1 / n))
    offsets = np.concatenate(([0], np.cumsum(degrees))).astype(np.uint64)
    return Csr(offsets, rng.integers(0, n, m).astype(dtype))


def csr_of_rows(*rows, **facts):
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.uint64)
    return Csr(offsets, np.array([v for row in rows for v in row], np.uint32), **facts)


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("ids", ID_TYPES)
@pytest.mark.parametrize("vertex", [np.uint32, np.uint64])
def test_csr_from_edges(threads, ids, vertex):
    edges = random_edges(3000, 40_000, ids)
    csr = csr_from_edges(edges, threads, dtype=vertex)
    assert csr.neighbors.dtype == vertex
    assert csr.symmetric
    assert csr.sorted_rows
    assert_rows(csr, symmetric_oracle(edges.src, edges.dst, 3000))


@settings(max_examples=80, deadline=None)
@given(
    n=st.integers(1, 300),
    pairs=st.lists(st.tuples(st.integers(0, 299), st.integers(0, 299)), max_size=60),
    threads=st.sampled_from(THREADS),
)
def test_csr_of_any_small_graph(n, pairs, threads):
    table = np.array(pairs, np.int64).reshape(-1, 2) % n
    csr = csr_from_edges(Edges(table[:, 0], table[:, 1], n), threads)
    assert_rows(csr, symmetric_oracle(table[:, 0], table[:, 1], n))
    assert is_symmetric(csr, threads)


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("step", [1, 3, -1, -2])
def test_strided_columns_are_read_in_place(threads, step):
    table = np.random.default_rng(1).integers(0, 500, (4000, 3)).astype(np.uint32)
    table.flags.writeable = False
    src, dst = table[::step, 2], table[::step, 0]
    assert_rows(csr_from_edges(Edges(src, dst, 500), threads), symmetric_oracle(src, dst, 500))


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("stage", [0, 1000])
def test_a_small_stage_gives_the_same_rows(threads, stage):
    n = 20_000
    edges = random_edges(n, 60_000)
    offsets, neighbors = np.empty(n + 1, np.uint64), np.empty(2 * edges.num_edges, np.uint32)
    entries, outside = _native.symmetric_rows_of_edges(
        edges.src, edges.dst, n, offsets, neighbors, threads, stage=stage
    )
    assert outside is None
    assert_rows(Csr(offsets, neighbors[:entries]), symmetric_oracle(edges.src, edges.dst, n))


@pytest.mark.parametrize("vertex", [np.uint32, np.uint64])
@pytest.mark.parametrize("n", [5000, 2**24 + 5000])
def test_long_rows_are_sorted(vertex, n):
    # Long enough for the radix sort, with ids of two and of four digits.
    rng = np.random.default_rng(2)
    leaves = n - 4990 + rng.permutation(4990)
    center = np.full(len(leaves), n // 2)
    csr = csr_from_edges(Edges(center, leaves, n), 2, dtype=vertex)
    row = csr.neighbors[int(csr.offsets[n // 2]) : int(csr.offsets[n // 2 + 1])]
    np.testing.assert_array_equal(row, np.sort(leaves[leaves != n // 2]))


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("n", [0, 1, 64, 65, 1000])
def test_no_edges(n, threads):
    empty = np.empty(0, np.uint32)
    csr = csr_from_edges(Edges(empty, empty, n), threads)
    assert (csr.num_vertices, csr.num_entries) == (n, 0)
    assert not csr.offsets.any()
    for made in (symmetrize(csr), transpose(csr), sort_rows(csr)):
        np.testing.assert_array_equal(made.offsets, csr.offsets)
    assert is_symmetric(csr)
    assert edges_from_csr(csr).num_edges == edges_from_csr(csr, one_direction=True).num_edges == 0


def test_loops_alone_leave_no_entry():
    ids = np.arange(10)
    assert csr_from_edges(Edges(ids, ids, 10)).num_entries == 0


@pytest.mark.parametrize("threads", THREADS)
def test_error_names_the_first_edge_out_of_range(threads):
    src = np.zeros(50_000, np.int64)
    dst = np.ones(50_000, np.int64)
    dst[[31_000, 49_000]] = 7
    with pytest.raises(InputError, match="edge 31000 joins 0 and 7, but the graph has 7 vertices"):
        csr_from_edges(Edges(src, dst, 7), threads)
    src[5] = -1
    with pytest.raises(InputError, match="edge 5 joins -1 and 1"):
        csr_from_edges(Edges(src, dst, 7), threads)


@pytest.mark.parametrize(
    ("src", "dst"),
    [
        (np.zeros(3, np.uint32), np.zeros(4, np.uint32)),
        (np.zeros(3, np.uint32), np.zeros(3, np.uint64)),
        (np.zeros(3), np.zeros(3)),
        (np.zeros(3, np.int8), np.zeros(3, np.int8)),
        (np.zeros((3, 1), np.uint32), np.zeros((3, 1), np.uint32)),
    ],
)
def test_columns_that_do_not_match_are_refused(src, dst):
    with pytest.raises(InputError):
        csr_from_edges(Edges(src, dst, 10))


def test_a_type_too_narrow_is_refused():
    edges = random_edges(10, 10)
    with pytest.raises(InputError, match="cannot be int32"):
        csr_from_edges(edges, dtype=np.int32)


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("vertex", [np.uint32, np.uint64])
def test_symmetrize_and_transpose(threads, vertex):
    csr = random_csr(2000, 20_000, dtype=vertex)
    before = csr.neighbors.copy()
    as_matrix = matrix(csr)
    coo = as_matrix.tocoo()
    made = symmetrize(csr, threads)
    assert_rows(made, symmetric_oracle(coo.row, coo.col, 2000))
    assert made.neighbors.dtype == vertex
    turned = transpose(csr, threads)
    assert turned.num_entries == csr.num_entries  # repeats are kept
    assert (matrix(turned) != as_matrix.T).nnz == 0
    assert has_sorted_rows(turned, threads)
    np.testing.assert_array_equal(csr.neighbors, before)


@pytest.mark.parametrize("threads", THREADS)
def test_edges_of_all_entries(threads):
    csr = random_csr(1500, 9000)
    edges = edges_from_csr(csr, threads=threads)
    assert np.shares_memory(edges.dst, csr.neighbors)
    rows = np.diff(csr.offsets.astype(np.int64))
    np.testing.assert_array_equal(edges.src, np.repeat(np.arange(1500), rows))


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("vertex", [np.uint32, np.uint64])
def test_edges_in_one_direction_build_the_same_graph(threads, vertex):
    csr = csr_from_edges(random_edges(3000, 9000), dtype=vertex)
    edges = edges_from_csr(csr, True, threads)
    assert edges.num_edges * 2 == csr.num_entries
    assert (edges.src < edges.dst).all()
    again = csr_from_edges(edges, threads, dtype=vertex)
    np.testing.assert_array_equal(again.offsets, csr.offsets)
    np.testing.assert_array_equal(again.neighbors, csr.neighbors)


def test_one_direction_of_a_one_way_graph_is_refused():
    for known in (None, False):
        with pytest.raises(InputError, match="symmetrize it first"):
            edges_from_csr(csr_of_rows([1], [], symmetric=known), one_direction=True)
    assert edges_from_csr(csr_of_rows([1], [0]), one_direction=True).num_edges == 1


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize(
    ("rows", "one_way"),
    [
        (([1], [0]), None),
        (([1, 2], [0, 2], [0, 1]), None),
        (([0], [1]), None),  # loops are their own reverse
        (([1, 1], [0]), None),  # repeats do not count
        (([2, 1], [0], [0]), None),  # rows that are not sorted
        (([1], []), (0, 1)),
        (([], [0]), (1, 0)),
        (([1], [], [1]), (0, 1)),  # as many up as down
        (([1], [2], [0]), (0, 1)),
        (([2, 1], [2, 0], [0, 2]), (1, 2)),
        (([1, 1], [0, 0, 2], []), (1, 2)),
        (([5], [0]), (0, 5)),  # no vertex
    ],
)
def test_symmetry(rows, one_way, threads):
    csr = csr_of_rows(*rows)
    assert first_one_way(csr, threads) == one_way
    assert is_symmetric(csr, threads) == (one_way is None)


@pytest.mark.parametrize("threads", THREADS)
def test_one_missing_entry_is_found(threads):
    csr = csr_from_edges(random_edges(4000, 20_000))
    assert is_symmetric(csr, threads)
    sources = np.repeat(np.arange(4000), csr.degrees().astype(np.int64))
    for entry in (0, csr.num_entries // 2, csr.num_entries - 1):
        offsets = csr.offsets.copy()
        offsets[sources[entry] + 1 :] -= np.uint64(1)
        damaged = Csr(offsets, np.delete(csr.neighbors, entry))
        assert first_one_way(damaged, threads) == (csr.neighbors[entry], sources[entry])


@pytest.mark.parametrize("threads", THREADS)
def test_sorted_rows(threads):
    csr = random_csr(2000, 30_000)
    assert not has_sorted_rows(csr, threads)
    ordered = sort_rows(csr, threads)
    assert has_sorted_rows(ordered, threads)
    assert (matrix(ordered) != matrix(csr)).nnz == 0
    assert sort_rows(ordered, threads) is ordered
    assert has_sorted_rows(csr_of_rows([3, 3, 4], [], [0], [1], [2]), threads)


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        ([0, 2, 1, 3], "falls from 2 to 1 at row 1"),
        ([0, 1, 2, 9], "ends at 9"),
        ([1, 2, 3, 3], "begins with 0"),
        ([], "begins with 0"),
    ],
)
def test_broken_offsets_are_refused(offsets, message):
    csr = Csr(np.array(offsets, np.uint64), np.zeros(3, np.uint32))
    for function in (symmetrize, transpose, is_symmetric, edges_from_csr, sort_rows):
        with pytest.raises(InputError, match=message):
            function(csr)


def test_a_neighbor_out_of_range_is_refused():
    for function in (symmetrize, transpose):
        with pytest.raises(InputError, match=r"neighbors\[1\] is 9"):
            function(csr_of_rows([1, 9], [0]))


def test_repr():
    edges = Edges(np.zeros(5, np.uint32), np.ones(5, np.uint32), 1000)
    assert repr(edges) == "Edges(vertices=1,000, edges=5, uint32)"
    assert edges.nbytes == 40
    csr = csr_from_edges(edges)
    assert repr(csr) == "Csr(vertices=1,000, entries=2, uint32, symmetric, sorted rows)"
    assert csr.nbytes == 8 * 1001 + 4 * 2
    assert repr(csr_of_rows([0], symmetric=False)).endswith("uint32, not symmetric)")
    with pytest.raises(AttributeError):
        csr.offsets = edges.src
