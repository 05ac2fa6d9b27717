"""Shared libraries beside ``auto`` on the graphs of the suite ``gpu``: both take samples in turn.

A ratio is meaningful only if both of its times come from the same minutes of the same machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from skerry_bench import gpu_device
from skerry_bench.corpus.peer_library import DevicePeer
from skerry_bench.gpu_turns import MAX_ENTRIES, library_call
from skerry_bench.implementation import Answer, ClockMode, Device, Scope
from skerry_bench.workload import Workload

IN_TURN = "peers"
"""The study, in the record, of all that is measured in turn."""


@dataclass(frozen=True, slots=True)
class PeerLibrary:
    """A library for a GPU, timed by one of the clocks."""

    name: str
    bind: DevicePeer
    clock: ClockMode
    device: Device = "cuda"
    scope: Scope = "solve"
    input: str = "csr"
    team: int | None = None
    peer: bool = True
    own_process: bool = False

    def refusal(self, entries: float) -> str | None:
        """Its counts have 32 bits."""
        return f"takes at most {MAX_ENTRIES:,} entries" if entries > MAX_ENTRIES else None

    def prepare(self, graph: Workload) -> Callable[[], Answer]:
        """Queues the library's kernels, on the arrays that ``auto`` reads."""
        assert graph.runtime is not None
        rows = graph.device_csr
        stream = gpu_device.current_stream
        return library_call(graph.runtime, self.bind, rows.offsets, rows.neighbors, stream)
