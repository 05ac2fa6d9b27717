"""A check of spanning forests that shares nothing with what records them."""

from __future__ import annotations

import networkx
import numpy as np

from support.oracle import scipy_labels


def forest_problem(forest, edges, labels, weights=None):
    """What is wrong with a spanning forest, or None.

    ``forest`` are (source, target, weight, row), ``edges`` the rows of the input as pairs of ids,
    None for those that are no edges, ``labels`` the right component of every id.
    """
    roots = len(set(labels.values()))
    if len(forest) != len(labels) - roots:
        return f"{len(forest)} edges, not {len(labels) - roots}"
    for source, target, weight, row in forest:
        if not 0 <= row < len(edges) or edges[row] != (source, target):
            return f"row {row} is not ({source!r}, {target!r})"
        if weight != (None if weights is None else weights[row]):
            return f"row {row} has another weight than {weight}"
    trees = networkx.Graph()
    trees.add_nodes_from(labels)
    trees.add_edges_from((source, target) for source, target, *_ in forest)
    for tree in networkx.connected_components(trees):
        if len({labels[node] for node in tree}) > 1:
            return "a tree goes through two components"
    if networkx.number_connected_components(trees) != roots:
        return "the edges make a cycle"
    return None


def assert_forest(result, src, dst, weights=None, kept=None):
    """Checks the forest of a result whose vertices are numbers; ``kept`` are the rows in use."""
    n = result.num_vertices
    used = np.ones(len(src), bool) if kept is None else kept
    right = scipy_labels(n, np.asarray(src)[used], np.asarray(dst)[used])
    assert result.labels.tolist() == right.tolist()
    edges = list(zip(np.asarray(src).tolist(), np.asarray(dst).tolist(), strict=True))
    edges = [edge if use else None for edge, use in zip(edges, used.tolist(), strict=True)]
    forest = list(result.spanning_forest())
    problem = forest_problem(forest, edges, dict(enumerate(right.tolist())), weights)
    assert problem is None, problem


def path_problem(path, u, v, edges):
    """What is wrong with a path from u to v, or None; ``edges`` as in `forest_problem`."""
    here = u
    for link in path:
        if link.source != here:
            return f"{link} does not begin at {here!r}"
        if {link.source, link.target} != set(edges[link.row]):
            return f"row {link.row} is not {link}"
        here = link.target
    if here != v:
        return f"ends at {here!r}, not {v!r}"
    ends = [u, *(link.target for link in path)]
    return "goes through a vertex twice" if len(set(ends)) < len(ends) else None
