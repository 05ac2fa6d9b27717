"""A call on a few edges takes microseconds: every function on its way counts."""

from __future__ import annotations

import sys

import numpy as np

import skerry

LIMIT = 60
"""Python functions that a call runs: 54 when this was written."""


def functions_run(src, dst):
    """Names of the Python functions that a call runs, after the first ones have loaded modules."""
    for _ in range(3):
        skerry.connected_components((src, dst))
    names = []

    def note(frame, event, _argument):
        if event == "call":
            names.append(frame.f_code.co_name)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        skerry.connected_components((src, dst))
    finally:
        sys.setprofile(before)
    return names


def test_a_call_on_ten_edges_runs_few_functions():
    ids = np.arange(10)
    names = functions_run(ids, np.roll(ids, 1))
    assert "connected_components" in names
    assert len(names) <= LIMIT, names


def test_what_only_the_plan_needs_is_made_with_the_plan():
    ids = np.arange(10)
    names = functions_run(ids, np.roll(ids, 1))
    assert "passes" not in names and "plan_of_run" not in names and "_name" not in names
    plan = skerry.connected_components((ids, np.roll(ids, 1))).plan
    assert plan.passes and all(each.name for each in plan.passes)
