"""Claims of Gerasimou (2026): mappings of rows to threads, warps and blocks on a T4."""

from __future__ import annotations

from skerry_bench.report.claims.rules import (
    TIE,
    Claim,
    Conclusion,
    Judge,
    Verdict,
    describe_graphs,
    graphs_of,
    not_measured,
    verdict,
)
from skerry_bench.report.display_names import display_name
from skerry_bench.report.figures.mappings import MAPPINGS, speedups_of
from skerry_bench.report.measurements import Cells, Graph, Measurements, Platform, geometric_mean
from skerry_bench.report.published import best_mappings

PAPER = "Gerasimou"
ROW_MAPPINGS = MAPPINGS[:3]
MAWI = "mawi_201512020330"
SOCIAL = ("hollywood-2009", "com-LiveJournal", "com-Orkut")


def _cells(measurements: Measurements) -> tuple[Platform, Cells] | None:
    for platform in measurements.platforms("cuda"):
        cells = measurements.table(platform, MAPPINGS, paper=PAPER)
        cells = {graph: row for graph, row in cells.items() if set(ROW_MAPPINGS) <= set(row)}
        if cells:
            return platform, cells
    return None


def _best(graph: str) -> Judge:
    mapping = best_mappings()[graph][0]

    def judge(measurements: Measurements) -> Verdict:
        selected = _cells(measurements)
        if selected is None or graph not in selected[1]:
            return not_measured(f"the mappings on {graph} on a GPU")
        platform, cells = selected
        times = {name: cells[graph][name].milliseconds for name in ROW_MAPPINGS}
        best = min(times, key=times.__getitem__)
        listed = ", ".join(f"{display_name(name)} {time:.3g} ms" for name, time in times.items())
        finding = (
            f"The best is {display_name(best)} ({listed}); the paper: {display_name(mapping)}."
        )
        return verdict(times[mapping] <= (1 + TIE) * times[best], finding, platform.name)

    return judge


def _collapses(measurements: Measurements) -> Verdict:
    selected = _cells(measurements)
    if selected is None or MAWI not in selected[1]:
        return not_measured(f"the mappings on {MAWI} on a GPU")
    platform, cells = selected
    times = {name: cells[MAWI][name].milliseconds for name in ROW_MAPPINGS}
    ratio = times["thread-per-vertex"] / min(times.values())
    finding = (
        f"Thread per vertex takes {ratio:.0f} times as long as the best mapping; the paper: "
        "about 40 times (0.04 against 1.65 times the sequential speed)."
    )
    return verdict(ratio > 10, finding, platform.name)


def _robust(measurements: Measurements) -> Verdict:
    selected = _cells(measurements)
    if selected is None or len(selected[1]) < 2:
        return not_measured("the three mappings on two graphs on a GPU")
    platform, cells = selected
    means = {
        name: geometric_mean(
            row[name].milliseconds / min(row[other].milliseconds for other in ROW_MAPPINGS)
            for row in cells.values()
        )
        for name in ROW_MAPPINGS
    }
    best = min(means, key=means.__getitem__)
    listed = ", ".join(f"{display_name(name)} {mean:.2f}" for name, mean in means.items())
    finding = (
        f"Time relative to the best mapping, on average over "
        f"{describe_graphs(graphs_of(cells), PAPER)}: {listed}; the paper: warp per row is the "
        "robust choice."
    )
    return verdict(means["warp-per-row"] <= (1 + TIE) * means[best], finding, platform.name)


def _rate(measurements: Measurements) -> Verdict:
    selected = _cells(measurements)
    social = {} if selected is None else {g: r for g, r in selected[1].items() if g in SOCIAL}
    if selected is None or not social:
        return not_measured("the mappings on a social graph on a GPU")
    rates = {
        graph: max(row[name].graph.entries / row[name].milliseconds for name in ROW_MAPPINGS) / 1e6
        for graph, row in social.items()
    }
    best = max(rates, key=rates.__getitem__)
    finding = (
        f"The best mapping processes {rates[best]:.2f} billion edges per second on {best}; the "
        "paper: 1.95 on a T4."
    )
    return verdict(rates[best] > 1.9, finding, selected[0].name)


