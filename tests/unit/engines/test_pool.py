"""The pool of threads: few of them, none at all, forks, many callers, and the end of a program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import skerry
from skerry import _native
from support.graphs import large_graphs

PRELUDE = """
import os, resource, signal, sys, threading, time
import numpy as np
import skerry
from skerry import _native

ids = np.random.default_rng(1).integers(0, 100_000, (2, 400_000)).astype(np.uint32)
def call(threads, **options):
    return skerry.connected_components((ids[0], ids[1]), threads=threads, **options).labels
def memory():
    lines = open("/proc/self/status").read().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmSize")).split()[1])
"""
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def run(code, **options):
    """Runs a program; returns what it printed."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PRELUDE + code],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **options,
    )
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    return done.stdout.strip()


@linux
@pytest.mark.parametrize("room", [5_000_000, 40_000_000])
def test_fewer_threads_where_they_cannot_be_made(room):
    """libgomp ended the process here."""
    code = f"""
right = call(1)
soft = memory() + {room}
resource.setrlimit(resource.RLIMIT_AS, (soft, soft))
for algorithm in ("auto", "cc", "rem", "ecl"):
    try:
        print(np.array_equal(call(1000, algorithm=algorithm), right))
    except MemoryError:
        print("MemoryError")
print(_native.pool_threads() < 999)
"""
    assert set(run(code).split()) <= {"True", "MemoryError"}


@linux
def test_a_limit_of_address_space_and_1000_threads():
    code = """
right = call(1)
resource.setrlimit(resource.RLIMIT_AS, (memory() + 300_000_000,) * 2)
print(np.array_equal(call(1000), right), 0 < _native.pool_threads() < 999)
"""
    assert run(code) == "True True"


@linux
def test_idle_threads_sleep():
    """OpenMP's would spin for milliseconds, which other programs miss."""
    code = """
call(2), call(2)
time.sleep(0.002)
before = time.process_time()
time.sleep(0.05)
print(_native.pool_threads(), time.process_time() - before < 0.01)
"""
    assert run(code) == "1 True"


def test_more_callers_than_the_pool_takes():
    graph = large_graphs()[1]

    def right(number):
        result = skerry.connected_components(graph.edges, algorithm="ecl", threads=2 + number % 4)
        return np.array_equal(result.labels, graph.labels)

    with ThreadPoolExecutor(20) as pool:
        assert all(pool.map(right, range(60)))
    assert _native.pool_threads() < 20 * 4


@needs_fork
def test_a_forked_child_has_threads_of_its_own():
    code = """
right = call(2)
child = os.fork()
if not child:
    same = _native.pool_threads() == 0 and np.array_equal(call(2), right)
    os._exit(0 if same and _native.pool_threads() == 1 else 1)
print(os.waitpid(child, 0)[1], np.array_equal(call(2), right))
"""
    assert run(code) == "0 True"


@needs_fork
def test_fork_while_another_thread_is_in_a_call():
    code = """
right = call(1)
stop = threading.Event()
def work():
    while not stop.is_set():
        call(4, algorithm="ecl")
other = threading.Thread(target=work)
other.start()
codes = []
for _ in range(10):
    child = os.fork()
    if not child:
        os._exit(0 if np.array_equal(call(2), right) else 1)
    codes.append(os.waitpid(child, 0)[1])
stop.set()
other.join()
print(codes == [0] * 10)
"""
    assert run(code) == "True"


@needs_fork
@pytest.mark.parametrize("leaves", ["raise Stop", "return"])
def test_fork_in_a_signal_handler_inside_a_call(leaves):
    """The child's call cannot go on, as its threads stayed with the parent; it must not hang."""
    code = f"""
class Stop(Exception): pass
children = []
def fork(*_):
    child = os.fork()
    if child:
        children.append(child)
        raise Stop
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(50)
    {leaves}
signal.signal(signal.SIGALRM, fork)
many = np.broadcast_to(np.uint32(0), 1 << (38 if {"raise" in leaves} else 30))
signal.setitimer(signal.ITIMER_REAL, 0.1)
code = 0
try:
    skerry.connected_components((many, many), threads=3, num_vertices=1)
except (Stop, RuntimeError):
    code = 1
if not children:
    os._exit(code)
ended = os.waitpid(children[0], 0)[1]
print(os.WIFEXITED(ended))
"""
    assert run(code) == "True"


@linux
def test_memory_that_ends_in_a_team_is_a_memory_error():
    code = """
big = np.arange(6_000_000, dtype=np.uint32)
resource.setrlimit(resource.RLIMIT_AS, (memory() + 8_000_000,) * 2)
try:
    skerry.connected_components((big, big[::-1]), threads=4, algorithm="cc-updt")
    print("no error")
except MemoryError:
    print("MemoryError")
"""
    assert run(code) == "MemoryError"


def test_a_program_ends_while_a_daemon_thread_is_in_a_call():
    code = """
def work():
    while True:
        call(4)
threading.Thread(target=work, daemon=True).start()
time.sleep(0.05)
print("end")
"""
    assert run(code) == "end"


@linux
def test_signals_are_left_to_the_threads_of_python():
    code = """
call(2)
masks = []
for task in os.listdir("/proc/self/task"):
    if int(task) != os.getpid():
        lines = open(f"/proc/self/task/{task}/status").read().splitlines()
        masks.append(int(next(l for l in lines if l.startswith("SigBlk")).split()[1], 16))
blocked = [mask >> (signal.SIGINT - 1) & 1 for mask in masks]
faults = [mask >> (signal.SIGSEGV - 1) & 1 for mask in masks]
print(any(b and not f for b, f in zip(blocked, faults)))
"""
    assert run(code) == "True"


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGALRM")
def test_a_handler_may_call_skerry_while_it_interrupts_a_call():
    graph = large_graphs()[1]
    answers = []

    def handler(*_):
        result = skerry.connected_components(graph.edges, algorithm="ecl", threads=3)
        answers.append(np.array_equal(result.labels, graph.labels))

    before = signal.signal(signal.SIGALRM, handler)
    try:
        many = np.broadcast_to(np.uint32(0), 1 << 27)
        deadline = time.monotonic() + 10
        while not answers and time.monotonic() < deadline:
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            skerry.connected_components((many, many), threads=2)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert answers and all(answers)
