"""What is measured: the protocols of implementations, of peers and of the graphs given to them.

The runner calls `Implementation.prepare` outside of the timing, then the returned call once to warm
up and several times for the samples; each answer is checked between the samples. A peer is another
library or program, measured in one or both scopes: ``"solve"``, on a graph in memory, and
``"end_to_end"``, from an edge list to the answer. Its adapter imports the library inside of its
methods only, because it may not be installed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

import numpy.typing as npt

from skerry import Components, Csr, Edges

Device = Literal["cpu", "cuda"]
Scope = Literal["solve", "end_to_end"]
ClockMode = Literal["wall", "device", "queued"]
"""See `skerry_bench.sampler.Clock`."""


@dataclass(frozen=True, slots=True)
class PeerAnswer:
    """An answer that is more than labels or a count."""

    labels: Any = None
    """A label for each vertex, any values; None if there is only a count."""
    count: int | None = None
    """Number of components."""
    seconds: tuple[float, ...] | None = None
    """Samples by the implementation's own clock, if it ran in another process."""
    peak_bytes: int | None = None
    """Peak memory of that process."""
    energy: Mapping[str, float] | None = None
    """Joules of a call in that process: see `skerry_bench.results.Result`."""
    statistics: Mapping[str, float] | None = None
    """Further numbers for the record."""


Answer: TypeAlias = npt.NDArray[Any] | int | PeerAnswer | Components
"""Labels (on the host or on a device), a number of components, more, or skerry's result."""


class Graph(Protocol):
    """A graph in both forms; those in host memory are built on first use."""

    @property
    def name(self) -> str:
        """The name in the record."""

    @property
    def edges(self) -> Edges:
        """The edge list in host memory, in its original order and directions."""

    @property
    def csr(self) -> Csr:
        """The symmetric CSR in host memory: sorted rows, no loops, no repeats."""

    @property
    def device_edges(self) -> Any:
        """`DeviceEdges`, if a GPU is measured."""

    @property
    def device_csr(self) -> Any:
        """`DeviceCsr`, if a GPU is measured."""


class Peer(Protocol):
    """The adapter of another library or program."""

    @property
    def name(self) -> str:
        """The name in the record and for ``--peers``."""

    @property
    def device(self) -> Device:
        """Where it runs."""

    @property
    def parallel(self) -> bool:
        """Whether it uses several threads; else it is recorded with one."""

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """What can be measured of it."""

    @property
    def max_entries(self) -> int | None:
        """Entries of a CSR above which it is not measured."""

    def available(self) -> str | None:
        """None if it can run here, else the reason."""

    def version(self) -> str:
        """The version for the record; called only if it is available."""

    def prepare(self, graph: Graph, threads: int) -> Any:
        """The graph in the peer's own form; not timed."""

    def solve(self, state: Any) -> Answer:
        """The answer, complete on return: work on a GPU has been waited for. Timed."""

    def end_to_end(self, graph: Graph, threads: int) -> Answer:
        """From ``graph.edges`` (on a GPU ``graph.device_edges``) to the answer. Timed."""


@dataclass(frozen=True, slots=True)
class ImplementationOptions:
    """What the implementations of a suite depend on."""

    threads: int = 1
    repeat: int = 5
    """Samples, for implementations that take them in another process."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Options of the suite's own."""


class Implementation(Protocol):
    """One thing that is measured on a graph: an algorithm of skerry's, or a peer in one scope."""

    @property
    def name(self) -> str:
        """The name in the record."""

    @property
    def device(self) -> Device:
        """Where it runs."""

    @property
    def scope(self) -> Scope:
        """What is timed."""

    @property
    def clock(self) -> ClockMode:
        """How it is timed."""

    @property
    def input(self) -> str:
        """The form of its input, such as ``"csr"`` or ``"edges"``."""

    @property
    def team(self) -> int | None:
        """Threads that it uses; None on a GPU or if unknown."""

    @property
    def peer(self) -> bool:
        """Whether it is another library or program."""

    @property
    def own_process(self) -> bool:
        """Whether each call is a new process, which takes its samples itself."""

    def refusal(self, entries: float) -> str | None:
        """Why it is not measured on a graph of that size, or None."""

    def prepare(self, graph: Any) -> Callable[[], Answer]:
        """The call to be timed, on a workload of the suite."""
