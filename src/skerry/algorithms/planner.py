"""Chooses an algorithm and a number of threads from cheap features of the input, and says why.

All that was measured stands in the tables here: which rule comes first, and the numbers they turn
on. docs/benchmarks.md has the runs they come from.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

from skerry.algorithms.catalog import Algorithm, algorithm
from skerry.algorithms.gpu_planner import choose_for_gpu
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges
from skerry.graph.features import Features, features
from skerry.threads import THREADS_FROM

__all__ = [
    "Choice",
    "choose",
    "choose_for_adjacency",
    "choose_for_batches",
    "choose_for_size",
]

LOW_DEGREE = 3.0  # below it no giant component shows up early enough to be left out; same run
NEAR = 0.8  # share of near neighbors from which following a link pays; same run
FAST_LEVELS = 12  # levels to 4096 vertices: random 5, R-MAT 2 or 3, Delaunay 37, grid 46; same run
FOLLOW_FROM = 1 << 19  # vertices from which following a link pays; bench small of 2026-11-15
FEW, ROUNDS_FROM = 5.0, 1 << 17  # of fewer entries and vertices, with far ids, rounds leave most
SHAPE_FROM = 1 << 14
"""Vertices and entries together from which looking at a graph's shape pays; same run: below,
`window` is within 20 us of the best, and from 2^15 on up to 13 times slower."""


def _expands_fast(sample: Features) -> bool:
    """Levels of a grid grow with the root of what is reached, those of a random graph hardly."""
    return 0 < sample.levels <= min(FAST_LEVELS, sqrt(sample.reached) / 4)


TOO_SMALL = "too small for its shape to matter"


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
        "{near:.0%} of neighbors have near ids",
    ),
    Rule(lambda _: True, "window", "neighbors have far ids"),
)
"""For rows that may lack the reverse of an entry: no component may be left out."""

SYMMETRIC_ROWS = (
    Rule(
        lambda f: f.degree < LOW_DEGREE and f.near >= NEAR,
        "local",
        "{degree:.1f} entries a vertex, {near:.0%} of neighbors have near ids",
    ),
    Rule(
        lambda f: f.degree < LOW_DEGREE,
        "window",
        "{degree:.1f} entries a vertex, neighbors have far ids",
    ),
    Rule(
        _expands_fast,
        "flood",
        "expands fast: {reached:,} vertices within {levels} levels",
    ),
    Rule(
        lambda f: f.near >= NEAR and f.vertices >= FOLLOW_FROM,
        "rounds[follow=1]",
        "{degree:.1f} entries a vertex, expands slowly, neighbors have near ids",
    ),
    Rule(
        lambda f: f.near < NEAR and f.degree < FEW and f.vertices < ROUNDS_FROM,
        "window",
        "small, {degree:.1f} entries a vertex, expands slowly, neighbors have far ids",
    ),
    Rule(
        lambda _: True,
        "rounds",
        "{degree:.1f} entries a vertex, expands slowly",
    ),
)
"""For rows known to hold every edge twice."""


def choose(graph: Edges | Csr, threads: int) -> Choice:
    """The fastest algorithm known for this input."""
    size = graph.num_vertices + graph.num_entries
    if graph.form == "edges":
        name, reason = "stream", "an edge list is read once, as it comes"
    else:
        name, reason = ("window", TOO_SMALL) if size < SHAPE_FROM else _by_shape(graph)
    if size < THREADS_FROM:
        return Choice(algorithm(name), 1, f"{reason}; one thread: too small to share")
    return Choice(algorithm(name), threads, reason)


def choose_for_size(form: str, device: str) -> Algorithm:
    """The algorithm whose memory stands for all that "auto" may choose for this form."""
    if device != "cpu":
        return choose_for_gpu("csr" if form == "csr" else "edges")
    return algorithm("stream" if form == "edges" else "ecl")  # our own for rows take what ecl takes


def choose_for_batches() -> tuple[Algorithm, str]:
    """The algorithm for edges that come in batches, and why."""
    return algorithm("stream"), "edges are joined as they come; none is kept"


def choose_for_adjacency() -> tuple[Algorithm, str]:
    """The algorithm for rows of Python objects, and why."""
    return algorithm("stream"), "Python objects are joined as they are read, on one thread"


def _by_shape(graph: Csr) -> tuple[str, str]:
    """The name of the algorithm that a graph's shape speaks for, and why."""
    rules = SYMMETRIC_ROWS if graph.symmetric else ANY_ROWS
    dense = graph.num_entries >= LOW_DEGREE * graph.num_vertices
    sample = features(graph, expansion=bool(graph.symmetric) and dense)
    rule = next(rule for rule in rules if rule.holds(sample))
    reason = rule.reason.format(
        degree=sample.degree, near=sample.near, reached=sample.reached, levels=sample.levels
    )
    known = "symmetric" if graph.symmetric else "not known to be symmetric"
    return rule.algorithm, f"CSR, {known}; {reason}"


# On a GPU the form of the graph decides alone, so that nothing waits for the device. What depends
# on the shape of the graph is decided by kernels, from a sample of its rows.
