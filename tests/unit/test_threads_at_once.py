"""Eight Python threads solve, unite and read at once, with a lock of the interpreter or without."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

import skerry

THREADS = 8


def smallest_members(n, src, dst):
    """The labels by scipy: of each component, its smallest vertex."""
    matrix = sp.coo_array((np.ones(src.size), (src, dst)), (n, n))
    _, parts = connected_components(matrix, directed=False)
    _, first = np.unique(parts, return_index=True)
    return first[parts]


def test_solving_uniting_and_reading_at_once():
    n = 3000
    draw = np.random.default_rng(5)
    src, dst = draw.integers(0, n, (2, n // 2))
    expected = smallest_members(n, src, dst)
    neighbors = {v: [] for v in range(n)}
    for u, v in zip(src.tolist(), dst.tolist(), strict=True):
        neighbors[u].append(v)
        neighbors[v].append(u)
    graph = sp.csr_array((np.ones(src.size), (src, dst)), (n, n))
    shared = skerry.connected_components(graph)
    sets = skerry.UnionFind(n)
    parts = np.array_split(np.arange(src.size), THREADS)
    start = threading.Barrier(THREADS)

    def work(thread):
        start.wait()
        for part in np.array_split(parts[thread], 10):
            sets.union(src[part], dst[part])
            assert sets.connected(src[part], dst[part]).all()
            labels = skerry.connected_components((src, dst), num_vertices=n, threads=2).labels
            np.testing.assert_array_equal(labels, expected)
            assert shared.connected(int(src[0]), int(dst[0]))
            assert shared.largest().size == np.bincount(expected).max()
        np.testing.assert_array_equal(skerry.connected_components(neighbors).labels, expected)
        np.testing.assert_array_equal(skerry.connected_components(graph).labels, expected)

    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(work, thread) for thread in range(THREADS)]:
            done.result(timeout=120)
    np.testing.assert_array_equal(sets.labels, expected)
