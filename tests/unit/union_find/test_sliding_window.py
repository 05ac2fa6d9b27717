"""`skerry.SlidingWindow`: at every step the components of the last batches, computed afresh."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
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


def test_the_front_holds_fewer_pairs_than_vertices():
    random = np.random.default_rng(5)
    window = skerry.SlidingWindow(10)
    for _ in range(25):
        window.push(*random.integers(0, 300, (2, 400)))
        assert sum(len(pairs.src) for pairs in window._front) < 300


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
    assert repr(window) == "SlidingWindow(batches=2, vertices=4)"
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
