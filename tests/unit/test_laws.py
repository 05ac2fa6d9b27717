"""Answers on random graphs agree with what mathematics knows of them, where no oracle can run."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from support.emulated import emulated_gpu
from support.emulator import works
from support.laws import SIGMAS, clusters_off, giant_off, percolation, random_edges

DEGREES = (1.5, 3.0)


def largest(labels):
    return int(np.bincount(labels).max())


@pytest.mark.parametrize("threads", [1, 2])
def test_percolation_has_as_many_clusters_as_the_law_says(threads):
    source, target, n = percolation(1024, threads)
    answer = skerry.connected_components((source, target), num_vertices=n, threads=threads)
    assert abs(clusters_off(answer.count, n)) < SIGMAS


@pytest.mark.parametrize("degree", DEGREES)
def test_the_giant_component_has_the_size_of_the_law(degree):
    n = 1 << 19
    answer = skerry.connected_components(random_edges(n, degree, 7), num_vertices=n)
    assert abs(giant_off(largest(answer.labels), n, degree)) < SIGMAS


def test_batches_obey_the_law():
    source, target, n = percolation(512, 3)
    sets = skerry.UnionFind(n)
    for begin in range(0, len(source), 50_000):
        sets.union(source[begin : begin + 50_000], target[begin : begin + 50_000])
    assert abs(clusters_off(sets.count, n)) < SIGMAS


@pytest.mark.skipif(not works(), reason="needs a C++ compiler")
def test_an_emulated_gpu_obeys_the_law():
    source, target, n = percolation(96, 5)
    with emulated_gpu(on_device=True):
        count = skerry.connected_components((source, target), num_vertices=n).count
    assert abs(clusters_off(count, n)) < SIGMAS


def test_the_laws_notice_a_hundredth_of_the_edges():
    """They are no oracle for single edges: this is how many must be lost to be noticed."""
    source, target, n = percolation(1024, 1, kept=0.495)
    count = skerry.connected_components((source, target), num_vertices=n).count
    assert clusters_off(count, n) > SIGMAS
    n = 1 << 19
    few = tuple(ends[: -len(ends) // 50] for ends in random_edges(n, 1.5, 7))
    labels = skerry.connected_components(few, num_vertices=n).labels
    assert giant_off(largest(labels), n, 1.5) < -SIGMAS


@pytest.mark.slow
def test_a_large_torus_obeys_the_law():
    source, target, n = percolation(8192, 11)
    for form in ("at once", "in batches"):
        if form == "at once":
            count = skerry.connected_components((source, target), num_vertices=n).count
        else:
            sets = skerry.UnionFind(n)
            for begin in range(0, len(source), 1 << 22):
                sets.union(source[begin : begin + (1 << 22)], target[begin : begin + (1 << 22)])
            count = sets.count
        assert abs(clusters_off(count, n)) < SIGMAS
