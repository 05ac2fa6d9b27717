"""Chooses an algorithm and a number of threads from cheap features of the input, and says why.

All that was measured stands in the tables here: which rule comes first, and the numbers they turn
on. docs/benchmarks.md has the runs they come from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from skerry.algorithms.catalogue import Algorithm, algorithm
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges
from skerry.graph.features import Features, features
from skerry.threads import THREADS_FROM

__all__ = ["Choice", "choose"]

LOW_DEGREE = 3.0  # below it no giant component shows up early enough to be left out; same run
NEAR = 0.8  # share of near neighbours from which following a link pays; same run
FAST_LEVELS = 12  # levels to 4096 vertices: random 5, R-MAT 2 or 3, Delaunay 37, grid 46; same run


class Choice(NamedTuple):
    """What to run, with how many threads, and why."""

    algorithm: Algorithm
    threads: int
    reason: str


class Rule(NamedTuple):
    """A row of the planner's table: the first whose test holds is taken."""

    holds: Callable[[Features], bool]
    algorithm: str
    reason: str


ANY_ROWS = (
    Rule(
        lambda f: f.near >= NEAR,
        "local",
        "{near:.0%} of neighbours have near ids",
    ),
    Rule(lambda _: True, "window", "neighbours have far ids"),
)
"""For rows that may lack the reverse of an entry: no component may be left out."""

SYMMETRIC_ROWS = (
    Rule(
        lambda f: f.degree < LOW_DEGREE and f.near >= NEAR,
        "local",
        "{degree:.1f} entries a vertex, {near:.0%} of neighbours have near ids",
    ),
    Rule(
        lambda f: f.degree < LOW_DEGREE,
        "window",
        "{degree:.1f} entries a vertex, neighbours have far ids",
    ),
    Rule(
        lambda f: 0 < f.levels <= FAST_LEVELS,
        "flood",
        "expands fast: {reached:,} vertices within {levels} levels",
    ),
    Rule(
        lambda f: f.near >= NEAR,
        "rounds[follow=1]",
        "{degree:.1f} entries a vertex, expands slowly, neighbours have near ids",
    ),
    Rule(
        lambda _: True,
        "rounds",
        "{degree:.1f} entries a vertex, expands slowly, neighbours have far ids",
    ),
)
"""For rows known to hold every edge twice."""


def choose(graph: Edges | Csr, threads: int) -> Choice:
    """The fastest way known for this input."""
    if isinstance(graph, Edges):
        size = graph.num_vertices + graph.num_edges
        form, small = "an edge list is read once, as it comes", "stream"
    else:
        size = graph.num_vertices + graph.num_entries
        form, small = "too small for its shape to matter", "window"
    if size < THREADS_FROM:
        return Choice(algorithm(small), 1, f"{form}; one thread: too small to share")
    if isinstance(graph, Edges):
        return Choice(algorithm(small), threads, form)
    found = features(graph)
    for rule in SYMMETRIC_ROWS if graph.symmetric else ANY_ROWS:
        if rule.holds(found):
            break
    reason = rule.reason.format(
        degree=found.degree, near=found.near, reached=found.reached, levels=found.levels
    )
    known = "symmetric" if graph.symmetric else "not known to be symmetric"
    return Choice(algorithm(rule.algorithm), threads, f"CSR, {known}; {reason}")
