"""What `auto` chooses for graphs of a known shape, of every size; and that it says so."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry import generators
from skerry.algorithms.planner import (
    SHAPE_FROM,
    choose,
)
from skerry.generators import recipes
from skerry.graph.build import csr_from_edges
from skerry.graph.csr import Csr
from skerry.graph.features import features
from skerry.threads import THREADS_FROM

SHAPES = {
    "flood": lambda n: recipes.preferential_attachment(n, 4),
    "rounds": lambda n: recipes.grid(int(n**0.5), int(n**0.5)),
    "local": lambda n: recipes.path(n),
    "window": lambda n: recipes.path(n, shuffled=True),
}
"""A shape for each of our ways."""


def rows_of(recipe):
    return csr_from_edges(generators.make(recipe))


@pytest.mark.parametrize("n", [6000, 20_000, 200_000])
@pytest.mark.parametrize("name", SHAPES)
def test_shape_decides(name, n):
    graph = rows_of(SHAPES[name](n))
    size = graph.num_vertices + graph.num_entries
    if size < SHAPE_FROM:
        pytest.skip("too small to be looked at")
    found = choose(graph, 4)
    assert found.algorithm.name == name
    assert found.threads == (1 if size < THREADS_FROM else 4)
    assert ("one thread" in found.reason) == (size < THREADS_FROM)
    assert found.reason.startswith("CSR, symmetric; ")
    assert skerry.connected_components(graph).verify()


@pytest.mark.parametrize(("n", "name"), [(20_000, "window"), (200_000, "rounds")])
def test_a_shuffled_grid(n, name):
    grid = generators.make(SHAPES["rounds"](n))
    order = np.random.default_rng(1).permutation(grid.num_vertices)
    graph = csr_from_edges(skerry.Edges(order[grid.src], order[grid.dst], grid.num_vertices))
    assert choose(graph, 2).algorithm.name == name


@pytest.mark.parametrize("name", SHAPES)
def test_the_smallest_are_not_looked_at(name):
    found = choose(rows_of(SHAPES[name](500)), 4)
    assert (found.algorithm.name, found.threads) == ("window", 1)
    assert found.reason.startswith("too small for its shape to matter")


@pytest.mark.parametrize("n", [6000, 20_000, 200_000])
def test_without_reverses_nothing_is_left_out(n):
    graph = rows_of(SHAPES["flood"](n))
    for known in (None, False):
        found = choose(Csr(graph.offsets, graph.neighbors, known), 2)
        assert found.algorithm.name == "window"
        assert "not known to be symmetric" in found.reason


def test_expansion_is_looked_at_where_it_matters():
    graph = rows_of(SHAPES["flood"](20_000))
    looked, left = features(graph), features(graph, expansion=False)
    assert looked.reached >= 20_000 // 8 and 0 < looked.levels <= 4
    assert (left.reached, left.levels) == (0, 0)
    assert (left.degree, left.near, left.vertices) == (looked.degree, looked.near, 20_000)
    assert features(rows_of(SHAPES["rounds"](20_000))).levels > 20
    assert features(rows_of(recipes.tiny(3000))).levels == 0  # no component is large enough
