"""Rows may be sorted or not, known or not, or wrongly said to be: the labels are the same."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry import generators
from skerry.generators import recipes
from skerry.graph.build import csr_from_edges
from skerry.graph.csr import Csr
from support.specs import READ_ROWS


@pytest.fixture(scope="module", params=["near", "far", "groups"])
def rows(request):
    rng = np.random.default_rng(5)
    if request.param == "far":
        edges = generators.make(recipes.uniform(30_000, 75_000))
        return csr_from_edges(edges)
    n = 40_000
    src = rng.integers(0, n, 3 * n)
    if request.param == "near":
        dst = np.minimum(src + rng.integers(1, 40, 3 * n), n - 1)
    else:
        dst = src // 8 * 8 + rng.integers(0, 8, 3 * n)
    return csr_from_edges(skerry.Edges(src, dst, n))


def with_rows(rows, change, **facts):
    """A graph of the caller's own arrays, some of whose rows are in another order."""
    neighbors = rows.neighbors.copy()
    ends = rows.offsets.astype(np.int64)
    for v in change:
        row = neighbors[ends[v] : ends[v + 1]]
        row[:] = row[::-1].copy()
    return Csr(rows.offsets.copy(), neighbors, symmetric=True, **facts)


@pytest.mark.parametrize("algorithm", READ_ROWS)
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_any_order_gives_the_same_labels(rows, algorithm, threads):
    expected = skerry.connected_components(rows, algorithm="union-find").labels
    n = rows.num_vertices
    cases = {
        "known": rows,
        "not known": with_rows(rows, ()),
        "one row": with_rows(rows, (n // 3,)),
        "all rows": with_rows(rows, range(n)),
        "a wrong promise": with_rows(rows, range(0, n, 2), sorted_rows=True),
    }
    for name, graph in cases.items():
        found = skerry.connected_components(graph, algorithm=algorithm, threads=threads)
        np.testing.assert_array_equal(found.labels, expected, err_msg=name)
