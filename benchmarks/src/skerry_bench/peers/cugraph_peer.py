"""RAPIDS cuGraph by its thin layer: `pylibcugraph.weakly_connected_components`.

The answer lists vertices in an order of cuGraph's own; the labels are sorted by vertex outside of
the timing.
"""

from __future__ import annotations

from typing import Any, ClassVar

from skerry_bench.implementation import Answer, Graph
from skerry_bench.peers.adapter import GpuAdapter, Ids, deferred, wait


class Pylibcugraph(GpuAdapter):
    """`SGGraph`, symmetric, as cuGraph wants it for components."""

    name: ClassVar[str] = "pylibcugraph"
    package: ClassVar[str] = "pylibcugraph"
    distribution: ClassVar[str] = "pylibcugraph-cu12"

    def version(self) -> str:
        """As the package says: its distribution has a name for each version of CUDA."""
        import pylibcugraph

        return str(pylibcugraph.__version__)

    def prepare(self, graph: Graph, threads: int) -> Any:
        """The rows as they are."""
        del threads
        import cupy

        rows = graph.device_csr
        parts = (rows.offsets.astype(cupy.int32), rows.neighbors.astype(cupy.int32))
        return _graph(parts, is_multigraph=False, input_array_format="CSR")

    def build(self, src: Ids, dst: Ids, n: int, threads: int) -> Any:
        """Both directions of the edges, and all vertices, since some may have no edge."""
        del threads
        import cupy

        sources, targets = src.astype(cupy.int32), dst.astype(cupy.int32)
        parts = (cupy.concatenate([sources, targets]), cupy.concatenate([targets, sources]))
        ids = cupy.arange(n, dtype=cupy.int32)
        return _graph(parts, is_multigraph=True, vertices_array=ids)

    def solve(self, state: Any) -> Answer:
        """Vertices, and a label of each."""
        import pylibcugraph

        handle, graph = state
        vertices, labels = pylibcugraph.weakly_connected_components(
            handle, graph, None, None, None, None, False
        )
        wait()
        return deferred(lambda: labels[vertices.argsort()].get())


def _graph(parts: tuple[Any, Any], is_multigraph: bool, **options: Any) -> Any:
    import pylibcugraph

    handle = pylibcugraph.ResourceHandle()
    properties = pylibcugraph.GraphProperties(is_symmetric=True, is_multigraph=is_multigraph)
    options |= {"store_transposed": False, "renumber": False, "do_expensive_check": False}
    return handle, pylibcugraph.SGGraph(handle, properties, *parts, **options)
