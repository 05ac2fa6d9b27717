"""Vertices whose first neighbor is larger are linked over it: no entry may be taken for another."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry.graph.build import csr_from_edges
from support.graphs import graph_of
from support.oracle import scipy_labels

N, HUBS = 40_000, 30


def hubs_after_leaves():
    """Each hub has the leaves of a range; some vertices between them are alone."""
    leaves = np.arange(N - HUBS)[np.arange(N - HUBS) % 11 != 5]
    hubs = N - HUBS + leaves * HUBS // (N - HUBS)
    return graph_of("hubs after leaves", N, np.column_stack((leaves, hubs)), large=True)


def test_hubs_after_leaves():
    graph = hubs_after_leaves()
    rows = csr_from_edges(graph.edges)
    for threads in (1, 2, 5):
        result = skerry.connected_components(rows, algorithm="rows", threads=threads)
        np.testing.assert_array_equal(result.labels, graph.labels)


def test_threads_link_leaves_without_hooks():
    result = skerry.connected_components(
        csr_from_edges(hubs_after_leaves().edges), algorithm="rows", threads=2, statistics=True
    )
    assert result.plan.statistics.hooks < N // 10


@pytest.mark.parametrize("kept", (0.0, 0.5, 1.0))
def test_rows_without_reverses(kept):
    """The rows of some hubs are empty, and those of others begin with another vertex."""
    rng = np.random.default_rng(4)
    rows = csr_from_edges(hubs_after_leaves().edges)
    offsets, neighbors = rows.offsets.astype(np.int64), rows.neighbors.astype(np.int64)
    degrees = np.diff(offsets)
    degrees[N - HUBS :][rng.random(HUBS) >= kept] = 0
    owner = np.repeat(np.arange(N), np.diff(offsets))
    neighbors = neighbors[degrees[owner] > 0]
    offsets = np.concatenate(([0], np.cumsum(degrees)))
    firsts = offsets[N - HUBS : N][degrees[N - HUBS :] > 0]
    neighbors[firsts] = rng.integers(0, N - HUBS, len(firsts))
    expected = scipy_labels(N, np.repeat(np.arange(N), degrees), neighbors)
    for threads in (1, 2, 5):
        result = skerry.connected_components(
            skerry.Csr(offsets, neighbors), algorithm="rows", threads=threads
        )
        np.testing.assert_array_equal(result.labels, expected)
