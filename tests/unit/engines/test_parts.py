"""A graph in parts: the same labels, and borders of exactly the bytes that they need."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry.cuda.devices import part_devices
from skerry.engines.parts import engine, part
from skerry.engines.parts.part import Border, HostPart, StoppedError
from skerry.engines.parts.process import ProcessPart, SharedGraph
from skerry.engines.parts.run import cut, run_parts
from skerry.errors import ArgumentError, DeviceMemoryError, SkerryError, UnsupportedError
from skerry.machine import numa_nodes
from support.emulated import build_ahead
from support.emulator import EmulatedRuntime, works
from support.graphs import graph_of, medium_graphs, small_graphs
from support.parts import needed_bytes, rows_of

posix = pytest.mark.skipif(os.name != "posix", reason="processes share memory by descriptors")
emulated = pytest.mark.skipif(not works(), reason="needs a C++ compiler")
COUNTS = (1, 2, 4, 8)


def run_on_host(csr, parts, measured=False):
    labels = np.full(csr.num_vertices, 0xA5A5A5A5, np.uint32)
    return labels, run_parts(parts, csr, labels, 2, measured=measured)


@pytest.mark.parametrize("measured", [False, True])
@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("count", COUNTS)
def test_labels_and_bytes_of_parts(count, symmetric, measured, monkeypatch):
    monkeypatch.setattr(part, "ENTRIES", 50)
    monkeypatch.setattr(part, "SCANNED", 64)
    for graph in (*small_graphs(), *medium_graphs()):
        csr = rows_of(graph, symmetric)
        parts = [HostPart(csr, np.dtype(np.uint32), 2) for _ in range(count)]
        labels, run = run_on_host(csr, parts, measured)
        assert np.array_equal(labels, graph.labels), graph.name
        rows = np.concatenate([np.arange(r.start, r.stop) for own in run.rows for r in own])
        assert np.array_equal(np.sort(rows), np.arange(graph.n)), "every row has one part"
        assert sum(run.sent) == needed_bytes(csr, run.rows), graph.name
        if count == 1:
            assert run.sent == [0]


@settings(deadline=None)
@given(st.integers(1, 40), st.lists(st.tuples(st.integers(0, 39), st.integers(0, 39))), st.data())
def test_any_graph_in_any_parts(n, edges, data):
    graph = graph_of("drawn", n, [(u % n, v % n) for u, v in edges])
    csr = rows_of(graph, data.draw(st.booleans()))
    count = data.draw(st.integers(1, 9))
    parts = [HostPart(csr, np.dtype(np.uint32), 1) for _ in range(count)]
    labels, run = run_on_host(csr, parts, data.draw(st.booleans()))
    assert np.array_equal(labels, graph.labels)
    assert sum(run.sent) == needed_bytes(csr, run.rows)


@pytest.fixture(scope="module")
def kernels():
    build_ahead(["ecl"], [(np.uint32, np.uint32, np.uint32), (np.uint64, np.uint64, np.uint32)])


@pytest.fixture
def small_pieces(monkeypatch):
    monkeypatch.setattr(part, "ENTRIES", 300)


@emulated
@pytest.mark.usefixtures("kernels", "small_pieces")
@pytest.mark.parametrize("device", ["cuda:0,0", "cuda:0,0,0,0", "cpu+cuda", "cuda+cpu"])
def test_parts_on_an_emulated_gpu(device, monkeypatch):
    runtime = EmulatedRuntime()
    monkeypatch.setattr(engine, "find_runtime", lambda _device: runtime)
    for graph in (*small_graphs()[:8], *medium_graphs()[:3]):
        for symmetric in (False, True):
            csr = rows_of(graph, symmetric)
            for dtype in (None, np.int64):
                result = skerry.connected_components(csr, device=device, dtype=dtype)
                assert np.array_equal(result.labels, graph.labels), graph.name
                plan = result.plan
                assert result.verify() and plan.engine == "parts" and plan.device == device
                assert len([note for note in plan.notes if "border labels sent" in note]) == len(
                    part_devices(device)
                )


@posix
@pytest.mark.parametrize("device", ["cpu:0", "cpu:0,0", "cpu:0,0,0,0"])
def test_processes(device):
    graph = medium_graphs()[0]
    for symmetric in (False, True):
        csr = rows_of(graph, symmetric)
        result = skerry.connected_components(csr, device=device, labels="dense", dtype="int64")
        assert np.array_equal(result.labels, graph.dense) and result.labels.dtype == np.int64
        assert result.verify() and result.plan.device == device
    edges = skerry.connected_components(graph.edges, device=device, previous=np.arange(graph.n))
    assert np.array_equal(edges.labels, graph.labels)


class Recording:
    """A part that does nothing, or what a test says."""

    def __init__(self, **calls):
        self.calls, self.log, self.stopped = calls, [], threading.Event()

    def __getattr__(self, name):
        def call(*arguments):
            self.log.append(name)
            if name in self.calls:
                return self.calls[name](*arguments)
            return Border(np.empty(0, np.uint32), np.empty(0, np.uint32))

        return call

    def stop(self):
        self.log.append("stop")
        self.stopped.set()


def waiting():
    """A part whose join ends only when it is stopped."""
    recording = Recording(join=lambda _rows: stop_if(recording.stopped.wait(30)))
    return recording


def stop_if(stopped):
    assert stopped, "nothing has stopped the part"
    raise StoppedError


def failing(error):
    def fail(*_arguments):
        raise error

    return fail


@pytest.mark.parametrize("error", [MemoryError("none left"), SkerryError("broken"), ValueError()])
@pytest.mark.parametrize("call", ["start", "join", "finish"])
def test_an_error_of_one_part_ends_all(error, call):
    csr = rows_of(medium_graphs()[0], True)
    other = waiting() if call != "start" else Recording()
    parts = [other, Recording(**{call: failing(error)})]
    before = threading.active_count()
    with pytest.raises(type(error)):
        run_on_host(csr, parts)
    assert all(each.log[-1] == "close" and "stop" in each.log for each in parts)
    assert threading.active_count() == before


def test_host_parts_stop_between_pieces(monkeypatch):
    monkeypatch.setattr(part, "ENTRIES", 1)
    csr = rows_of(medium_graphs()[0], True)
    own = HostPart(csr, np.dtype(np.uint32), 1)
    own.start()
    own.stop()
    with pytest.raises(StoppedError):
        own.join(range(csr.num_vertices))


def test_pieces_are_all_rows_once(monkeypatch):
    csr = rows_of(medium_graphs()[0], True)
    own = HostPart(csr, np.dtype(np.uint32), 1)
    for limit in (1, 7, 1000, 10**9):
        monkeypatch.setattr(part, "ENTRIES", limit)
        ranges = list(own.pieces(range(5, csr.num_vertices)))
        assert [row for each in ranges for row in each] == list(range(5, csr.num_vertices))
        for each in ranges:
            entries = csr.offsets[each.stop] - csr.offsets[each.start]
            assert entries <= limit or len(each) == 1


def test_cuts_follow_the_weights():
    offsets = np.arange(0, 1001, 10).astype(np.uint64)  # 100 rows of 10 entries
    assert cut(offsets, range(100), (1, 1)) == [range(50), range(50, 100)]
    assert cut(offsets, range(20, 100), (1, 3)) == [range(20, 40), range(40, 100)]
    assert cut(offsets, range(100), (0, 1)) == [range(0), range(100)]
    assert sum(map(len, cut(np.zeros(8, np.uint64), range(7), (1, 1, 1)))) == 7


def test_rates_decide_the_shares():
    """A part that is nine times as slow has a tenth of the entries, or about."""
    csr = rows_of(
        graph_of("path", 40_000, np.column_stack((range(39_999), range(1, 40_000)))), True
    )

    class Slow(HostPart):
        seconds = 0.0

        def join(self, rows):
            super().join(rows)
            time.sleep(len(rows) * self.seconds)

    slow, quick = (Slow(csr, np.dtype(np.uint32), 1) for _ in range(2))
    slow.seconds, quick.seconds = 9e-5, 1e-5
    labels, run = run_on_host(csr, [slow, quick], measured=True)
    assert not labels.any()
    share = sum(map(len, run.rows[0])) / csr.num_vertices
    assert 0.05 < share < 0.2 and run.rates[0] < run.rates[1]


def open_files():
    return len(list(Path("/proc/self/fd").iterdir()))


def children():
    task = Path("/proc/self/task")
    return {pid for each in task.glob("*/children") for pid in each.read_text().split()}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_process_that_dies_is_an_error_and_nothing_is_left():
    csr = rows_of(medium_graphs()[0], True)
    descriptors, before = open_files(), children()
    shared = SharedGraph(csr, np.dtype(np.uint32), 1)
    own = ProcessPart(shared, [], 1)
    own.start()
    assert children() != before
    os.kill(own._process.pid, signal.SIGKILL)
    with pytest.raises(SkerryError, match="ended with status -9"):
        own.join(range(5))
    own.close()
    shared.close()
    assert children() == before and open_files() == descriptors
    with pytest.raises(UnsupportedError, match=r'device="cpu:99": .* NUMA node 0'):
        skerry.connected_components(csr, device="cpu:0,99")
    assert open_files() == descriptors


INTERRUPTED = """
import os, signal, threading, time
from pathlib import Path
import numpy as np
import skerry
from skerry.engines.parts.process import ProcessPart

