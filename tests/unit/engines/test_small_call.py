"""A call on a few edges takes microseconds: every function on its way counts."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import scipy.sparse

import skerry

OFFSETS, NEIGHBORS = np.array([0, 1, 2], np.uint64), np.array([1, 0], np.uint32)
ENDS = np.array([0]), np.array([1])

CALLS = {
    "rows": (skerry.Csr(OFFSETS, NEIGHBORS), {"threads": 1}, 46),
    "rows, any number of threads": (skerry.Csr(OFFSETS, NEIGHBORS), {}, 52),
    "edges": (ENDS, {"threads": 1}, 50),
    "edges, their number of vertices": (ENDS, {"threads": 1, "num_vertices": 2}, 57),
    "matrix": (
        scipy.sparse.csr_array((np.ones(2), ([0, 1], [1, 0])), shape=(2, 2)),
        {"threads": 1},
        57,
    ),
}
"""Graphs of one edge, options, and how many Python functions a call may enter."""


def functions_run(graph, options):
    """Names of the Python functions that a call runs, after the first ones have loaded modules."""
    for _ in range(3):
        skerry.connected_components(graph, **options)
    names = []

    def note(frame, event, _argument):
        if event == "call":
            names.append(frame.f_code.co_name)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        labels = skerry.connected_components(graph, **options).labels
    finally:
        sys.setprofile(before)
    assert labels.tolist() == [0, 0]
    return names


@pytest.mark.parametrize("call", CALLS)
def test_a_call_on_one_edge_runs_few_functions(call):
    graph, options, limit = CALLS[call]
    names = functions_run(graph, options)
    assert "connected_components" in names
    assert len(names) <= limit, names


@pytest.mark.parametrize("call", CALLS)
def test_what_only_the_plan_needs_is_made_with_the_plan(call):
    graph, options, _ = CALLS[call]
    names = functions_run(graph, options)
    assert "passes" not in names and "plan_of_run" not in names and "_name" not in names
    plan = skerry.connected_components(graph, **options).plan
    assert plan.passes and all(each.name for each in plan.passes)


def test_arrays_that_fit_are_used_as_they_are():
    graph = skerry.Csr(OFFSETS, NEIGHBORS)
    plan = skerry.connected_components(graph).plan
    assert not plan.notes
    narrow = skerry.Csr(OFFSETS.astype(np.int32), NEIGHBORS.astype(np.int64))
    notes = skerry.connected_components(narrow).plan.notes
    assert notes == (
        "offsets copied from int32 to uint64",
        "neighbors copied from int64 to uint32",
    )
