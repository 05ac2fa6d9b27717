"""Geometric graphs, preferential attachment, copied links: against plain Python, and their laws."""

from __future__ import annotations

from math import isqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from skerry import generators
from skerry.errors import InputError
from skerry.generators import Recipe
from skerry.generators.builder import geometric_points, make
from skerry.graph.build import csr_from_edges
from support.draws import draw, key_of
from support.oracle import scipy_labels

ATTACHMENT, WEB, MODEL, GEOMETRIC = 10, 11, 12, 13  # streams of kernels/common/generators.h


def pairs(edges):
    return list(zip(edges.src.tolist(), edges.dst.tolist(), strict=True))


# Preferential attachment: with the array of ends written out, nothing is followed back.


def attached(n, links, seed):
    key = key_of(seed, ATTACHMENT)
    ends = []
    for v in range(1, n):
        before = 2 * links * (v - 1)
        for i in range((v - 1) * links, v * links):
            ends += [v, ends[draw(key, i) * before >> 64] if before else 0]
    return list(zip(ends[::2], ends[1::2], strict=True))


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
@pytest.mark.parametrize(("n", "links"), [(1, 3), (2, 1), (2, 5), (300, 1), (200, 4)])
def test_preferential_attachment_matches_python(n, links, seed):
    edges = generators.preferential_attachment(n, links, seed=seed)
    assert pairs(edges) == attached(n, links, seed)


# Copied links: with the links of all pages kept, a copy is a look into a list.


def copied_links(n, links, copied, seed):
    key, models = key_of(seed, WEB), key_of(seed, MODEL)
    pages = [[]]
    for v in range(1, n):
        model = pages[draw(models, v) * v >> 64]
        page = []
        for link in range(links):
            i = (v - 1) * links + link
            copies = draw(key, 2 * i) >> 32 < round(copied * 2**32)
            page.append(model[link] if copies and model else draw(key, 2 * i + 1) * v >> 64)
        pages.append(page)
    return [(v, target) for v, page in enumerate(pages) for target in page]


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
@pytest.mark.parametrize("copied", [0.0, 0.3, 0.5, 0.9, 1.0])
@pytest.mark.parametrize(("n", "links"), [(1, 3), (2, 5), (300, 1), (200, 4)])
def test_web_matches_python(n, links, copied, seed):
    edges = generators.web(n, links, copied, seed=seed)
    assert pairs(edges) == copied_links(n, links, copied, seed)


def tail_exponent(degrees, share=0.002):
    """Hill's estimate of the exponent of a power law, from the largest degrees."""
    largest = np.sort(degrees)[-max(50, round(len(degrees) * share)) :].astype(float)
    return 1 + 1 / np.mean(np.log(largest / largest[0]))


def test_tails_are_those_of_the_theory_and_not_of_uniform_graphs():
    n = 200_000
    attachment = generators.preferential_attachment(n, 5)
    uniform = generators.uniform(n, 5 * n)
    degrees = [
        np.bincount(np.concatenate((graph.src, graph.dst)), minlength=n)
        for graph in (attachment, uniform)
    ]
    assert 2.6 < tail_exponent(degrees[0]) < 3.4  # Barabasi & Albert: 3
    assert tail_exponent(degrees[1]) > 8
    assert degrees[0].max() > 20 * degrees[1].max()
    for copied in (0.5, 0.8):
        web = generators.web(n, 5, copied)
        exponent = tail_exponent(np.bincount(web.dst, minlength=n))
        assert abs(exponent - (1 + 1 / copied)) < 0.4  # Kumar et al.
    without = np.bincount(generators.web(n, 5, 0.0).dst, minlength=n)
    assert without.max() < 20 * np.log(n)  # links to any earlier page: no power law


