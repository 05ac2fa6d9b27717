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
    graph = hubs_at(PLACES[place])
    rows = csr_from_edges(graph.edges) if symmetric else Csr(graph.csr.indptr, graph.csr.indices)
    for threads in (1, 2, 5):
        found = skerry.connected_components(rows, algorithm=algorithm, threads=threads)
        np.testing.assert_array_equal(found.labels, graph.labels)


def star_beside_a_hub_of_pairs():
    """A star of 0, and a hub 1: its first entry leads to the star, the others to pairs.

    The hub's row is left after its first entry, so each pair has to be joined from its own row.
    """
    star, pairs = 40_000, 10_000
    first = star + 2 * np.arange(pairs)
    hub_row = np.concatenate(([2], first))
    leaves = np.zeros(star - 2, np.int64)
    rows = [np.arange(2, star), hub_row, [0, 1], leaves[1:]]
    lengths = [star - 2, len(hub_row), 2, *np.ones(star - 3, int), *np.tile((2, 1), pairs)]
    # Not in ascending order: the first entry of a pair's row is the other vertex of the pair.
    ends = np.column_stack((first + 1, np.ones(pairs, int), first)).ravel()
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    return skerry.Csr(offsets, np.concatenate([*rows, ends]), symmetric=True)


@pytest.mark.parametrize("algorithm", READ_ROWS)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_row_that_is_left_early_loses_no_component(algorithm, threads):
    rows = star_beside_a_hub_of_pairs()
    result = skerry.connected_components(rows, algorithm=algorithm, threads=threads)
    assert result.count == 1 and result.verify()
