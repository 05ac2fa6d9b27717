"""skerry's own algorithms as implementations, called through the public API."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import skerry
from skerry import SkerryError
from skerry_bench.implementation import Answer, ClockMode, Device, Scope
from skerry_bench.workload import Workload

Form = Literal["csr", "edges", "arrays"]


@dataclass(frozen=True, slots=True)
class SkerryAlgorithm:
    """An algorithm of the catalog, or ``auto``."""

    name: str
    device: Device
    threads: int
    scope: Scope = "solve"
    statistics: bool = False
    form: Form | None = None
    """The input; by default the form that the algorithm reads, so that none is converted.

    ``"arrays"`` is a pair of arrays, whose ids every call checks.
    """
    clock_mode: ClockMode | None = None
    """By default the wall clock on a CPU and device events on a GPU."""
    peer: bool = False
    own_process: bool = False

    @property
    def clock(self) -> ClockMode:
        """How it is timed."""
        return self.clock_mode or ("device" if self.device == "cuda" else "wall")

    @property
    def input(self) -> str:
        """The form of its input."""
        if self.form is not None:
            return self.form
        if self.scope == "end_to_end":
            return "edges"
        return "edges" if self.name != "auto" and _spec(self.name).form == "edges" else "csr"

    @property
    def team(self) -> int | None:
        """Threads that it uses: one if it is serial, None on a GPU."""
        if self.device == "cuda":
            return None
        return 1 if self.name != "auto" and _spec(self.name).serial else self.threads

    def refusal(self, entries: float) -> str | None:
        """Why it does not run on the device, or None."""
        del entries
        try:
            if self.name != "auto":
                _spec(self.name).check_device(self.device)
        except SkerryError as error:
            return str(error)
        return None

    def prepare(self, graph: Workload) -> Callable[[], Answer]:
        """The public call on its input, in the memory of its device."""
        options: dict[str, Any] = {"algorithm": self.name, "statistics": self.statistics}
        source: Any
        if self.device == "cuda":
            options["device"] = "cuda"
            if self.input == "csr":
                rows = graph.device_csr
                source = skerry.Csr(rows.offsets, rows.neighbors, symmetric=True)
            else:
                source = (graph.device_edges.src, graph.device_edges.dst)
                options["num_vertices"] = graph.num_vertices
        else:
            options["threads"] = self.threads
            source = graph.csr if self.input == "csr" else graph.edges
            if self.input == "arrays":
                source = (source.src, source.dst)
                options["num_vertices"] = graph.num_vertices
        return lambda: skerry.connected_components(source, **options)


def _spec(name: str) -> Any:
    return skerry.algorithm(name)