def test_pages_that_copy_share_their_links():
    """What sets copying apart from preferential attachment: many pages with the same links."""

    def shared(edges, links):
        rows = edges.dst.reshape(-1, links)
        later = np.sort(rows[len(rows) // 2 :], axis=1)
        return 1 - len(np.unique(later[:, :2], axis=0)) / len(later)

    n, links = 20_000, 6
    web = generators.web(n, links, 0.9)
    attachment = generators.preferential_attachment(n, links)
    assert shared(web, links) > shared(attachment, links) + 0.2


@pytest.mark.parametrize("name", ["web", "preferential_attachment"])
@pytest.mark.parametrize("shuffled", [False, True])
def test_grown_graphs_are_connected_and_have_no_loops(name, shuffled):
    edges = getattr(generators, name)(5000, 2, shuffled=shuffled)
    assert not scipy_labels(edges.num_vertices, edges.src, edges.dst).any()
    assert not np.any(edges.src == edges.dst)
    assert edges.num_edges == 2 * 4999
    assert shuffled or np.all(edges.dst < edges.src)


# Geometric graphs.


def close_pairs(points, radius):
    """By brute force, in Python's exact integers."""
    at = [tuple(round(x * 2**31) for x in point) for point in points.tolist()]
    limit = radius * radius
    return {
        (u, v)
        for u in range(len(at))
        for v in range(u + 1, len(at))
        if (at[u][0] - at[v][0]) ** 2 + (at[u][1] - at[v][1]) ** 2 < limit
    }


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(0, 60),
    radius=st.one_of(st.floats(0, 1.5), st.floats(0, 0.2), st.sampled_from([0.25, 0.5, 1.0])),
    seed=st.integers(0, 2**64 - 1),
    shuffled=st.booleans(),
)
def test_all_close_pairs_are_joined_and_no_others(n, radius, seed, shuffled):
    recipe = generators.geometric.recipe(n, radius=radius, seed=seed, shuffled=shuffled)
    edges = make(recipe)
    joined = {(min(pair), max(pair)) for pair in pairs(edges)}
    assert len(joined) == edges.num_edges
    assert joined == close_pairs(geometric_points(recipe), recipe.parameters[1])
    if not shuffled:
        assert pairs(edges) == sorted(joined)


@pytest.mark.parametrize("seed", range(20))
def test_the_radius_is_a_sharp_limit(seed):
    (ax, ay), (bx, by) = geometric_points(
        generators.geometric.recipe(2, radius=0.1, seed=seed)
    ).tolist()
    distance = isqrt(round((ax - bx) * 2**31) ** 2 + round((ay - by) * 2**31) ** 2)
    assert make(Recipe("geometric", (2, distance, seed))).num_edges == 0
    assert make(Recipe("geometric", (2, distance + 1, seed))).num_edges == 1


def test_points_are_those_drawn():
    recipe = generators.geometric.recipe(500, seed=9)
    key = key_of(9, GEOMETRIC)
    bits = [draw(key, i) for i in range(500)]
    drawn = {((word & 0xFFFFFFFF) >> 1, word >> 33) for word in bits}
    points = geometric_points(recipe)
    assert {(round(x * 2**31), round(y * 2**31)) for x, y in points.tolist()} == drawn
    assert points.min() >= 0
    assert points.max() < 1


def test_many_points_against_a_tree():
    recipe = generators.geometric.recipe(30_000, 12.0, seed=4)
    edges = make(recipe)
    radius = recipe.parameters[1] * 2.0**-31
    tree = cKDTree(geometric_points(recipe))
    # The tree takes pairs at the radius too: the next smaller number leaves them out.
    expected = tree.query_pairs(np.nextafter(radius, 0), output_type="ndarray")
    assert {*map(tuple, expected.tolist())} == {*pairs(edges)}
    assert abs(2 * edges.num_edges / 30_000 - 12) < 0.5
    # Along the square: the ends of an edge are at most two rows of cells apart.
    gap = np.abs(edges.src.astype(int) - edges.dst.astype(int))
    assert gap.max() < 30_000 * 4 * radius


@pytest.mark.parametrize("radius", [0.0, 2.0**-31, 1.0, 1.5])
def test_extreme_radii(radius):
    edges = generators.geometric(40, radius=radius)
    assert edges.num_edges == {0.0: 0, 2.0**-31: 0, 1.5: 780}.get(radius, edges.num_edges)
    assert edges.num_vertices == 40


@pytest.mark.parametrize("name", ["geometric", "web", "preferential_attachment"])
def test_the_number_of_threads_does_not_matter(name):
    single = getattr(generators, name)(40_000, threads=1, shuffled=True)
    for threads in (2, 3, 5):
        other = getattr(generators, name)(40_000, threads=threads, shuffled=True)
        np.testing.assert_array_equal(single.src, other.src)
        np.testing.assert_array_equal(single.dst, other.dst)
    assert pairs(getattr(generators, name)(40_000, shuffled=True, seed=2)) != pairs(single)


@pytest.mark.parametrize(
    "call",
    [
        lambda: generators.geometric(-1),
        lambda: generators.geometric(10, -1.0),
        lambda: generators.geometric(10, float("nan")),
        lambda: generators.geometric(10, radius=1.6),
        lambda: generators.geometric(10, radius=-0.1),
        lambda: generators.geometric(10, 3.0, radius=0.1),
        lambda: generators.geometric(2**62),
        lambda: generators.web(10, 0),
        lambda: generators.web(10, 2, 1.5),
        lambda: generators.web(2**50, 2**20),
        lambda: generators.preferential_attachment(10, 0),
        lambda: generators.preferential_attachment(-1),
        lambda: generators.planted.recipe([3, 0]),
        lambda: generators.planted.recipe([3], chords=-1),
    ],
)
def test_bad_arguments_are_refused(call):
    with pytest.raises(InputError):
        call()


# Graphs of stated figures, rings, R-MAT of any size, joined roads: their laws.


def components(edges):
    ones = np.ones(edges.num_edges, np.int8)
    shape = (edges.num_vertices,) * 2
    return connected_components(coo_array((ones, (edges.src, edges.dst)), shape=shape))


def near(measured, expected, tolerance=0.05):
    return abs(float(measured) - expected) <= tolerance * expected


@pytest.mark.parametrize("seed", [1, 2, 2**64 - 1])
@pytest.mark.parametrize("near_share", [0.0, 0.4, 0.9])
@pytest.mark.parametrize(("part_size", "parts"), [(1, 400), (2, 30), (5, 30), (2, 0)])
def test_a_profile_has_its_figures(part_size, parts, near_share, seed):
    edges = generators.profile(
        20_000, 120_000, 800, 1 + parts, part_size, near_share, 0.25, seed=seed
    )
    degrees = csr_from_edges(edges).degrees()
    count, labels = components(edges)
    assert count == 1 + parts
    assert near(degrees.sum() / 2, 120_000)
    assert near(degrees.max(), 800)
    assert near((degrees == 1).mean(), 0.25, 0.1)
    assert degrees.min() == (0 if part_size == 1 and parts else 1)
    assert (edges.src != edges.dst).all()
    sizes = np.sort(np.bincount(labels))
    assert (sizes[:-1] == part_size).all()


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(1, 300),
    m=st.integers(0, 900),
    largest=st.integers(0, 400),
    parts=st.integers(0, 50),
    part_size=st.integers(1, 3),
    near_share=st.floats(0, 1),
    leaves=st.floats(0, 1),
    later=st.floats(0, 1),
    skew=st.integers(0, 3),
)
def test_a_profile_of_any_figures_has_its_components(
    n, m, largest, parts, part_size, near_share, leaves, later, skew
):
    def make():
        shares = (near_share, leaves, later, skew)
        return generators.profile(n, m, largest, 1 + parts, part_size, *shares)

    if n - parts * part_size < 1 + parts:
        with pytest.raises(InputError, match="too few"):
            make()
        return
    edges = make()
    assert edges.num_vertices == n
    assert components(edges)[0] == 1 + parts
    assert (edges.src != edges.dst).all()


