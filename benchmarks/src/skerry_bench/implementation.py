"""What takes part in a measurement: what the runner asks of ours, of peers and of other programs.

The runner calls ``prepare`` outside of the timing, then ``solve`` once to warm up and several times
for the samples; each answer is checked between the samples. ``whole`` is measured as another thing:
from an edge list to the answer, with all that it takes. A peer is a module that may be missing: its
adapter imports it inside of its methods only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

import numpy.typing as npt

from skerry.graph.csr import Csr
from skerry.graph.edges import Edges
from skerry.result.components import Components

__all__ = ["Answer", "Device", "Found", "Graph", "Peer", "Scope"]

Device = Literal["cpu", "cuda"]
Scope = Literal["solve", "end_to_end"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What an implementation says, where labels or a count alone do not tell it all."""

    labels: Any = None
    """A label for each vertex, any values; None where it only counts."""
    count: int | None = None
    """Number of components."""
    seconds: tuple[float, ...] | None = None
    """Samples by the implementation's own clock, used instead of ours (another program)."""
    peak_bytes: int | None = None
    """Memory by the implementation's own account, where it was measured in another process."""


Found: TypeAlias = npt.NDArray[Any] | int | Answer | Components
"""Labels (an array of the host or of a device), the number of components, more, or our result."""


class Graph(Protocol):
    """A graph to be measured on, in both forms; the host's are made when they are asked for."""

    @property
    def name(self) -> str:
        """As in the record."""

    @property
    def edges(self) -> Edges:
        """In the host's memory, each edge once or as it was given."""

    @property
    def csr(self) -> Csr:
        """The same in the host's memory: symmetric, rows sorted, no loops and repeats."""

    @property
    def device_edges(self) -> Any:
        """`DeviceEdges`, where a GPU is measured on."""

    @property
    def device_csr(self) -> Any:
        """`DeviceCsr`, where a GPU is measured on."""


class Peer(Protocol):
    """Another library or program, by an adapter."""

    @property
    def name(self) -> str:
        """As in the record and for ``--peers``."""

    @property
    def device(self) -> Device:
        """Where it runs."""

    @property
    def parallel(self) -> bool:
        """Whether it uses the threads it is given; else it is recorded with one."""

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """What can be measured of it."""

    @property
    def max_entries(self) -> int | None:
        """Entries of a CSR beyond which it is hopeless to wait for it."""

    def available(self) -> str | None:
        """None if it can be run here, or the reason why not."""

    def version(self) -> str:
        """For the record; asked only where it is available."""

    def prepare(self, graph: Graph, threads: int) -> Any:
        """The graph as the peer wants it, not timed; freed when the runner lets go of it."""

    def solve(self, state: Any) -> Found:
        """The answer, when it is there: what runs on a GPU has been waited for. Timed."""

    def end_to_end(self, graph: Graph, threads: int) -> Found:
        """From ``graph.edges`` (on a GPU ``graph.device_edges``) to the answer. Timed."""
