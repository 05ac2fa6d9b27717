"""Strongly connected components: beside reachability, scipy, and the order that is promised."""

from __future__ import annotations

import itertools
import signal
import threading

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph

import skerry
import skerry._native as native
from skerry import generators
from skerry.graph.strong import rows_of_targets, strong_components

THREADS = (1, 2, 8)


def labels_of(matrix, threads=1, dtype=np.uint32):
    labels = np.empty(matrix.shape[0], dtype)
    count, faulty = native.strong_components(
        matrix.indptr.astype(np.uint64), matrix.indices.astype(dtype), labels, threads
    )
    assert not faulty
    return count, labels


def matrix_of(n, src, dst):
    return scipy.sparse.csr_array((np.ones(len(src)), (src, dst)), shape=(n, n))


def canonical(labels):
    """The first vertex of each one's component."""
    _, first, number = np.unique(labels, return_index=True, return_inverse=True)
    return first[number]


def assert_right(matrix, truth, threads=THREADS, types=(np.uint32, np.uint64)):
    """Every number of threads and width gives one answer, in a reverse topological order."""
    count, labels = labels_of(matrix)
    np.testing.assert_array_equal(canonical(labels), canonical(truth))
    assert sorted(set(labels.tolist())) == list(range(count))
    entries = matrix.tocoo()
    assert (labels[entries.row] >= labels[entries.col]).all()
    for team, dtype in itertools.product(threads, types):
        same_count, same = labels_of(matrix, team, dtype)
        assert same_count == count
        np.testing.assert_array_equal(same, labels)
    return labels


def by_reachability(n, edges):
    """Each vertex's smallest one that it reaches and that reaches it: Warshall's closure."""
    reach = [1 << v for v in range(n)]
    for u, v in edges:
        reach[u] |= 1 << v
    for k in range(n):
        for u in range(n):
            if reach[u] >> k & 1:
                reach[u] |= reach[k]
    return [next(u for u in range(n) if reach[u] >> v & reach[v] >> u & 1) for v in range(n)]


@pytest.mark.parametrize("n", range(5))
def test_all_graphs_of_few_vertices(n):
    pairs = [(u, v) for u in range(n) for v in range(n) if u != v or n < 4]
    for chosen in range(1 << len(pairs)):
        edges = [pair for bit, pair in enumerate(pairs) if chosen >> bit & 1]
        rows = np.array([u for u, _ in edges], np.intp)
        graph = rows_of_targets(rows, np.array([v for _, v in edges], np.intp), n)
        count, labels = strong_components(graph)
        assert canonical(labels).tolist() == by_reachability(n, edges), edges
        assert count == len(set(labels.tolist())) and all(labels[u] >= labels[v] for u, v in edges)


@pytest.mark.parametrize("degree", [0.5, 1, 1.5, 3])
def test_random_graphs_have_scipys_numbers(degree):
    random = np.random.default_rng(7)
    for n in (5, 60, 700, 9000):
        matrix = matrix_of(n, *random.integers(0, n, (2, int(n * degree))))
        _, truth = csgraph.connected_components(matrix, connection="strong")
        labels = assert_right(matrix, truth)
        if np.lib.NumpyVersion(scipy.__version__) < "1.18.0":  # whose order is another one
            np.testing.assert_array_equal(labels, truth)


def directed(edges, seed=1):
    """Each edge one way or the other."""
    flip = np.random.default_rng(seed).random(len(edges.src)) < 0.5
    ends = np.where(flip, edges.src, edges.dst), np.where(flip, edges.dst, edges.src)
    return matrix_of(edges.num_vertices, *ends)


def chain(n, size):
    """Circles of that size, each with an edge to the next."""
    v = np.arange(n)
    into = np.where(v % size == size - 1, v - size + 1, v + 1)
    links = np.arange(0, n - size, size)
    return matrix_of(n, np.r_[v, links], np.r_[into, links + size])


def shuffled(matrix):
    order = np.random.default_rng(3).permutation(matrix.shape[0])
    entries = matrix.tocoo()
    return matrix_of(len(order), order[entries.row], order[entries.col])