def hooks_left_by_init3(edges):
    """Vertices with later neighbors only, but the first of each component."""
    lowest = np.arange(edges.num_vertices)
    np.minimum.at(lowest, edges.src, edges.dst)
    np.minimum.at(lowest, edges.dst, edges.src)
    return int((lowest == np.arange(edges.num_vertices)).sum()) - components(edges)[0]


@pytest.mark.parametrize("parts", [0, 40])
@pytest.mark.parametrize("later", [0.0, 0.005, 0.125, 0.3])
def test_a_profile_leaves_as_many_hooks_as_stated(later, parts):
    edges = generators.profile(20_000, 120_000, 800, 1 + parts, later=later, skew=2)
    degrees = csr_from_edges(edges).degrees()
    assert abs(hooks_left_by_init3(edges) - 20_000 * later) <= 8  # the last block has no later ones
    assert near(degrees.sum() / 2, 120_000)
    assert near(degrees.max(), 800)
    assert components(edges)[0] == 1 + parts


def test_a_skew_makes_degrees_uneven():
    medians = []
    for skew in range(4):
        edges = generators.profile(20_000, 200_000, 3000, skew=skew)
        degrees = csr_from_edges(edges).degrees()
        assert near(degrees.sum() / 2, 200_000)
        assert near(degrees.max(), 3000)
        medians.append(float(np.median(degrees)))
    assert medians == sorted(medians, reverse=True)
    assert medians[2] < 0.8 * medians[0]


