"""What `flood` decides while it runs, by what it has seen so far."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry import generators
from skerry.generators import recipes
from skerry.graph.build import csr_from_edges
from support.graphs import graph_of


def shuffled(n, edges):
    """Rows of edges among ids in no order."""
    ids = np.random.default_rng(3).permutation(n)[edges]
    return csr_from_edges(skerry.Edges(ids[:, 0], ids[:, 1], n))


def test_a_flood_seeds_a_component_smaller_than_its_seed():
    """A twentieth that expands fast beside a strip: smaller than the seed, but worth a flood."""
    n = 20_000
    fast = generators.make(recipes.uniform(n // 20, n // 5))
    strip = generators.make(recipes.grid((n - n // 20) // 5, 5))
    src = np.concatenate([fast.src, strip.src + n // 20])
    dst = np.concatenate([fast.dst, strip.dst + n // 20])
    rows = csr_from_edges(skerry.Edges(src, dst, n))
    result = skerry.connected_components(rows, algorithm="flood", threads=1, statistics=True)
    assert result.verify()
    assert result.plan.statistics.hooks < 20  # without a seed: about a hundred


def giant_among_small(seed, tail):
    """A fifth that expands fast, with a tail, among chains of three vertices; ids are mixed.

    A sweep sees only the first vertices of the tail; most vertices outside are in the chains.
    """
    rng = np.random.default_rng(seed)
    n, giant = 60_000, 12_000
    src, dst = rng.integers(0, giant, (2, 6 * giant))
    line = np.arange(giant, giant + tail)
    small = np.arange(giant + tail, n)
    starts = small[small % 3 > 0]
    src = np.concatenate((src, line, starts))
    dst = np.concatenate((dst, line - 1, starts - 1))
    ids = rng.permutation(n)
    return graph_of("giant among small", n, np.column_stack((ids[src], ids[dst])), large=True)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("tail", [1, 600])
def test_flood_leaves_its_rows_out_where_the_others_are_small(threads, tail):
    graph = giant_among_small(threads, tail)
    rows = csr_from_edges(skerry.Edges(graph.src, graph.dst, graph.n))
    result = skerry.connected_components(rows, algorithm="flood", threads=threads)
    assert any("small components" in step.name for step in result.plan.passes)
    assert np.array_equal(result.labels, graph.labels)


def hubs_among_pairs(edges_inside):
    """A quarter of 200,000 vertices has hubs and so many edges a vertex, the others are pairs."""
    giant, n = 50_000, 200_000
    uniform = np.random.default_rng(7).random((edges_inside * giant, 2))
    inside = (giant * uniform ** (1, 4)).astype(int)  # low ids are hubs
    return shuffled(n, np.concatenate((inside, np.arange(giant, n).reshape(-1, 2))))


def test_flood_makes_no_sweep_where_most_of_the_others_are_small():
    rows = hubs_among_pairs(edges_inside=8)
    n = rows.num_vertices
    result = skerry.connected_components(rows, statistics=True)
    assert result.plan.algorithm == "flood" and result.plan.statistics.rounds == 0
    assert any("small components" in step.name for step in result.plan.passes)
    assert result.verify()
    last = rows.offsets.astype(np.int64)[-1] - 1
    neighbors = rows.neighbors.copy()
    neighbors[last] = n
    with pytest.raises(skerry.InputError, match=f"{n}"):
        skerry.connected_components(skerry.Csr(rows.offsets, neighbors, symmetric=True))


@pytest.mark.parametrize("threads", [1, 3])
def test_flood_looks_for_no_giant_where_rows_are_short_and_many_components_small(threads):
    rows = hubs_among_pairs(edges_inside=2)
    result = skerry.connected_components(rows, algorithm="flood", threads=threads)
    names = [step.name for step in result.plan.passes]
    assert any("sample components" in name for name in names)
    assert not any("seed" in name for name in names)
    assert result.verify()


@pytest.mark.parametrize("threads", [1, 3])
def test_flood_makes_no_sweep_where_rows_are_short_and_few_are_next_to_its_seed(threads):
    """Each answers one of the five before it, and a few also name one of 100."""
    n, rng = 200_000, np.random.default_rng(3)
    later = np.arange(105, n)
    answered = later - 1 - rng.integers(0, 5, len(later))
    naming = rng.choice(later, n // 50, replace=False)
    src, dst = np.r_[later, naming], np.r_[answered, rng.integers(0, 100, len(naming))]
    rows = csr_from_edges(skerry.Edges(src, dst, n))
    result = skerry.connected_components(rows, algorithm="flood", threads=threads)
    names = [step.name for step in result.plan.passes]
    assert any("seed" in name for name in names)
    assert any("join rows" in name for name in names)
    assert result.verify()
    neighbors = rows.neighbors.copy()
    neighbors[-1] = n
    with pytest.raises(skerry.InputError, match=f"{n}"):
        skerry.connected_components(skerry.Csr(rows.offsets, neighbors, symmetric=True))


def random_parts(count, size, degree):
    """So many random graphs."""
    rng = np.random.default_rng(6)
    inside = rng.integers(0, size, (count, degree * size // 2, 2))
    return np.concatenate(inside + size * np.arange(count)[:, None, None])


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("giants", "sweeps"), [(1, True), (2, False), (3, False)])
def test_flood_makes_no_sweep_where_there_are_several_giants(giants, sweeps, threads):
    rows = shuffled(120_000, random_parts(giants, 120_000 // giants, 8))
    result = skerry.connected_components(rows, algorithm="flood", threads=threads, statistics=True)
    assert (result.plan.statistics.rounds > 0) is sweeps
    assert any("join rows" in step.name for step in result.plan.passes) is not sweeps
    assert result.verify()
    neighbors = rows.neighbors.copy()
    neighbors[-1] = rows.num_vertices
    faulty = skerry.Csr(rows.offsets, neighbors, symmetric=True)
    with pytest.raises(skerry.InputError, match=f"{rows.num_vertices}"):
        skerry.connected_components(faulty, algorithm="flood", threads=threads)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("edges", [0, 1, 300])
def test_flood_hands_over_where_no_component_is_large(edges, threads):
    pairs = np.arange(2 * edges).reshape(-1, 2)
    rows = csr_from_edges(skerry.Edges(*pairs.T.copy(), 100_000))
    result = skerry.connected_components(rows, algorithm="flood", threads=threads)
    assert result.count == 100_000 - edges and result.verify()


@pytest.mark.parametrize("threads", [1, 3])
def test_flood_hands_over_where_sweeps_add_little(threads):
    rows = shuffled(150**2, torus(150))
    result = skerry.connected_components(rows, algorithm="flood", threads=threads)
    assert any("link the others" in step.name for step in result.plan.passes)
    assert result.verify()


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


@pytest.mark.parametrize("algorithm", ["rows", "flood"])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_row_that_is_left_early_loses_no_component(algorithm, threads):
    rows = star_beside_a_hub_of_pairs()
    result = skerry.connected_components(rows, algorithm=algorithm, threads=threads)
    assert result.count == 1 and result.verify()


def torus(side):
    edges = generators.make(recipes.torus(side, side))
    return np.column_stack((edges.src, edges.dst))
