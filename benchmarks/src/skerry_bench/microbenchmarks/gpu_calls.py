"""The studies ``calls`` and ``first-use``: the cost of a call on a GPU beside its kernels."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from skerry import generators
from skerry.algorithms.gpu_planner import ONE_BLOCK
from skerry.config import temporary_folder
from skerry_bench.cases import Case, CaseOptions, recipe_case
from skerry_bench.implementation import Answer, ClockMode, Device, PeerAnswer, Scope
from skerry_bench.workload import Workload

CALLS = 200
"""Calls to see what one costs the host."""

VERTICES = 20_000
Kernels = Literal["compiled", "cached"]

# The arrays come from the host, so that no kernels of other libraries are compiled in the time.
FIRST_USE = """
import json, sys, time
begin = time.perf_counter()
import cupy, numpy, skerry
from skerry.graph.build import csr_from_edges
ids = numpy.arange(%d, dtype=numpy.uint32)
rows = csr_from_edges(skerry.Edges(ids[:-1], ids[1:], len(ids)))
graph = cupy.asarray(ids[:-1]), cupy.asarray(ids[1:])
if sys.argv[1] == "csr":
    offsets = cupy.asarray(rows.offsets.astype(numpy.uint32))
    graph = skerry.Csr(offsets, cupy.asarray(rows.neighbors), symmetric=True)
cupy.cuda.Device().synchronize()
start = time.perf_counter() - begin
begin = time.perf_counter()
result = skerry.connected_components(graph, num_vertices=len(ids))
cupy.cuda.Device().synchronize()
seconds = time.perf_counter() - begin
print(json.dumps({"seconds": seconds, "start": start, "count": int(result.count)}))
"""


def call_cases(options: CaseOptions) -> Iterator[Case]:
    """A graph of a few vertices, and the smallest that ``auto`` does not solve in one launch."""
    del options
    yield recipe_case("call-tiny", generators.path.recipe(64, shuffled=True))
    yield recipe_case("call-small", generators.uniform.recipe(ONE_BLOCK, ONE_BLOCK))


def first_use_cases(options: CaseOptions) -> Iterator[Case]:
    """The graph that the fresh processes make."""
    del options
    yield recipe_case("first-use", generators.path.recipe(VERTICES))


@dataclass(frozen=True, slots=True)
class FirstUse:
    """The first call in a fresh process: its kernels are compiled, or read from the disk cache."""

    form: Literal["csr", "edges"]
    kernels: Kernels
    name: str = "auto"
    device: Device = "cuda"
    scope: Scope = "solve"
    clock: ClockMode = "wall"
    team: int | None = None
    peer: bool = False
    own_process: bool = True

    @property
    def input(self) -> str:
        """The form of the graph."""
        return self.form

    def refusal(self, entries: float) -> str | None:
        """None."""
        del entries
        return None

    def prepare(self, graph: Workload) -> Callable[[], Answer]:
        """A process with a new cache; for cached kernels, a second one with the same."""
        del graph
        return self._measure

    def _measure(self) -> PeerAnswer:
        with tempfile.TemporaryDirectory(dir=temporary_folder()) as cache:
            output = run_first_use(cache, self.form)
            if self.kernels == "cached":
                output = run_first_use(cache, self.form)
        return PeerAnswer(
            count=output["count"],
            seconds=(float(output["seconds"]),),
            statistics={"start_seconds": float(output["start"])},
        )


def run_first_use(cache: str, form: str) -> dict[str, Any]:
    """What a fresh process prints; its compiled kernels are kept in a folder."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_USE % VERTICES, form],
        env=os.environ | {"CUPY_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"a fresh process failed: {done.stderr[-1000:]}")
    output: dict[str, Any] = json.loads(done.stdout)
    return output
