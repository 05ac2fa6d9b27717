"""``skerry demo``: the islands among Debian's packages, timed and verified."""

from __future__ import annotations

import numpy as np
from rich.text import Text

from skerry.api import connected_components
from skerry.cli.errors import WRONG
from skerry.cli.format_numbers import duration
from skerry.cli.result_facts import collect_facts
from skerry.cli.summary import VertexNoun, console, labeled_lines, render
from skerry.datasets.embedded import NamedGraph, debian

RUNS = 9
"""Odd, so that the median is a run whose passes can be shown."""
HUBS = 5


def show_demo(algorithm: str, threads: int | None) -> None:
    """Finds, verifies and shows the components of the embedded graph."""
    graph = debian()
    # The first run also starts the threads and warms the caches, so it is not counted.
    runs = [
        connected_components(graph.edges, algorithm=algorithm, threads=threads)
        for _ in range(1 + RUNS)
    ][1:]
    runs.sort(key=lambda run: run.plan.seconds)
    median = runs[RUNS // 2]
    facts = collect_facts(median, median.verify())
    fastest, slowest = (duration(run.plan.seconds) for run in (runs[0], runs[-1]))
    timing = f" (median of {RUNS} runs, {fastest} to {slowest})"
    out = console()
    noun = VertexNoun("package", "packages")
    out.print()
    out.print(_title(graph))
    out.print()
    out.print(render(out, facts, noun=noun, names=graph.names, timing=timing))
    out.print()
    if facts.verification is not None and not facts.verification:
        raise SystemExit(WRONG)


def _title(graph: NamedGraph) -> object:
    source = graph.meta["Source"].partition(",")[0]
    day = " ".join(graph.meta["Date"].split()[1:4])
    degrees = np.bincount(np.concatenate([graph.edges.src, graph.edges.dst]))
    hubs = ", ".join(
        f"{graph.names[v]} ({degrees[v]:,})" for v in np.argsort(-degrees, kind="stable")[:HUBS]
    )
    counts = f"{len(graph.names):,} packages, {graph.edges.num_edges:,} dependencies between them"
    return labeled_lines(
        [
            ("graph", Text.assemble((f"the packages of {source}", "bold"), f", index of {day}")),
            ("", counts + " (depends, recommends, suggests, ...)"),
            ("hubs", hubs),
        ]
    )
