"""CuPy: `cupyx.scipy.sparse.csgraph.connected_components`, which calls pylibcugraph."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, ClassVar

from skerry_bench.implementation import Answer, Graph, PeerAnswer
from skerry_bench.peers.adapter import GpuAdapter, Ids, wait


class Cupyx(GpuAdapter):
    """A CSR matrix on the device."""

    name: ClassVar[str] = "cupyx"
    package: ClassVar[str] = "cupyx"
    distribution: ClassVar[str] = "cupy-cuda12x"

    def available(self) -> str | None:
        """CuPy alone is not enough."""
        missing = super().available()
        if missing is None and find_spec("pylibcugraph") is None:
            return "cupyx's components need pylibcugraph (pip install pylibcugraph-cu12)"
        return missing

    def version(self) -> str:
        """As CuPy says: its distribution has a name for each version of CUDA."""
        import cupy

        return str(cupy.__version__)

    def prepare(self, graph: Graph, threads: int) -> Any:
        """The symmetric rows as a matrix."""
        del threads
        import cupy
        from cupyx.scipy.sparse import csr_matrix

        rows = graph.device_csr
        offsets, neighbors = (a.astype(cupy.int32) for a in (rows.offsets, rows.neighbors))
        ones = cupy.ones(len(neighbors), cupy.float32)
        n = len(offsets) - 1
        return csr_matrix((ones, neighbors, offsets), shape=(n, n))

    def build(self, src: Ids, dst: Ids, n: int, threads: int) -> Any:
        """One direction as a matrix."""
        del threads
        import cupy
        from cupyx.scipy.sparse import coo_matrix

        ones = cupy.ones(len(src), cupy.float32)
        ends = (src.astype(cupy.int32), dst.astype(cupy.int32))
        return coo_matrix((ones, ends), shape=(n, n)).tocsr()

    def solve(self, state: Any) -> Answer:
        """Undirected, so that one direction is enough."""
        from cupyx.scipy.sparse.csgraph import connected_components

        labels = connected_components(state, directed=False)[1]
        wait()
        return PeerAnswer(labels=labels)
