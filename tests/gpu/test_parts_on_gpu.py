"""A graph in parts on one GPU: each part has a stream and a memory pool of its own."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry.cuda.devices import find_runtime
from skerry.engines.parts import part
from skerry.engines.parts.device import DevicePart, bytes_of_part
from skerry.engines.parts.run import run_parts
from skerry.errors import DeviceMemoryError
from skerry.graph.build import csr_from_edges
from support.graphs import large_graphs, medium_graphs, small_graphs
from support.on_gpu import require_gpu
from support.parts import needed_bytes, rows_of

require_gpu()
cupy_runtime = pytest.importorskip("skerry.cuda.cupy_runtime")

GRAPHS = (*small_graphs(), *medium_graphs(), *large_graphs()[:2])
COUNTS = (1, 2, 4, 8)


@pytest.fixture
def pools(monkeypatch):
    """The streams and memory pools that are made, and the most bytes of each."""
    made = []

    class Lane(cupy_runtime.CupyLane):
        def __init__(self):
            super().__init__()
            self.peak = 0
            made.append(self)

        def close(self):
            self.peak = self._pool.total_bytes()
            super().close()

    monkeypatch.setattr(cupy_runtime, "CupyLane", Lane)
    return made


@pytest.mark.parametrize("entries", [500, part.ENTRIES])
@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("count", COUNTS)
def test_labels_and_bytes_of_parts(count, symmetric, entries, monkeypatch, pools):
    monkeypatch.setattr(part, "ENTRIES", entries)
    runtime = find_runtime("cuda:0")
    for graph in GRAPHS[: len(GRAPHS) if entries > 500 else -2]:
        csr = rows_of(graph, symmetric)
        parts = [DevicePart(runtime, csr, np.dtype(np.uint32), count) for _ in range(count)]
        labels = np.full(graph.n, 0xA5A5A5A5, np.uint32)
        run = run_parts(parts, csr, labels, 4, measured=False)
        assert np.array_equal(labels, graph.labels), graph.name
        if graph.n < 10_000:
            assert sum(run.sent) == needed_bytes(csr, run.rows), graph.name
        assert len({id(lane._pool) for lane in pools}) == len(pools) == count
        assert len({lane._stream.ptr for lane in pools}) == count
        assert all(lane._pool.total_bytes() == 0 for lane in pools), "memory was not given back"
        pools.clear()


@pytest.mark.parametrize("dtype", [None, np.int64])
@pytest.mark.parametrize("device", ["cuda:0,0", "cuda:0,0,0,0", "cpu+cuda", "cpu+cuda:0,0"])
def test_device_strings(device, dtype):
    for graph in GRAPHS:
        for given in (rows_of(graph, True), graph.csr, graph.edges):
            result = skerry.connected_components(given, device=device, dtype=dtype)
            assert isinstance(result.labels, np.ndarray)
            assert np.array_equal(result.labels, graph.labels), graph.name
            assert result.plan.device == device and (graph.large or result.verify())


def test_processes_beside_a_gpu():
    graph = medium_graphs()[0]
    result = skerry.connected_components(rows_of(graph, True), device="cpu:0,0+cuda:0")
    assert np.array_equal(result.labels, graph.labels)


def test_the_estimate_is_the_memory_of_a_part(pools):
    csr = csr_from_edges(skerry.generators.uniform(3_000_000, 12_000_000), 4)
    skerry.connected_components(csr, device="cuda:0,0,0")
    bound = bytes_of_part(csr.num_vertices, csr.num_entries, np.dtype(np.uint32))
    peaks = [lane.peak for lane in pools]
    assert len(peaks) == 3 and 0.4 * bound < max(peaks) <= 1.1 * bound, (peaks, bound)


def test_a_gpu_without_room(monkeypatch):
    runtime = find_runtime("cuda:0")
    monkeypatch.setattr(type(runtime), "available", lambda _self: 0)
    with pytest.raises(DeviceMemoryError, match="the graph in parts needs"):
        skerry.connected_components(rows_of(medium_graphs()[0], True), device="cuda:0,0")
