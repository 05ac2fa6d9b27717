"""Cheap features of a graph, for the planner."""

from __future__ import annotations

from dataclasses import dataclass

from skerry import _native
from skerry.graph.csr import Csr

__all__ = ["Features", "features"]


@dataclass(frozen=True, slots=True)
class Features:
    """Estimates from a sample of a few thousand vertices of a CSR, whatever its size."""

    vertices: int
    degree: float
    """Stored entries a vertex."""
    near: float
    """Share of sampled vertices whose first neighbor is within n/64 ids."""
    smaller: float
    """Share of sampled vertices whose first neighbor has a smaller id; others begin as roots."""
    reached: int
    """Vertices reached from one of large degree: an eighth of all, or 4096; 0 if no component is
    that large, or it was not requested."""
    levels: int
    """Breadth-first levels needed for that: few in graphs that expand fast."""


def features(graph: Csr, expansion: bool = True) -> Features:
    """Samples ``graph``: 10 us, or with its expansion 15 to 50, and the time to touch pages."""
    degree = graph.num_entries / max(graph.num_vertices, 1)
    near, smaller, reached, levels = _native.csr_features(graph.offsets, graph.neighbors, expansion)
    return Features(graph.num_vertices, degree, near, smaller, reached, levels)
