"""What was run: machines, versions, counts, and what was skipped and why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from skerry_bench.report.claims import Claim, Verdict
from skerry_bench.report.measured import Measured, geometric_mean, ratios

__all__ = ["Overview", "Run", "overview"]

TOLD = ("scale", "device", "threads", "repeat", "budget")
"""Options that bear on the numbers."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run, in words."""

    date: str
    suite: str
    machine: str
    commit: str
    options: str
    results: int


@dataclass(frozen=True, slots=True)
class Overview:
    """The head of the page."""

    runs: Sequence[Run]
    versions: Sequence[tuple[str, str]]
    """Machine and versions, each combination once."""
    measurements: int
    samples: int
    verified: int
    by_count: int
    """How many of these by their number of components alone."""
    graphs: int
    stand_ins: int
    implementations: int
    peers: int
    places: Sequence[str]
    skipped: Sequence[tuple[str, int, str]]
    """Reason, how often, and an example."""
    outcomes: dict[str, int]
    peaks: Sequence[str]
    """Sentences: ``auto`` beside the best of the others, place by place."""


def overview(measured: Measured, verdicts: Sequence[tuple[Claim, Verdict]]) -> Overview:
    """Counts everything."""
    results = measured.results
    count = Counter(result.run for result in results.results)
    runs = [
        Run(
            date=run.date[:16].replace("T", " ") or "unknown",
            suite=run.suite,
            machine=run.machine.name if run.machine.processor else "unknown",
            commit=run.commit,
            options=", ".join(
                f"{name} {run.options[name]}" for name in TOLD if run.options.get(name) is not None
            ),
            results=count[run.run],
        )
        for run in sorted(results.runs.values(), key=lambda run: run.date)
    ]
    reasons: dict[str, list[tuple[str, str]]] = {}
    for line in results.skipped:
        # The same reason, whatever the sizes and times in it.
        alike = re.sub(r"\d[\d,.]*", "#", line.reason)
        example = (line.reason, f"{line.implementation} on {line.graph}")
        reasons.setdefault(alike, []).append(example)
    versions = {
        (run.machine.name, ", ".join(f"{name} {one}" for name, one in run.versions.items())): None
        for run in results.runs.values()
        if run.versions
    }
    return Overview(
        runs=runs,
        versions=list(versions),
        measurements=len(results.results),
        samples=sum(second > 0 for result in results.results for second in result.seconds),
        verified=sum(result.verified for result in results.results),
        by_count=sum(result.verified_by == "count" for result in results.results),
        graphs=len(measured.graphs()),
        stand_ins=sum(graph.stand_in for graph in measured.graphs()),
        implementations=len({result.implementation for result in results.results}),
        peers=len({result.implementation for result in results.results if result.peer}),
        places=[place.name for place in measured.places()],
        skipped=[
            (those[0][0], len(those), those[0][1])
            for those in sorted(reasons.values(), key=len, reverse=True)
        ],
        outcomes=dict(Counter(verdict.outcome for _, verdict in verdicts)),
        peaks=[*_beside(measured)],
    )


def _beside(measured: Measured) -> list[str]:
    """How ``auto`` stands beside the best of the peers, or of our own rows where there is none."""
    told = []
    for place in measured.places():
        cells = measured.table(place)
        peers = {one for row in cells.values() for one, cell in row.items() if cell.result.peer}
        best = {}
        for graph, row in cells.items():
            others = [cell for one, cell in row.items() if one in peers]
            if "auto" in row and others:
                fastest = min(others, key=lambda cell: cell.milliseconds)
                best[graph] = fastest.milliseconds / row["auto"].milliseconds
        if best:
            wins = sum(ratio > 1 for ratio in best.values())
            told.append(
                f"On {place.name}, auto is faster than the best of {len(peers)} "
                f"{'peer' if len(peers) == 1 else 'peers'} on {wins} of {len(best)} graphs, "
                f"{median(best.values()):.2f} times in the median and "
                f"{geometric_mean(best.values()):.2f} in the geometric mean."
            )
            continue
        over = ratios(cells, "ecl", "auto")
        if over:
            told.append(
                f"On {place.name}, auto is {geometric_mean(over.values()):.2f} times as fast as "
                f"ECL-CC's algorithm in the geometric mean over {len(over)} graphs; no peer was "
                "measured."
            )
    return told
