"""SuiteSparse:GraphBLAS through python-graphblas, all threads: FastSV.

GraphBLAS is the language and has no components of its own; LAGraph, the library of algorithms above
it, uses FastSV (Zhang, Azad, Hu: FastSV, a distributed-memory connected component algorithm with
fast convergence, SIAM PP 2020) and cannot be installed by pip. These are the steps of that paper,
written for this measurement: LAGraph's C code, with its sampling and internal formats, is faster,
and can be put beside skerry as an external program.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from skerry_bench.implementation import Found, Graph
from skerry_bench.peers.adapter import Adapter, Ids, later

__all__ = ["Graphblas", "fast_sv"]


class Graphblas(Adapter):
    """A symmetric Boolean matrix."""

    name: ClassVar[str] = "graphblas"
    package: ClassVar[str] = "graphblas"
    distribution: ClassVar[str] = "python-graphblas"
    parallel: ClassVar[bool] = True

    def prepare(self, graph: Graph, threads: int) -> Any:
        """The rows as they are."""
        import graphblas

        graphblas.ss.config["nthreads"] = threads
        rows = graph.csr
        columns = rows.neighbors.astype(np.uint64)
        return graphblas.Matrix.from_csr(rows.offsets, columns, True, ncols=rows.num_vertices)

    def build(self, src: Ids, dst: Ids, n: int, threads: int) -> Any:
        """Both directions, by building one and adding its transpose."""
        import graphblas

        graphblas.ss.config["nthreads"] = threads
        wide = (src.astype(np.uint64), dst.astype(np.uint64))
        one = graphblas.Matrix.from_coo(*wide, True, nrows=n, ncols=n)
        return graphblas.binary.pair(one | one.T).new(bool)

    def solve(self, state: Any) -> Found:
        """A vector of the smallest members."""
        found = fast_sv(state)
        return later(found.to_dense)


def fast_sv(matrix: Any) -> Any:
    """Smallest members, by hooking grandparents onto what neighbors have, until nothing moves."""
    from graphblas import Matrix, Vector, binary, semiring

    n = matrix.nrows
    ids = np.arange(n, dtype=np.uint64)
    parent = Vector.from_dense(ids)
    grandparent, lowest = parent.dup(), parent.dup()
    place = ids
    while True:
        lowest(binary.min) << semiring.min_second(matrix @ grandparent)
        # Hooking: parent[parent[v]] takes the least of what its children found. As a product, since
        # an assignment to places that occur twice is not defined.
        children = Matrix.from_coo(place, ids, True, nrows=n, ncols=n)
        parent(binary.min) << semiring.min_second(children @ lowest)
        parent << binary.min(parent & lowest)
        parent << binary.min(parent & grandparent)
        place = parent.to_dense()
        after = parent[place].new()
        if after.isequal(grandparent):
            return parent
        grandparent = after
