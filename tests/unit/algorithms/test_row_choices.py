"""Every choice of the stages of `rows` gives the same labels: on any shape, width and team."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import skerry
from skerry import generators
from skerry.algorithms.number_ranges import WORDS
from skerry.graph.build import csr_from_edges
from skerry.graph.csr import Csr
from support.graphs import graph_of, medium_graphs, small_graphs
from support.oracle import scipy_labels
from support.specs import READ_ROWS

NAMED = ("seconds", "rest", "join")
CHOICES = [
    "rows[{}]".format(",".join(f"{name}={word}" for name, word in zip(NAMED, words, strict=True)))
    for words in product(*(WORDS[name] for name in NAMED))
]
NAMES = {
    "empty",
    "one vertex",
    "no edges",
    "loops",
    "duplicates",
    "isolated at the start",
    "star, hub last",
    "shuffled path",
    "complete",
    "joined by the last edge",
    "below the threshold",
    "pairs",
    "shuffled grid",
    "two stars",
    "random, above the threshold",
    "random",
}
SHAPES = [graph for graph in (*small_graphs(), *medium_graphs()) if graph.name in NAMES]


@pytest.mark.parametrize("graph", SHAPES, ids=lambda graph: graph.name)
def test_every_choice_gives_the_same_labels(graph):
    unsorted, one_way = graph.symmetric, graph.csr
    forms = {
        "sorted": csr_from_edges(graph.edges),
        "unsorted": skerry.Csr(unsorted.indptr, unsorted.indices, symmetric=True),
        "one way": skerry.Csr(one_way.indptr, one_way.indices),
    }
    for choice, dtype, threads in product(CHOICES, (np.uint32, np.uint64), (1, 3)):
        for form, rows in forms.items():
            result = skerry.connected_components(
                rows, algorithm=choice, dtype=dtype, threads=threads
            )
            np.testing.assert_array_equal(
                result.labels, graph.labels, err_msg=f"{choice} {form} {dtype} {threads}"
            )


def test_choices_are_words_that_are_checked():
    rows = skerry.algorithm("rows[rest=join,join=window]")
    assert str(rows) == "rows[rest=join,join=window]"
    assert rows.choices["join"] == WORDS["join"]
    for wrong in ("rows[join=1]", "rows[join=links]", "rows[join=]"):
        with pytest.raises(skerry.UnsupportedError, match="is not one of: auto, window, as-read"):
            skerry.algorithm(wrong)


# Vertices whose first neighbor is larger are linked over it: no entry may be taken for another.

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


# Rows with much of a graph's entries: the team joins them together, with the same labels.


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


# Rows may be sorted or not, known or not, or wrongly said to be: the labels are the same.


@pytest.fixture(scope="module", params=["near", "far", "groups"])
def rows(request):
    rng = np.random.default_rng(5)
    if request.param == "far":
        edges = generators.make(generators.uniform.recipe(30_000, 75_000))
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
