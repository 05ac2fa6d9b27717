"""What Gerasimou claims (2026): mappings of rows to threads, warps and blocks on a T4."""

from __future__ import annotations

from skerry_bench.report.claims.judging import (
    LEVEL,
    Claim,
    Judge,
    Verdict,
    graphs_of,
    not_measured,
    told_graphs,
    verdict,
)
from skerry_bench.report.figures.mappings import MAPPINGS, speedups_of
from skerry_bench.report.measured import Cells, Graph, Measured, Place, geometric_mean
from skerry_bench.report.names import label_of
from skerry_bench.report.published import best_mappings

__all__ = ["GERASIMOU"]

PAPER = "Gerasimou"
ROWS = MAPPINGS[:3]
MAWI = "mawi_201512020330"
SOCIAL = ("hollywood-2009", "com-LiveJournal", "com-Orkut")


def _cells(measured: Measured) -> tuple[Place, Cells] | None:
    for place in measured.places("cuda"):
        cells = measured.table(place, MAPPINGS, paper=PAPER)
        cells = {graph: row for graph, row in cells.items() if set(ROWS) <= set(row)}
        if cells:
            return place, cells
    return None


def _best(graph: str) -> Judge:
    mapping = best_mappings()[graph][0]

    def judged(measured: Measured) -> Verdict:
        found = _cells(measured)
        if found is None or graph not in found[1]:
            return not_measured(f"the mappings on {graph} on a GPU")
        place, cells = found
        times = {one: cells[graph][one].milliseconds for one in ROWS}
        best = min(times, key=times.__getitem__)
        told = ", ".join(f"{label_of(one)} {time:.3g} ms" for one, time in times.items())
        told = f"The best is {label_of(best)} ({told}); the paper: {label_of(mapping)}."
        return verdict(times[mapping] <= (1 + LEVEL) * times[best], told, place.name)

    return judged


def _collapses(measured: Measured) -> Verdict:
    found = _cells(measured)
    if found is None or MAWI not in found[1]:
        return not_measured(f"the mappings on {MAWI} on a GPU")
    place, cells = found
    times = {one: cells[MAWI][one].milliseconds for one in ROWS}
    ratio = times["thread-per-vertex"] / min(times.values())
    told = (
        f"Thread per vertex takes {ratio:.0f} times as long as the best mapping there; the paper: "
        "about 40 times (0.04 against 1.65 times the sequential speed)."
    )
    return verdict(ratio > 10, told, place.name)


def _robust(measured: Measured) -> Verdict:
    found = _cells(measured)
    if found is None or len(found[1]) < 2:
        return not_measured("the three mappings on two graphs on a GPU")
    place, cells = found
    means = {
        one: geometric_mean(
            row[one].milliseconds / min(row[other].milliseconds for other in ROWS)
            for row in cells.values()
        )
        for one in ROWS
    }
    best = min(means, key=means.__getitem__)
    told = ", ".join(f"{label_of(one)} {mean:.2f}" for one, mean in means.items())
    told = (
        f"Time over the best mapping, in the mean over {told_graphs(graphs_of(cells), PAPER)}: "
        f"{told}; the paper: "
        "warp per row is the robust one."
    )
    level = means["warp-per-row"] <= (1 + LEVEL) * means[best]
    return verdict(level, told, place.name)


def _rate(measured: Measured) -> Verdict:
    found = _cells(measured)
    social = {} if found is None else {g: r for g, r in found[1].items() if g in SOCIAL}
    if found is None or not social:
        return not_measured("the mappings on a social graph on a GPU")
    rates = {
        graph: max(row[one].graph.entries / row[one].milliseconds for one in ROWS) / 1e6
        for graph, row in social.items()
    }
    best = max(rates, key=rates.__getitem__)
    told = f"{rates[best]:.2f} billion edges a second on {best}; the paper: 1.95 on a T4."
    return verdict(rates[best] > 1.9, f"The best mapping does {told}", found[0].name)


def _over_sequential(graphs: tuple[str, ...], low: float, high: float, says: str) -> Judge:
    def judged(measured: Measured) -> Verdict:
        best: dict[str, float] = {}
        for cell, other in speedups_of(measured):
            if cell.graph.name in graphs and cell.implementation in ROWS:
                gain = other.milliseconds / cell.milliseconds
                best[cell.graph.name] = max(gain, best.get(cell.graph.name, 0.0))
        if not best:
            return not_measured(f"the mappings and a sequential code on {graphs[0]}, in one size")
        told = ", ".join(f"{gain:.2f} on {graph}" for graph, gain in best.items())
        told = f"The best mapping is faster than one core by {told}; the paper: {says}."
        return verdict(all(low <= gain <= high for gain in best.values()), told)

    return judged


def _degree_order(measured: Measured) -> Verdict:
    gains: list[float] = []
    by_key: dict[tuple[Place, Graph, str], dict[str, float]] = {}
    for cell in measured.cells:
        if cell.result.study == "reorder":
            key = (cell.place, cell.graph, cell.implementation)
            order = str((cell.result.parameter or {}).get("order"))
            by_key.setdefault(key, {})[order] = cell.milliseconds
    for orders in by_key.values():
        if {"given", "degree"} <= set(orders):
            gains.append(orders["given"] / orders["degree"])
    if not gains:
        return not_measured("the study reorder")
    pays = sum(gain > 1 + LEVEL for gain in gains)
    told = (
        f"Sorting by degree pays in {pays} of {len(gains)} measurements on "
        f"{len({graph.name for _, graph, _ in by_key})} graphs, and makes it "
        f"{geometric_mean(gains):.2f} times as fast in the mean, sorting not counted; the paper "
        "proposes it."
    )
    return verdict(geometric_mean(gains) > 1 + LEVEL, told)


def _claim(name: str, where: str, says: str, rule: str, judge: Judge) -> Claim:
    return Claim(f"gerasimou-{name}", PAPER, where, says, rule, judge)


GERASIMOU = (
    *(
        _claim(
            f"best-{graph}",
            "Table 2",
            f"On {graph}, {label_of(mapping)} is the best mapping.",
            "it is the best here, within 3%",
            _best(graph),
        )
        for graph, (mapping, _, _) in best_mappings().items()
    ),
    _claim(
        "collapse",
        "Fig. 1",
        "A thread a vertex collapses on MAWI: 0.04 times the speed of one core, where the best "
        "mapping has 1.65.",
        "it takes more than ten times as long as the best mapping (the paper's: 41 times)",
        _collapses,
    ),
    _claim(
        "robust",
        "Sect. 6",
        "A warp a row is the robust choice over all graphs.",
        "it is the nearest to the best in the mean over two graphs at least, or within 3% of that",
        _robust,
    ),
    _claim(
        "rate",
        "Fig. 2",
        "Throughput exceeds 1.9 billion edges a second on social graphs.",
        "ours does too",
        _rate,
    ),
    _claim(
        "small",
        "Sect. 5.1",
        "On a small graph a GPU gains next to nothing over one core.",
        "it is 0.5 to 2 times as fast",
        _over_sequential(("dictionary28",), 0.5, 2.0, "1.33"),
    ),
    _claim(
        "social",
        "Fig. 1",
        "Social graphs gain most: 4 to 4.9 times the speed of one core.",
        "they gain at least 4 times",
        _over_sequential(SOCIAL, 4.0, 1e9, "4.00, 4.93 and 4.73"),
    ),
    _claim(
        "reorder",
        "Sect. 8",
        "Sorting vertices by degree should improve locality (proposed, not measured there).",
        "it pays in the mean",
        _degree_order,
    ),
)
