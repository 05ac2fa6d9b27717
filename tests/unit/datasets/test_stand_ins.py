"""Stand-ins deserve the names of the papers' graphs: sizes, degrees, components, order of ids."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import skerry
from skerry.datasets import paper_graph, papers_graphs, stand_in
from skerry.generators import make
from skerry.graph.build import csr_from_edges

RECORD = Path(__file__).with_name("stand-ins-2026-11-16.csv")
TOLERANCE = 0.1
SMALL = ("internet", "dictionary28", "rmat16.sym", "USA-road-d.NY", "citationCiteseer")
"""Originals that a test can afford at full scale."""
GRAPHS = [graph.name for graph in papers_graphs()]
SIZE = 30_000
"""Vertices of a scaled stand-in, about."""


def near(measured, expected):
    return abs(measured - expected) <= TOLERANCE * expected


def degrees_and_components(name, scale):
    edges = make(stand_in(name, scale))
    rows = csr_from_edges(edges)
    return rows.degrees(), skerry.connected_components(edges).count


def expected_figures(graph):
    figures = {
        "vertices": graph.vertices,
        "edges": graph.undirected_edges,
        "least_degree": graph.least_degree,
        "largest_degree": graph.largest_degree,
        "components": graph.components,
    }
    return {key: value for key, value in figures.items() if value is not None}


@pytest.mark.parametrize("name", SMALL)
def test_a_stand_in_has_the_published_figures(name):
    degrees, components = degrees_and_components(name, 1)
    figures = {
        "vertices": len(degrees),
        "edges": int(degrees.sum()) // 2,
        "least_degree": int(degrees.min()),
        "largest_degree": int(degrees.max()),
        "components": components,
    }
    for key, expected in expected_figures(paper_graph(name)).items():
        assert near(figures[key], expected), (key, figures[key], expected)


@pytest.mark.parametrize("name", GRAPHS)
def test_a_scaled_stand_in_keeps_degrees_and_the_hubs_share(name):
    graph = paper_graph(name)
    recipe = stand_in(name)
    if recipe.family == "delaunay":
        pytest.importorskip("scipy")
    scale = min(1.0, SIZE / graph.vertices)
    scale = 2.0 ** round(np.log2(scale))  # what an exponent allows
    degrees, components = degrees_and_components(name, scale)
    skewed = recipe.family == "rmat" or (recipe.family == "rmat_of" and graph.edges is None)
    assert near(len(degrees), graph.vertices * scale)
    mean = 2 * (graph.undirected_edges or 2 * graph.vertices) / graph.vertices
    if not skewed:  # R-MAT draws more repeats the smaller it is
        assert near(degrees.mean(), mean)
    if graph.least_degree is not None:
        assert degrees.min() == graph.least_degree
    if graph.components is not None and not skewed:
        expected = 1 + (graph.components - 1) * scale
        assert abs(components - expected) <= max(1, TOLERANCE * expected)
    if graph.largest_degree is not None and recipe.family in ("profile", "road", "grid"):
        expected = graph.largest_degree
        if recipe.family == "profile":
            expected = max(scale * expected, min(expected, 4 * mean))
        assert 0.9 * expected <= degrees.max() <= 1.5 * expected  # a hub of few has neighbors too


@pytest.mark.parametrize("name", GRAPHS)
def test_no_vertex_at_the_beginning_has_a_third_of_all_others(name):
    scale = min(1.0, SIZE / paper_graph(name).vertices)
    recipe = stand_in(name, scale)
    if recipe.family == "delaunay":
        pytest.importorskip("scipy")
    degrees = csr_from_edges(make(recipe)).degrees()
    hub = int(degrees.argmax())
    share = degrees.max() / len(degrees)
    if recipe.family == "mawi":  # traffic is what it is: a few hosts see most others
        assert share < 0.2
    elif recipe.family == "rmat" and recipe.shuffle is not None:
        assert share < 0.35  # Kronecker: the smaller, the larger the hub's share
    else:
        assert share < 0.06
    if recipe.family == "profile":
        assert hub / len(degrees) > 0.02


def test_hubs_of_the_web_lie_anywhere():
    places = []
    for seed in range(12):
        degrees = csr_from_edges(make(stand_in("in-2004", 1 / 64, seed=seed))).degrees()
        places.append(int(degrees.argmax()) / len(degrees))
    assert min(places) < 0.4
    assert max(places) > 0.6


def test_links_of_the_web_stand_ins_are_near_ones_as_in_a_crawl():
    # Of cnr-2000, 47 percent lie less than 1024 ids apart, 61 less than a percent of all.
    edges = make(stand_in("in-2004", 325_557 / 1_382_908))
    gaps = np.abs(edges.src.astype(np.int64) - edges.dst)
    assert 0.35 < (gaps < 1024).mean() < 0.6
    assert 0.4 < (gaps < edges.num_vertices / 100).mean() < 0.7


def recorded():
    with RECORD.open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("row", recorded(), ids=lambda row: row["graph"])
def test_the_recorded_stand_ins_have_the_published_figures(row):
    graph = paper_graph(row["graph"])
    assert row["stand_in"] == graph.stand_in, "run tools/stand_ins.py again"
    assert float(row["scale"]) == 1
    for key, expected in expected_figures(graph).items():
        assert near(float(row[key]), expected), (key, row[key], expected)


def test_all_stand_ins_that_fit_this_project_are_recorded():
    names = {row["graph"] for row in recorded()}
    large = {"delaunay_n24", "mawi_201512020330", "com-Orkut"}  # minutes and gigabytes
    large |= {"random-50M", "random-100M", "rmat-20M", "torus-100M", "twitter-35M"}
    assert names | large >= set(GRAPHS)