def _over_sequential(graphs: tuple[str, ...], low: float, high: float, paper_says: str) -> Judge:
    """Judges whether the speedup of the best mapping over one core is in a range."""

    def judge(measurements: Measurements) -> Verdict:
        best: dict[str, float] = {}
        for cell, other in speedups_of(measurements):
            if cell.graph.name in graphs and cell.implementation in ROW_MAPPINGS:
                gain = other.milliseconds / cell.milliseconds
                best[cell.graph.name] = max(gain, best.get(cell.graph.name, 0.0))
        if not best:
            return not_measured(
                f"the mappings and a sequential code on {graphs[0]} in the same size"
            )
        listed = ", ".join(f"{gain:.2f} on {graph}" for graph, gain in best.items())
        finding = (
            f"The speedup of the best mapping over one core is {listed}; the paper: {paper_says}."
        )
        stronger = all(gain > high for gain in best.values())
        judged: Conclusion = "agrees, stronger" if stronger else "agrees"
        agrees = stronger or all(low <= gain <= high for gain in best.values())
        return verdict(agrees, finding, judged=judged)

    return judge


def _degree_order(measurements: Measurements) -> Verdict:
    gains: list[float] = []
    by_key: dict[tuple[Platform, Graph, str], dict[str, float]] = {}
    for cell in measurements.cells:
        if cell.result.study == "reorder" and cell.implementation in ROW_MAPPINGS:
            key = (cell.platform, cell.graph, cell.implementation)
            order = str((cell.result.parameter or {}).get("order"))
            by_key.setdefault(key, {})[order] = cell.milliseconds
    for orders in by_key.values():
        if {"given", "degree"} <= set(orders):
            gains.append(orders["given"] / orders["degree"])
    if not gains:
        return not_measured("the study reorder")
    wins = sum(gain > 1 + TIE for gain in gains)
    finding = (
        f"Sorting by degree is faster in {wins} of {len(gains)} measurements on "
        f"{len({graph.name for _, graph, _ in by_key})} graphs, and "
        f"{geometric_mean(gains):.2f} times as fast on average, without the time of sorting; the "
        "paper proposes it."
    )
    return verdict(geometric_mean(gains) > 1 + TIE, finding)


def _claim(name: str, where: str, statement: str, rule: str, judge: Judge) -> Claim:
    return Claim(f"gerasimou-{name}", PAPER, where, statement, rule, judge)


GERASIMOU = (
    *(
        _claim(
            f"best-{graph}",
            "Table 2",
            f"On {graph}, {display_name(mapping)} is the best mapping.",
            "it is the best, or within 3% of the best",
            _best(graph),
        )
        for graph, (mapping, _, _) in best_mappings().items()
    ),
    _claim(
        "collapse",
        "Fig. 1",
        "Thread per vertex is slow on MAWI: 0.04 times the speed of one core, where the best "
        "mapping has 1.65 times.",
        "it takes more than ten times as long as the best mapping (in the paper: 41 times)",
        _collapses,
    ),
    _claim(
        "robust",
        "Sect. 6",
        "Warp per row is the robust choice over all graphs.",
        "it is nearest to the best on average over at least two graphs, or within 3% of that",
        _robust,
    ),
    _claim(
        "rate",
        "Fig. 2",
        "Throughput exceeds 1.9 billion edges per second on social graphs.",
        "the measured throughput does too",
        _rate,
    ),
    _claim(
        "small",
        "Sect. 5.1",
        "On a small graph, a GPU is hardly faster than one core.",
        "it is 0.5 to 2 times as fast",
        _over_sequential(("dictionary28",), 0.5, 2.0, "1.33"),
    ),
    _claim(
        "social",
        "Fig. 1",
        "Social graphs gain the most: 4 to 4.9 times the speed of one core.",
        "they gain at least 4 times (stronger: each more than twice that, in logarithms)",
        _over_sequential(SOCIAL, 4.0, 4.93**2, "4.00, 4.93 and 4.73"),
    ),
    _claim(
        "reorder",
        "Sect. 8",
        "Sorting vertices by degree should improve locality (proposed, not measured there).",
        "it is faster on average",
        _degree_order,
    ),
)
