"""Edges of the host and of files that pass by a GPU: the labels of a CPU, in bounded memory."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry.cuda.devices import find_runtime
from skerry.engines import device_stream
from skerry.union_find.streamed_forest import StreamedForest
from support.graphs import medium_graphs
from support.laws import SIGMAS, giant_off
from support.on_gpu import require_gpu

cp = require_gpu()

N, M = 300_000, 1_000_000


def pinned(values):
    memory = cp.cuda.alloc_pinned_memory(values.nbytes)
    array = np.frombuffer(memory, values.dtype, values.size)
    array[:] = values
    return array


def drawn(kind="u4", n=N, m=M):
    return tuple(np.random.default_rng(6).integers(0, n, (2, m)).astype(kind))


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(device_stream, "STREAM_FROM", 0)
    monkeypatch.setattr(device_stream, "CHUNK", 50_000)


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("place", ["pageable", "pinned", "table"])
@pytest.mark.parametrize("kind", ["u4", "i4", "u8", "i8"])
def test_edges_of_the_host_in_chunks(kind, place):
    columns = drawn(kind)
    right = skerry.connected_components(columns, num_vertices=N)
    given = columns if place == "pageable" else tuple(map(pinned, columns))
    if place == "table":
        given = np.column_stack(columns)
    for _ in range(3):  # in any order of copies and kernels
        result = skerry.connected_components(given, num_vertices=N, device="cuda")
        assert result.plan.algorithm == "stream" and result.plan.engine == "upload"
        assert np.array_equal(result.labels, right.labels)
    assert result.count == right.count and result.verify()


@pytest.mark.usefixtures("small_chunks")
def test_graphs_of_all_kinds_in_chunks():
    for graph in medium_graphs():
        edges = graph.src.astype(np.int64), graph.dst.astype(np.int64)
        result = skerry.connected_components(edges, num_vertices=graph.n, device="cuda")
        assert np.array_equal(result.labels, graph.labels), graph.name


@pytest.mark.parametrize("ids", [None, "u8"])
def test_page_locked_memory_of_both_widths(ids):
    columns = tuple(map(pinned, drawn("i8" if ids else "u4")))
    right = skerry.connected_components(columns, num_vertices=N)
    forest = StreamedForest(
        find_runtime("cuda"), N, chunk=70_000, ids=None if ids is None else np.dtype(ids)
    )
    forest.join_all(*columns, 4)
    assert np.array_equal(forest.release(), right.labels)


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize(("bad", "kind"), [(-1, "i8"), (-1, "i4"), (N, "u4"), (2**32 + 3, "i8")])
def test_an_id_that_is_no_vertex_is_named_as_on_a_cpu(bad, kind):
    src, dst = drawn(kind)
    dst[654_321] = bad
    for given in ((src, dst), tuple(map(pinned, (src, dst)))):
        with pytest.raises(skerry.InputError, match=r"dst\[654321\]"):
            skerry.connected_components(given, num_vertices=N, device="cuda")


def test_a_graph_larger_than_the_device_may_use_passes_by():
    columns = drawn(m=20 * M)  # 160 MB
    right = skerry.connected_components(columns, num_vertices=N)
    pool = cp.get_default_memory_pool()
    pool.free_all_blocks()
    pool.set_limit(size=pool.used_bytes() + (40 << 20))
    try:
        result = skerry.connected_components(columns, num_vertices=N, device="cuda")
        with pytest.raises(skerry.DeviceMemoryError, match="the graph needs"):
            skerry.connected_components(columns, num_vertices=N, device="cuda", algorithm="cc")
    finally:
        pool.set_limit(size=0)
    assert np.array_equal(result.labels, right.labels) and result.plan.bytes < 40 << 20
    assert any("passed by cuda" in note for note in result.plan.notes)


def test_files_pass_by(tmp_path):
    columns = drawn("i8")
    np.save(tmp_path / "edges.npy", np.column_stack(columns))
    right = skerry.connected_components(columns)
    result = skerry.connected_components(tmp_path / "edges.npy", device="cuda")
    assert result.plan.engine == "streaming" and result.plan.device == "cuda:0"
    assert np.array_equal(result.labels, right.labels)


def test_streams_other_than_the_default_are_honored():
    columns = drawn()
    right = skerry.connected_components(columns, num_vertices=N)
    for non_blocking in (False, True):
        with cp.cuda.Stream(non_blocking=non_blocking):
            busy = cp.ones(50_000_000, np.float64)
            for _ in range(20):
                busy = cp.sqrt(busy)
            forest = StreamedForest(find_runtime("cuda"), N, chunk=30_000)
            forest.join(*columns, 2)
            assert np.array_equal(forest.release(), right.labels)


@pytest.mark.parametrize("count", [1, 5, 3 << 20, (40 << 20) + 7])
def test_long_arrays_go_there_and_back(count):
    runtime = find_runtime("cuda")
    for kind in ("u4", "i8"):
        values = np.arange(count, dtype=kind) * 3
        there = runtime.upload(values)
        assert np.array_equal(there.get(), values)
        assert np.array_equal(runtime.read(there), values)
        assert np.array_equal(runtime.read(there[::2]), values[::2])
    narrow = runtime.upload(np.resize(np.array([-1, 2**40, 7]), count + 2), np.uint32)
    assert narrow[:3].tolist() == [2**32 - 1, 2**32 - 1, 7]


def test_the_giant_of_edges_made_on_the_device_is_as_large_as_the_law_says():
    n, sets = 1 << 22, skerry.UnionFind(1 << 22, device="cuda")
    for _ in range(6):  # 1.5 edges a vertex in all: 3 ends
        sets.union(*cp.random.randint(0, n, (2, n // 4), dtype=cp.uint32))
    assert abs(giant_off(int(sets.sizes().max()), n, 3)) < SIGMAS
