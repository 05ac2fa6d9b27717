"""The suite ``graphalytics``: LDBC's graphs and metrics for weakly connected components.

Processing time: a call on the graph in memory, on rows and on an edge list. Load time and makespan:
see `jobs`. EVPS, LDBC's throughput, is vertices and edges by the processing time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from skerry.cuda.runtime import Runtime
from skerry.errors import ArgumentError
from skerry_bench.cases import Case, CaseOptions
from skerry_bench.graphalytics.graphs import PUBLISHED, GraphalyticsWorkload, graph_name
from skerry_bench.graphalytics.jobs import Job
from skerry_bench.implementation import Device, Implementation, ImplementationOptions
from skerry_bench.results import GraphLine, Result
from skerry_bench.skerry_algorithms import SkerryAlgorithm

__all__ = ["DEFAULTS", "DISCLAIMER", "cases", "implementations", "tables"]

DEFAULTS: dict[str, Any] = {"scales": (22,), "jobs": True}
EDGE_FACTOR = 16
JOB_SAMPLES = 3  # a job is a process that reads or writes all of the graph
DISCLAIMER = "not an audited LDBC result"


def cases(options: CaseOptions) -> Iterator[Case]:
    """A graph for each scale."""
    for scale in (DEFAULTS | dict(options.parameters))["scales"]:
        if not 1 <= scale <= max(PUBLISHED):
            raise ArgumentError(f"scales are in 1..{max(PUBLISHED)}, got {scale}")
        known = PUBLISHED.get(scale)
        published = None
        if known is not None:
            published = {"vertices": known.vertices, "edges": known.edges, "components": None}
        entries = 2.0 * EDGE_FACTOR * 2**scale
        make = partial(_workload, scale)
        name = graph_name(scale)
        yield Case(name, "graph500", make, entries, published=published, on_device=True)


def _workload(scale: int, threads: int, runtime: Runtime | None) -> GraphalyticsWorkload:
    return GraphalyticsWorkload(scale, threads, runtime)


def implementations(device: Device, options: ImplementationOptions) -> Iterator[Implementation]:
    """Processing on rows and on an edge list, the load and the makespan."""
    yield SkerryAlgorithm("auto", device, options.threads)
    yield SkerryAlgorithm("auto", device, options.threads, "end_to_end")
    if (DEFAULTS | dict(options.parameters))["jobs"]:
        samples = min(options.repeat, JOB_SAMPLES)
        yield Job("load", device, options.threads, samples)
        yield Job("makespan", device, options.threads, samples)


def tables(results: Sequence[Result], graphs: Sequence[GraphLine]) -> str:
    """The metrics of one run, a line for each graph, device and form of the input."""
    by_name = {line.graph: line for line in graphs}
    jobs = {(r.graph, r.device, r.implementation): r.median for r in results}
    head = ["graph", "vertices", "edges", "components", "device", "from"]
    head += ["load, s", "makespan, s", "processing, s", "EVPS"]
    lines = []
    for result in results:
        graph = by_name[result.graph]
        if result.implementation != "auto":
            continue
        size = graph.vertices + graph.edges
        cells = [graph.graph, f"{graph.vertices:,}", f"{graph.edges:,}", f"{graph.components:,}"]
        cells += [result.device, result.input]
        for job in ("load", "makespan"):
            shown = jobs.get((graph.graph, result.device, job)) if result.input == "csr" else None
            cells.append("" if shown is None else f"{shown:.3g}")
        lines.append([*cells, f"{result.median:.3g}", f"{size / result.median:.3g}"])
    if not lines:
        return ""
    lines.sort(key=lambda cells: (int(cells[0].rpartition("-")[2]), cells[4], cells[5]))
    rows = [f"| {' | '.join(line)} |" for line in [head, *lines]]
    rule = f"|---|{'--:|' * (len(head) - 1)}"
    title = f"LDBC Graphalytics, WCC ({DISCLAIMER})"
    parts = ["\n".join([title, "", rows[0], rule, *rows[1:]]), _published(list(by_name))]
    return "\n\n".join(part for part in parts if part)


def _published(names: Sequence[str]) -> str:
    """LDBC's published times of these graphs."""
    scales = [scale for scale in PUBLISHED if graph_name(scale) in names]
    lines = [
        f"{graph_name(scale)}: {', '.join(f'{name} {t:g} s' for name, t in times.items())}"
        for scale in scales
        for times in [PUBLISHED[scale].seconds]
        if times
    ]
    title = "Processing times of the competition of 2023, on other machines:"
    return "\n".join([title, "", *(f"- {line}" for line in lines)]) if lines else ""