N = 70000
LARGE = {
    "random, a giant": lambda: directed(generators.uniform(N, 8 * N, seed=1)),
    "R-MAT, a giant, sources and sinks": lambda: directed(generators.rmat(17, 6, seed=1)),
    "web, a giant": lambda: directed(generators.web(N)),
    "preferential attachment": lambda: directed(generators.preferential_attachment(N, 4)),
    "star, both ways": lambda: symmetric(generators.star(N)),
    "grid, both ways": lambda: symmetric(generators.grid(270, 270)),
    "grid": lambda: directed(generators.grid(270, 270)),
    "acyclic": lambda: scipy.sparse.triu(directed(generators.uniform(N, 8 * N, seed=2))).tocsr(),
    "path": lambda: matrix_of(N, np.arange(N - 1), np.arange(1, N)),
    "circle": lambda: shuffled(matrix_of(N, np.arange(N), np.roll(np.arange(N), 1))),
    "chain of circles": lambda: shuffled(chain(N, 10)),
    "chain of large circles": lambda: chain(N, N // 4),
    "two giants": lambda: scipy.sparse.block_diag(
        [directed(generators.uniform(N, 8 * N, seed=seed)) for seed in (3, 4)]
    ).tocsr(),
    "no edges": lambda: scipy.sparse.csr_array((N, N)),
}


def symmetric(edges):
    matrix = directed(edges)
    return (matrix + matrix.T).tocsr()


@pytest.mark.parametrize("name", LARGE)
def test_large_graphs(name):
    matrix = LARGE[name]()
    _, truth = csgraph.connected_components(matrix, connection="strong")
    assert_right(matrix, truth)
    assert_right(
        shuffled(matrix), csgraph.connected_components(shuffled(matrix), True, "strong")[1]
    )


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("name", ["random, a giant", "path"])
def test_invalid_rows_are_found(name, threads):
    matrix = LARGE[name]()
    offsets, neighbors = matrix.indptr.astype(np.uint64), matrix.indices.astype(np.uint32)
    labels = np.empty(matrix.shape[0], np.uint32)
    for entry in np.random.default_rng(5).integers(0, len(neighbors), 4).tolist():
        for value in (len(labels), 2**32 - 1):
            wrong = neighbors.copy()
            wrong[entry] = value
            assert native.strong_components(offsets, wrong, labels, threads)[1]
    for row in np.random.default_rng(6).integers(1, len(labels), 4).tolist():
        for value in (offsets[row + 1] + 1, 2**63, 2**64 - 1):
            wrong = offsets.copy()
            wrong[row] = value
            assert native.strong_components(wrong, neighbors, labels, threads)[1]


def test_labels_of_another_length_are_refused():
    offsets, neighbors = np.zeros(3, np.uint64), np.empty(0, np.uint32)
    with pytest.raises(ValueError):
        native.strong_components(offsets, neighbors, np.empty(3, np.uint32), 1)


def test_ctrl_c_ends_a_call():
    n = 2_000_000
    order = np.random.default_rng(3).permutation(n)
    neighbors, labels = np.empty(n, np.uint32), np.empty(n, np.uint32)
    neighbors[order] = np.roll(order, 1)
    offsets = np.arange(n + 1, dtype=np.uint64)
    main = threading.main_thread().ident
    timer = threading.Timer(0.02, signal.pthread_kill, (main, signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        native.strong_components(offsets, neighbors, labels, 1)
        timer.join()
    assert labels.any()  # a complete answer of a circle is 0 everywhere


def test_rows_of_targets_keep_what_is_given():
    graph = rows_of_targets(np.array([2, 0, 2, 2]), np.array([1, 1, 0, 1]), 3)
    assert graph.offsets.tolist() == [0, 1, 1, 4] and graph.neighbors.tolist() == [1, 1, 0, 1]
    with pytest.raises(skerry.InputError, match="changed"):
        strong_components(skerry.Csr(np.array([0, 1], np.uint64), np.array([1], np.uint32)))
