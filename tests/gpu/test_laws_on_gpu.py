"""Random graphs that only a GPU can make and label in seconds obey the laws of mathematics."""

from __future__ import annotations

import pytest

import skerry
from support.laws import SIGMAS, clusters_off, giant_off, percolation, random_edges
from support.on_gpu import require_gpu

cp = require_gpu()


@pytest.fixture(autouse=True)
def give_back():
    yield
    cp.get_default_memory_pool().free_all_blocks()


def test_percolation_has_as_many_clusters_as_the_law_says():
    source, target, n = percolation(1 << 14, 1, xp=cp)
    assert abs(clusters_off(skerry.connected_components((source, target)).count, n)) < SIGMAS


@pytest.mark.parametrize("degree", [1.5, 3.0])
def test_the_giant_component_has_the_size_of_the_law(degree):
    n = 1 << 27
    edges = random_edges(n, degree, 7, xp=cp)
    labels = skerry.connected_components(edges, num_vertices=n).labels
    size = int(cp.bincount(labels.astype(cp.int64)).max())
    assert abs(giant_off(size, n, degree)) < SIGMAS
