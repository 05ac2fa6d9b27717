"""The suite ``latency``: a call on one edge and on ten, and the import of the package."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from skerry import Edges
from skerry_bench.cases import Case, CaseOptions
from skerry_bench.implementation import (
    Answer,
    ClockMode,
    Device,
    Implementation,
    ImplementationOptions,
    PeerAnswer,
    Scope,
)
from skerry_bench.skerry_algorithms import SkerryAlgorithm
from skerry_bench.workload import Workload

IMPORTS = 9
"""Fresh processes."""

IMPORT = """
import time
begin = time.perf_counter()
import skerry
seconds = time.perf_counter() - begin
print(seconds, skerry.connected_components((range(10), range(1, 11))).count)
"""


def cases(options: CaseOptions) -> Iterator[Case]:
    """Paths of one edge and of ten."""
    del options
    yield _path("one-edge", 1)
    yield _path("ten-edges", 10)


def _path(name: str, edges: int) -> Case:
    def workload(threads: int) -> Workload:
        ids = np.arange(edges + 1)
        return Workload(name, lambda: Edges(ids[:-1], ids[1:], edges + 1), threads)

    return Case(name, "path", workload, 2.0 * edges)


@dataclass(frozen=True, slots=True)
class ImportTime:
    """``import skerry`` in a fresh interpreter, which then solves the graph."""

    name: str = "import skerry"
    device: Device = "cpu"
    scope: Scope = "end_to_end"
    clock: ClockMode = "wall"
    input: str = "process"
    team: int | None = None
    peer: bool = False
    own_process: bool = True

    def refusal(self, entries: float) -> str | None:
        """None."""
        del entries
        return None

    def prepare(self, graph: Workload) -> Callable[[], Answer]:
        """Several processes."""
        del graph
        return _import_times


def _import_times() -> PeerAnswer:
    command = [sys.executable, "-c", IMPORT]
    outputs = [
        subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        for _ in range(IMPORTS)
    ]
    counts = {int(count) for _, count in outputs}
    return PeerAnswer(
        count=counts.pop() if len(counts) == 1 else None,
        seconds=tuple(float(seconds) for seconds, _ in outputs),
    )


def implementations(device: Device, options: ImplementationOptions) -> Iterator[Implementation]:
    """The call, on a pair of arrays and on rows, and the import."""
    if device == "cpu":
        yield SkerryAlgorithm("auto", device, options.threads, "end_to_end", form="arrays")
        yield SkerryAlgorithm("auto", device, options.threads, "end_to_end", form="csr")
        yield ImportTime()
