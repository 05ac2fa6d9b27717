"""SuiteSparse:GraphBLAS through python-graphblas, all threads: FastSV.

GraphBLAS has building blocks, but no connected components. LAGraph, the library of algorithms on
top of it, uses FastSV (Zhang, Azad, Hu: FastSV, a distributed-memory connected component algorithm
with fast convergence, SIAM PP 2020). It cannot be installed by pip. These are that paper's steps,
written for this benchmark. LAGraph's C code, with its sampling and internal formats, is faster; it
can be measured as an external program.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from skerry_bench.implementation import Answer, Graph
from skerry_bench.peers.adapter import Adapter, Ids, deferred


class Graphblas(Adapter):
    """A symmetric Boolean matrix."""

    name: ClassVar[str] = "graphblas"
    package: ClassVar[str] = "graphblas"
    distribution: ClassVar[str] = "python-graphblas"
    parallel: ClassVar[bool] = True

    def prepare(self, graph: Graph, threads: int) -> Any:
        """The rows without a conversion."""
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
        matrix = graphblas.Matrix.from_coo(*wide, True, nrows=n, ncols=n)
        return graphblas.binary.pair(matrix | matrix.T).new(bool)

    def solve(self, state: Any) -> Answer:
        """A vector of the smallest members."""
        labels = fast_sv(state)
        return deferred(labels.to_dense)


def fast_sv(matrix: Any) -> Any:
    """Labels of smallest members: hooks grandparents to neighbors until no label changes."""
    from graphblas import Matrix, Vector, binary, semiring

    n = matrix.nrows
    ids = np.arange(n, dtype=np.uint64)
    parent = Vector.from_dense(ids)
    grandparent, lowest = parent.dup(), parent.dup()
    roots = ids
    while True:
        lowest(binary.min) << semiring.min_second(matrix @ grandparent)
        # Hooking: parent[parent[v]] becomes the minimum over its children. It is a product, since
        # an assignment to repeated indices is not defined.
        children = Matrix.from_coo(roots, ids, True, nrows=n, ncols=n)
        parent(binary.min) << semiring.min_second(children @ lowest)
        parent << binary.min(parent & lowest)
        parent << binary.min(parent & grandparent)
        roots = parent.to_dense()
        after = parent[roots].new()
        if after.isequal(grandparent):
            return parent
        grandparent = after
