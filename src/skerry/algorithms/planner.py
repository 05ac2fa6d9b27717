"""Chooses an algorithm and a number of threads from cheap features of the input, and says why."""

from __future__ import annotations

from typing import NamedTuple

from skerry.algorithms.catalogue import Algorithm, algorithm
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges

__all__ = ["Choice", "choose"]


class Choice(NamedTuple):
    """What to run, with how many threads, and why."""

    algorithm: Algorithm
    threads: int
    reason: str


def choose(graph: Edges | Csr, threads: int) -> Choice:
    """The fastest way known for this input."""
    return Choice(algorithm("union-find"), threads, "placeholder")
