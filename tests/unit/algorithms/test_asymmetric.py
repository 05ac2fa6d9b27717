"""A sparse matrix need not be symmetric: whatever triangle an edge is stored in, it counts."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import skerry
from support.checks import assert_answer
from support.graphs import large_graphs, small_graphs
from support.specs import names_on

NAMES = names_on("cpu")


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
