"""Cheap features of a graph: what the planner looks at before it chooses."""

from __future__ import annotations

from dataclasses import dataclass

from skerry import _native
from skerry.graph.csr import Csr

__all__ = ["Features", "features"]


@dataclass(frozen=True, slots=True)
class Features:
    """What a look at a few thousand vertices tells of a CSR, whatever its size."""

    vertices: int
    degree: float
    """Stored entries a vertex."""
    near: float
    """Share of sampled vertices whose first neighbor is within n/64 ids."""
    reached: int
    """Vertices reached from one of large degree: an eighth of all, or 4096; 0 if no component is
    that large, or nobody asked."""
    levels: int
    """Breadth-first levels that took: few in graphs that expand fast."""


def features(graph: Csr, expansion: bool = True) -> Features:
    """Samples ``graph``: 10 us, or with its expansion 15 to 50, and the time to touch pages."""
    degree = graph.num_entries / max(graph.num_vertices, 1)
    near, reached, levels = _native.csr_features(graph.offsets, graph.neighbors, expansion)
    return Features(graph.num_vertices, degree, near, reached, levels)
