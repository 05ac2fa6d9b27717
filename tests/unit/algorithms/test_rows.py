"""The stages of `rows`: each is right on shapes that reach it, and is reported."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import skerry
from skerry import generators
from skerry.algorithms.planner import Choice
from skerry.engines import memory
from skerry.graph.build import csr_from_edges
from support.oracle import scipy_labels

THREADS = (1, 2, 4)
DEEPER = ["flatten", "sample"]
SECONDS = ["join second neighbors", "flatten", "sample"]
ORDERS = [
    ["link first neighbors", "sample", *between, *rest]
    for between in ([], ["flatten"], DEEPER, SECONDS, [*DEEPER, *SECONDS])
    for rest in (["skip the largest"], ["skip the largest", "finish"], ["join rows", "finish"])
]
"""Of stages: a tree's rows are left out, or all are joined."""


def made(recipe):
    edges = generators.make(recipe)
    return edges.num_vertices, edges.src.astype(np.int64), edges.dst.astype(np.int64)


def shuffled(n, src, dst):
    order = np.random.default_rng(3).permutation(n)
    return n, order[src], order[dst]


def star_among_alone():
    """Most vertices have no neighbors."""
    leaves = np.arange(1, 2500)
    return 10_000, np.zeros_like(leaves), leaves


def ring_of_groups(groups=2000, size=8):
    """Groups of vertices that are all neighbors, each joined with the next group by one edge."""
    first = size * np.arange(groups)
    low, high = np.triu_indices(size, 1)
    src = np.append((first[:, None] + low).ravel(), first)
    dst = np.append((first[:, None] + high).ravel(), np.roll(first, 1) + 1)
    return groups * size, src, dst


def half_and_pairs():
    """A mesh of nearly half of the vertices, the others in pairs: no tree need be large."""
    n, src, dst = made(generators.torus.recipe(100, 100))
    pairs = np.arange(n, n + 12_000).reshape(-1, 2)
    return shuffled(n + 12_000, np.append(src, pairs[:, 0]), np.append(dst, pairs[:, 1]))


SHAPES = {
    "grid": lambda: made(generators.grid.recipe(100, 100)),
    "star": star_among_alone,
    "attached": lambda: shuffled(*made(generators.preferential_attachment.recipe(10_000, 4))),
    "web": lambda: shuffled(*made(generators.web.recipe(10_000, 6))),
    "random": lambda: made(generators.uniform.recipe(10_000, 40_000)),
    "R-MAT": lambda: shuffled(*made(generators.rmat.recipe(13, 8))),
    "torus": lambda: shuffled(*made(generators.torus.recipe(150, 150))),
    "half": half_and_pairs,
    "groups": lambda: shuffled(*ring_of_groups()),
    "tiny": lambda: made(generators.tiny.recipe(3000)),
    "path": lambda: made(generators.path.recipe(10_000, shuffled=True)),
    "sparse": lambda: made(generators.uniform.recipe(10_000, 8000)),
}


@cache
def edges_of(shape):
    n, src, dst = SHAPES[shape]()
    return n, src, dst, scipy_labels(n, src, dst)


@cache
def rows_of(shape):
    n, src, dst, _ = edges_of(shape)
    return csr_from_edges(skerry.Edges(src, dst, n))


def one_way(shape):
    """Rows of a part of the entries only: some have both directions, most do not."""
    n, src, dst, labels = edges_of(shape)
    turned = np.random.default_rng(5).random(len(src)) < 0.5
    src, dst = np.where(turned, dst, src), np.where(turned, src, dst)
    src, dst = np.append(src, dst[::7]), np.append(dst, src[::7])
    order = np.argsort(src, kind="stable")
    offsets = np.concatenate(([0], np.cumsum(np.bincount(src, minlength=n))))
    return skerry.Csr(offsets, dst[order]), labels


def stages(result):
    return [name for name in result.plan.stages if name != "convert ids"]


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_right_and_reports_its_stages(shape, dtype):
    rows, (*_, labels) = rows_of(shape), edges_of(shape)
    for threads in THREADS:
        result = skerry.connected_components(rows, algorithm="rows", dtype=dtype, threads=threads)
        np.testing.assert_array_equal(result.labels, labels)
        assert result.labels.dtype == dtype
        names = stages(result)
        assert names in ORDERS
        assert ("skip the largest" in names) <= ("flatten" in names)


