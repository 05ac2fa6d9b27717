"""Cheap features of a graph, for the planner."""

from __future__ import annotations

from typing import NamedTuple

from skerry import _native
from skerry.graph.csr import Csr

__all__ = ["Features", "expanded", "features", "features_of"]


class Features(NamedTuple):
    """Estimates from a sample of at most a few thousand vertices of a CSR, whatever its size."""

    threads: int
    """That there are for it."""
    vertices: int
    size: int
    """Vertices and entries."""
    degree: float
    """Stored entries a vertex."""
    near: float
    """Share of sampled vertices whose first neighbor is within n/64 ids."""
    smaller: float
    """Share of sampled vertices whose first neighbor has a smaller id; others begin as roots."""
    reached: int
    """Vertices reached from one of large degree: an eighth of all, or 4096, or a few hundred in the
    first nine levels; 0 if no component is that large, or `expanded` was not called."""
    levels: int
    """Breadth-first levels needed for that: few in graphs that expand fast."""


def features_of(
    threads: int,
    n: int,
    entries: int,
    near: float,
    smaller: float,
    reached: int = 0,
    levels: int = 0,
) -> Features:
    """With those that follow from the numbers of vertices and entries."""
    return Features(threads, n, n + entries, entries / max(n, 1), near, smaller, reached, levels)


def features(graph: Csr, threads: int = 1) -> Features:
    """Samples ``graph``, but not how fast it expands: 3 us."""
    n, entries = graph.num_vertices, graph.num_entries
    near, smaller = _native.csr_order(graph.offsets, graph.neighbors)
    return features_of(threads, n, entries, near, smaller)


def expanded(graph: Csr, sample: Features) -> Features:
    """``sample`` with how fast the graph expands: 2 to 100 us."""
    return Features(*sample[:-2], *_native.csr_expansion(graph.offsets, graph.neighbors))
