"""Runs passes on a CPU: each kind of pass is one native call.

`prepare` has converted the graph to the form that the algorithm reads. It was validated before, or
the kernels do it while they read it: ``checking``. A graph that is not known to be symmetric is
never treated as if it were.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.algorithms.catalog import Algorithm
from skerry.algorithms.passes import Canonical, Finish, Hook, HookNth, Init, Kernel, Pass, Stream
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges
from skerry.result.plan import PassTime, Statistics


@dataclass(slots=True, eq=False)
class CpuRun:
    """The results of a run: labels, times and counts."""

    labels: npt.NDArray[Any]
    timed: list[tuple[Pass, float, list[tuple[str, float]]]]
    """The passes with their seconds, and the phases of each with theirs."""
    statistics: Statistics | None
    bytes: int
    """Memory of the labels and, at its peak, of the algorithm beside the graph."""
    faulty: bool
    """Whether what was read is no graph: the labels mean nothing."""

    @property
    def passes(self) -> Iterator[PassTime]:
        """What ran, as a plan lists it: made only when it is asked for."""
        for step, seconds, phases in self.timed:
            name = _name(step)
            if phases:
                yield from (PassTime(f"{name}: {phase}", time) for phase, time in phases)
            else:
                yield PassTime(name, seconds)


def run(
    spec: Algorithm,
    graph: Edges | Csr,
    dtype: npt.DTypeLike,
    threads: int,
    counting: bool,
    checking: bool = False,
) -> CpuRun:
    """Runs all passes of ``spec`` over a new parent array of type ``dtype``.

    ``checking``: the arrays have not been validated; only algorithms that "auto" takes can do that.
    """
    parent = np.empty(graph.num_vertices, dtype)
    timed: list[tuple[Pass, float, list[tuple[str, float]]]] = []
    counts: Statistics | None = Statistics() if counting else None
    scratch, faulty = 0, False
    for step in spec.passes:
        begin = perf_counter()
        report: _native.Report
        match step:
            case Kernel():
                report = _kernel(step, graph, parent, threads, counting, checking)
            case Stream():
                assert graph.form == "edges"
                report = _native.stream_edges(
                    graph.src, graph.dst, parent, threads, counting, checking
                )
            case Init(init) if graph.form == "csr" and init != "own":
                report = _native.init_from_rows(
                    graph.offsets, graph.neighbors, parent, _native.INIT[init], threads
                )
            case Init():
                report = _native.init_own(parent, threads)
            case Hook():
                report = _hook(step, graph, parent, threads, counting)
            case HookNth(nth):
                assert graph.form == "csr"
                report = _native.hook_nth(
                    graph.offsets, graph.neighbors, parent, nth, threads, counting
                )
            case Finish(kind):
                report = _native.finish(parent, _native.FINISH[kind], threads, counting)
            case Canonical():
                report = _native.make_canonical(parent, threads)
        step_counts, phases, step_scratch, fault = report
        timed.append((step, perf_counter() - begin, phases))
        faulty |= fault
        if step_scratch > scratch:
            scratch = step_scratch  # a pass frees its memory before the next one runs
        if step_counts is not None and counts is not None:
            counts = counts + Statistics(*step_counts)
    return CpuRun(parent, timed, counts, parent.nbytes + scratch, faulty)


def _hook(step: Hook, graph: Edges | Csr, parent: Any, threads: int, counting: bool) -> Any:
    jump = _native.JUMP[step.jump]
    if graph.form == "edges":
        return _native.hook_edges(graph.src, graph.dst, parent, jump, threads, counting)
    # One direction and skipping a component are correct only where each entry has its reverse.
    symmetric = bool(graph.symmetric)
    one_direction = symmetric and step.entries == "one_direction"
    skip = symmetric and step.skip_largest
    skipped = _native.guess_largest(parent)[0] if skip else 0
    rows = (one_direction, step.first, skip, skipped, step.schedule == "guided")
    every = (0, graph.num_vertices)
    return _native.hook_rows(
        graph.offsets, graph.neighbors, parent, jump, *rows, *every, threads, counting
    )


def _kernel(
    step: Kernel, graph: Edges | Csr, parent: Any, threads: int, counting: bool, checking: bool
) -> Any:
    options: tuple[tuple[str, float], ...] = step.options
    if graph.form == "edges":
        return _native.run_edges(
            step.kernel, graph.src, graph.dst, parent, options, threads, counting
        )
    if graph.symmetric:
        options = (*options, ("one_direction", 1.0))
    # A promise about arrays that were not checked is not relied on: checking finds out.
    in_order = bool(graph.sorted_rows) and graph.trusted
    return _native.run_csr(
        step.kernel,
        graph.offsets,
        graph.neighbors,
        parent,
        options,
        threads,
        counting,
        checking,
        in_order,
    )


def _name(step: Pass) -> str:
    match step:
        case Init(init):
            return f"init {init}"
        case HookNth(nth):
            return f"hook neighbor {nth}"
        case Hook(jump=jump, skip_largest=skip):
            return f"hook {jump}{', largest skipped' if skip else ''}"
        case Finish(kind):
            return f"finish {kind}"
        case Kernel(name):
            return name
        case Stream():
            return "stream edges"
        case Canonical():
            return "canonical labels"
