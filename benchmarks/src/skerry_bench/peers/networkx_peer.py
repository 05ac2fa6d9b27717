"""networkx: ``connected_components`` of a `Graph`, pure Python, small graphs only."""

from __future__ import annotations

from typing import Any, ClassVar

from skerry_bench.implementation import Answer
from skerry_bench.peers.adapter import Adapter, Ids, deferred
from skerry_bench.peers.members import labels_of_sets


class Networkx(Adapter):
    """Dictionaries of dictionaries."""

    name: ClassVar[str] = "networkx"
    package: ClassVar[str] = "networkx"
    distribution: ClassVar[str] = "networkx"
    max_entries: ClassVar[int | None] = 2_000_000  # half a kilobyte per edge, seconds per million

    def build(self, src: Ids, dst: Ids, n: int, threads: int) -> Any:
        """All vertices first, then the edges."""
        del threads
        import networkx  # type: ignore[import-untyped,unused-ignore]

        graph: Any = networkx.Graph()
        graph.add_nodes_from(range(n))
        graph.add_edges_from(zip(src.tolist(), dst.tolist(), strict=True))
        return graph

    def solve(self, state: Any) -> Answer:
        """A list of sets."""
        import networkx

        components = list(networkx.connected_components(state))
        return deferred(lambda: labels_of_sets(components, len(state)))
