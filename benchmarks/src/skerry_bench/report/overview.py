"""Summary of the results: runs, machines, versions, counts, and what was skipped and why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from skerry_bench.report.claims.rules import Claim, Verdict
from skerry_bench.report.measurements import Measurements
from skerry_bench.results import Results, RunLine

SHOWN_OPTIONS = ("scale", "device", "threads", "repeat", "budget")
"""Options of a run that affect its numbers."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run, as text."""

    date: str
    suite: str
    machine: str
    commit: str
    options: str
    results: int


@dataclass(frozen=True, slots=True)
class Overview:
    """Where the numbers of the report come from."""

    runs: Sequence[RunSummary]
    versions: Sequence[tuple[str, str]]
    """Machine and versions, each combination once."""
    measurements: int
    samples: int
    verified: int
    verified_by_count: int
    """How many of these were verified by their number of components only."""
    graphs: int
    stand_ins: int
    implementations: int
    peers: int
    skipped: Sequence[tuple[str, int, str]]
    """Reason, number of occurrences, and an example."""
    conclusions: dict[str, int]


def summarize(measurements: Measurements, verdicts: Sequence[tuple[Claim, Verdict]]) -> Overview:
    """The summary of all results and verdicts."""
    results = measurements.results
    graphs = measurements.graphs()
    count = Counter(result.run for result in results.results)
    runs = sorted(results.runs.values(), key=lambda run: run.date)
    versions = {
        (run.machine.name, ", ".join(f"{name} {text}" for name, text in run.versions.items())): None
        for run in results.runs.values()
        if run.versions
    }
    return Overview(
        runs=[_run_summary(run, count[run.run]) for run in runs],
        versions=list(versions),
        measurements=len(results.results),
        samples=sum(seconds > 0 for result in results.results for seconds in result.seconds),
        verified=sum(result.verified for result in results.results),
        verified_by_count=sum(result.verified_by == "count" for result in results.results),
        graphs=len(graphs),
        stand_ins=sum(graph.stand_in for graph in graphs),
        implementations=len({result.implementation for result in results.results}),
        peers=len({result.implementation for result in results.results if result.peer}),
        skipped=_skipped(results),
        conclusions=dict(Counter(verdict.conclusion for _, verdict in verdicts)),
    )


def _run_summary(run: RunLine, results: int) -> RunSummary:
    options = {name: run.options.get(name) for name in SHOWN_OPTIONS}
    return RunSummary(
        date=run.date[:16].replace("T", " ") or "unknown",
        suite=run.suite,
        machine=run.machine.name if run.machine.processor else "unknown",
        commit=run.commit,
        options=", ".join(
            f"{name} {value}" for name, value in options.items() if value is not None
        ),
        results=results,
    )


def _skipped(results: Results) -> list[tuple[str, int, str]]:
    """Reasons that differ only in their numbers are counted together."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for line in results.skipped:
        pattern = re.sub(r"\d[\d,.]*", "#", line.reason)
        example = (line.reason, f"{line.implementation} on {line.graph}")
        groups.setdefault(pattern, []).append(example)
    ordered = sorted(groups.values(), key=len, reverse=True)
    return [(group[0][0], len(group), group[0][1]) for group in ordered]