def open_files():
    return len(list(Path("/proc/self/fd").iterdir()))

def children():
    return [each.read_text() for each in Path("/proc/self/task").glob("*/children")]

def join(part, rows):
    if not rows.start:
        os.kill(os.getpid(), signal.SIGINT)
    while True:  # until the process is ended
        part._request([0, 0])

ProcessPart.join = join
before = open_files()
try:
    skerry.connected_components((np.arange(9), np.arange(9)[::-1]), device="cpu:0,0")
except KeyboardInterrupt:
    left = "".join(children()).split()
    print("interrupted", threading.active_count(), open_files() - before, left)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_ctrl_c_ends_processes():
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout == "interrupted 1 0 []\n", done.stderr
    assert done.stderr == ""


@pytest.mark.parametrize(
    "device", ["cuda:0,", "cpu+cpu", "cuda+cuda:1", "cpu,cuda", "cuda:0,x", "cpu:0+", "gpu,cpu"]
)
def test_malformed_parts(device):
    with pytest.raises(ArgumentError, match="does not name parts of a graph"):
        skerry.connected_components(([0], [1]), device=device)


def test_what_parts_do_not_support_is_named():
    edges, image = ([0], [1]), skerry.Grid([5, 5, 7], values="equal")
    for option in ({"algorithm": "ecl"}, {"statistics": True}):
        for graph in (edges, [edges]):
            with pytest.raises(UnsupportedError, match="cannot be used together: leave one"):
                skerry.connected_components(graph, device="cpu+cuda", **option)
    with pytest.raises(UnsupportedError, match="forest=True is recorded on a CPU"):
        skerry.connected_components(edges, device="cpu:0,0", forest=True)
    for graph in (image, {1: [2]}):
        with pytest.raises(
            UnsupportedError, match=r'device="cuda:0,1" is not supported for .*, but'
        ):
            skerry.connected_components(graph, device="cuda:0,1")


