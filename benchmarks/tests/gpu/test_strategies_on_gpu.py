"""What first links make selects the strategy: the device counts exactly, and says what it did."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry.algorithms.gpu_planner import Strategy, row_plan
from skerry.graph.build import csr_from_edges
from skerry_bench.corpus.first_trees import share_of_first_trees
from support.on_gpu import require_gpu

cp = require_gpu()

LINKS, DIRECT, PLAIN = Strategy


def rows_of(n, src, dst):
    """Rows in ascending order, on the host and on the device."""
    rows = csr_from_edges(skerry.Edges(src.astype(np.uint32), dst.astype(np.uint32), n))
    of = np.repeat(np.arange(n, dtype=np.int64), np.diff(rows.offsets.astype(np.int64)))
    neighbors = rows.neighbors[np.lexsort((rows.neighbors, of))]
    offsets = rows.offsets.astype(np.uint32)
    host = skerry.Csr(offsets, neighbors, symmetric=True)
    return host, skerry.Csr(cp.asarray(offsets), cp.asarray(neighbors), symmetric=True)


def random_edges(n, degree, without=0):
    return np.random.default_rng(7).integers(0, n - without, (2, n * degree // 2))


def path(n):
    return np.arange(n - 1), np.arange(1, n)


def shuffled_path(n):
    return np.random.default_rng(1).permutation(n)[np.array(path(n))]


@pytest.mark.parametrize(
    ("n", "ends", "strategy"),
    [
        (100_000, random_edges(100_000, 12), LINKS),
        (100_000, random_edges(100_000, 12, without=30_000), LINKS),
        (500_000, path(500_000), DIRECT),
        (500_000, shuffled_path(500_000), PLAIN),
        (2_500_000, path(2_500_000), DIRECT),  # more vertices than have a thread each
        (2_500_000, shuffled_path(2_500_000), PLAIN),
    ],
    ids=["random", "isolated", "path", "shuffled path", "long path", "long shuffled path"],
)
def test_trees_are_counted_exactly(n, ends, strategy):
    host, rows = rows_of(n, *ends)
    plan = row_plan(n, host.num_entries, True)
    result = skerry.connected_components(rows, statistics=True)
    share = share_of_first_trees(host)
    if plan.depends:
        assert result.plan.statistics.measured == (("trees", pytest.approx(share, abs=1e-12)),)
        assert plan.select(round(share * 10**9), 10**9) == strategy
    assert ("skip the largest" in result.plan.stages) == (strategy is LINKS)
    assert ("flatten" in result.plan.stages) == (strategy is not PLAIN)
    for forced in Strategy:
        again = skerry.connected_components(rows, algorithm=f"rows[strategy={forced.name.lower()}]")
        cp.testing.assert_array_equal(again.labels, result.labels)
    assert result.verify()
