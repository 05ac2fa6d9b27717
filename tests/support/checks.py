"""Comparisons of answers, with messages that say which graph and call went wrong."""

from __future__ import annotations

import numpy as np

import skerry


def assert_answer(graph, given, form="", **arguments):
    """Asks for the components of ``given``, a form of ``graph``, and compares label by label."""
    result = skerry.connected_components(given, **arguments)
    right = graph.dense if arguments.get("labels") == "dense" else graph.labels
    call = ", ".join(f"{name}={value}" for name, value in arguments.items())
    where = f"{graph.name} {form} ({call})"
    assert result.labels.shape == (graph.n,), where
    assert result.labels.dtype == arguments.get("dtype", result.labels.dtype), where
    wrong = np.flatnonzero(result.labels != right)
    assert not len(wrong), (
        f"{where}: {len(wrong)} wrong labels; vertex {wrong[0]} has "
        f"{result.labels[wrong[0]]}, not {right[wrong[0]]}"
    )
    assert result.count == graph.count, where
    return result
