"""scipy: `scipy.sparse.csgraph.connected_components`, one thread.

The strong components of a symmetric matrix are its components, and scipy finds them faster, because
it builds the transpose for ``directed=False``; so ``solve`` computes those. An edge list has one
direction, so ``end_to_end`` is the documented call with ``directed=False``. In ``solve`` the
entries are doubles, because scipy would convert them in each call otherwise.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from skerry_bench.implementation import Answer, Graph, PeerAnswer
from skerry_bench.peers.adapter import Adapter


class Scipy(Adapter):
    """A CSR matrix, and for an edge list a COO matrix that scipy turns into one."""

    name: ClassVar[str] = "scipy"
    package: ClassVar[str] = "scipy"
    distribution: ClassVar[str] = "scipy"

    def prepare(self, graph: Graph, threads: int) -> Any:
        """The symmetric rows as a matrix, in the types that scipy computes with."""
        del threads
        from scipy.sparse import csr_array

        rows = graph.csr
        kind = np.int32 if max(rows.num_entries, rows.num_vertices) < 2**31 else np.int64
        parts = (np.ones(rows.num_entries), rows.neighbors.astype(kind), rows.offsets.astype(kind))
        return csr_array(parts, shape=(rows.num_vertices, rows.num_vertices))

    def solve(self, state: Any) -> Answer:
        """Strong components of a symmetric matrix."""
        from scipy.sparse.csgraph import connected_components

        labels = connected_components(state, directed=True, connection="strong")[1]
        return PeerAnswer(labels=labels)

    def end_to_end(self, graph: Graph, threads: int) -> Answer:
        """The documented call."""
        del threads
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        edges = graph.edges
        n = edges.num_vertices
        ones = np.ones(len(edges.src), np.int8)
        matrix = coo_array((ones, (edges.src, edges.dst)), shape=(n, n))
        return PeerAnswer(labels=connected_components(matrix, directed=False)[1])
