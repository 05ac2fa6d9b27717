"""Generators: known answers, the facts each family promises, and the same graph everywhere."""

from __future__ import annotations

import numpy as np
import pytest

from skerry import _native, generators
from skerry.errors import InputError
from skerry.generators import FAMILIES
from skerry.graph.build import csr_from_edges
from skerry.graph.edges import Edges
from support.draws import draw, key_of
from support.oracle import scipy_labels

SMALL = 1 / 256


def components(edges):
    labels = scipy_labels(edges.num_vertices, edges.src, edges.dst)
    return len(np.unique(labels)), labels


def degrees(edges):
    return csr_from_edges(edges).degrees().astype(np.int64)


def pairs(edges):
    """The set of undirected edges; each must come once."""
    ends = zip(edges.src.tolist(), edges.dst.tolist(), strict=True)
    ordered = [(min(u, v), max(u, v)) for u, v in ends]
    assert len(set(ordered)) == len(ordered)
    return set(ordered)


def same(a, b):
    return (
        a.num_vertices == b.num_vertices
        and np.array_equal(a.src, b.src)
        and np.array_equal(a.dst, b.dst)
    )


def test_draws():
    values = np.empty(5, np.uint64)
    _native.fill_draws(values, 7, 3, 1)
    assert values.tolist() == [draw(key_of(7, 3), i) for i in range(5)]
    # SplitMix64 with state 0 begins so (Vigna's reference): the mixing is the published one.
    assert draw(0, 0) == 0xE220A8397B1DCDAF


def test_uniform_edges_are_fixed():
    edges = generators.uniform(1000, 50, seed=5)
    key = key_of(5, 1)
    assert edges.src.tolist() == [draw(key, 2 * i) * 1000 >> 64 for i in range(50)]
    assert edges.dst.tolist() == [draw(key, 2 * i + 1) * 1000 >> 64 for i in range(50)]


@pytest.mark.parametrize("scale", [1, 2, 9, 10])
def test_rmat_edges_are_fixed(scale):
    a, b, c = 0.5, 0.2, 0.1
    edges = generators.rmat(scale, 20, a, b, c, seed=3)
    key = key_of(3, 3)
    limits = [round(p * 2**32) for p in (a, a + b, a + b + c)]
    for i in range(min(40, edges.num_edges)):
        u = v = 0
        for level in range(scale):
            bits = draw(key, i * ((scale + 1) // 2) + level // 2)
            part = bits & 0xFFFFFFFF if level % 2 else bits >> 32
            quadrant = sum(part >= limit for limit in limits)
            u, v = 2 * u + quadrant // 2, 2 * v + quadrant % 2
        assert (edges.src[i], edges.dst[i]) == (u, v)


@pytest.mark.parametrize("n", [*range(1, 70), 255, 256, 257, 1000, 4096, 50_000])
def test_the_shuffle_is_a_bijection(n):
    ids = np.arange(n, dtype=np.uint32)
    _native.shuffle_ids(ids, n, 1, 2)
    np.testing.assert_array_equal(np.sort(ids), np.arange(n))
    wide = np.arange(n, dtype=np.uint64)
    _native.shuffle_ids(wide, n, 1, 1)
    np.testing.assert_array_equal(ids, wide)


def test_the_shuffle_leaves_no_order():
    n = 100_000
    ids = np.arange(n, dtype=np.uint32)
    _native.shuffle_ids(ids, n, 1, 1)
    positions = np.arange(n)
    assert abs(np.corrcoef(positions, ids)[0, 1]) < 0.02
    assert abs(np.corrcoef(ids[:-1], ids[1:])[0, 1]) < 0.02
    assert np.count_nonzero(positions == ids) < 10
    other = np.arange(n, dtype=np.uint32)
    _native.shuffle_ids(other, n, 2, 1)
    assert np.count_nonzero(other == ids) < 10


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 6), (6, 1), (2, 2), (4, 7)])
def test_grid(rows, columns):
    edges = generators.grid(rows, columns)
    at = np.arange(rows * columns).reshape(rows, columns)
    across = zip(at[:, :-1].ravel().tolist(), at[:, 1:].ravel().tolist(), strict=True)
    down = zip(at[:-1].ravel().tolist(), at[1:].ravel().tolist(), strict=True)
    assert pairs(edges) == {*across, *down}
    assert edges.num_vertices == rows * columns


