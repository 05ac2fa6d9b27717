"""`skerry.SlidingWindow`: at every step the components of the last batches, computed afresh."""

from __future__ import annotations

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from support.oracle import flood_labels

BATCH = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=8)


def right_labels(batches, n):
    pairs = np.array([pair for batch in batches for pair in batch], np.int64).reshape(-1, 2)
    return flood_labels(n, pairs[:, 0], pairs[:, 1]).tolist()


def check(window, batches, n):
    right = right_labels(batches, n)
    assert window.num_vertices == n and len(window) == len(batches)
    assert window.labels.tolist() == right == window.find(np.arange(n)).tolist()
    assert window.count == len(set(right)) == len(window.sizes())
    if n:
        assert window.connected(0, n - 1) is (right[0] == right[-1])


@settings(deadline=None)
@given(
    batches=st.lists(BATCH, max_size=14),
    size=st.integers(1, 5),
    threads=st.sampled_from([1, 2]),
    ask=st.booleans(),
)
def test_every_step_of_a_stream(batches, size, threads, ask):
    window = skerry.SlidingWindow(size, threads=threads)
    n = 0
    for step, batch in enumerate(batches, 1):
        window.push([u for u, _ in batch], [v for _, v in batch])
        n = max([n, *(max(pair) + 1 for pair in batch)])
        if ask or step == len(batches):
            check(window, batches[max(step - size, 0) : step], n)


@settings(deadline=None)
@given(steps=st.lists(st.one_of(st.none(), BATCH), max_size=20))
def test_batches_dropped_by_hand(steps):
    window, kept = skerry.SlidingWindow(None, num_vertices=21), []
    for batch in steps:
        if batch is not None:
            window.push([u for u, _ in batch], [v for _, v in batch])
            kept.append(batch)
        elif kept:
            window.pop()
            kept.pop(0)
        else:
            with pytest.raises(skerry.InputError, match="no batch"):
                window.pop()
        check(window, kept, 21)


def named(batch, kind):
    """Both ends of a batch as ids of some kind."""
    src, dst = [u for u, _ in batch], [v for _, v in batch]
    if kind == "lists of text":
        return [f"v{u:02}" for u in src], [f"v{v:02}" for v in dst]
    if kind == "text":
        return pa.array([f"v{u:02}" for u in src], pa.string()), pa.array(
            [f"v{v:02}" for v in dst], pa.string()
        )
    if kind == "pairs":
        return tuple(
            (np.array(end, np.int64) // 4, np.array(end, np.int64) % 4) for end in (src, dst)
        )
    return np.array(src, np.int64) * 2**40, np.array(dst, np.int64) * 2**40


@pytest.mark.parametrize("kind", ["text", "lists of text", "wide", "pairs"])
@settings(deadline=None, max_examples=40)
@given(batches=st.lists(BATCH, max_size=10), size=st.integers(1, 4), ask=st.booleans())
def test_external_ids_leave_with_their_last_edge(kind, batches, size, ask):
    window = skerry.SlidingWindow(size, ids="external")
    for step, batch in enumerate(batches, 1):
        window.push(*named(batch, kind))
        if not ask and step < len(batches):
            continue
        kept = [pair for batch in batches[max(step - size, 0) : step] for pair in batch]
        right = skerry.UnionFind(ids="external")
        right.union(*named(kept, kind))
        assert window.num_vertices == len(right) and window.count == right.count
        assert window.labels.tolist() == right.labels.tolist()
        assert list(window._sets()) == list(right)


def test_external_ids_of_a_window():
    window = skerry.SlidingWindow(1, ids="external")
    window.push(["b"], ["a"])
    assert window.find("b") == "a" and window.connected("a", "b")
    window.push(["b", "d"], ["c", "d"])
    assert window.ids.to_pylist() == ["b", "c", "d"] and window.labels.tolist() == [0, 0, 2]
    with pytest.raises(skerry.InputError, match="'a' is not an id"):
        window.find("a")
    with pytest.raises(skerry.InputError, match="src must hold the ids of a batch"):
        window.push("a", "b")
    window = skerry.SlidingWindow(None, ids="external")
    window.push(np.empty(0, np.int64), np.empty(0, np.int64))  # no ids, and so no kind
    window.push(["b", "e"], ["a", "f"])
    window.pop()
    window.push(["b"], ["c"])
    window.pop()
    for batch in ((np.array([1]), np.array([2])), ([1], [2])):  # nothing but the front knows a kind
        with pytest.raises(skerry.InputError, match="ids of type"):
            window.push(*batch)
    assert window.ids.to_pylist() == ["b", "c"]


def test_the_front_holds_fewer_pairs_than_vertices():
    random = np.random.default_rng(5)
    window = skerry.SlidingWindow(10)
    for _ in range(25):
        window.push(*random.integers(0, 300, (2, 400)))
        assert sum(len(pairs.src) for pairs in window._batches.front) < 300


def test_batches_are_copied_and_a_refused_one_changes_nothing():
    window = skerry.SlidingWindow(2, num_vertices=4)
    src, dst = np.array([0]), np.array([1])
    window.push(src, dst)
    src[0] = dst[0] = 3
    for bad in (([0], [-1]), ([0, 1], [1]), ([0.5], [1]), ("a", "b")):
        with pytest.raises(skerry.InputError):
            window.push(*bad)
    window.push([2], [3])
    assert window.labels.tolist() == [0, 0, 2, 2] and len(window) == 2
    window.push([], [])
    assert window.labels.tolist() == [0, 1, 2, 2]
    assert repr(window) == "SlidingWindow(batches=2, ids='vertices')"
    result = window.components()
    window.push([0], [3])
    assert result.labels.tolist() == [0, 1, 2, 2] and window.connected([0], [3]).all()


@pytest.mark.parametrize("batches", [0, -1, True, 2.5, "3"])
def test_refuses(batches):
    message = re.escape(f"batches must be an integer, 1 or more, or None, got {batches!r}")
    with pytest.raises(skerry.InputError, match=message):
        skerry.SlidingWindow(batches)


def test_threads_may_share_it():
    window = skerry.SlidingWindow(3, num_vertices=200)

    def push(seed):
        random = np.random.default_rng(seed)
        for _ in range(30):
            window.push(*random.integers(0, 200, (2, 50)))
            assert window.sizes().sum() == 200

    with ThreadPoolExecutor(3) as pool:
        for done in [pool.submit(push, seed) for seed in range(3)]:
            done.result(timeout=60)
    assert len(window) == 3


def test_external_ids_are_the_first_thing_that_a_process_uses():
    code = (
        "import skerry; window = skerry.SlidingWindow(2, ids='external');"
        "window.push(['a'], ['b']); print(window.count)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"
