"""Other libraries beside skerry, from an edge list to labels: the numbers of the README's chart.

A panel is one platform and one half of the graphs: those that ``auto`` may have been tuned on are
never mixed with those that it was not. Only what takes part in a user's waiting counts, so other
libraries' times include building their graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from skerry_bench.corpus.halves import HALVES, Half
from skerry_bench.report.answer import AUTO, Ratios, half_of_cell
from skerry_bench.report.measurements import Cells, Measurements, Platform, ratios


@dataclass(frozen=True, slots=True)
class PeerPanel:
    """Libraries on the graphs of one half, on one platform."""

    platform: Platform
    half: Half
    graphs: Sequence[str]
    threads: int
    """Of skerry, and of peers that have threads."""
    date: str
    """Of the latest measurement."""
    peers: Sequence[tuple[str, Ratios]]
    """Time over skerry's, over the graphs with both; the fastest first."""
    fastest: Ratios
    """The fastest peer of each graph, over skerry."""


def peer_panels(measurements: Measurements) -> list[PeerPanel]:
    """Graphs for checking first; none where no peer was measured from an edge list."""
    panels = []
    for half in reversed(HALVES):
        for platform in measurements.platforms():
            cells = measurements.table(platform, scope="end_to_end", need=(AUTO,))
            chosen = {name: row for name, row in cells.items() if half_of_cell(row[AUTO]) == half}
            panel = _panel(platform, half, chosen)
            if panel is not None:
                panels.append(panel)
    return panels


def _panel(platform: Platform, half: Half, cells: Cells) -> PeerPanel | None:
    with_peers = {
        graph: row for graph, row in cells.items() if any(cell.result.peer for cell in row.values())
    }
    if not with_peers:
        return None
    names = {name for row in with_peers.values() for name, cell in row.items() if cell.result.peer}
    peers = [(name, _summary(list(ratios(with_peers, name, AUTO).values()))) for name in names]
    fastest = [
        min(cell.milliseconds for cell in row.values() if cell.result.peer) / row[AUTO].milliseconds
        for row in with_peers.values()
    ]
    return PeerPanel(
        platform=platform,
        half=half,
        graphs=list(with_peers),
        threads=max(row[AUTO].result.threads or 1 for row in with_peers.values()),
        date=max(row[AUTO].run.date for row in with_peers.values())[:10],
        peers=sorted(peers, key=lambda peer: (peer[1].median, peer[0])),
        fastest=_summary(fastest),
    )


def _summary(values: Sequence[float]) -> Ratios:
    return Ratios(median(values), min(values), max(values), len(values))
