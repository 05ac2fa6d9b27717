"""igraph: ``Graph.connected_components``, one thread.

Edges are passed as Python integers: igraph itself converts an array, which is slower.
"""

from __future__ import annotations

from typing import Any, ClassVar

from skerry_bench.implementation import Answer
from skerry_bench.peers.adapter import Adapter, Ids, deferred


class Igraph(Adapter):
    """`igraph.Graph`; the answer is a list with the component of each vertex."""

    name: ClassVar[str] = "igraph"
    package: ClassVar[str] = "igraph"
    distribution: ClassVar[str] = "igraph"
    max_entries: ClassVar[int | None] = 200_000_000  # about 100 bytes per edge while it is built

    def build(self, src: Ids, dst: Ids, n: int, threads: int) -> Any:
        """A graph of pairs."""
        del threads
        import igraph

        return igraph.Graph(n=n, edges=zip(src.tolist(), dst.tolist(), strict=True))

    def solve(self, state: Any) -> Answer:
        """A `VertexClustering`."""
        clustering = state.connected_components()
        return deferred(lambda: clustering.membership)
