"""Threads: the same answer every time, forks, Ctrl-C, and the GIL."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import skerry
from support.graphs import large_graphs, small_graphs
from support.specs import specs_on

RUNS = 20
PARALLEL = [row.name for row in specs_on("cpu") if not row.serial]


@pytest.mark.parametrize("name", PARALLEL)
def test_the_same_answer_every_time(name):
    graph = large_graphs()[1]
    for _ in range(RUNS):
        labels = skerry.connected_components(graph.edges, algorithm=name, threads=8).labels
        assert np.array_equal(labels, graph.labels)


def test_calls_from_several_threads():
    graphs = large_graphs()

    def ask(number):
        graph = graphs[number % len(graphs)]
        name = PARALLEL[number % len(PARALLEL)]
        result = skerry.connected_components(graph.edges, algorithm=name, threads=2)
        return np.array_equal(result.labels, graph.labels)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(2 * len(PARALLEL))))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_fork_after_threads():
    graph = large_graphs()[1]

    def right(name):
        result = skerry.connected_components(graph.edges, algorithm=name, threads=2)
        return np.array_equal(result.labels, graph.labels)

    assert right("ecl")
    child = os.fork()
    if not child:
        code = 1
        try:
            code = 0 if all(right(name) for name in ("ecl", "cc", "stream")) else 2
        finally:
            os._exit(code)
    assert wait_for(child, 20) == 0
    assert right("ecl"), "the parent after its child"


def wait_for(child, seconds):
    """The exit code of a forked child, which is ended if it takes too long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return f"hung for {seconds} s"


LONG_CALLS = {
    # An edge list that takes no memory: one id, repeated by a step of 0.
    "reading": ("", "skerry.connected_components((many, many), threads=1)"),
    "union-find": ("", "run('union-find', skerry.Edges(many, many, 1), 1)"),
    "stream": ("", "run('stream', skerry.Edges(many, many, 1), 2)"),
    # As many rounds as vertices.
    "label-propagation": ("path = long_path()", "run('label-propagation', path, 2)"),
}
PRELUDE = """
import sys, time
import numpy as np
import skerry
from skerry.algorithms.cpu import backend
from skerry.graph.build import csr_from_edges

many = np.broadcast_to(np.uint32(0), 1 << 38)

def run(name, graph, threads):
    backend.run(skerry.algorithm(name), graph, np.uint32, threads, False)

def long_path():
    order = np.arange(1 << 22, dtype=np.uint32)[::-1]
    order = order.reshape(2048, 2048).T.ravel()  # far apart, and against the sweep
    return csr_from_edges(skerry.Edges(order[:-1], order[1:], len(order)))

PREPARE
print("ready", flush=True)
begin = time.perf_counter()
try:
    CALL
except KeyboardInterrupt:
    sys.exit(42)
print("not interrupted; took", time.perf_counter() - begin)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process")
@pytest.mark.parametrize("name", LONG_CALLS)
def test_ctrl_c(name):
    prepare, call = LONG_CALLS[name]
    code = PRELUDE.replace("PREPARE", prepare).replace("CALL", call)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        told, _ = process.communicate(timeout=30)
        assert process.returncode == 42, told
        assert time.monotonic() - sent < 10  # far above what it takes: tells a stop from an end
    finally:
        process.kill()
        process.wait()


def test_after_an_interrupt_all_is_well():
    """A handler that raises ends the call; the next one is not affected."""

    class StopError(Exception):
        pass

    def stop(*_):
        raise StopError

    many = np.broadcast_to(np.uint32(0), 1 << 38)
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(StopError):
            skerry.connected_components((many, many), threads=2)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    graph = small_graphs()[-2]
    assert np.array_equal(skerry.connected_components(graph.edges).labels, graph.labels)


def test_the_gil_is_released():
    """Another Python thread goes on while a call runs."""
    ids = np.broadcast_to(np.uint32(0), 1 << 28)
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    begin = time.perf_counter()
    skerry.connected_components((ids, ids), threads=1, algorithm="union-find")
    end = time.perf_counter()
    done.set()
    ticker.join()
    during = [moment for moment in ticks if begin < moment < end]
    assert len(during) > 20, f"{len(during)} ticks in {end - begin:.3f} s"


def test_default_threads(monkeypatch):
    from skerry.threads import available_threads

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    for text, expected in (("", cores), ("1", 1), ("1,2", 1), ("9999", cores), ("many", cores)):
        monkeypatch.setenv("OMP_NUM_THREADS", text)
        assert available_threads() == expected


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cannot be bound to a processor")
def test_a_call_sees_to_which_processors_its_thread_is_bound_now():
    from skerry.threads import available_cores

    every = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(every)})
        assert available_cores() == 1
    finally:
        os.sched_setaffinity(0, every)
    assert available_cores() <= len(every)
