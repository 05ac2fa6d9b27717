"""What `auto` answers on rows and edges of every size, and that its plan says what ran."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry import generators
from skerry.algorithms.planner import choose, choose_for_forest, threads_for
from skerry.generators import recipes
from skerry.graph.build import csr_from_edges
from support.oracle import scipy_labels

RECIPES = {
    "R-MAT": lambda n: recipes.rmat(max(n, 16).bit_length() - 1, 8),
    "grid": lambda n: recipes.grid(int(n**0.5), int(n**0.5)),
    "path": recipes.path,
    "shuffled path": lambda n: recipes.path(n, shuffled=True),
    "small components": recipes.tiny,
}


def forms_of(edges):
    """Edges, rows known to be symmetric, the same without that promise, and one direction only."""
    rows = csr_from_edges(edges)
    order = np.argsort(edges.src, kind="stable")
    counts = np.bincount(edges.src, minlength=edges.num_vertices)
    one_way = skerry.Csr(np.append(0, np.cumsum(counts)), edges.dst[order])
    return edges, rows, skerry.Csr(rows.offsets, rows.neighbors, None), one_way


@pytest.mark.parametrize("n", [100, 2500, 40_000])
@pytest.mark.parametrize("shape", RECIPES)
def test_auto_is_right_and_its_plan_names_what_ran(shape, n):
    edges = generators.make(RECIPES[shape](n))
    right = scipy_labels(edges.num_vertices, edges.src, edges.dst)
    for graph in forms_of(edges):
        for threads in (1, 2, 5):
            result = skerry.connected_components(graph, threads=threads)
            np.testing.assert_array_equal(result.labels, right)
            plan = result.plan
            assert plan.algorithm == ("stream" if graph.form == "edges" else "rows")
            assert plan.reason.startswith(choose(graph, threads).why)
            assert 1 <= plan.threads <= threads
            assert ("too small" in plan.reason) == (plan.threads < threads)


def test_without_edges_one_pass_does():
    for symmetric in (True, None):
        rows = skerry.Csr(np.zeros(60_001, np.uint64), np.empty(0, np.uint32), symmetric)
        result = skerry.connected_components(rows)
        assert np.array_equal(result.labels, np.arange(60_000))
        assert len(result.plan.passes) == 1


def test_more_work_never_has_fewer_threads_nor_more_than_are_asked_for():
    works = [0, 1, *(1 << bits for bits in range(1, 41))]
    for limit in (1, 2, 16, 1024):
        threads = [threads_for(work, limit) for work in works]
        assert threads == sorted(threads)
        assert (threads[0], threads[-1]) == (1, limit)


def test_a_forest_is_recorded_by_as_many_threads_as_the_graph_is_solved_by():
    graphs = forms_of(generators.make(recipes.grid(200, 200)))
    for graph in graphs:
        assert choose_for_forest(graph, 7).threads == choose(graph, 7).threads
