"""rustworkx: ``connected_components`` of a `PyGraph`, one thread, with sets as the answer."""

from __future__ import annotations

from typing import Any, ClassVar

from skerry_bench.implementation import Answer
from skerry_bench.peers.adapter import Adapter, Ids, deferred
from skerry_bench.peers.members import labels_of_sets


class Rustworkx(Adapter):
    """A multigraph, so that rustworkx does not search for each edge."""

    name: ClassVar[str] = "rustworkx"
    package: ClassVar[str] = "rustworkx"
    distribution: ClassVar[str] = "rustworkx"
    max_entries: ClassVar[int | None] = 100_000_000  # a Python tuple per edge

    def build(self, src: Ids, dst: Ids, n: int, threads: int) -> Any:
        """All vertices first, then the edges from a list of pairs."""
        del threads
        import rustworkx

        graph = rustworkx.PyGraph(multigraph=True, node_count_hint=n, edge_count_hint=len(src))
        graph.add_nodes_from([None] * n)
        graph.extend_from_edge_list(list(zip(src.tolist(), dst.tolist(), strict=True)))
        return graph

    def solve(self, state: Any) -> Answer:
        """A list of sets."""
        import rustworkx

        components = rustworkx.connected_components(state)
        return deferred(lambda: labels_of_sets(components, state.num_nodes()))
