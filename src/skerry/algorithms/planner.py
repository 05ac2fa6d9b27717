"""Chooses an algorithm and a number of threads from cheap features of the input, and says why.

The tables are in cpu_rules.py and gpu_planner.py.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from skerry import _native
from skerry.algorithms.catalog import Algorithm, algorithm
from skerry.algorithms.cpu_rules import (
    ANY_ROWS,
    ENTRIES_READ,
    LOOK_FROM,
    SYMMETRIC_ROWS,
    THREADS,
    Rule,
)
from skerry.algorithms.gpu_planner import choose_for_gpu
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges
from skerry.graph.features import Features, features_of

__all__ = [
    "Choice",
    "choose",
    "choose_for_adjacency",
    "choose_for_batches",
    "choose_for_size",
    "shared_work",
    "threads_for",
]

READ_ONCE = "an edge list is read once, as it comes"
TOO_SMALL = "too small for its shape to matter"


class Choice(NamedTuple):
    """What to run, with how many threads, and why."""

    algorithm: Algorithm
    threads: int
    why: str
    """A reason; a rule's has places for the features of `sample`."""
    sample: Features | None = None
    limit: int = 1
    """Threads that there could have been."""

    @property
    def reason(self) -> str:
        """Why, in words; put together when it is asked for, since that takes microseconds."""
        text = self.why
        if self.sample is not None:
            text = text.format_map(self.sample._asdict())
        if self.threads >= self.limit or self.algorithm.serial:
            return text
        few = (
            "one thread: too small to share"
            if self.threads == 1
            else f"{self.threads} threads: too small for more"
        )
        return f"{text}; {few}"


_spec = cache(algorithm)


@cache
def _table(symmetric: bool) -> tuple[tuple[Rule, ...], _native.RuleTable]:
    """The rules for rows, and the same with features by their position."""
    rules: tuple[Rule, ...] = SYMMETRIC_ROWS if symmetric else ANY_ROWS
    position = Features._fields.index
    bounds = [[(position(name), low, high) for name, low, high in rule.bounds] for rule in rules]
    return rules, _native.RuleTable(bounds)


def choose(graph: Edges | Csr, threads: int) -> Choice:
    """The fastest algorithm known for this input."""
    n, entries = graph.num_vertices, graph.num_entries
    size, sample = n + entries, None
    if graph.form == "edges":
        name, why = "stream", READ_ONCE
    elif size < LOOK_FROM:
        name, why = "trace" if graph.symmetric else "window", TOO_SMALL
    else:
        name, why, sample = _by_shape(graph, n, entries, threads)
    spec = _spec(name)
    pays = 1
    if size >= THREADS[0][0] and not spec.serial:
        pays = threads_for(shared_work(name, n, entries))
    return Choice(spec, min(pays, threads), why, sample, threads)


def shared_work(name: str, vertices: int, entries: int) -> int:
    """Vertices and entries that an algorithm looks at, about: some leave rows early."""
    leaves_rows = name.startswith(("flood", "rows"))
    return vertices + (min(entries, ENTRIES_READ * vertices) if leaves_rows else entries)


def threads_for(work: int) -> int:
    """As many threads as pay for so many vertices and entries."""
    pays = 1
    for start, threads in THREADS:
        if work >= start:
            pays = threads
    return pays


def choose_for_size(form: str, device: str) -> Algorithm:
    """The algorithm whose memory stands for all that "auto" may choose for this form."""
    if device != "cpu":
        return choose_for_gpu("csr" if form == "csr" else "edges")
    # Our own for rows take what ecl takes; trace, of graphs below 2^20, a queue of a megabyte more.
    return algorithm("stream" if form == "edges" else "ecl")


def choose_for_batches() -> tuple[Algorithm, str]:
    """The algorithm for edges that come in batches, and why."""
    return algorithm("stream"), "edges are joined as they are read, and not kept"


def choose_for_forest(graph: Edges | Csr, threads: int) -> Choice:
    """How edges are joined where each that joins two trees is recorded."""
    rows = graph.form == "csr"
    why = "forest=True: " + ("a few neighbors first, then the others" if rows else READ_ONCE)
    pays = threads_for(graph.num_vertices + graph.num_entries)
    return Choice(_spec("afforest" if rows else "stream"), min(pays, threads), why, limit=threads)


def choose_for_adjacency() -> tuple[Algorithm, str]:
    """The algorithm for rows of Python objects, and why."""
    return algorithm("stream"), "Python objects are joined as they are read, on one thread"


def _by_shape(graph: Csr, n: int, entries: int, threads: int) -> tuple[str, str, Features]:
    """The name of the algorithm that a graph's shape speaks for, why, and its features."""
    symmetric = bool(graph.symmetric)
    rules, table = _table(symmetric)
    number, near, smaller, reached, levels = table.first(graph.offsets, graph.neighbors, threads)
    known = "CSR, symmetric; " if symmetric else "CSR, not known to be symmetric; "
    sample = features_of(threads, n, entries, near, smaller, reached, levels)
    return rules[number].algorithm, known + rules[number].reason, sample
