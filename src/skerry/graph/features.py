"""Cheap features of a graph, for the planner."""

from __future__ import annotations

from typing import NamedTuple

from skerry import _native
from skerry.graph.csr import Csr

__all__ = ["Features", "features"]


class Features(NamedTuple):
    """Estimates from a sample of at most a few thousand vertices of a CSR, whatever its size."""

    vertices: int
    load: int
    """Vertices and entries, times the threads that may share them."""
    degree: float
    """Stored entries a vertex."""
    near: float
    """Share of sampled vertices whose first neighbor is within n/64 ids."""
    smaller: float
    """Share of sampled vertices whose first neighbor has a smaller id; others begin as roots."""
    reached: int
    """Vertices reached from one of large degree: an eighth of all, or 4096, or a few hundred in the
    first nine levels; 0 if no component is that large, or it was not
    requested."""
    levels: int
    """Breadth-first levels needed for that: few in graphs that expand fast."""


def features(graph: Csr, threads: int = 1, expansion: bool = True) -> Features:
    """Samples ``graph``, for so many threads: 3 us, or with its expansion 5 to 50."""
    n, entries = graph.num_vertices, graph.num_entries
    near, smaller, reached, levels = _native.csr_features(graph.offsets, graph.neighbors, expansion)
    return Features(n, (n + entries) * threads, entries / max(n, 1), near, smaller, reached, levels)