def test_torus():
    edges = generators.torus(5, 9)
    assert edges.num_edges == 2 * 45
    assert len(pairs(edges)) == 90
    assert set(degrees(edges)) == {4}
    assert components(edges)[0] == 1
    assert {(0, 8), (0, 1), (0, 9), (0, 36)} <= pairs(edges)


def test_path_star_and_complete():
    assert pairs(generators.path(5)) == {(0, 1), (1, 2), (2, 3), (3, 4)}
    assert pairs(generators.star(4)) == {(0, 1), (0, 2), (0, 3)}
    for n in range(1, 9):
        assert len(pairs(generators.complete(n))) == n * (n - 1) // 2
    mixed = generators.path(1000, shuffled=True)
    assert sorted(degrees(mixed))[:3] == [1, 1, 2]
    assert components(mixed)[0] == 1
    assert np.abs(mixed.src.astype(int) - mixed.dst.astype(int)).mean() > 200


@pytest.mark.parametrize("n", [0, 1])
def test_graphs_of_few_vertices(n):
    made = [
        generators.grid(n, n),
        generators.path(n, shuffled=True),
        generators.star(n),
        generators.complete(n),
        generators.uniform(n, 0),
        generators.random_picks(n, 0),
        generators.road(n, shuffled=True),
        generators.tiny(n),
        generators.planted([1] * n),
    ]
    for edges in made:
        assert (edges.num_vertices, edges.num_edges) == (n, 0)
    assert generators.mawi(0).num_vertices == 0


def test_random_families_use_all_ids_evenly():
    for edges in (generators.uniform(100, 20_000), generators.random_picks(100, 200)):
        counts = np.bincount(edges.dst, minlength=100)
        assert counts.min() > 140
        assert counts.max() < 260
    np.testing.assert_array_equal(edges.src, np.repeat(np.arange(100), 200))


def test_rmat_prefers_the_upper_left():
    edges = generators.rmat(10, 64, 0.57, 0.19, 0.19)
    lower, right = edges.src >= 512, edges.dst >= 512
    share = [np.mean(~lower & ~right), np.mean(~lower & right), np.mean(lower & ~right)]
    np.testing.assert_allclose(share, [0.57, 0.19, 0.19], atol=0.01)
    assert degrees(edges).argmax() == 0
    renamed = generators.graph500(10, 64)
    assert sorted(degrees(renamed)) == sorted(degrees(edges))
    assert degrees(renamed).argmax() != 0


def test_road_in_order():
    edges = generators.road(60)
    n, m = edges.num_vertices, edges.num_edges
    assert len(pairs(edges)) == m
    assert 2.0 < 2 * m / n < 2.2
    kept = (n - 3600) // 3
    assert (n, m) == (3600 + 3 * kept, 4 * kept)
    assert abs(kept / (2 * 60 * 59) - 0.62) < 0.03
    degree = degrees(edges)
    assert degree.max() <= 4
    assert np.count_nonzero(degree == 2) > n / 2
    # Along the map: an edge leads at most to the row of crossings below.
    assert np.abs(edges.src.astype(int) - edges.dst.astype(int)).max() < 60 * 7 + 7


def test_road_extremes():
    grid = generators.road(8, keep=1.0, subdivisions=0)
    assert pairs(grid) == pairs(generators.grid(8, 8))
    assert components(generators.road(8, keep=1.0))[0] == 1
    assert generators.road(8, keep=0.0).num_edges == 0


def test_shuffled_ids_keep_the_graph():
    edges = generators.road(30)
    mixed = generators.road(30, shuffled=True)
    again = generators.shuffle_ids(edges)
    assert same(mixed, again)
    assert not np.shares_memory(again.src, edges.src)
    assert sorted(degrees(mixed)) == sorted(degrees(edges))
    sizes = [np.sort(np.bincount(components(graph)[1])) for graph in (edges, mixed)]
    np.testing.assert_array_equal(sizes[0][sizes[0] > 0], sizes[1][sizes[1] > 0])


