"""Tables of a record: best peer / auto with its tail, auto / own best, and each graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import geometric_mean, median

from skerry_bench.corpus.record import Record, Result
from skerry_bench.microbenchmarks.gpu_tables import markdown

HUB = 0.1
"""A vertex with more than this share of the entries keeps a graph out of the means on a GPU."""

LEVEL, LEVEL_BELOW = 20e-6, 1e-4
"""On a GPU, where a peer takes less than the second, being behind by the first counts as level."""

LARGE = {"cpu": 1 << 20, "cuda": 1 << 22}
"""Entries from which a graph is counted among the large ones."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """``auto`` beside the best peer and the best of our own on a graph; all in seconds."""

    graph: str
    entries: int
    hub: bool
    auto: float
    ran: str
    own: float
    own_name: str
    peer: float
    peer_name: str

    @property
    def ratio(self) -> float | None:
        """Best peer / auto."""
        return self.peer / self.auto if self.peer_name else None

    @property
    def regret(self) -> float:
        """Auto / own best, at least 1: auto's own time counts as one of ours."""
        return self.auto / min(self.own, self.auto)

    def level(self, device: str) -> bool:
        """Whether being behind is too little to count."""
        return device == "cuda" and self.peer < LEVEL_BELOW and self.auto - self.peer <= LEVEL


def compare(record: Record, clock: str) -> list[Comparison]:
    """The graphs with a time of ``auto``, by their number of entries."""
    by_graph: dict[str, list[Result]] = {}
    for result in record.results:
        if result.clock == clock and result.seconds:
            by_graph.setdefault(result.graph, []).append(result)
    rows = []
    for name, results in by_graph.items():
        auto = [each for each in results if each.implementation == "auto"]
        if not auto or name not in record.graphs:
            continue
        features = record.graphs[name].features
        own = _fastest(each for each in results if not each.peer and each not in auto)
        peer = _fastest(each for each in results if each.peer)
        rows.append(
            Comparison(
                name,
                int(features["entries"]),
                features["max_degree"] > HUB * max(features["entries"], 1),
                auto[-1].median,
                auto[-1].ran or "",
                own.median if own else auto[-1].median,
                own.implementation if own else "",
                peer.median if peer else float("inf"),
                peer.implementation if peer else "",
            )
        )
    return sorted(rows, key=lambda row: (row.entries, row.graph))


def _fastest(results: Iterable[Result]) -> Result | None:
    return min(results, key=lambda result: result.median, default=None)


def tables(record: Record, device: str) -> str:
    """Markdown: means and tails by size for each clock, then every graph."""
    parts = []
    for clock in ("wall",) if device == "cpu" else ("queued", "device"):
        rows = compare(record, clock)
        if not rows:
            continue
        limit = LARGE[device]
        title = {"wall": "", "queued": ", kernels alone", "device": ", with the host"}[clock]
        lines = [
            _summary_line(label, [row for row in rows if (row.entries >= limit) == large], device)
            for label, large in ((f"from {limit:,} entries", True), ("below", False))
        ]
        head = ["graphs", "count", "best peer / auto", "below 0.9", "below 0.75"]
        head += ["auto / own best", "worst"]
        parts.append(markdown(f"Summary{title}", head, [line for line in lines if line]))
        parts += [_tail(rows, device), _small(record, rows, limit), _each(record, rows, title)]
    return "\n\n".join(part for part in [*parts, log_line(record, device)] if part)


def log_line(record: Record, device: str) -> str:
    """The line of a run for the table of docs/benchmarks.md."""
    cells = [str(record.run.get(name, "")) for name in ("date", "commit", "half", "machine")]
    for clock in ("wall",) if device == "cpu" else ("queued", "device"):
        rows = compare(record, clock)
        for large in (True, False):
            part = [row for row in rows if (row.entries >= LARGE[device]) == large]
            line = _summary_line("", part, device)
            if line is not None and line[2] is not None:
                mean, low, lower = line[2:5]
                cells.append(f"{mean:.2f}; {low} below 0.9, {lower} below 0.75")
    return f"| {' | '.join(cells)} |" if len(cells) > 4 else ""


def _counted(rows: Sequence[Comparison], device: str) -> list[Comparison]:
    return [row for row in rows if row.peer_name and not (device == "cuda" and row.hub)]


def _summary_line(label: str, rows: Sequence[Comparison], device: str) -> list[object] | None:
    if not rows:
        return None
    counted = _counted(rows, device)
    ratios = [row.peer / row.auto for row in counted]
    behind = [row.peer / row.auto for row in counted if not row.level(device)]
    regrets = [row.regret for row in rows]
    worst = max(rows, key=lambda row: row.regret)
    return [
        label,
        len(rows),
        geometric_mean(ratios) if ratios else None,
        *(f"{sum(r < bar for r in behind)} of {len(ratios)}" for bar in (0.9, 0.75)),
        geometric_mean(regrets),
        f"{worst.regret:.2f} ({worst.graph})",
    ]


def _tail(rows: Sequence[Comparison], device: str) -> str:
    behind = [
        row for row in _counted(rows, device) if row.peer < 0.9 * row.auto and not row.level(device)
    ]
    lines: list[list[object]] = [
        [
            row.graph,
            row.entries,
            row.peer / row.auto,
            row.peer_name,
            row.ran,
            row.own_name,
            row.regret,
        ]
        for row in sorted(behind, key=lambda row: row.peer / row.auto)
    ]
    head = ["behind", "entries", "best peer / auto", "peer", "auto chose", "own best", "auto / own"]
    return markdown("Tail", head, lines)


def _small(record: Record, rows: Sequence[Comparison], limit: int) -> str:
    """The bar of small graphs on a CPU: 1.1 times the peer and a call on ten edges."""
    calls = {name: graph.ten_edges for name, graph in record.graphs.items() if graph.ten_edges}
    small = [row for row in rows if row.entries < limit and row.peer_name and calls.get(row.graph)]
    if not small:
        return ""
    over = [row.graph for row in small if row.auto > 1.1 * row.peer + calls[row.graph]]
    call = median(calls[row.graph] for row in small)
    text = f"Below {limit:,} entries, over 1.1 times the best peer plus {call * 1e6:.1f} us: "
    return f"{text}{len(over)} of {len(small)}" + (f" ({', '.join(over)})" if over else "")


def _each(record: Record, rows: Sequence[Comparison], title: str) -> str:
    head = ["graph", "half", "n", "entries", "degree", "max", "near", "largest"]
    head += ["auto, ms", "chose", "own best, ms", "own", "peer, ms", "peer", "peer / auto"]
    lines: list[list[object]] = []
    for row in rows:
        graph = record.graphs[row.graph]
        features = graph.features
        counts = [int(features[name]) for name in ("vertices", "entries")]
        shape = [int(features["max_degree"]), features["near"]]
        own = [row.own * 1e3, row.own_name]
        peer = [row.peer * 1e3, row.peer_name, row.ratio] if row.peer_name else [None, "", None]
        known = [row.graph, graph.half, *counts, features["degree"], *shape, features["largest"]]
        lines.append([*known, row.auto * 1e3, row.ran, *own, *peer])
    return markdown(f"Graphs{title}", head, lines)