@pytest.mark.parametrize(
    ("choice", "stage"),
    [
        ("rest=skip", "skip the largest"),
        ("rest=join", "join rows"),
        ("seconds=join", "join second neighbors"),
    ],
)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_forced_stage_is_the_one_that_runs(shape, choice, stage):
    algorithm = f"rows[{choice}]"
    result = skerry.connected_components(rows_of(shape), algorithm=algorithm, threads=2)
    np.testing.assert_array_equal(result.labels, edges_of(shape)[-1])
    assert stage in stages(result)


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_callers_arrays_are_checked_by_the_first_stage(shape, dtype, monkeypatch):
    built, (n, *_, labels) = rows_of(shape), edges_of(shape)
    for threads in THREADS:
        chosen = Choice(skerry.algorithm("rows"), threads, "")
        monkeypatch.setattr(memory, "choose", lambda *_, chosen=chosen: chosen)
        neighbors = built.neighbors.astype(dtype)
        rows = skerry.Csr(built.offsets.astype(np.int64), neighbors, symmetric=True)
        result = skerry.connected_components(rows)
        np.testing.assert_array_equal(result.labels, labels)
        assert stages(result)[0] == "link first neighbors"
        neighbors[-1] = n
        with pytest.raises(skerry.InputError, match=f"{n}"):
            skerry.connected_components(rows)


@pytest.mark.parametrize("shape", SHAPES)
def test_entries_without_reverses_are_all_joined(shape):
    rows, labels = one_way(shape)
    for threads in THREADS:
        result = skerry.connected_components(rows, algorithm="rows", threads=threads)
        np.testing.assert_array_equal(result.labels, labels)
        assert stages(result) == ["link first neighbors", "join rows", "finish"]


@pytest.mark.parametrize("choice", ["rest=skip", "seconds=join"])
def test_a_choice_that_is_not_followed_is_noted(choice):
    rows, labels = one_way("grid")
    result = skerry.connected_components(rows, algorithm=f"rows[{choice}]")
    np.testing.assert_array_equal(result.labels, labels)
    note = "not known to be symmetric: the largest component is not left out"
    assert note in result.plan.notes
    followed = [(rows_of("grid"), choice), (edges_of("grid")[1:3], choice), (rows, "rest=join")]
    for graph, each in followed:
        plan = skerry.connected_components(graph, algorithm=f"rows[{each}]").plan
        assert note not in plan.notes


@pytest.mark.parametrize("shape", SHAPES)
def test_work_is_bounded(shape):
    rows = rows_of(shape)
    n, entries = rows.num_vertices, rows.num_entries
    for threads in THREADS:
        result = skerry.connected_components(
            rows, algorithm="rows", threads=threads, statistics=True
        )
        counts = result.plan.statistics
        assert counts.hooks < n
        assert counts.finds <= 4 * n + 2 * entries
        names = ["largest tree", "joining degree"]
        second = [f"{name}, sample 2" for name in names]
        assert list(dict(counts.measured)) in (names, names + second)
        assert len(dict(counts.measured)) == len(counts.measured)


def test_the_rows_of_a_large_tree_are_not_read_again():
    """Where first links make one tree, no root is searched for any entry."""
    result = skerry.connected_components(
        rows_of("grid"), algorithm="rows", threads=2, statistics=True
    )
    assert result.plan.statistics.hooks == 0
    assert result.plan.statistics.finds < rows_of("grid").num_vertices // 10


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 129])
def test_small_graphs(n, threads):
    rng = np.random.default_rng(n)
    for edges in (0, n, 4 * n):
        src, dst = rng.integers(0, n, (2, edges))
        rows = csr_from_edges(skerry.Edges(src, dst, n))
        result = skerry.connected_components(rows, algorithm="rows", threads=threads)
        np.testing.assert_array_equal(result.labels, scipy_labels(n, src, dst))
