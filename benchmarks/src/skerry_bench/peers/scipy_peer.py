"""scipy: `scipy.sparse.csgraph.connected_components`, one thread.

Of a symmetric matrix the strong components are the components, and scipy finds them faster, since
for ``directed=False`` it makes the transpose first: so ``solve`` asks for those. An edge list has
one direction, so ``whole`` is the documented way, with ``directed=False``. Entries are doubles in
``solve``, which is what scipy would otherwise convert them to in each call.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from skerry_bench.implementation import Answer, Found, Graph
from skerry_bench.peers.adapter import Adapter

__all__ = ["Scipy"]


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

    def solve(self, state: Any) -> Found:
        """Strong components of a symmetric matrix."""
        from scipy.sparse.csgraph import connected_components

        found = connected_components(state, directed=True, connection="strong")
        return Answer(labels=found[1])

    def end_to_end(self, graph: Graph, threads: int) -> Found:
        """As the documentation has it."""
        del threads
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        edges = graph.edges
        n = edges.num_vertices
        ones = np.ones(len(edges.src), np.int8)
        matrix = coo_array((ones, (edges.src, edges.dst)), shape=(n, n))
        return Answer(labels=connected_components(matrix, directed=False)[1])
