"""What `auto` chooses for graphs of a known shape, of every size; and that it says so."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry import generators
from skerry.algorithms import planner
from skerry.algorithms.planner import (
    EXPANSION_FROM,
    LOOK_FROM,
    SYMMETRIC_ROWS,
    THREADS,
    choose,
    shared_work,
    threads_for,
)
from skerry.generators import recipes
from skerry.graph.build import csr_from_edges
from skerry.graph.csr import Csr
from skerry.graph.features import Features, expanded, features
from support.graphs import graph_of

SHAPES = {
    "flood": lambda n: recipes.rmat(max(n, 16).bit_length() - 1, 8),
    "rounds": lambda n: recipes.grid(int(n**0.5), int(n**0.5)),
    "local": lambda n: recipes.path(n),
    "window": lambda n: recipes.path(n, shuffled=True),
}
"""A shape for each of our ways."""


def rows_of(recipe):
    return csr_from_edges(generators.make(recipe))


def all_features(graph):
    return expanded(graph, features(graph))


@pytest.mark.parametrize("n", [6000, 20_000, 200_000])
@pytest.mark.parametrize("name", SHAPES)
def test_shape_decides(name, n):
    graph = rows_of(SHAPES[name](n))
    size = graph.num_vertices + graph.num_entries
    found = choose(graph, 4)
    if features(graph).smaller >= 0.995 and n < 1 << 16:
        name = "rounds"  # small, and in order
    elif size < EXPANSION_FROM:
        pytest.skip("too small for all of its shape to be looked at")
    elif name == "window" and n < 1 << 17:
        name = "carry"  # all parents are in the cache
    assert found.algorithm.name == name
    pays = threads_for(shared_work(name, graph.num_vertices, graph.num_entries))
    assert found.threads == min(pays, 4)
    assert ("too small" in found.reason) == (pays < 4)
    assert found.reason.startswith("CSR, symmetric; ")
    assert skerry.connected_components(graph).verify()


def shuffled_grid(n):
    grid = generators.make(SHAPES["rounds"](n))
    order = np.random.default_rng(1).permutation(grid.num_vertices)
    return csr_from_edges(skerry.Edges(order[grid.src], order[grid.dst], grid.num_vertices))


@pytest.mark.parametrize(("n", "name"), [(20_000, "carry"), (200_000, "rounds")])
def test_a_shuffled_grid(n, name):
    assert choose(shuffled_grid(n), 2).algorithm.name == name


@pytest.mark.parametrize(("threads", "name"), [(2, "window"), (7, "window"), (8, "carry")])
def test_many_threads_have_larger_caches(threads, name):
    path = rows_of(SHAPES["window"](200_000))
    assert choose(path, threads).algorithm.name == name


def path_to_rmat(n):
    """A path, and from its end on a graph that expands fast."""
    path, rest = generators.make(recipes.path(n)), generators.make(recipes.rmat(14, 16))
    order = n + np.random.default_rng(1).permutation(rest.num_vertices)
    ends = [(path.src, path.dst), (order[rest.src], order[rest.dst]), ([n - 1], [n])]
    src, dst = (np.concatenate(each) for each in zip(*ends, strict=True))
    return csr_from_edges(skerry.Edges(src, dst, n + rest.num_vertices))


@pytest.mark.parametrize(("threads", "name"), [(2, "local"), (4, "rounds")])
def test_a_path_to_a_graph_that_expands_fast(threads, name):
    graph = path_to_rmat(300_000)
    found = choose(graph, threads)
    assert found.algorithm.name == name
    assert found.sample.threads == threads
    assert skerry.connected_components(graph, threads=threads).verify()


def test_small_graphs_use_the_threads_that_pay():
    sizes = [start for start, _ in THREADS]
    assert sizes == sorted(sizes) and THREADS[-1][1] >= 1024
    assert threads_for(sizes[0] - 1) == 1
    for start, threads in THREADS:
        assert threads_for(start) == threads
    graph = rows_of(SHAPES["flood"](10_000))
    work = shared_work("flood", graph.num_vertices, graph.num_entries)
    assert choose(graph, 16).threads == threads_for(work) < 16
    assert choose(graph, 1).threads == 1


def test_every_graph_has_a_row_of_the_table():
    assert not SYMMETRIC_ROWS[-1].bounds
    assert {name for row in SYMMETRIC_ROWS for name, *_ in row.bounds} <= set(Features._fields)


def stencil(side):
    """Each point of a cube with the 26 around it, in the order of their coordinates."""
    z, y, x = (axis.ravel() for axis in np.indices((side, side, side)))
    src, dst = [], []
    for dz, dy, dx in np.ndindex(2, 3, 3):
        if (dz, dy - 1, dx - 1) > (0, 0, 0):
            a, b, c = z + dz, y + dy - 1, x + dx - 1
            inside = (a < side) & (b >= 0) & (b < side) & (c >= 0) & (c < side)
            src.append(np.flatnonzero(inside))
            dst.append(((a * side + b) * side + c)[inside])
    return skerry.Edges(np.concatenate(src), np.concatenate(dst), side**3)


def test_a_stencil_in_its_order_is_not_flooded():
    found = choose(csr_from_edges(stencil(24)), 2)
    assert found.algorithm.name == "rounds"
    assert "first neighbors have smaller ids" in found.reason


@pytest.mark.parametrize("name", SHAPES)
def test_the_smallest_are_not_looked_at(name):
    graph = rows_of(SHAPES[name](100))
    assert graph.num_vertices + graph.num_entries < LOOK_FROM
    found = choose(graph, 4)
    assert (found.algorithm.name, found.threads) == ("trace", 1)
    assert found.reason.startswith("too small for its shape to matter")


@pytest.mark.parametrize(("shape", "name"), [("rounds", "rounds"), ("window", "trace")])
def test_small_ones_are_looked_at_in_part(shape, name, monkeypatch):
    graph = rows_of(SHAPES[shape](2500))
    assert LOOK_FROM <= graph.num_vertices + graph.num_entries < EXPANSION_FROM
    monkeypatch.setattr(planner, "expanded", None)  # is not called
    found = choose(graph, 4)
    assert (found.algorithm.name, found.threads) == (name, 1)


def test_expansion_is_looked_at_once_where_a_row_asks_for_it(monkeypatch):
    calls = []
    monkeypatch.setattr(planner, "expanded", lambda *each: calls.append(1) or expanded(*each))
    choose(rows_of(SHAPES["rounds"](20_000)), 2)  # in order: no row asks before its own
    assert len(calls) == 0
    for shape in ("flood", "window"):
        found = choose(rows_of(SHAPES[shape](20_000)), 2)
        assert found.sample.levels > 0
    assert len(calls) == 2
    rows = rows_of(SHAPES["flood"](20_000))
    assert choose(Csr(rows.offsets, rows.neighbors), 2).sample.levels == 0
    assert len(calls) == 2


@pytest.mark.parametrize("known", [None, False])
def test_one_that_may_lack_reverses_is_not_traced(known):
    rows = Csr(np.array([0, 0, 1], np.uint64), np.array([0], np.uint32), known)
    found = choose(rows, 4)
    assert found.algorithm.name == "window"
    assert skerry.connected_components(rows).count == 1


@pytest.mark.parametrize("n", [6000, 20_000, 200_000])
def test_without_reverses_nothing_is_left_out(n):
    graph = rows_of(SHAPES["flood"](n))
    for known in (None, False):
        found = choose(Csr(graph.offsets, graph.neighbors, known), 2)
        assert found.algorithm.name == "window"
        assert "not known to be symmetric" in found.reason


def test_expansion():
    graph = rows_of(recipes.preferential_attachment(20_000, 4))
    looked, left = all_features(graph), features(graph)
    assert looked.reached >= 20_000 // 8 and 0 < looked.levels <= 4
    assert (left.reached, left.levels) == (0, 0)
    assert (left.degree, left.near, left.vertices) == (looked.degree, looked.near, 20_000)
    assert left.smaller == looked.smaller >= 0.99  # each attaches to earlier ones
    assert all_features(rows_of(SHAPES["rounds"](20_000))).levels > 8
    assert all_features(rows_of(recipes.tiny(3000))).levels == 0  # no component is large enough


def test_a_probe_does_not_walk_along_what_expands_slowly():
    sample = all_features(rows_of(recipes.path(100_000)))
    assert 500 < sample.reached < 600 and sample.levels > 8


def test_a_probe_does_not_read_all_of_a_clique():
    path = np.arange(1200, 20_000)  # behind a clique of 1,200 vertices
    clique = np.triu_indices(1200, 1)
    src, dst = np.concatenate([clique[0], path - 1]), np.concatenate([clique[1], path])
    sample = all_features(csr_from_edges(skerry.Edges(src, dst, 20_000)))
    assert sample.reached == 1200 and sample.levels == 8  # 1,208 and 9 if all of it were read


def test_a_flood_seeds_a_component_smaller_than_its_seed():
    """A twentieth that expands fast beside a path: smaller than the seed, but worth a flood."""
    n = 20_000
    fast = generators.make(recipes.uniform(n // 20, n // 5))
    path = np.arange(n // 20, n)
    src, dst = np.concatenate([fast.src, path[:-1]]), np.concatenate([fast.dst, path[1:]])
    rows = csr_from_edges(skerry.Edges(src, dst, n))
    result = skerry.connected_components(rows, algorithm="flood", threads=1, statistics=True)
    assert result.verify()
    assert result.plan.statistics.hooks < 20  # without a seed: about a hundred


def test_a_probe_of_a_hub_stops_inside_its_row():
    n = 100_000
    star = csr_from_edges(skerry.Edges(np.zeros(n, np.int64), np.arange(1, n + 1), n + 1))
    sample = all_features(star)
    assert sample.reached == 4096 and sample.levels == 1


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


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("edges", [0, 1, 300])
def test_flood_hands_over_where_no_component_is_large(edges, threads):
    pairs = np.arange(2 * edges).reshape(-1, 2)
    rows = csr_from_edges(skerry.Edges(*pairs.T.copy(), 100_000))
    result = skerry.connected_components(rows, algorithm="flood", threads=threads)
    assert result.count == 100_000 - edges and result.verify()


@pytest.mark.parametrize("threads", [1, 3])
def test_flood_hands_over_where_sweeps_add_little(threads):
    rows = rows_of(recipes.path(20_000, shuffled=True))
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


@pytest.mark.parametrize("algorithm", ["rounds", "flood"])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_row_that_is_left_early_loses_no_component(algorithm, threads):
    rows = star_beside_a_hub_of_pairs()
    result = skerry.connected_components(rows, algorithm=algorithm, threads=threads)
    assert result.count == 1 and result.verify()


@pytest.mark.parametrize("threads", [1, 3])
def test_rounds_leaves_out_a_giant_among_vertices_without_neighbors(threads):
    n = 100_000
    star = csr_from_edges(skerry.Edges(np.zeros(n // 4, np.int64), np.arange(1, n // 4 + 1), n))
    result = skerry.connected_components(star, algorithm="rounds", threads=threads)
    names = [step.name for step in result.plan.passes]
    assert any("outside the largest" in name for name in names)
    assert not any("one neighbor" in name or "no giant" in name for name in names)
    assert result.verify()


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("recipe", [recipes.tiny(3000), recipes.path(3000, shuffled=True)])
def test_rounds_hooks_in_windows_where_there_is_no_giant(recipe, threads):
    rows = rows_of(recipe)
    result = skerry.connected_components(rows, algorithm="rounds", threads=threads)
    assert any("no giant" in step.name for step in result.plan.passes)
    assert result.verify()


def shuffled(n, edges):
    """Rows of edges among ids in no order."""
    ids = np.random.default_rng(3).permutation(n)[edges]
    return csr_from_edges(skerry.Edges(ids[:, 0], ids[:, 1], n))


def ring_of_groups(groups, size):
    """Groups of vertices that are all neighbors, each joined with the next group by one edge."""
    first = size * np.arange(groups)
    inside = np.array([(u, v) for v in range(size) for u in range(v)])
    joins = np.column_stack((first, np.roll(first, 1) + 1))
    return np.concatenate(((first[:, None, None] + inside).reshape(-1, 2), joins))


def torus(side):
    edges = generators.make(recipes.torus(side, side))
    return np.column_stack((edges.src, edges.dst))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    ("edges", "joins"),
    [(ring_of_groups(2000, 8), False), (torus(120), True)],
    ids=["groups", "torus"],
)
def test_rounds_go_on_only_where_they_join_trees(edges, joins, threads):
    """Second neighbors in a group mostly are in the tree of the first, those in a mesh are not."""
    rows = shuffled(edges.max() + 1, edges)
    result = skerry.connected_components(rows, algorithm="rounds", threads=threads)
    assert any("hook one neighbor" in step.name for step in result.plan.passes) is joins
    assert any("no giant" in step.name for step in result.plan.passes) is not joins
    assert result.count == 1 and result.verify()
