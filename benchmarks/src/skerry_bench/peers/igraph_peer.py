"""igraph: ``Graph.connected_components``, one thread.

Edges go in as Python integers: an array would be taken apart by igraph itself, which is slower.
"""

from __future__ import annotations

from typing import Any, ClassVar

from skerry_bench.implementation import Found
from skerry_bench.peers.adapter import Adapter, Ids, later

__all__ = ["Igraph"]


class Igraph(Adapter):
    """`igraph.Graph`, with a list of members' components as the answer."""

    name: ClassVar[str] = "igraph"
    package: ClassVar[str] = "igraph"
    distribution: ClassVar[str] = "igraph"
    max_entries: ClassVar[int | None] = 200_000_000  # some 100 bytes an edge on the way in

    def build(self, src: Ids, dst: Ids, n: int, threads: int) -> Any:
        """A graph of pairs."""
        del threads
        import igraph

        return igraph.Graph(n=n, edges=zip(src.tolist(), dst.tolist(), strict=True))

    def solve(self, state: Any) -> Found:
        """A `VertexClustering`."""
        found = state.connected_components()
        return later(lambda: found.membership)
