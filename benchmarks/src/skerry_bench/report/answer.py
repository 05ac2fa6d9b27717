"""Who is how fast on what: the comparison that a report opens with, one for each platform.

``auto`` stands beside the fastest of all others on each graph, whoever that is, and beside a few
implementations that were measured on many graphs. A median over the graphs never comes without its
range, and graphs that ``auto`` was tuned on are kept apart from those that it was not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from skerry_bench.corpus.halves import HALVES, Half, half_of
from skerry_bench.report.caveats import caveats_of
from skerry_bench.report.format_value import significant
from skerry_bench.report.measurements import Cell, Cells, Graph, Measurements, Platform
from skerry_bench.report.spread import Order, order_of

AUTO = "auto"
REFERENCE = "ecl"
"""The algorithm that the papers compare with; it is always among the columns."""
COLUMNS = 3
"""Implementations beside ``auto`` and the fastest other."""
PEER_COLUMNS = 2
NAMED = 3
"""Up to so many graphs are named in a headline."""
TUNING_SUITES = frozenset(
    {"eclcc", "cong-muzio", "gerasimou", "families", "smoke", "gpu", "graphalytics"}
)
"""Suites whose times had been seen while ``auto`` was made."""

HALF_TEXTS: Mapping[Half, str] = {
    "tuning": "for tuning (auto may have been tuned on them)",
    "checking": "for checking (auto was not tuned on them)",
}


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One graph: ``auto`` and everybody else that was measured on it."""

    graph: Graph
    half: Half
    auto: Cell
    others: Mapping[str, Cell]

    def fastest_other(self) -> Cell | None:
        """The fastest of the others."""
        return fastest(self.others.values())

    def fastest_peer(self) -> Cell | None:
        """The fastest of the peers."""
        return fastest(cell for cell in self.others.values() if cell.result.peer)


@dataclass(frozen=True, slots=True)
class Ratios:
    """Times of others over those of ``auto``, over several graphs."""

    median: float
    low: float
    high: float
    graphs: int

    @property
    def text(self) -> str:
        """The median with its range, as text."""
        if self.graphs == 1:
            return f"{significant(self.median, 2)} (1 graph)"
        low, high = significant(self.low, 2), significant(self.high, 2)
        return f"{significant(self.median, 2)} ({low} to {high})"


@dataclass(frozen=True, slots=True)
class Answer:
    """The comparison on one platform."""

    platform: Platform
    columns: Sequence[str]
    """Implementations to show beside ``auto`` and the fastest other, the fastest first."""
    rows: Sequence[AnswerRow]
    others: int
    """How many other implementations were measured."""
    headlines: Sequence[str]
    caveats: Sequence[str]

    def ratios(self, implementation: str) -> Ratios | None:
        """An implementation compared with ``auto``, over the graphs with both."""
        return _ratios((row.auto, row.others.get(implementation)) for row in self.rows)

    def ratios_of_fastest(self) -> Ratios | None:
        """The fastest other of each graph compared with ``auto``."""
        return _ratios((row.auto, row.fastest_other()) for row in self.rows)


def answers(measurements: Measurements) -> list[Answer]:
    """One for each platform on which ``auto`` and others were measured on the same graph."""
    made = (_answer(measurements, platform) for platform in measurements.platforms())
    return [answer for answer in made if answer.rows]


def fastest(cells: Iterable[Cell]) -> Cell | None:
    """The fastest of some measurements; None of none."""
    return min(cells, key=lambda cell: cell.milliseconds, default=None)


def _answer(measurements: Measurements, platform: Platform) -> Answer:
    rows = []
    for row in _cells(measurements, platform).values():
        others = {name: cell for name, cell in row.items() if name != AUTO and "[" not in name}
        if others:
            auto = row[AUTO]
            rows.append(AnswerRow(auto.graph, half_of_cell(auto), auto, others))
    names = dict.fromkeys(name for row in rows for name in row.others)
    columns = _columns(rows, names)
    rows.sort(key=lambda row: _rank(row, columns))
    return Answer(
        platform=platform,
        columns=columns,
        rows=rows,
        others=len(names),
        headlines=[line for half in reversed(HALVES) for line in _headlines(rows, half)],
        caveats=caveats_of([cell for row in rows for cell in (row.auto, *row.others.values())]),
    )


