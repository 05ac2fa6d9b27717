"""What `auto` chooses on a GPU, and that it says so."""

from __future__ import annotations

import ast
import inspect
from itertools import product

import numpy as np
import pytest

import skerry
from skerry import generators
from skerry.algorithms import gpu_planner
from skerry.algorithms.gpu.dry_runtime import dry_csr, dry_edges
from skerry.algorithms.gpu_planner import (
    ONE_BLOCK,
    PLAN_BITS,
    TREE_UNIT,
    RowCounts,
    Strategy,
    choose_for_gpu,
    fits_one_block,
    gpu_reason,
    links_over,
    row_plan,
    share_of_seconds,
)
from skerry.algorithms.planner import choose, choose_for_forest, threads_for
from skerry.graph.build import csr_from_edges
from support.oracle import scipy_labels

LINKS, DIRECT, PLAIN = Strategy
SIZES = {"LANES", "PLAN_BITS", "TREE_UNIT"}
"""Numbers of the planner that decide nothing."""


def test_the_numbers_that_decide_are_few_and_say_what():
    lines = inspect.getsource(gpu_planner).splitlines()
    names = [
        (node.targets[0].id, lines[node.lineno - 1])
        for node in ast.parse("\n".join(lines)).body
        if isinstance(node, ast.Assign) and node.targets[0].id.isupper()
    ]
    deciding = {name: line for name, line in names if name not in SIZES | {"GPU_ALGORITHMS"}}
    assert 10 < len(deciding) <= 20
    assert all(len(line.partition("  # ")[2]) > 20 for line in deciding.values())


@pytest.mark.parametrize("form", ["edges", "csr"])
def test_on_a_gpu_the_form_decides(form):
    spec = choose_for_gpu(form)
    assert spec.form == form
    assert "cuda" in spec.devices and spec.recorded


def test_small_graphs_are_one_launch_on_a_gpu():
    half = ONE_BLOCK // 2
    assert fits_one_block(half, half)
    assert not fits_one_block(half, half + 1)
    for graph in (dry_csr(half, half, 32, 32), dry_edges(half, half, 32)):
        assert gpu_reason(graph, RowCounts()) == "small: one launch does it all"


N = 1 << 16


@pytest.mark.parametrize(
    ("n", "entries", "by_share"),
    [
        (N, N, {1: PLAIN, 500: PLAIN}),
        (N, 2 * N, {1: DIRECT, 100: DIRECT, 300: PLAIN}),
        (N, 4 * N, {1: DIRECT, 50: DIRECT, 500: DIRECT}),
        (N, 6 * N, {0: DIRECT, 50: LINKS, 200: DIRECT}),
        (N // 16, N // 2, {1: DIRECT, 50: DIRECT}),  # too few entries
        (1 << 20, 8 << 20, {1: LINKS, 50: LINKS, 500: LINKS}),
    ],
)
def test_trees_of_first_links_select_a_strategy(n, entries, by_share):
    """Shares of trees are in thousandths, all of them far from where the choice changes."""
    plan = row_plan(n, entries, True)
    assert {share: plan.select(share, 1000) for share in by_share} == by_share
    assert plan.depends == (len(set(plan[:3])) > 1) == (len(set(by_share.values())) > 1)


def on_the_device(word, trees, filled):
    """As planned_strategy of own/strategy.h."""
    few, some, many, few_share, many_share = (
        word >> PLAN_BITS * i & (1 << PLAN_BITS) - 1 for i in range(5)
    )
    if TREE_UNIT * trees <= few_share * filled:
        return few
    return many if TREE_UNIT * trees >= many_share * filled else some


def test_the_device_selects_what_the_plan_says():
    selected = set()
    for degree, n in product((1, 1.5, 3, 6), (1 << 14, 1 << 22)):
        plan = row_plan(n, int(degree * n), True)
        assert plan.word < 1 << 63
        for filled, share in product((7, 999, n), (0, 0.001, 0.0011, 0.05, 0.1, 0.2, 0.9)):
            trees = int(share * filled)
            assert on_the_device(plan.word, trees, filled) == plan.select(trees, filled)
            selected.add(plan.select(trees, filled))
    assert selected == set(Strategy)


@pytest.mark.parametrize("forced", Strategy)
def test_what_is_forced_depends_on_nothing(forced):
    plan = row_plan(1 << 20, 8 << 20, True, forced)
    assert not plan.depends and set(plan[:3]) == {forced}


def test_vertices_are_linked_over_where_entries_are_few_or_degrees_high():
    assert links_over(1000, 1000) and links_over(1 << 20, 8 << 20)
    assert not links_over(1 << 20, 3 << 20) and not links_over(1 << 26, 1 << 30)
    shares = [share_of_seconds(degree) for degree in (1, 2, 4, 16, 86)]
    assert shares[:2] == [1, 1] and shares == sorted(shares) and shares[-1] > 80


@pytest.mark.parametrize(
    ("n", "entries", "counts", "reason"),
    [
        (N, 6 * N, RowCounts(655, 0, True), "1.0% trees: the rows of the largest tree are skipped"),
        (N, 6 * N, RowCounts(655), "1.0% trees: no tree is large: all rows are read"),
        (N, 6 * N, RowCounts(0), "0.0% trees: all rows are read"),
        (N, 6 * N, RowCounts(3277, N // 2), "10.0% trees: all rows are read"),
        (N, 2 * N, RowCounts(N // 2), "50.0% trees: all rows are read, on the links themselves"),
    ],
)
def test_what_first_links_leave_is_the_reason(n, entries, counts, reason):
    said = gpu_reason(dry_csr(n, entries, 32, 32), counts)
    assert said == f"CSR, symmetric, {entries / n:.1f} entries a vertex; first links leave {reason}"


def test_the_size_is_a_reason_too():
    many = dry_csr(1 << 20, 8 << 20, 32, 32)
    skipped = "CSR, symmetric, 8.0 entries a vertex; the rows of the largest tree are skipped"
    assert gpu_reason(many, RowCounts(any_large=True)) == skipped
    edges = dry_edges(1 << 20, 4 << 20, 32)
    assert gpu_reason(edges, RowCounts()).startswith("an edge list: ")
    assert "in the order of its ends" in gpu_reason(edges, RowCounts(), ordered=True)


# What `auto` answers on rows and edges of every size, and that its plan says what ran.

RECIPES = {
    "R-MAT": lambda n: generators.rmat.recipe(max(n, 16).bit_length() - 1, 8),
    "grid": lambda n: generators.grid.recipe(int(n**0.5), int(n**0.5)),
    "path": generators.path.recipe,
    "shuffled path": lambda n: generators.path.recipe(n, shuffled=True),
    "small components": generators.tiny.recipe,
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
    graphs = forms_of(generators.make(generators.grid.recipe(200, 200)))
    for graph in graphs:
        assert choose_for_forest(graph, 7).threads == choose(graph, 7).threads
