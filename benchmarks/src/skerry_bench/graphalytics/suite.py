"""The suite ``graphalytics``: LDBC's graphs and metrics for weakly connected components.

Processing time: a call on the graph in memory, on rows and on an edge list. Load time and makespan:
see `jobs`. EVPS, LDBC's throughput, is vertices and edges by the processing time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from skerry.errors import ArgumentError
from skerry_bench.cases import Case, CaseOptions
from skerry_bench.graphalytics.graphs import PUBLISHED, GraphalyticsWorkload, graph_name
from skerry_bench.graphalytics.jobs import Job
from skerry_bench.graphalytics.raw import RawWorkload
from skerry_bench.implementation import Device, Implementation, ImplementationOptions
from skerry_bench.results import GraphLine, Result
from skerry_bench.skerry_algorithms import SkerryAlgorithm

DEFAULTS: dict[str, Any] = {"scales": (22,), "jobs": True, "raw": False}
EDGE_FACTOR = 16
JOB_SAMPLES = 3  # a job is a process that reads or writes all of the graph
RAW_BYTES = 8.0  # of host memory for a generated edge; with a GPU, the edges are in its memory
DISCLAIMER = "not an audited LDBC result"


def cases(options: CaseOptions) -> Iterator[Case]:
    """A graph for each scale: cleaned, or as it is generated."""
    parameters = DEFAULTS | dict(options.parameters)
    for scale in parameters["scales"]:
        if not 1 <= scale <= max(PUBLISHED):
            raise ArgumentError(f"scales are in 1..{max(PUBLISHED)}, got {scale}")
        entries = 2.0 * EDGE_FACTOR * 2**scale
        if parameters["raw"]:
            name = f"{graph_name(scale)}-raw"
            make, needed = partial(RawWorkload, scale), RAW_BYTES * EDGE_FACTOR * 2**scale
            yield Case(name, "graph500", make, entries, on_device=True, host_bytes=needed)
            continue
        known = PUBLISHED.get(scale)
        published = None
        if known is not None:
            published = {"vertices": known.vertices, "edges": known.edges, "components": None}
        work = partial(GraphalyticsWorkload, scale)
        name = graph_name(scale)
        yield Case(name, "graph500", work, entries, published=published, on_device=True)


def implementations(device: Device, options: ImplementationOptions) -> Iterator[Implementation]:
    """Processing on rows and on an edge list, the load and the makespan."""
    parameters = DEFAULTS | dict(options.parameters)
    if not parameters["raw"]:
        yield SkerryAlgorithm("auto", device, options.threads)
    yield SkerryAlgorithm("auto", device, options.threads, "end_to_end")
    if parameters["jobs"] and not parameters["raw"]:
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
        size = _size(graph)
        cells = [graph.graph, f"{graph.vertices:,}", f"{graph.edges:,}", f"{graph.components:,}"]
        cells += [result.device, result.input]
        for job in ("load", "makespan"):
            shown = jobs.get((graph.graph, result.device, job)) if result.input == "csr" else None
            cells.append("" if shown is None else f"{shown:.3g}")
        throughput = "" if size is None else f"{size / result.median:.3g}"
        lines.append([*cells, f"{result.median:.3g}", throughput])
    if not lines:
        return ""
    lines.sort(key=lambda cells: (int(cells[0].split("-")[1]), cells[4], cells[5]))
    rows = [f"| {' | '.join(line)} |" for line in [head, *lines]]
    rule = f"|---|{'--:|' * (len(head) - 1)}"
    title = f"LDBC Graphalytics, WCC ({DISCLAIMER})"
    parts = ["\n".join([title, "", rows[0], rule, *rows[1:]]), _published(list(by_name))]
    return "\n\n".join(part for part in parts if part)


def _size(graph: GraphLine) -> int | None:
    """Vertices and edges by LDBC's count; None for generated edges of a scale it has not."""
    if not graph.graph.endswith("-raw"):
        return graph.vertices + graph.edges
    known = PUBLISHED.get(int(graph.graph.split("-")[1]))
    return None if known is None else known.vertices + known.edges


def _published(names: Sequence[str]) -> str:
    """LDBC's published times of these graphs."""
    named = {name.removesuffix("-raw") for name in names}
    scales = [scale for scale in PUBLISHED if graph_name(scale) in named]
    lines = [
        f"{graph_name(scale)}: {', '.join(f'{name} {t:g} s' for name, t in times.items())}"
        for scale in scales
        for times in [PUBLISHED[scale].seconds]
        if times
    ]
    title = "Processing times of the competition of 2023, on other machines:"
    return "\n".join([title, "", *(f"- {line}" for line in lines)]) if lines else ""
