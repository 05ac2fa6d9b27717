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
from support.paths import SHARED

RECORD = Path(__file__).with_name("stand-ins-2026-11-19.csv")
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


def recorded(real=False):
    with RECORD.open() as file:
        rows = list(csv.DictReader(file))
    return [row for row in rows if row["stand_in"].startswith("file ") == real]


@pytest.mark.parametrize("row", recorded(), ids=lambda row: row["graph"])
def test_the_recorded_stand_ins_have_the_published_figures(row):
    graph = paper_graph(row["graph"])
    assert row["stand_in"] == graph.stand_in, "run tools/stand_ins.py again"
    if float(row["scale"]) == 1:
        for key, expected in expected_figures(graph).items():
            assert near(float(row[key]), expected), (key, row[key], expected)


def test_all_stand_ins_are_recorded():
    assert sorted(row["graph"] for row in recorded()) == sorted(GRAPHS)


def record_of(graph):
    return next(row for row in recorded() if row["graph"] == graph)


@pytest.mark.parametrize(
    "real", recorded(True), ids=lambda row: f"{row['graph']}-{row['stand_in']}"
)
def test_stand_ins_leave_as_many_hooks_as_real_graphs(real):
    row = record_of(real["graph"])
    for figure in ("hooks", "smaller_share"):
        measured, expected = float(row[figure]), float(real[figure])
        assert abs(measured - expected) <= max(TOLERANCE * min(expected, 1 - expected), 0.01)


@pytest.mark.parametrize(
    "real", recorded(True), ids=lambda row: f"{row['graph']}-{row['stand_in']}"
)
def test_stand_ins_have_the_diameter_class_and_degrees_of_real_graphs(real):
    row = record_of(real["graph"])
    assert (float(row["levels"]) > 100) == (float(real["levels"]) > 100)
    same = row["graph"] == real["stand_in"].removeprefix("file ")
    for percent in (25, 50, 75, 90) if same else ():
        measured, expected = (float(each[f"degree_{percent}"]) for each in (row, real))
        assert abs(measured - expected) <= max(2, 0.25 * expected)


@pytest.mark.parametrize("name", ["USA-road-d.NY", "dictionary28"])
def test_files_that_lie_here_have_the_hooks_of_their_stand_ins(name):
    parquet = pytest.importorskip("pyarrow.parquet")
    path = SHARED / "graphs" / f"{name}.edges.parquet"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    table = parquet.read_table(path)
    count = int(table.schema.metadata[b"n_vertices"])
    real = skerry.Edges(table["src"].to_numpy(), table["dst"].to_numpy(), count)
    shares = [hooks(edges) / edges.num_vertices for edges in (real, make(stand_in(name)))]
    assert near(shares[1], shares[0])


def hooks(edges):
    """Vertices with later neighbors only, but the first of each component."""
    lowest = np.arange(edges.num_vertices)
    np.minimum.at(lowest, edges.src, edges.dst)
    np.minimum.at(lowest, edges.dst, edges.src)
    minima = int((lowest == np.arange(edges.num_vertices)).sum())
    return minima - skerry.connected_components(edges).count
