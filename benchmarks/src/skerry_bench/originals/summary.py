"""The table of a run: original / rewrite by graph, with mean, least and largest."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import geometric_mean

from skerry_bench.corpus.record import Record
from skerry_bench.microbenchmarks.gpu_tables import markdown
from skerry_bench.originals.pairs import LETTERS, Original

BAR = 1 / 1.1
"""A rewrite may take 1.1 times as long as its original."""


def ratios(
    record: Record, original: Original, clock: str, rewrite: str | None = None
) -> dict[str, float]:
    """Original / rewrite by graph, where both were measured: above 1 the rewrite is faster."""
    wanted = {(original.name, True), (rewrite or original.rewrite, False)}
    times: dict[str, dict[bool, float]] = {}
    for result in record.results:
        is_wanted = (result.implementation, result.peer) in wanted
        if is_wanted and result.clock == clock and result.seconds:
            times.setdefault(result.graph, {})[result.peer] = result.median
    return {
        graph: both[True] / both[False] for graph, both in sorted(times.items()) if len(both) == 2
    }


def _pairs(originals: Sequence[Original]) -> list[tuple[Original, str]]:
    """Each original with our default, and with ours by the letter."""
    return [
        (each, rewrite)
        for each in originals
        for rewrite in (each.rewrite, LETTERS[each.device].get(each.rewrite))
        if rewrite is not None
    ]


def tables(record: Record, originals: Sequence[Original]) -> str:
    """A table for each clock, then what could not be compared."""
    clocks = list(dict.fromkeys(result.clock for result in record.results))
    graphs = sorted(record.graphs)
    parts = []
    for clock in clocks:
        header = ["original / rewrite", "mean", "least", "largest", "below 0.91", *graphs]
        rows = []
        for original, rewrite in _pairs(originals):
            by_graph = ratios(record, original, clock, rewrite)
            if not by_graph:
                continue
            values = list(by_graph.values())
            below = sum(value < BAR for value in values)
            numbers = (geometric_mean(values), min(values), max(values))
            rows.append(
                [
                    f"{original.name} / {rewrite}",
                    *(f"{number:.2f}" for number in numbers),
                    f"{below} of {len(values)}",
                    *(f"{by_graph[g]:.2f}" if g in by_graph else "" for g in graphs),
                ]
            )
        parts.append(markdown(f"Clock: {clock}", header, rows))
    errors = sorted(
        f"{result.implementation} on {result.graph}: {result.error}"
        for result in record.results
        if result.error and result.clock == clocks[0]
    )
    return "\n\n".join((*parts, *errors))
