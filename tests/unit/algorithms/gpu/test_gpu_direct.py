"""The GPU's strategies for rows, each forced: with one or several threads a row."""

from __future__ import annotations

import numpy as np
import pytest

from skerry.algorithms import gpu_planner
from skerry.algorithms.gpu import row_solver
from support.emulated import assert_answer_on_device, emulated_gpu
from support.emulator import EmulatedRuntime, works
from support.graphs import Graph, small_graphs

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")


def mixed(seed):
    """Random edges, a hub above the length of deferred rows, cliques, a path, and lone vertices."""
    rng = np.random.default_rng(seed)
    random = rng.integers(0, 700, (1200, 2))
    hub = np.column_stack((np.full(1500, 800), 801 + np.arange(1500)))
    members = np.arange(24)
    clique = 2400 + np.column_stack([each.ravel() for each in np.meshgrid(members, members)])
    path = 2500 + np.column_stack((np.arange(499), np.arange(1, 500)))
    edges = np.vstack((random, hub, clique[clique[:, 0] != clique[:, 1]], path))
    order = rng.permutation(3100) if seed % 2 else np.arange(3100)
    return Graph(f"mixed {seed}", 3100, order[edges[:, 0]], order[edges[:, 1]], large=True)


@pytest.mark.parametrize("processors", [1, 400])
@pytest.mark.parametrize("seed", [0, 1])
def test_all_rows(processors, seed, monkeypatch):
    # A device of many processors has several threads for each row.
    graph = mixed(seed)
    runtime = EmulatedRuntime(seed << 32, 1 + seed)
    monkeypatch.setattr(runtime, "processors", processors)
    with emulated_gpu(runtime, on_device=True):
        for form in ("symmetric", "csr"):
            for strategy in ("direct", "plain"):
                assert_answer_on_device(graph, form, f"rows[strategy={strategy}]")


@pytest.mark.parametrize("share", [1, 16])
@pytest.mark.parametrize("seed", [0, 1])
def test_shares_of_second_neighbors(share, seed, monkeypatch):
    monkeypatch.setattr(gpu_planner, "share_of_seconds", lambda _degree: share)
    row_solver._run.cache_clear()
    with emulated_gpu(EmulatedRuntime(seed << 32, 2), on_device=True):
        for graph in (mixed(seed), *small_graphs()):
            for form in ("symmetric", "csr"):
                assert_answer_on_device(graph, form, "rows[strategy=links]")
    row_solver._run.cache_clear()


def test_roots_of_many_vertices_are_not_copied(monkeypatch):
    few, many = ["copy joined roots", "sample largest"], ["sample largest", "copy joined roots"]
    for limit, order, kernel in ((3100, few, "join"), (3099, many, "join many")):
        monkeypatch.setattr(gpu_planner, "COPIED_VERTICES", limit)
        row_solver._run.cache_clear()
        with emulated_gpu(on_device=True):
            result = assert_answer_on_device(
                mixed(0), "symmetric", "rows[strategy=links]", statistics=True
            )
        steps = [step.name for step in result.plan.passes]
        assert [step for step in steps if step in order] == order
        assert f"{kernel} remaining rows" in steps
    row_solver._run.cache_clear()


@pytest.mark.parametrize(
    ("vertices", "entries", "threads"),
    [
        (100_000, 800_000, 4),
        (100_000, 300_000, 2),
        (100_000, 400_000, 2),
        (900_000, 900_000, 1),
        (1000, 8000, 8),
        (1000, 900, 1),
        (64, 4032, 32),
    ],
)
def test_threads_for_a_row(vertices, entries, threads):
    assert gpu_planner.team_of_row(vertices, entries, 270_336) == threads
