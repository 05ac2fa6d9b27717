"""Rows with much of a graph's entries: the team joins them together, with the same labels."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry.graph.build import csr_from_edges
from skerry.graph.csr import Csr
from support.graphs import graph_of
from support.specs import READ_ROWS


def hubs_at(places, n=60_000):
    """Leaves of the hubs in turn, a path through some of them, and vertices on their own."""
    leaves = np.arange(n)[np.arange(n) % 7 != 3]
    src = np.asarray(places)[leaves % len(places)]
    path = np.arange(0, n // 4, 2)
    ends = np.append(src, path[:-1]), np.append(leaves, path[1:])
    return graph_of("hubs", n, np.column_stack(ends), large=True)


PLACES = {
    "first": [0],
    "last": [59_999],
    "middle": [30_000],
    "several": [5, 20_000, 59_998],
    "many side by side": range(59_600, 60_000),
}


@pytest.mark.parametrize("algorithm", READ_ROWS)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("symmetric", [True, False])
def test_hubs_anywhere(place, algorithm, symmetric):
    if not symmetric and algorithm == "flood":
        pytest.skip("it needs both directions")
    graph = hubs_at(PLACES[place])
    rows = csr_from_edges(graph.edges) if symmetric else Csr(graph.csr.indptr, graph.csr.indices)
    for threads in (1, 2, 5):
        found = skerry.connected_components(rows, algorithm=algorithm, threads=threads)
        np.testing.assert_array_equal(found.labels, graph.labels)