def _cells(measurements: Measurements, platform: Platform) -> Cells:
    """Of the sizes of a graph the largest with a peer, or the largest where there is no peer."""
    peers = {cell.implementation for cell in measurements.cells if cell.result.peer}
    cells = measurements.table(platform, study="peers", need=(AUTO,))
    if not peers:
        return cells
    return cells | measurements.table(
        platform, study="peers", need=(AUTO,), same_sizes_as=(platform, peers)
    )


def half_of_cell(auto: Cell) -> Half:
    """By the name of the graph, as in the corpus; of some suites all are for tuning."""
    return "tuning" if auto.result.suite in TUNING_SUITES else half_of([auto.graph.name])


def _rank(row: AnswerRow, columns: Sequence[str]) -> tuple[int, bool, int]:
    """Graphs for checking first, then those with peers and with the most columns."""
    shown = sum(name in row.others for name in columns)
    return -HALVES.index(row.half), row.fastest_peer() is None, -shown


def _columns(rows: Sequence[AnswerRow], names: Iterable[str]) -> list[str]:
    """Those that were measured on half of the graphs or more, peers first, then the fastest."""
    ranked: list[tuple[bool, float, str]] = []
    peers = set()
    for name in names:
        cells = [(row.auto, row.others[name]) for row in rows if name in row.others]
        ratios = _ratios(cells)
        if ratios is not None:
            ranked.append((2 * len(cells) < len(rows), ratios.median, name))
            if cells[0][1].result.peer:
                peers.add(name)
    ranked.sort()
    order = [name for _, _, name in ranked]
    chosen = [name for name in order if name in peers][:PEER_COLUMNS]
    chosen += [name for name in order if name == REFERENCE]
    chosen += [name for name in order if name not in peers and name != REFERENCE]
    chosen += [name for name in order if name not in chosen]
    return [name for name in order if name in chosen[:COLUMNS]]


def _ratios(pairs: Iterable[tuple[Cell, Cell | None]]) -> Ratios | None:
    values = [other.milliseconds / auto.milliseconds for auto, other in pairs if other is not None]
    return Ratios(median(values), min(values), max(values), len(values)) if values else None


def _headlines(rows: Sequence[AnswerRow], half: Half) -> list[str]:
    """``auto`` beside the fastest peer, and beside the fastest of skerry's other algorithms."""
    chosen = [row for row in rows if row.half == half]
    peers = {name for row in chosen for name, cell in row.others.items() if cell.result.peer}
    own = {name for row in chosen for name in row.others} - peers
    with_peers = [(row.auto, row.fastest_peer()) for row in chosen]
    with_own = [
        (row.auto, fastest(cell for name, cell in row.others.items() if name in own))
        for row in chosen
    ]
    return [
        _headline(who, half, ratios, [(auto, other) for auto, other in pairs if other])
        for who, pairs in (
            (_one_or_fastest(peers, "peer", "peers"), with_peers),
            (
                _one_or_fastest(own, "other algorithm of skerry", "other algorithms of skerry"),
                with_own,
            ),
        )
        if (ratios := _ratios(pairs)) is not None
    ]


def _one_or_fastest(names: set[str], single: str, several: str) -> str:
    return f"the only {single}" if len(names) == 1 else f"the fastest of {len(names)} {several}"


def _headline(who: str, half: Half, ratios: Ratios, pairs: Sequence[tuple[Cell, Cell]]) -> str:
    if ratios.graphs == 1:
        return (
            f"On one graph for {half}, {who} takes {significant(ratios.median, 2)} times as long "
            "as auto; one graph is no result."
        )
    graphs: dict[Order, list[str]] = {"faster": [], "slower": [], "undecided": []}
    for auto, other in pairs:
        graphs[order_of(auto, other)].append(auto.graph.name)
    counts = [
        f"{order} on {len(names)}{_named(names) if order != 'faster' else ''}"
        for order, names in graphs.items()
        if names
    ]
    return (
        f"On {ratios.graphs} graphs for {half}, {who} takes {significant(ratios.median, 2)} times "
        f"as long as auto (median; {significant(ratios.low, 2)} to {significant(ratios.high, 2)} "
        f"by graph). auto is {', '.join(counts)}."
    )


def _named(graphs: Sequence[str]) -> str:
    """The names of a few graphs, in brackets."""
    return f" ({', '.join(graphs)})" if len(graphs) <= NAMED else ""
