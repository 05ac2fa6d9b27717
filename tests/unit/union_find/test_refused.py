"""Calls that are refused or interrupted leave no trace; other processes and interpreters."""

from __future__ import annotations

import copy
import datetime as dt
import pickle
import signal
import subprocess
import sys
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

import skerry

MIXED = {
    "columns": (pa.array(["a"]), pa.array([1])),
    "a date and a time": (dt.datetime(2026, 1, 1), dt.date(2026, 1, 1)),
    "lists of them": ([dt.datetime(2026, 1, 1)], [dt.date(2026, 1, 1)]),
    "widths": (pa.array(["a"]), (pa.array(["a"]), pa.array([1]))),
}


WIDER = {
    "decimals": ([Decimal("1.50"), Decimal("2.25")], pa.array([Decimal("3.12345")])),
    "times": (pa.array([1, 2], pa.timestamp("ms")), pa.array([3], pa.timestamp("ns"))),
}


@pytest.mark.parametrize(("ids", "wider"), WIDER.values(), ids=WIDER)
def test_a_refused_union_leaves_no_wider_type(ids, wider):
    sets = skerry.UnionFind(ids="external")
    sets.union(ids, ids)
    before = pickle.dumps(list(sets)), sets.labels.tolist()
    with pytest.raises(skerry.InputError):
        sets.union(wider, pa.array(["a"]))
    assert (pickle.dumps(list(sets)), sets.labels.tolist()) == before
    assert sets.union(wider, wider) == 0 and len(sets) == 3


@pytest.mark.parametrize("ends", MIXED.values(), ids=MIXED)
@pytest.mark.parametrize("forest", [False, True])
def test_a_refused_first_union_leaves_no_ids_and_no_kind(ends, forest):
    sets = skerry.UnionFind(ids="external", forest=forest)
    with pytest.raises(skerry.InputError):
        sets.union(*ends)
    assert (len(sets), list(sets), sets.labels.tolist(), sets.count) == (0, [], [], 0)
    assert "a" not in sets and len(pickle.loads(pickle.dumps(sets))) == 0
    with pytest.raises(skerry.InputError, match="'a' is not an id"):
        sets.connected(pa.array(["a"]), pa.array(["a"]))
    assert sets.union("b", "c") == 1 and list(sets) == ["b", "c"]


@pytest.mark.parametrize("call", ["union", "add", "connected", "find"])
def test_an_empty_tuple_is_no_id(call):
    sets = skerry.UnionFind(ids="external")
    with pytest.raises(skerry.InputError, match=r"\(\) is not an id"):
        getattr(sets, call)(*[()] * (2 if call in ("union", "connected") else 1))
    assert len(sets) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGALRM")
@pytest.mark.parametrize("ids", ["vertices", "external"])
def test_what_a_signal_leaves_of_a_batch_is_joined_by_the_next_call(ids):
    """Native code is stopped within; the caller changes the arrays afterwards."""
    n, repeats = 300_000, 12
    batch = np.random.default_rng(5).integers(0, n, (2, 2 * n), np.uint32)
    right = skerry.UnionFind(ids=ids)
    right.union([0], [1])
    right.union(*batch)
    for delay in (0.01, 0.06, 0.12):
        sets = skerry.UnionFind(ids=ids, threads=2)
        sets.union([0], [1])
        ends = [np.tile(end, repeats) for end in batch]
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            signal.setitimer(signal.ITIMER_REAL, delay)
            sets.union(*ends)
        except KeyboardInterrupt:
            pass
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        for end in ends:
            end[:] = 0
        if len(sets) == 2:
            assert sets.count == 1 and sets.connected(0, 1) and sets.labels.tolist() == [0, 0]
        else:
            assert sets.count == right.count and np.array_equal(sets.labels, right.labels)


FORKED = """
import os, signal, sys, threading, time
import numpy, skerry
size = 200_000
ends = numpy.random.default_rng(1).integers(0, size, (2, 2 * size))
for ids in ("vertices", "external"):
    sets = skerry.UnionFind(ids=ids, threads=2)
    sets.union([0], [1])
    worker = threading.Thread(target=lambda: [sets.union(*ends) for _ in range(8)])
    worker.start()
    while len(sets) <= 2:
        time.sleep(0.001)
    if os.fork() == 0:
        signal.alarm(20)
        errors = 0
        for ask in (
            lambda: sets.connected(0, 1),
            lambda: sets.labels,
            lambda: sets.union(5, 6),
            lambda: sets.connected([0], [1]),
        ):
            try:
                ask()
            except skerry.SkerryError as error:
                errors += "when the process forked" in str(error)
        other = skerry.UnionFind(ids=ids)
        other.union(*ends[:, :5])
        os._exit(errors)
    print(os.waitstatus_to_exitcode(os.wait()[1]) in (0, 4))
    worker.join()
    print(sets.connected(0, 1), sets.count == len(sets.sizes()))
idle = skerry.UnionFind()
idle.union([0, 2], [1, 3])
if os.fork() == 0:
    os._exit(0 if idle.connected(0, 1) and idle.union(1, 2) and idle.count == 1 else 1)
print(os.waitstatus_to_exitcode(os.wait()[1]))
"""


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="no fork")
def test_a_child_refuses_what_another_thread_was_changing():
    """It hung."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert done.stdout.split() == ["True", "True", "True"] * 2 + ["0"]


def test_sub_interpreters_are_refused_at_import():
    """Import worked, and the first call never returned."""
    code = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
import skerry._native
try:
    made = interpreters.create("legacy")
except TypeError:
    made = interpreters.create(isolated=False)
interpreters.run_string(made, '''
try:
    import skerry._native
except ImportError as error:
    print(error)
''')
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    refusals = (
        "main interpreter only",
        "does not support loading in subinterpreters",
    )  # ours, 3.14's
    assert any(text in done.stdout for text in refusals)


def test_copies_of_results_and_sweeps():
    result = skerry.connected_components([(0, 1), (1, 2)])
    assert copy.copy(result).verify() and copy.deepcopy(result).verify()
    table = pa.table({"a": ["x", "y"], "b": ["y", "z"], "w": [0.5, 0.9]})
    for graph, weights in ((([0, 1], [1, 2]), [0.5, 0.9]), (table, "w")):
        sweep = skerry.threshold_sweep(graph, weights, [0.4, 0.8])
        for made in (pickle.loads(pickle.dumps(sweep)), copy.copy(sweep), copy.deepcopy(sweep)):
            assert made.table() == sweep.table() and repr(made) == repr(sweep)
            for threshold in sweep:
                assert made[threshold].labels.tolist() == sweep[threshold].labels.tolist()
                assert made[threshold].table() == sweep[threshold].table()
        assert sweep[0.8].verify()
        with pytest.raises(skerry.UnsupportedError, match="unpickled"):
            pickle.loads(pickle.dumps(sweep))[0.8].verify()


def test_what_says_no_time_and_what_names_external_ids():
    sets = skerry.UnionFind(2)
    assert "ms=" not in repr(sets.components())
    assert "ms=" in repr(skerry.connected_components([(0, 1)]))
    with pytest.raises(skerry.InputError, match=r'ids="external"'):
        sets.union(2**60, 1)
    with pytest.raises(skerry.InputError, match=r'ids="external"'):
        sets.union([2**60], [1])
