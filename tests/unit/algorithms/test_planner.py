"""What `auto` chooses for graphs of a known shape, of every size; and that it says so."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry import generators
from skerry._native import RuleTable
from skerry.algorithms.cpu_rules import EXPANSION_FROM, LOOK_FROM, SYMMETRIC_ROWS, THREADS
from skerry.algorithms.planner import choose, shared_work, threads_for
from skerry.generators import recipes
from skerry.graph.build import csr_from_edges
from skerry.graph.csr import Csr
from skerry.graph.features import Features, expanded, features

SHAPES = {
    "flood": lambda n: recipes.rmat(max(n, 16).bit_length() - 1, 8),
    "rows": lambda n: recipes.grid(int(n**0.5), int(n**0.5)),
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
        name = "rows"  # small, and in order
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
    grid = generators.make(SHAPES["rows"](n))
    order = np.random.default_rng(1).permutation(grid.num_vertices)
    return csr_from_edges(skerry.Edges(order[grid.src], order[grid.dst], grid.num_vertices))


@pytest.mark.parametrize(("n", "name"), [(20_000, "carry"), (200_000, "rows")])
def test_a_shuffled_grid(n, name):
    assert choose(shuffled_grid(n), 2).algorithm.name == name


@pytest.mark.parametrize(("threads", "name"), [(2, "window"), (7, "window"), (8, "carry")])
def test_many_threads_have_larger_caches(threads, name):
    path = rows_of(SHAPES["window"](200_000))
    assert choose(path, threads).algorithm.name == name


def in_the_order_of_a_search(edges):
    """By the level of a breadth-first search from the vertex of largest degree."""
    n = edges.num_vertices
    src, dst = np.append(edges.src, edges.dst), np.append(edges.dst, edges.src)
    levels = np.full(n, n)
    levels[np.bincount(src, minlength=n).argmax()] = 0
    for level in range(60):
        np.minimum.at(levels, dst[levels[src] == level], level + 1)
    ids = np.empty(n, np.int64)
    ids[np.argsort(levels, kind="stable")] = np.arange(n)
    return skerry.Edges(ids[edges.src], ids[edges.dst], n)


def test_a_sparse_graph_in_the_order_of_a_search():
    edges = generators.make(recipes.uniform(200_000, 200_000))
    assert choose(csr_from_edges(edges), 2).algorithm.name == "window"
    rows = csr_from_edges(in_the_order_of_a_search(edges))
    assert choose(rows, 2).algorithm.name == "rows"
    assert skerry.connected_components(rows, threads=2).verify()


def test_long_rows_of_far_ids_are_flooded_though_they_look_as_if_in_order():
    rows = rows_of(recipes.uniform(1000, 200_000))
    assert features(rows).smaller >= 0.99
    assert choose(rows, 2).algorithm.name == "flood"
    assert skerry.connected_components(rows, threads=2).verify()


def circulant(n, jumps, *, order):
    """Every vertex with those some jumps on, all renamed by `order`."""
    dst = np.concatenate([np.roll(order, -jump) for jump in range(1, jumps + 1)])
    return csr_from_edges(skerry.Edges(np.tile(order, jumps), dst, n))


def test_a_small_graph_of_long_rows_is_probed():
    fast = rows_of(recipes.uniform(2000, 8000))
    slow = circulant(2000, 4, order=np.random.default_rng(1).permutation(2000))
    for rows, name in ((fast, "flood"), (slow, "trace")):
        assert rows.num_vertices + rows.num_entries < EXPANSION_FROM
        assert choose(rows, 2).algorithm.name == name
        assert skerry.connected_components(rows, threads=2).verify()


@pytest.mark.parametrize(("threads", "name"), [(2, "trace"), (4, "carry")])
def test_a_small_graph_of_far_ids_has_threads_where_they_are_many(threads, name):
    path = rows_of(recipes.path(15_000, shuffled=True))
    assert choose(path, threads).algorithm.name == name


@pytest.mark.parametrize(("threads", "name"), [(1, "trace"), (2, "carry"), (4, "local")])
def test_a_small_graph_of_near_ids(threads, name):
    quads = np.arange(8000).reshape(-1, 4)
    rows = csr_from_edges(skerry.Edges(quads.ravel(), np.roll(quads, 1, axis=1).ravel(), 8000))
    assert choose(rows, threads).algorithm.name == name


def test_the_first_vertex_is_not_out_of_order():
    for n in (3, 40, 3000):  # it has no smaller neighbor, in whatever order the graph is
        assert features(rows_of(recipes.path(n))).smaller == 1


def corners_and_cells(side):
    """The corners of squares, row by row, then the squares."""
    row, column = np.divmod(np.arange(side * side), side)
    cells = (side + 1) ** 2 + np.arange(side * side)
    first = row * (side + 1) + column
    corners = [first, first + 1, first + side + 1, first + side + 2]
    edges = skerry.Edges(np.concatenate(corners), np.tile(cells, 4), int(cells[-1]) + 1)
    return csr_from_edges(edges)


@pytest.mark.parametrize(("side", "name"), [(400, "carry"), (600, "window")])
def test_two_kinds_of_vertices_one_after_the_other(side, name):
    rows = corners_and_cells(side)
    assert choose(rows, 2).algorithm.name == name
    assert skerry.connected_components(rows, threads=2).count == 1


@pytest.mark.parametrize("near", [True, False])
def test_hardly_any_edges(near):
    n = 60_000
    ids = np.arange(n) if near else np.random.default_rng(1).permutation(n)
    pairs, trios = ids.reshape(-1, 2), ids.reshape(-1, 3)
    assert choose(csr_from_edges(skerry.Edges(*pairs.T, n)), 2).algorithm.name == "carry"
    more = skerry.Edges(trios[:, :2].ravel(), trios[:, 1:].ravel(), n)
    assert choose(csr_from_edges(more), 2).algorithm.name == ("local" if near else "carry")


@pytest.mark.parametrize("symmetric", [True, None])
def test_without_edges_one_pass_does(symmetric):
    rows = skerry.Csr(np.zeros(60_001, np.uint64), np.empty(0, np.uint32), symmetric)
    result = skerry.connected_components(rows)
    assert np.array_equal(result.labels, np.arange(60_000))
    assert len(result.plan.passes) == 1


def hubs_after_leaves(hubs, leaves):
    """A chain of hubs, each with so many leaves, which come first."""
    first = hubs * leaves
    hub = first + np.arange(hubs)
    src = np.concatenate((np.arange(first), hub[1:]))
    dst = np.concatenate((np.repeat(hub, leaves), hub[:-1]))
    return csr_from_edges(skerry.Edges(src, dst, first + hubs))


@pytest.mark.parametrize(("hubs", "name"), [(1, "flood"), (400, "carry")])
def test_hubs_after_their_leaves(hubs, name):
    rows = hubs_after_leaves(hubs, 200_000 // hubs)
    assert choose(rows, 2).algorithm.name == name
    assert skerry.connected_components(rows, threads=2).verify()


def path_to_rmat(n):
    """A path, and from its end on a graph that expands fast."""
    path, rest = generators.make(recipes.path(n)), generators.make(recipes.rmat(14, 16))
    order = n + np.random.default_rng(1).permutation(rest.num_vertices)
    ends = [(path.src, path.dst), (order[rest.src], order[rest.dst]), ([n - 1], [n])]
    src, dst = (np.concatenate(each) for each in zip(*ends, strict=True))
    return csr_from_edges(skerry.Edges(src, dst, n + rest.num_vertices))


@pytest.mark.parametrize(("threads", "name"), [(2, "local"), (4, "rows")])
def test_a_path_to_a_graph_that_expands_fast(threads, name):
    graph = path_to_rmat(300_000)
    found = choose(graph, threads)
    assert found.algorithm.name == name
    assert found.sample.threads == threads
    assert skerry.connected_components(graph, threads=threads).verify()


def giant_among_chains(n):
    """A random graph whose ids are mixed with those of chains of 20, which keep their order."""
    rng = np.random.default_rng(3)
    of_giant = rng.random(n) < 0.15
    giant, chained = np.flatnonzero(of_giant), np.flatnonzero(~of_giant)
    ends = rng.choice(giant, (2, 5 * len(giant)))
    inner = np.arange(1, len(chained))[np.arange(1, len(chained)) % 20 != 0]
    src = np.append(ends[0], chained[inner])
    dst = np.append(ends[1], chained[inner - 1])
    return csr_from_edges(skerry.Edges(src, dst, n))


def test_a_giant_among_small_components():
    graph = giant_among_chains(100_000)
    found = choose(graph, 2)
    assert found.sample.near >= 0.8
    assert found.algorithm.name == "carry"
    assert skerry.connected_components(graph, threads=2).verify()


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
    assert found.algorithm.name == "rows"
    assert "first neighbors have smaller ids" in found.reason


@pytest.mark.parametrize("name", SHAPES)
def test_the_smallest_are_not_looked_at(name):
    graph = rows_of(SHAPES[name](100))
    assert graph.num_vertices + graph.num_entries < LOOK_FROM
    found = choose(graph, 4)
    assert (found.algorithm.name, found.threads) == ("trace", 1)
    assert found.reason.startswith("too small for its shape to matter")


@pytest.mark.parametrize(("shape", "name"), [("rows", "rows"), ("window", "trace")])
def test_small_ones_are_looked_at_in_part(shape, name):
    graph = rows_of(SHAPES[shape](2500))
    assert LOOK_FROM <= graph.num_vertices + graph.num_entries < EXPANSION_FROM
    found = choose(graph, 4)
    assert (found.algorithm.name, found.threads) == (name, 1)
    assert (found.sample.reached, found.sample.levels) == (0, 0)


def test_expansion_is_looked_at_where_a_row_asks_for_it():
    ordered = choose(rows_of(SHAPES["rows"](20_000)), 2)  # no row asks before its own
    assert ordered.sample.levels == 0
    for shape in ("flood", "window"):
        rows = rows_of(SHAPES[shape](20_000))
        assert choose(rows, 2).sample == expanded(rows, features(rows, 2))
    rows = rows_of(SHAPES["flood"](20_000))
    assert choose(Csr(rows.offsets, rows.neighbors), 2).sample.levels == 0


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_the_first_rule_whose_bounds_hold(data):
    """Bounds around a graph's own features: those that they just include, and just exclude."""
    rows = shuffled_grid(data.draw(st.sampled_from([900, 2500])))
    sample = expanded(rows, features(rows, 3))
    positions = range(len(sample))
    bound = st.sampled_from(positions).flatmap(
        lambda i: st.sampled_from(
            [
                (i, sample[i], np.inf),
                (i, np.nextafter(sample[i], np.inf), np.inf),
                (i, -np.inf, sample[i]),
                (i, 0.0, np.nextafter(sample[i], np.inf)),
            ]
        )
    )
    rules = [*data.draw(st.lists(st.lists(bound, min_size=1, max_size=4), max_size=6)), []]
    held = [all(low <= sample[i] < high for i, low, high in rule) for rule in rules]
    number, near, smaller, *_ = RuleTable(rules).first(rows.offsets, rows.neighbors, 3)
    assert number == held.index(True)
    assert (near, smaller) == (sample.near, sample.smaller)


@pytest.mark.parametrize(
    "rules", [[], [[(1, 0.0, 5.0)]], [[(len(Features._fields), 0.0, 5.0)], []]]
)
def test_a_table_that_could_fail_is_refused(rules):
    with pytest.raises(ValueError, match=r"last rule must hold|no such feature"):
        RuleTable(rules)


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
    assert all_features(rows_of(SHAPES["rows"](20_000))).levels > 8
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


def test_a_probe_of_a_hub_stops_inside_its_row():
    n = 100_000
    star = csr_from_edges(skerry.Edges(np.zeros(n, np.int64), np.arange(1, n + 1), n + 1))
    sample = all_features(star)
    assert sample.reached == 4096 and sample.levels == 1
