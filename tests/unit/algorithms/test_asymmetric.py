"""A sparse matrix need not be symmetric: whatever triangle an edge is stored in, it counts."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import skerry
from support.checks import assert_answer
from support.graphs import Graph, large_graphs, small_graphs
from support.specs import names_on

NAMES = names_on("cpu")
SIDES = {
    "lower": lambda graph: graph.directed(np.maximum, np.minimum),
    "upper": lambda graph: graph.directed(np.minimum, np.maximum),
    "mixed": lambda graph: _turned(graph, np.arange(len(graph.src)) % 2 == 0),
    "by parity": lambda graph: _turned(graph, (graph.src + graph.dst) % 2 == 0),
    "partly both": lambda graph: Graph(
        graph.name,
        graph.n,
        np.append(graph.src, graph.dst[::3]),
        np.append(graph.dst, graph.src[::3]),
        graph.large,
    ),
}


def _turned(graph, turn):
    src, dst = np.where(turn, graph.dst, graph.src), np.where(turn, graph.src, graph.dst)
    return Graph(graph.name, graph.n, src, dst, graph.large)


PAIRWISE = (("csr", None, 1), ("csr", False, 8), ("csc", None, 8), ("csc", False, 1))
"""Forms, promises and threads: any two of them together."""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("side", SIDES)
def test_one_direction_is_enough(name, side):
    for graph in small_graphs():
        one_way = SIDES[side](graph)
        for form, symmetric, threads in PAIRWISE:
            assert_answer(
                one_way,
                getattr(one_way, form),
                f"{side} {form}",
                algorithm=name,
                symmetric=symmetric,
                threads=threads,
            )


@pytest.mark.parametrize("name", NAMES)
def test_large_one_direction(name):
    for graph, side, form in zip(
        large_graphs(), [*SIDES, "lower"], ("csr", "csc") * 3, strict=True
    ):
        one_way = SIDES[side](graph)
        assert_answer(one_way, getattr(one_way, form), f"{side} {form}", algorithm=name, threads=8)


@pytest.mark.parametrize("name", NAMES)
def test_symmetric(name):
    for graph, symmetric, threads in product(small_graphs(), (None, False, True), (1, 8)):
        assert_answer(
            graph,
            graph.symmetric,
            "symmetric",
            algorithm=name,
            symmetric=symmetric,
            threads=threads,
        )
    for graph in large_graphs():
        assert_answer(
            graph, graph.symmetric, "symmetric", algorithm=name, symmetric=True, threads=8
        )


def test_a_csr_knows_whether_it_is_symmetric():
    for graph in small_graphs():
        rows = graph.symmetric
        known = skerry.Csr(
            rows.indptr.astype(np.uint64), rows.indices.astype(np.uint32), symmetric=True
        )
        assert_answer(graph, known, algorithm="ecl")
        one_way = skerry.Csr(
            graph.csr.indptr.astype(np.uint64), graph.csr.indices.astype(np.uint32)
        )
        assert_answer(graph, one_way, algorithm="ecl")


def test_the_argument_overrules_what_a_csr_says():
    # 2 -> 1 -> 0 lacks its reverse, so only symmetric=False makes this promise harmless.
    rows = skerry.Csr(
        np.array([0, 1, 2, 2], np.uint64), np.array([1, 2], np.uint32), symmetric=True
    )
    result = skerry.connected_components(rows, symmetric=False, algorithm="ecl")
    assert result.count == 1
