"""Chooses an algorithm and a number of threads by the form and the size of the input.

For rows there is one algorithm, which decides between its stages by what it has found. What a GPU
runs is chosen in gpu_planner.py.
"""

from __future__ import annotations

from functools import cache
from math import isqrt
from typing import NamedTuple

from skerry.algorithms.catalog import Algorithm, algorithm
from skerry.algorithms.gpu_planner import choose_for_gpu
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges

TEAM_COST = 12_000
"""What it takes to start a team, in vertices and entries that one thread looks at meanwhile."""

THREAD_COST = 400
"""What each of its threads takes besides."""

READ_ONCE = "an edge list is read once, as it comes"
IN_STAGES = "its stages are chosen while it runs"


class Choice(NamedTuple):
    """What to run, with how many threads, and why."""

    algorithm: Algorithm
    threads: int
    why: str
    limit: int = 1
    """Threads that there could have been."""

    @property
    def reason(self) -> str:
        """Why, and why no more threads; put together only when it is asked for."""
        if self.threads >= self.limit:
            return self.why
        few = (
            "one thread: too small to share"
            if self.threads == 1
            else f"{self.threads} threads: too small for more"
        )
        return f"{self.why}; {few}"


_spec = cache(algorithm)


def choose(graph: Edges | Csr, threads: int) -> Choice:
    """The algorithm for this input."""
    if graph.form == "edges":
        return _with_threads("stream", graph, threads, READ_ONCE)
    return _with_threads("rows", graph, threads, IN_STAGES)


def choose_for_forest(graph: Edges | Csr, threads: int) -> Choice:
    """How edges are joined where each that joins two trees is recorded."""
    rows = graph.form == "csr"
    why = "forest=True: " + ("a few neighbors first, then the others" if rows else READ_ONCE)
    return _with_threads("afforest" if rows else "stream", graph, threads, why)


def threads_for(work: int, limit: int) -> int:
    """As many threads as take the least time for so many vertices and entries, up to ``limit``."""
    team = min(limit, isqrt(work // THREAD_COST))
    if team < 2 or work / team + TEAM_COST + THREAD_COST * team >= work:
        return 1
    return team


def choose_for_size(form: str, device: str) -> Algorithm:
    """The algorithm whose memory stands for all that "auto" may choose for this form."""
    if device != "cpu":
        return choose_for_gpu("csr" if form == "csr" else "edges")
    return algorithm("stream" if form == "edges" else "rows")


def choose_for_batches() -> tuple[Algorithm, str]:
    """The algorithm for edges that come in batches, and why."""
    return algorithm("stream"), "edges are joined as they are read, and not kept"


def choose_for_adjacency() -> tuple[Algorithm, str]:
    """The algorithm for rows of Python objects, and why."""
    return algorithm("stream"), "Python objects are joined as they are read, on one thread"


def _with_threads(name: str, graph: Edges | Csr, threads: int, why: str) -> Choice:
    if threads == 1:
        return Choice(_spec(name), 1, why)
    pays = threads_for(graph.num_vertices + graph.num_entries, threads)
    return Choice(_spec(name), pays, why, threads)
