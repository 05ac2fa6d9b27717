"""All forms of a graph give the same answer, and none is changed by asking."""

from __future__ import annotations

import array
import subprocess
import sys
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import skerry
from support.graphs import graph_of, small_graphs
from support.oracle import flood_labels
from support.specs import names_on

PAIRS = [(0, 3), (3, 9), (9, 0), (1, 4), (4, 4), (7, 8), (8, 7), (7, 8)]
SRC, DST = (np.array(ends, np.int64) for ends in zip(*PAIRS, strict=True))
LABELS = [0, 1, 2, 0, 1, 5, 6, 7, 7, 0]
INTEGERS = [np.dtype(order + kind + size) for order in "<>" for kind in "iu" for size in "1248"]


def labels_of(graph, **arguments):
    return skerry.connected_components(graph, **arguments).labels.tolist()


def strided(values, step):
    """The same values, ``step`` places apart in memory (backwards if negative)."""
    room = np.full(len(values) * abs(step), 99, values.dtype)
    view = room[::step]
    view[:] = values
    return view


def unaligned(values):
    raw = np.zeros(values.nbytes + 1, np.uint8)
    view = raw[1:].view(values.dtype)
    view[:] = values
    assert values.itemsize == 1 or not view.flags.aligned
    return view


def read_only(values):
    values = values.copy()
    values.flags.writeable = False
    return values


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integer_types(dtype):
    src, dst = SRC.astype(dtype), DST.astype(dtype)
    assert labels_of((src, dst)) == LABELS
    assert labels_of((src, DST)) == LABELS
    assert labels_of(np.column_stack((src, dst))) == LABELS
    assert labels_of(skerry.Edges(src, dst, 10)) == LABELS
    for name in ("ecl", "cc", "union-find"):
        assert labels_of((src, dst), algorithm=name, dtype=np.uint64) == LABELS


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integer_types_of_rows(dtype):
    rows = graph_of("", 10, PAIRS).csr
    indptr, indices = rows.indptr.astype(dtype), rows.indices.astype(dtype)
    assert labels_of(skerry.Csr(indptr, indices)) == LABELS
    assert labels_of(skerry.Csr(indptr, rows.indices)) == LABELS
    assert labels_of(skerry.Csr(rows.indptr, strided(indices, 2))) == LABELS
    rows.indptr, rows.indices = indptr, indices
    for name in ("auto", "ecl", "bfs", "cc"):
        assert labels_of(rows, algorithm=name) == LABELS


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
@pytest.mark.parametrize("threads", [1, 2])
def test_layouts_in_memory(dtype, threads):
    src, dst = SRC.astype(dtype), DST.astype(dtype)
    record = np.zeros(len(src), [("pad", "u1"), ("u", dtype), ("v", dtype), ("end", "u1")])
    record["u"], record["v"] = src, dst
    aligned = np.zeros(len(src), np.dtype([("u", dtype), ("w", "f8"), ("v", dtype)], align=True))
    aligned["u"], aligned["v"] = src, dst
    table = np.column_stack((src, dst))
    graphs = {
        "step 3": (strided(src, 3), strided(dst, 2)),
        "backwards": (strided(src, -1), strided(dst, -2)),
        "one backwards": (src, strided(dst, -1)),
        "read-only": (read_only(src), read_only(dst)),
        "unaligned": (unaligned(src), unaligned(dst)),
        "packed record": (record["u"], record["v"]),
        "aligned record": (aligned["u"], aligned["v"]),
        "same array twice as long": (np.tile(src, 2), np.tile(dst, 2)),
        "reversed": (dst, src),
        "(m, 2)": table,
        "(m, 2) in Fortran order": np.asfortranarray(table),
        "(m, 2) backwards": table[::-1, ::-1],
        "(2, m)": np.vstack((src, dst)),
        "(2, m) in Fortran order": np.asfortranarray(np.vstack((src, dst))),
        "(2, m) as a transpose": table.T,
        "columns of a wide table": np.column_stack((src, src, dst, dst))[:, 1:3],
        "read-only table": read_only(table),
        "memory map": np.ndarray.view(table, np.memmap),
        "memoryviews": (memoryview(src), memoryview(dst)),
    }
    for name, graph in graphs.items():
        for algorithm in ("auto", "ecl", "cc", "stream"):
            assert labels_of(graph, threads=threads, algorithm=algorithm) == LABELS, name


def test_lists_and_buffers():
    assert labels_of(PAIRS) == LABELS
    assert labels_of([list(pair) for pair in PAIRS]) == LABELS
    assert labels_of([np.array(pair) for pair in PAIRS]) == LABELS
    assert labels_of((SRC.tolist(), DST.tolist())) == LABELS
    assert labels_of((tuple(SRC.tolist()), DST)) == LABELS
    assert labels_of((array.array("q", SRC.tolist()), array.array("I", DST.tolist()))) == LABELS
    assert labels_of((range(5), range(1, 6))) == [0] * 6


def test_one_value_repeated_without_memory():
    many = np.broadcast_to(np.int32(3), 1000)
    assert labels_of((many, np.broadcast_to(np.int32(1), 1000))) == [0, 1, 2, 1]


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "bsr", "dia", "dok", "lil"])
@pytest.mark.parametrize("container", ["matrix", "array"])
@pytest.mark.parametrize("value", [1.5, -2, True, 1j])
def test_scipy(format, container, value):
    dense = np.zeros((10, 10), type(value))
    dense[SRC, DST] = value
    matrix = getattr(sp, f"{format}_{container}")(dense)
    assert labels_of(matrix) == LABELS
    assert labels_of(matrix, num_vertices=10, symmetric=False) == LABELS
    plan = skerry.connected_components(matrix).plan
    assert plan.form == ("csr" if format in ("csr", "csc") else "edges")
    assert (f"converted from scipy's {format.upper()} to COO" in plan.notes) == (
        format in ("bsr", "dia", "dok", "lil")
    )


