"""Graphs of stated figures, rings, R-MAT of any size, joined roads: their laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from skerry import generators
from skerry.errors import InputError
from skerry.graph.build import csr_from_edges


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
)
def test_a_profile_of_any_figures_has_its_components(
    n, m, largest, parts, part_size, near_share, leaves
):
    def make():
        return generators.profile(n, m, largest, 1 + parts, part_size, near_share, leaves)

    if n - parts * part_size < 1 + parts:
        with pytest.raises(InputError, match="too few"):
            make()
        return
    edges = make()
    assert edges.num_vertices == n
    assert components(edges)[0] == 1 + parts
    assert (edges.src != edges.dst).all()


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