@pytest.mark.parametrize(("bends", "hooks"), [(0, 0.24), (3, 0.46)])
def test_crossings_that_come_first_leave_the_map_as_it_is(bends, hooks):
    plain = generators.road(301, 0.3, bends, joined=True, largest_degree=9)
    edges = generators.road(301, 0.3, bends, joined=True, largest_degree=9, later=0.2)
    assert hooks_left_by_init3(plain) == 0
    assert near(hooks_left_by_init3(edges), hooks * 301 * 301, 0.1)
    # Ids were exchanged among crossings: from the one map to the other by the edges in their order.
    other = np.arange(edges.num_vertices)
    other[plain.src], other[plain.dst] = edges.src, edges.dst
    assert (other[plain.src] == edges.src).all() and (other[plain.dst] == edges.dst).all()
    assert (np.bincount(other) == 1).all()
    assert 0.3 < (other != np.arange(edges.num_vertices)).sum() / 301**2 < 0.5


def test_small_parts_are_spread_over_the_ids():
    edges = generators.profile(10_000, 40_000, 100, 11, 3)
    labels = components(edges)[1]
    small = np.flatnonzero(labels != np.bincount(labels).argmax())
    assert len(small) == 30
    assert (small // 1000 == np.repeat(np.arange(10), 3)).all()


def test_a_profile_is_refused_where_it_makes_no_sense():
    for arguments, text in (
        ((10, 20, 5, 0), "components must be at least 1"),
        ((10, 20, 5, 2, 0), "part_size must be at least 1"),
        ((10, 20, 5, 1, 2, 1.5), "near must be a share in 0..1"),
        ((10, -1, 5), "m must not be negative"),
    ):
        with pytest.raises(InputError, match=text):
            generators.profile(*arguments)


def test_a_ring_is_connected_and_has_no_leaf():
    edges = generators.ring(5000, 15_000, shuffled=True)
    degrees = csr_from_edges(edges).degrees()
    assert components(edges)[0] == 1
    assert degrees.min() == 2
    assert near(degrees.mean(), 8, 0.01)


def test_rmat_of_a_power_of_two_is_rmat():
    expected = generators.rmat(9, 4, seed=5)
    edges = generators.rmat_of(512, 2048, seed=5)
    np.testing.assert_array_equal(edges.src, expected.src)
    np.testing.assert_array_equal(edges.dst, expected.dst)
    other = generators.rmat_of(400, 2048, seed=5)
    np.testing.assert_array_equal(other.src, expected.src.astype(np.uint64) * 400 // 512)


@pytest.mark.parametrize("bends", [0, 3])
@pytest.mark.parametrize("seed", [1, 2])
def test_joined_roads_are_connected_and_have_squares(bends, seed):
    edges = generators.road(300, 0.2, bends, joined=True, largest_degree=9, seed=seed)
    degrees = csr_from_edges(edges).degrees()
    assert components(edges)[0] == 1
    assert degrees.max() == 9
    assert (degrees == 9).sum() == 4
    assert degrees.min() == 1
    assert near(edges.num_edges, 300 * 300 * 1.2 * (bends + 1), 0.01)


def test_a_swept_triangulation_has_near_neighbors():
    pytest.importorskip("scipy")
    drawn, swept = generators.delaunay(4000), generators.delaunay(4000, 0.75)
    gaps = [np.median(np.abs(e.src.astype(int) - e.dst)) for e in (drawn, swept)]
    assert gaps[1] < gaps[0] / 4
    assert components(swept)[0] == 1
    assert drawn.num_edges == swept.num_edges  # the same points
