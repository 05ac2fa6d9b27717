"""A peer in one scope, as an implementation that the runner measures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from skerry_bench.implementation import Answer, ClockMode, Device, Graph, Peer, Scope


@dataclass(frozen=True, slots=True)
class MeasuredPeer:
    """One scope of a peer."""

    adapter: Peer
    scope: Scope
    threads: int
    peer: bool = True
    own_process: bool = False
    clock: ClockMode = "wall"

    @property
    def name(self) -> str:
        """The peer's name."""
        return self.adapter.name

    @property
    def device(self) -> Device:
        """Where the peer runs."""
        return self.adapter.device

    @property
    def input(self) -> str:
        """What the timed call begins from."""
        return "csr" if self.scope == "solve" else "edges"

    @property
    def team(self) -> int | None:
        """Threads: one if the peer is serial, None on a GPU."""
        if self.device == "cuda":
            return None
        return self.threads if self.adapter.parallel else 1

    def refusal(self, entries: float) -> str | None:
        """Why it is not measured: it is not installed, or too slow for the graph."""
        reason = self.adapter.available()
        limit = self.adapter.max_entries
        if reason is None and limit is not None and entries > limit:
            reason = f"measured up to {limit:,} entries only; this graph has {entries:,.0f}"
        return reason

    def prepare(self, graph: Graph) -> Callable[[], Answer]:
        """The timed call. In the scope ``"solve"`` the peer's own graph is built here."""
        if self.scope == "end_to_end":
            return lambda: self.adapter.end_to_end(graph, self.threads)
        state = self.adapter.prepare(graph, self.threads)
        return lambda: self.adapter.solve(state)