def test_scipy_stored_zeros_are_edges():
    zeros = sp.coo_array((np.zeros(8), (SRC, DST)), shape=(10, 10))
    for format in ("coo", "csr", "csc", "lil", "dok"):
        assert labels_of(zeros.asformat(format)) == LABELS


@pytest.mark.parametrize("size", [1, 2, 5, 10])
def test_zeros_that_fill_blocks_are_no_edges(size):
    dense = np.zeros((10, 10))
    dense[SRC, DST] = 1
    assert labels_of(sp.bsr_array(dense, blocksize=(size, size))) == LABELS


def test_scipy_shapes():
    for n in (1, 5):
        assert labels_of(sp.csr_array((n, n))) == list(range(n))
        assert labels_of(sp.coo_matrix((n, n))) == list(range(n))
    assert labels_of(sp.csr_array((0, 0))) == []

    class Mine(sp.csr_array):
        pass

    assert labels_of(Mine(np.ones((3, 3)))) == [0, 0, 0]


def test_rows_longer_than_needed():
    """What lies behind the last row is not looked at, as in scipy."""
    rows = skerry.Csr(np.array([0, 1, 2], np.uint64), np.array([1, 0, 77, 99], np.uint32))
    assert labels_of(rows) == [0, 0]
    assert labels_of(rows, algorithm="bfs") == [0, 0]


@pytest.mark.parametrize(
    "graph",
    [
        [],
        ([], []),
        np.empty((0, 2)),
        np.empty((0, 2), np.int32),
        np.empty((2, 0), int),
        skerry.Edges(np.empty(0, np.uint32), np.empty(0, np.uint32), 0),
        skerry.Csr(np.zeros(1, np.uint64), np.empty(0, np.uint32)),
        sp.csr_array((0, 0)),
    ],
)
def test_nothing(graph):
    result = skerry.connected_components(graph)
    assert (result.count, result.num_vertices) == (0, 0)
    assert result.labels.dtype == np.uint32


@pytest.mark.parametrize("count", [10, 11, 50, np.int16(12), np.uint64(12), np.array(12)])
def test_num_vertices(count):
    labels = labels_of((SRC, DST), num_vertices=count)
    assert labels == LABELS + list(range(10, int(count)))
    assert labels_of(PAIRS, num_vertices=count) == labels
    assert labels_of([], num_vertices=count) == list(range(int(count)))


def test_two_by_two():
    with pytest.warns(UserWarning, match="2 x 2 array could hold two edges") as caught:
        assert labels_of(np.array([[0, 1], [3, 2]])) == [0, 0, 2, 2]
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="2 x 2"):
        labels_of([[0, 1], [3, 2]])
    with warnings.catch_warnings(action="error"):
        assert labels_of([(0, 1), (3, 2)]) == [0, 0, 2, 2]
        assert labels_of(([0, 1], [3, 2])) == [0, 1, 1, 0]


def test_a_batch_of_two_by_two_is_as_the_batches_before():
    wide = [np.array([[0, 1, 4], [3, 2, 5]]), np.array([[6, 7], [8, 9]])]
    rows = [np.array([[0, 3], [1, 2], [4, 5]]), np.array([[6, 8], [7, 9]])]
    expected = [0, 1, 1, 0, 4, 4, 6, 7, 6, 7]
    with warnings.catch_warnings(action="error"):
        assert labels_of(iter(wide)) == labels_of(iter(rows)) == expected
        assert labels_of([[(0, 3), (1, 2)]].__iter__()) == [0, 1, 1, 0]
    with pytest.warns(UserWarning, match="2 x 2"):
        assert labels_of(iter(wide[1:])) == [0, 1, 2, 3, 4, 5, 6, 6, 8, 8]


@pytest.mark.parametrize("name", names_on("cpu"))
def test_inputs_are_never_changed(name):
    graph = small_graphs()[-2]
    for dtype in (np.uint32, np.uint64):
        for form in (graph.edges, graph.csr, graph.csc, graph.symmetric, graph.csr.tocoo()):
            parts = [
                getattr(form, part)
                for part in ("src", "dst", "indptr", "indices", "row", "col")
                if hasattr(form, part)
            ]
            before = [part.copy() for part in parts]
            result = skerry.connected_components(form, algorithm=name, dtype=dtype, threads=2)
            result.groups(), result.verify()
            for part, old in zip(parts, before, strict=True):
                np.testing.assert_array_equal(part, old)
            assert not any(np.shares_memory(result.labels, part) for part in parts)


@given(
    ends=arrays.arrays(
        st.sampled_from([d for d in INTEGERS if d.isnative]),
        st.tuples(st.integers(1, 20), st.just(2)),
        elements=st.integers(0, 30),
    ),
    step=st.sampled_from([-2, -1, 1, 3]),
    extra=st.integers(0, 3),
)
def test_drawn_arrays(ends, step, extra):
    n = int(ends.max()) + 1 + extra
    right = flood_labels(n, ends[:, 0], ends[:, 1]).tolist()
    columns = strided(ends[:, 0], step), strided(ends[:, 1], -step)
    assert labels_of(columns, num_vertices=n) == right
    assert labels_of(columns, num_vertices=n, algorithm="rows") == right
    if ends.shape != (2, 2):
        assert labels_of(ends[::-1], num_vertices=n) == right


def test_scipy_is_not_imported_for_other_graphs():
    code = (
        "import sys, skerry; skerry.connected_components([(0, 1), (1, 2), (2, 3)]).groups(); "
        "sys.exit('scipy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
