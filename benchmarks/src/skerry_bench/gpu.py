"""The measurements behind docs/gpu.md, all in one run: on rows, on edge lists, and of the papers.

Every graph is made on the device, once; each part measures on it, and every answer is compared with
ECL-CC's before its time is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from skerry.cuda.devices import find_runtime
from skerry.errors import InputError, SkerryError
from skerry_bench.gpu_busy import busy_for
from skerry_bench.gpu_calls import measure_calls, show_calls
from skerry_bench.gpu_graphs import CASES, Case, Given, build
from skerry_bench.gpu_measure import Bench, Sheet, describe_gpu
from skerry_bench.gpu_ours import measure_edges, measure_kernels, measure_rows, show_ours
from skerry_bench.gpu_papers import measure_papers, show_papers
from skerry_bench.record import Record

__all__ = ["GRAPHS", "PARTS", "QUICK", "MeasurementError", "run", "this_gpu"]


class MeasurementError(SkerryError, RuntimeError):
    """An answer was wrong, or none came; what could be measured is in the record."""


ON_GRAPHS: dict[str, Callable[[Sheet, Bench, Given, Case], None]] = {
    "rows": measure_rows,
    "edges": measure_edges,
    "kernels": measure_kernels,
    "papers": measure_papers,
}
PARTS = (*ON_GRAPHS, "calls")
QUICK = ("rows", "calls")
GRAPHS = tuple(case.name for case in CASES)
AHEAD = 1e-3
"""Seconds that a device is kept busy for, where the host's part of a call is not to be measured."""


def this_gpu(scale: float = 1.0) -> tuple[Bench, dict[str, Any]]:
    """The current GPU, and what it is."""
    runtime = find_runtime("cuda")
    import cupy

    release = cupy.get_default_memory_pool().free_all_blocks
    keep_busy = busy_for(AHEAD)
    return Bench(runtime, scale=scale, release=release, keep_busy=keep_busy), describe_gpu()


def run(
    record: Record,
    bench: Bench,
    facts: dict[str, Any],
    *,
    parts: Sequence[str] = PARTS,
    graphs: Sequence[str] = GRAPHS,
) -> Sheet:
    """Measures the parts on the graphs, and prints tables at the end."""
    _check("part", parts, PARTS)
    _check("graph", graphs, GRAPHS)
    sheet = Sheet(record)
    sheet.add("device", **facts, scale=bench.scale)
    if "calls" in parts:
        with sheet.attempt(during="calls"):
            measure_calls(sheet, bench)
    for case in CASES:
        if case.name in graphs:
            with sheet.attempt(graph=case.name):
                _measure(sheet, bench, case, parts)
            bench.release()
    show_ours(sheet)
    show_papers(sheet)
    show_calls(sheet)
    failed = sheet.of("failed")
    if failed:
        raise MeasurementError(f"{len(failed)} measurements failed, the first: {failed[0]}")
    return sheet


def _measure(sheet: Sheet, bench: Bench, case: Case, parts: Sequence[str]) -> None:
    """In a function of its own, so that the graph is gone when the next one is made."""
    wanted = [part for part in ON_GRAPHS if part in parts]
    if wanted:
        given = build(bench.runtime, case, bench.scale)
        for part in wanted:
            with sheet.attempt(graph=case.name, during=part):
                ON_GRAPHS[part](sheet, bench, given, case)


def _check(kind: str, names: Sequence[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise InputError(f"no {kind} named {name!r}; there are: {', '.join(known)}")
