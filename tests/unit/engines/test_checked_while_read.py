"""Arrays that "auto" reads are checked by the kernel that reads them: the same errors, one pass."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import skerry
from skerry.algorithms.planner import Choice
from skerry.engines import memory
from skerry.errors import InputError
from skerry.graph import vertex_ids
from skerry.graph.build import csr_from_edges
from skerry.union_find.forest import Forest
from support.graphs import medium_graphs, small_graphs
from support.specs import READ_ROWS

GRAPHS = {graph.name: graph for graph in (*small_graphs(), *medium_graphs())}
GRAPH = max((g for g in GRAPHS.values() if g.n < 20_000), key=lambda g: len(g.src))
ROWS = tuple(name for name in READ_ROWS if name != "auto")


@pytest.fixture
def forced(monkeypatch):
    """Makes "auto" take one algorithm."""

    def force(name, threads):
        choice = Choice(skerry.algorithm(name), threads, "")
        monkeypatch.setattr(memory, "choose", lambda *_: choice)

    return force


def rows(symmetric=True, dtype=np.uint32):
    """New arrays of a graph that nothing is wrong with."""
    matrix = GRAPH.symmetric if symmetric else GRAPH.csr
    return matrix.indptr.astype(np.int64), matrix.indices.astype(dtype)


def said(*arguments, **options):
    """What an error says."""
    with pytest.raises(InputError) as caught:
        skerry.connected_components(*arguments, **options)
    return str(caught.value)


def wrong_rows(dtype=np.uint32, symmetric=True):
    """Every kind of fault in rows."""
    n = GRAPH.n
    middle = n // 2
    entries = len(rows(symmetric)[1])
    for place in (0, 1, entries // 2, entries - 1):
        for value in (n, n + 7, np.iinfo(dtype).max):
            offsets, neighbors = rows(symmetric, dtype)
            neighbors[place] = value
            yield offsets, neighbors
    for place, value in (
        (1, entries),
        (n // 2, entries),
        (n - 1, 0),
        (n // 2, -1),
        (n // 2, 1 << 62),
    ):
        offsets, neighbors = rows(symmetric, dtype)
        offsets[place] = value
        yield offsets, neighbors
    offsets, neighbors = rows(symmetric, dtype)
    offsets[middle : middle + 3] = 2**63 - 1, -2, 3  # each step below 2^63, as unsigned numbers
    yield offsets, neighbors


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", ROWS)
def test_rows_that_are_wrong_are_refused_alike_by_all(name, threads, forced):
    forced(name, threads)
    for offsets, neighbors in wrong_rows():
        graph = skerry.Csr(offsets, neighbors, symmetric=True)
        assert said(graph, threads=threads) == said(graph, algorithm="ecl")


@pytest.mark.parametrize("name", ["rows[join=window]", "rows[join=as-read]"])
def test_rows_of_which_nothing_is_promised_are_refused_alike(name, forced):
    forced(name, 2)
    for offsets, neighbors in wrong_rows(symmetric=False):
        graph = skerry.Csr(offsets, neighbors)
        assert said(graph, threads=2) == said(graph, algorithm="ecl")


@pytest.mark.parametrize("name", ROWS)
def test_a_negative_neighbor_is_refused_while_rows_are_read(name, forced):
    forced(name, 1)
    offsets, neighbors = rows(dtype=np.int32)
    neighbors[5] = -3
    graph = skerry.Csr(offsets, neighbors, symmetric=True)
    assert "neighbors[5] is -3: vertex numbers must not be negative" in said(graph)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint64])
def test_edges_that_are_wrong_are_refused_alike(dtype, threads):
    for place in (0, len(GRAPH.src) - 1):
        for value in (GRAPH.n, np.iinfo(dtype).max, np.iinfo(dtype).min or GRAPH.n + 1):
            for column in (0, 1):
                columns = [GRAPH.src.astype(dtype), GRAPH.dst.astype(dtype)]
                columns[column][place] = value
                options = {"num_vertices": GRAPH.n, "threads": threads}
                assert said(tuple(columns), **options) == said(
                    tuple(columns), algorithm="union-find", **options
                )


@pytest.mark.parametrize("name", ROWS)
def test_the_end_of_a_hubs_row_is_checked(name, forced):
    forced(name, 2)
    n = 3 << 16
    hub = np.arange(1, n, dtype=np.uint32)
    neighbors = np.concatenate((hub, np.zeros(n - 1, np.uint32)))
    offsets = np.concatenate(([0], np.arange(n - 1, 2 * n - 1)))
    graph = skerry.Csr(offsets, neighbors, symmetric=True)
    assert skerry.connected_components(graph, threads=2).count == 1
    neighbors[n - 2] = n
    assert f"neighbors[{n - 2}] is {n}, but" in said(graph, threads=2)


@pytest.mark.parametrize("name", ROWS)
def test_no_pass_of_its_own_checks_what_is_read_anyway(name, forced, monkeypatch):
    forced(name, 1)
    offsets, neighbors = rows()
    right = skerry.connected_components((GRAPH.src, GRAPH.dst), num_vertices=GRAPH.n)
    monkeypatch.delattr(vertex_ids._native, "bounds")
    monkeypatch.delattr(vertex_ids._native, "first_falling_offset")
    graph = skerry.Csr(offsets, neighbors, symmetric=True)
    for result in (
        skerry.connected_components(graph),
        skerry.connected_components(graph, dtype="uint64"),
    ):
        assert np.array_equal(result.labels, right.labels)


def test_no_pass_of_its_own_checks_edges_of_so_many_vertices(monkeypatch):
    monkeypatch.delattr(vertex_ids._native, "bounds")
    edges = skerry.Edges(GRAPH.src, GRAPH.dst, GRAPH.n)
    assert skerry.connected_components(edges).count > 0


def test_a_fault_that_is_gone_when_it_is_looked_for_is_a_change(forced, monkeypatch):
    forced("rows", 1)
    offsets, neighbors = rows()
    run = memory.backend.run
    monkeypatch.setattr(
        memory.backend, "run", lambda *arguments: replace(run(*arguments), faulty=True)
    )
    message = said(skerry.Csr(offsets, neighbors, symmetric=True))
    assert message == vertex_ids.CHANGED


def test_ids_that_grow_after_they_were_checked_are_not_joined():
    forest = Forest(4)
    with pytest.raises(InputError, match="changed while they were read"):
        forest.join(np.array([0, 1]), np.array([1, 9]), 1)
    assert forest.labels().tolist() == [0, 1, 2, 3]


def test_rows_that_a_builder_checked_are_not_checked_again(monkeypatch):
    seen = []
    run = memory.backend.run
    monkeypatch.setattr(
        memory.backend, "run", lambda *arguments: (seen.append(arguments[-1]), run(*arguments))[1]
    )
    offsets, neighbors = rows()
    built = csr_from_edges(skerry.Edges(GRAPH.src, GRAPH.dst, GRAPH.n))
    for graph in (built, skerry.Csr(offsets, neighbors, symmetric=True)):
        skerry.connected_components(graph)
    assert seen == [False, True]
