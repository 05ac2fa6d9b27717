"""Our algorithms as implementations, and peers as what the runner measures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import skerry
from skerry.algorithms.catalog import algorithm as named
from skerry.errors import SkerryError
from skerry_bench.implementation import Device, Found, Peer, Scope
from skerry_bench.workload import Workload

__all__ = ["Implementation", "OfPeer", "Ours"]


class Implementation(Protocol):
    """One thing that is measured on a graph."""

    @property
    def name(self) -> str:
        """As in the record."""

    @property
    def device(self) -> Device:
        """Where it runs."""

    @property
    def scope(self) -> Scope:
        """What is timed."""

    @property
    def input(self) -> str:
        """The form that it is given."""

    @property
    def team(self) -> int | None:
        """Threads that it uses; None on a GPU."""

    @property
    def peer(self) -> bool:
        """Whether it is not ours."""

    def refusal(self, entries: float) -> str | None:
        """Why it is not measured on a graph of that size, or None."""

    def prepare(self, graph: Workload) -> Callable[[], Found]:
        """The call to be timed."""


@dataclass(frozen=True, slots=True)
class Ours:
    """An algorithm of the catalog, or ``auto``, by the public call."""

    name: str
    device: Device
    threads: int
    scope: Scope = "solve"
    statistics: bool = False
    peer: bool = False

    @property
    def input(self) -> str:
        """Edges for what reads edges, so that none is converted inside of a measurement."""
        if self.scope == "end_to_end":
            return "edges"
        return "edges" if self.name != "auto" and named(self.name).form == "edges" else "csr"

    @property
    def team(self) -> int | None:
        """One for what is serial."""
        if self.device == "cuda":
            return None
        return 1 if self.name != "auto" and named(self.name).serial else self.threads

    def refusal(self, entries: float) -> str | None:
        """What is no algorithm of the device, says so itself."""
        del entries
        try:
            if self.name != "auto":
                named(self.name).check_device(self.device)
        except SkerryError as error:
            return str(error)
        return None

    def prepare(self, graph: Workload) -> Callable[[], Found]:
        """The public call on the form that it reads, where the device has it."""
        options: dict[str, Any] = {"algorithm": self.name, "statistics": self.statistics}
        given: Any
        if self.device == "cuda":
            options["device"] = "cuda"
            if self.input == "csr":
                rows = graph.device_csr
                given = skerry.Csr(rows.offsets, rows.neighbors, symmetric=True)
            else:
                given = (graph.device_edges.src, graph.device_edges.dst)
                options["num_vertices"] = graph.num_vertices
        else:
            options["threads"] = self.threads
            given = graph.csr if self.input == "csr" else graph.edges
        return lambda: skerry.connected_components(given, **options)


@dataclass(frozen=True, slots=True)
class OfPeer:
    """One way of a peer."""

    adapter: Peer
    scope: Scope
    threads: int
    peer: bool = True

    @property
    def name(self) -> str:
        """The peer's."""
        return self.adapter.name

    @property
    def device(self) -> Device:
        """The peer's."""
        return self.adapter.device

    @property
    def input(self) -> str:
        """What it begins from."""
        return "csr" if self.scope == "solve" else "edges"

    @property
    def team(self) -> int | None:
        """One for what knows no threads."""
        if self.device == "cuda":
            return None
        return self.threads if self.adapter.parallel else 1

    def refusal(self, entries: float) -> str | None:
        """Missing, or too slow for the graph."""
        reason = self.adapter.available()
        most = self.adapter.max_entries
        if reason is None and most is not None and entries > most:
            reason = f"measured up to {most:,} entries only, and this graph has {entries:,.0f}"
        return reason

    def prepare(self, graph: Workload) -> Callable[[], Found]:
        """The peer's own graph is made here, unless making it is what is measured."""
        if self.scope == "end_to_end":
            return lambda: self.adapter.end_to_end(graph, self.threads)
        state = self.adapter.prepare(graph, self.threads)
        return lambda: self.adapter.solve(state)