def test_estimates_count_every_part():
    sizes = [
        skerry.estimate(10**6, 10**7, form="csr", device="cuda:" + ",".join("0" * count)).run
        for count in COUNTS[1:]
    ]
    labels = 4 * 10**6
    assert (sizes[1] - labels) == 2 * (sizes[0] - labels)
    assert (sizes[2] - labels) == 4 * (sizes[0] - labels)
    hybrid = skerry.estimate(10**6, 10**7, form="csr", device="cpu+cuda")
    assert hybrid.run == labels + labels + (sizes[0] - labels) // 2 and hybrid.conversion == 0
    processes = skerry.estimate(10**6, 10**7, form="csr", device="cpu:0,0").run
    assert processes >= 3 * labels + 4 * 10**7 + 8 * 10**6


def test_too_little_memory_of_a_device(monkeypatch):
    runtime = EmulatedRuntime()
    monkeypatch.setattr(runtime, "available", lambda: 1000, raising=False)
    monkeypatch.setattr(engine, "find_runtime", lambda _device: runtime)
    with pytest.raises(
        DeviceMemoryError, match=r"the graph in parts needs 0.* GB on cuda, where 0"
    ):
        skerry.connected_components(rows_of(medium_graphs()[0], True), device="cuda:0,0")


def test_numa_nodes(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1, 2, 3, 8, 9}, raising=False)
    for number, cores in enumerate(("0-1,8\n", "2-3,9,12\n", "\n", "30\n")):
        (tmp_path / f"node{number}").mkdir()
        (tmp_path / f"node{number}" / "cpulist").write_text(cores)
    assert numa_nodes(str(tmp_path)) == {0: [0, 1, 8], 1: [2, 3, 9]}
    assert numa_nodes(str(tmp_path / "missing")) == {0: [0, 1, 2, 3, 8, 9]}


def test_device_strings():
    assert part_devices("cuda:1,0,1") == ("cuda:1", "cuda:0", "cuda:1")
    assert part_devices("cpu:0,1+cuda:2") == ("cpu:0", "cpu:1", "cuda:2")
    assert part_devices("cpu:0") == ("cpu:0",)
    for device in ("auto", "cpu", "cuda", "cuda:3", "", "cuda:", "+"):
        assert part_devices(device) == ()


def test_files_are_gathered(tmp_path):
    path = tmp_path / "edges.csv"
    path.write_text("src,dst\na,b\nb,c\nd,e\n")
    result = skerry.connected_components(path, device="cpu:0,0")
    assert result.count == 2 and result.connected("a", "c") and result.verify()
    matrix = sp.csr_array(np.eye(4))
    assert skerry.connected_components(matrix, device="cpu:0,0").count == 4