def test_mawi_hubs_hold_a_third():
    edges = generators.mawi(200_000)
    assert edges.num_edges == 200_000 + 12_500
    np.testing.assert_array_equal(edges.src[:200_000], np.arange(200_000))
    degree = np.bincount(np.concatenate((edges.src, edges.dst)), minlength=200_000)
    hubs = np.argsort(degree)[-64:]
    assert abs(degree[hubs].sum() / (2 * edges.num_edges) - 1 / 3) < 0.01
    assert degree[hubs].max() > 10 * np.median(degree[hubs])
    assert np.sort(degree)[-65] < 20
    assert hubs.min() < 20_000  # spread over all ids
    assert hubs.max() > 180_000


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize(("count", "largest"), [(1, 1), (10, 1), (3, 7), (100, 7), (1003, 4)])
def test_tiny_components_are_known(count, largest, shuffled):
    edges = generators.tiny(count, largest, shuffled=shuffled, seed=4)
    labels = generators.tiny_labels(count, largest, shuffled=shuffled, seed=4)
    actual, oracle = components(edges)
    assert actual == count
    np.testing.assert_array_equal(labels, oracle)
    sizes = np.unique(labels, return_counts=True)[1]
    assert sorted(sizes) == sorted(1 + i % largest for i in range(count))
    assert edges.num_edges == edges.num_vertices - count  # trees


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("chords", [0, 500])
def test_planted_components_are_known(chords, shuffled):
    sizes = [1, 1, 40, 1, 2, 900, 3, 1]
    edges = generators.planted(sizes, chords, shuffled=shuffled)
    labels = generators.planted_labels(sizes, shuffled=shuffled)
    assert edges.num_edges == sum(sizes) - len(sizes) + chords
    np.testing.assert_array_equal(labels, components(edges)[1])
    assert sorted(np.unique(labels, return_counts=True)[1]) == sorted(sizes)


def test_delaunay():
    edges = generators.delaunay(2000)
    assert components(edges)[0] == 1
    assert len(pairs(edges)) == edges.num_edges
    assert 2.9 * 2000 < edges.num_edges <= 3 * 2000 - 6
    assert edges.src.dtype == edges.dst.dtype == np.uint32


@pytest.mark.parametrize("name", FAMILIES)
def test_families_depend_on_the_seed_alone(name):
    edges = FAMILIES[name](SMALL, threads=1)
    assert edges.num_vertices > 1000
    assert edges.num_edges > 1000
    assert max(edges.src.max(), edges.dst.max()) < edges.num_vertices
    for threads in (2, 3, 5):
        assert same(edges, FAMILIES[name](SMALL, threads=threads))
    if name != "grid":
        assert not same(edges, FAMILIES[name](SMALL, seed=2))


def test_scales_of_families():
    assert FAMILIES["grid"]().num_vertices == 2**20
    with pytest.raises(InputError, match="scale"):
        FAMILIES["grid"](0)


def test_wide_ids_are_the_same_graph():
    parameters = [1000, 5000, 1]
    n, m = _native.family_size("uniform", parameters)
    wide = Edges(np.empty(m, np.uint64), np.empty(m, np.uint64), n)
    _native.fill_family("uniform", parameters, 0, wide.src, wide.dst, 2)
    assert same(wide, generators.uniform(1000, 5000))


def test_arrays_without_room_are_refused():
    short, long = np.empty(4, np.uint32), np.empty(10, np.uint32)
    with pytest.raises(ValueError, match="one place for each edge"):
        _native.fill_family("path", [10], 0, short, short[:3], 1)
    with pytest.raises(ValueError, match="no edges of these numbers"):
        _native.fill_family("path", [10], 0, long, long, 1)
    with pytest.raises(ValueError, match="no edges of these numbers"):
        _native.fill_family("path", [10], 6, short, short, 1)
    with pytest.raises(ValueError, match="no family"):
        _native.family_size("grid", [1, 2, 3])


@pytest.mark.parametrize(
    "call",
    [
        lambda: generators.grid(-1, 3),
        lambda: generators.grid(2**32, 2**32),
        lambda: generators.uniform(0, 5),
        lambda: generators.rmat(64),
        lambda: generators.rmat(4, a=0.6, b=0.3, c=0.3),
        lambda: generators.rmat(4, a=-0.1),
        lambda: generators.road(4, keep=1.5),
        lambda: generators.mawi(10, hubs=11),
        lambda: generators.mawi(100, extra=-1),
        lambda: generators.mawi(100, hub_share=2),
        lambda: generators.tiny(5, 0),
        lambda: generators.planted([3, 0]),
        lambda: generators.delaunay(3),
        lambda: generators.uniform(5, 5, seed=-1),
        lambda: generators.uniform(5, 5, threads=0),
    ],
)
def test_bad_arguments_are_refused(call):
    with pytest.raises(InputError):
        call()
