"""The plan of a result: what ran, why, how long its passes took, and what was counted."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import skerry
from support.graphs import large_graphs, small_graphs
from support.specs import specs_on

ROWS = specs_on("cpu")
JOINED_ONCE = (
    "union-find",
    "stream",
    "afforest",
    "galois-async",
    "galois-blocked",
    "galois-sync",
    "jayanti-tarjan",
)
"""Start from single vertices and join two trees in each counted hook."""


def plan_of(graph, form="edges", **arguments):
    return skerry.connected_components(getattr(graph, form), **arguments).plan


@pytest.mark.parametrize("row", ROWS, ids=str)
@pytest.mark.parametrize("form", ["edges", "csr"])
def test_passes_are_timed(row, form):
    plan = plan_of(large_graphs()[1], form, algorithm=row, threads=2)
    assert plan.algorithm == row.name
    assert plan.device == "cpu"
    assert plan.threads == (1 if row.serial else 2)
    assert plan.reason == "asked for by name"
    assert plan.form == form
    assert plan.vertices == 70_000
    assert plan.edges == 35_000
    assert len(plan.passes) >= len(row.passes)
    assert all(step.name and step.seconds >= 0 for step in plan.passes)
    assert 0 < plan.seconds == sum(step.seconds for step in plan.passes)
    assert plan.statistics is None


@pytest.mark.parametrize(
    ("form", "symmetric", "name", "passes"),
    [
        (
            "edges",
            None,
            "ecl",
            ["build csr", "init first_smaller", "hook halving", "finish single"],
        ),
        ("csr", None, "cc", ["list edges", "cc"]),
        ("csr", None, "bfs", ["check symmetry", "symmetrize", "bfs"]),
        ("csr", False, "bfs", ["symmetrize", "bfs"]),
        ("symmetric", None, "bfs", ["check symmetry", "bfs"]),
        ("symmetric", True, "bfs", ["bfs"]),
    ],
)
def test_names_of_passes(form, symmetric, name, passes):
    plan = plan_of(small_graphs()[-2], form, symmetric=symmetric, algorithm=name)
    assert [step.name for step in plan.passes if step.name != "convert ids"] == passes


def test_auto_says_what_and_why():
    for graph in (*small_graphs(), *large_graphs()):
        for form in ("edges", "csr", "symmetric"):
            plan = plan_of(graph, form)
            skerry.algorithm(plan.algorithm)
            assert plan.reason not in ("", "asked for by name")
            assert plan.threads >= 1


def test_text():
    text = str(plan_of(small_graphs()[-2], algorithm="ecl[jump=none]", threads=1, statistics=True))
    first, *passes = text.split("\n")
    assert first == "ecl[jump=none] on cpu, 1 thread: asked for by name"
    assert [line.split()[-1] for line in passes[:-1]] == ["ms"] * 4
    assert passes[-1].startswith("  rounds 0, hooks ")
    assert "2 threads" in str(plan_of(small_graphs()[-2], algorithm="ecl", threads=2))


def test_notes_tell_of_copies():
    src, dst = np.arange(5, dtype=np.int32), np.arange(5, dtype=np.int64)
    plan = skerry.connected_components((src, dst)).plan
    assert plan.notes == ("src is int32 and dst int64: the narrower was copied",)
    assert "note: src is int32" in str(plan)
    assert skerry.connected_components((src, src)).plan.notes == ()


@pytest.mark.parametrize("name", JOINED_ONCE)
@pytest.mark.parametrize("threads", [1, 8])
def test_a_hook_joins_two_trees(name, threads):
    for graph in (*small_graphs(), *large_graphs()):
        found = plan_of(graph, algorithm=name, threads=threads, statistics=True).statistics
        assert found.hooks == graph.n - graph.count, (graph.name, found)


@pytest.mark.parametrize("name", ["rem", "rem-prefetch"])
def test_rem_repeats_hooks_that_threads_lose(name):
    for graph in (*small_graphs(), *large_graphs()):
        alone, team = (
            plan_of(graph, algorithm=name, threads=threads, statistics=True).statistics
            for threads in (1, 8)
        )
        assert alone.hooks == graph.n - graph.count <= team.hooks, (graph.name, alone, team)


@pytest.mark.parametrize("init", ["own", "smallest", "first_smaller"])
@pytest.mark.parametrize("threads", [1, 8])
def test_hooks_of_ecl_and_its_inits(init, threads):
    """Vertices that a parent is given at once need no hook."""
    for graph in (*small_graphs(), *large_graphs()):
        found = plan_of(
            graph,
            "symmetric",
            symmetric=True,
            algorithm=f"ecl[init={init}]",
            threads=threads,
            statistics=True,
        ).statistics
        smaller = np.append(graph.src[graph.dst < graph.src], graph.dst[graph.src < graph.dst])
        given = 0 if init == "own" else len(np.unique(smaller))
        assert found.hooks == graph.n - graph.count - given, (graph.name, found)


def test_path_lengths():
    graph = large_graphs()[2]
    for jump in ("none", "single", "multiple", "halving"):
        found = plan_of(graph, algorithm=f"ecl[jump={jump}]", statistics=True, threads=1).statistics
        assert found.finds > 0
        assert found.steps >= found.longest > 0
        assert found.average == found.steps / found.finds
        assert found.longest < graph.n
    no_vertex = plan_of(small_graphs()[0], algorithm="ecl", statistics=True).statistics
    assert no_vertex == skerry.Statistics()
    assert no_vertex.average == 0


def test_compression_shortens_paths():
    graph = large_graphs()[2]
    plain, halving = (
        plan_of(graph, algorithm=f"ecl[jump={jump}]", statistics=True, threads=1).statistics
        for jump in ("none", "halving")
    )
    assert halving.steps < plain.steps


@pytest.mark.parametrize(
    "name",
    [
        *("cc", "cc-updt", "sv", "sv-updt", "label-propagation", "eclaf", "crono-sv"),
        *("thrifty", "fastsv"),
    ],
)
def test_rounds_are_counted(name):
    for graph in large_graphs():
        found = plan_of(graph, algorithm=name, statistics=True).statistics
        assert 1 <= found.rounds < graph.n, (graph.name, found)


def test_statistics_add_up():
    total = skerry.Statistics(1, 2, 3, 4, 5) + skerry.Statistics(10, 20, 30, 40, 4)
    assert total == skerry.Statistics(11, 22, 33, 44, 5)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_counting_changes_no_label(row):
    for graph in large_graphs()[:2]:
        result = skerry.connected_components(graph.edges, algorithm=row, threads=8, statistics=True)
        np.testing.assert_array_equal(result.labels, graph.labels)
        assert isinstance(result.plan.statistics, skerry.Statistics)


def test_an_init_from_neighbors_builds_rows_for_an_edge_list():
    plan = skerry.connected_components(
        [(0, 1), (2, 1), (4, 5)], algorithm="union-find[init=smallest]"
    ).plan
    assert [step.name for step in plan.passes][:2] == ["build csr", "init smallest"]


def test_notes_say_what_an_asymmetric_matrix_does_not_allow():
    matrix = scipy.sparse.csr_array((np.ones(2), ([1, 3], [0, 2])), shape=(5, 5))
    asked = skerry.connected_components(matrix, algorithm="ecl").plan
    assert any("all entries are looked at" in note for note in asked.notes)
    asked = skerry.connected_components(matrix, algorithm="afforest").plan
    assert any("not left out" in note for note in asked.notes)
    both = matrix + matrix.T
    promised = skerry.connected_components(both, algorithm="afforest", symmetric=True).plan
    assert not any("symmetric" in note for note in promised.notes)
