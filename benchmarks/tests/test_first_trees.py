"""The trees of first links that the record has are those that the device counts."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry.graph.build import csr_from_edges
from skerry_bench.corpus.first_trees import share_of_first_trees
from support.emulated import emulated_gpu
from support.emulator import EmulatedRuntime, works

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")


@pytest.mark.parametrize("nothing_is_small", [False, True])
@pytest.mark.parametrize("degree", [1.5, 6])
@pytest.mark.parametrize("in_order", [False, True])
def test_the_host_counts_what_the_device_counts(degree, in_order, nothing_is_small):
    rng = np.random.default_rng(3)
    n = 30_000
    ends = rng.integers(0, n - 5000, (2, int(degree * n / 2))).astype(np.uint32)
    rows = csr_from_edges(skerry.Edges(*ends, n))
    neighbors = rows.neighbors.copy()
    if in_order:
        of = np.repeat(np.arange(n), np.diff(rows.offsets.astype(np.int64)))
        neighbors = neighbors[np.lexsort((neighbors, of))]
    graph = skerry.Csr(rows.offsets.astype(np.uint32), neighbors, symmetric=True)
    with emulated_gpu(EmulatedRuntime(5, 7), True, nothing_is_small=nothing_is_small):
        measured = skerry.connected_components(graph, statistics=True).plan.statistics.measured
        share = share_of_first_trees(graph)
    assert measured == (("trees", pytest.approx(share, abs=1e-12)),)
    assert 0.01 < share < 0.6
