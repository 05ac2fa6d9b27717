"""Claims on ECL-CC's counts rather than times: paths, L2 accesses, kernels, threads, devices."""

from __future__ import annotations

from skerry.report.claims.judging import Claim, Verdict, not_measured, verdict
from skerry.report.figures.across import PARALLEL, SERIAL, same_graph
from skerry.report.figures.studies import path_cells, row_of, shares
from skerry.report.measured import Cell, Measured, geometric_mean
from skerry.report.names import label_of
from skerry.report.published import table

__all__ = ["ECLCC_INSIDE"]

PAPER = "ECL-CC"
JUMPS = {
    "ecl[jump=multiple]": "Jump1",
    "ecl[jump=single]": "Jump2",
    "ecl[jump=none]": "Jump3",
    "ecl": "Jump4",
}


def _short_paths(measured: Measured) -> Verdict:
    for place in measured.places("cuda") + measured.places("cpu"):
        cells = path_cells(measured, place)
        if cells:
            lengths = {
                g: float((c.result.statistics or {})["average_path"]) for g, c in cells.items()
            }
            short = sum(length < 2 for length in lengths.values())
            worst = max(lengths, key=lengths.__getitem__)
            told = (
                f"The mean path is shorter than 2 on {short} of {len(lengths)} graphs, the longest "
                f"mean is {lengths[worst]:.2f} on {worst}; the paper: 16 of 18, 4.26 on europe_osm."
            )
            return verdict(short >= 0.75 * len(lengths), told, place.name)
    return not_measured("the study paths")


def _few_reads(measured: Measured) -> Verdict:
    for place in measured.places("cuda"):
        reads: dict[str, dict[str, float]] = {}
        for cell in measured.cells:
            counts = cell.result.statistics or {}
            if cell.place == place and "l2_reads" in counts and cell.contender in JUMPS:
                reads.setdefault(cell.graph.name, {})[cell.contender] = float(counts["l2_reads"])
        reads = {graph: row for graph, row in reads.items() if "ecl" in row and len(row) > 1}
        if reads:
            fewest = [
                graph for graph, row in reads.items() if row["ecl"] <= 1.01 * min(row.values())
            ]
            means = "; ".join(
                f"{JUMPS[jump]} reads {geometric_mean(found):.2f} times as much"
                for jump in list(JUMPS)[:3]
                if (found := [row[jump] / row["ecl"] for row in reads.values() if jump in row])
            )
            told = (
                f"Halving reads the L2 least on {len(fewest)} of {len(reads)} graphs; {means}; the "
                "paper: on 17 of 18; 1.44, 1.09 and 2.43 times as much."
            )
            return verdict(len(fewest) >= 0.9 * len(reads), told, place.name)
    return not_measured("L2 counters of the four kinds of pointer jumping (Nsight Compute)")


def _kernel_shares(measured: Measured) -> Verdict:
    for place in measured.places("cuda"):
        cells = measured.table(
            place, ("ecl",), study="kernels", paper=PAPER, keep=lambda c: bool(c.result.passes)
        )
        found = [shares(row["ecl"]) for row in cells.values()]
        rows = [share for share in found if any("rows" in phase for phase in share)]
        if rows:
            means: dict[str, float] = {}
            for share in rows:
                for phase, value in share.items():
                    means[phase] = means.get(phase, 0.0) + value / len(rows)
            computing = sum(value for phase, value in means.items() if "rows" in phase)
            told = (
                f"The three computing kernels take {computing:.0%} in the mean over {len(rows)} "
                f"graphs ({', '.join(f'{p} {v:.0%}' for p, v in means.items())}); the paper: 84.5% "
                "(start 10%, threads 47%, warps 27%, blocks 11%, finish 6%)."
            )
            return verdict(computing > 0.5, told, place.name)
    return not_measured("the study kernels on a GPU")


def _thresholds(measured: Measured) -> Verdict:
    spans: dict[str, list[float]] = {}
    for cell in measured.cells:
        if cell.result.study == "thresholds" and row_of(cell.contender) == "ecl":
            spans.setdefault(cell.graph.name, []).append(cell.milliseconds)
    worst = {graph: max(found) / min(found) for graph, found in spans.items() if len(found) > 2}
    if not worst:
        return not_measured("the study thresholds on a GPU")
    mean = geometric_mean(worst.values())
    told = (
        f"The worst thresholds take {mean:.2f} times as long as the best in the mean over "
        f"{len(worst)} graphs, {max(worst.values()):.2f} at most; the paper: no significant effect."
    )
    return verdict(mean < 1.2, told)


def _few_threads(measured: Measured) -> Verdict:
    teams: dict[str, dict[int, Cell]] = {}
    for cell in measured.cells:
        if cell.result.study == "threads" and cell.contender == "ecl" and cell.result.threads:
            teams.setdefault(cell.graph.name, {})[cell.result.threads] = cell
    teams = {graph: row for graph, row in teams.items() if len(row) > 1}
    if len(teams) < 2:
        return not_measured("ecl in the study threads on two graphs")
    order = sorted(teams, key=lambda graph: next(iter(teams[graph].values())).graph.entries)
    best = {g: min(teams[g], key=lambda t: teams[g][t].milliseconds) for g in order}
    told = (
        f"ecl is fastest with {best[order[0]]} threads on the smallest graph ({order[0]}) and with "
        f"{best[order[-1]]} on the largest ({order[-1]}); the paper: 10 and 40 of 40."
    )
    return verdict(best[order[0]] < best[order[-1]], told)


def _devices(measured: Measured) -> Verdict:
    gpus = measured.places("cuda")
    found: dict[str, list[float]] = {}
    if gpus:
        home = measured.table(gpus[0], ("ecl",), study="devices", paper=PAPER)
        for place in measured.places("cpu"):
            cells = measured.table(place, (*PARALLEL, *SERIAL), study="devices", paper=PAPER)
            for graph, row in cells.items():
                base = home.get(graph, {}).get("ecl")
                for contender, cell in row.items():
                    if base and contender not in ("ecl", "ecl-serial") and same_graph(cell, base):
                        ratio = cell.milliseconds / base.milliseconds
                        found.setdefault(contender, []).append(ratio)
    if not found:
        return not_measured("one graph, in one size, on a GPU and with other codes on a CPU")
    means = {contender: geometric_mean(values) for contender, values in found.items()}
    best = min(means, key=means.__getitem__)
    told = (
        f"ECL-CC on {gpus[0].name} is {means[best]:.1f} times faster than {label_of(best)}, the "
        "fastest other code on the CPU, in the mean; the paper: 19 times (20 cores), 77 (one)."
    )
    return verdict(means[best] > 1, told, gpus[0].name)


def _newer(measured: Measured) -> Verdict:
    times = table(PAPER, "Table 5").milliseconds
    for place in measured.places("cuda"):
        cells = measured.table(place, ("ecl",), paper=PAPER)
        gains = {}
        for graph, row in cells.items():
            size = row["ecl"].graph.entries
            original = SIZES.get(graph, 0)
            if graph in times and original and abs(size / original - 1) < 0.25:
                gains[graph] = times[graph]["ecl"] / row["ecl"].milliseconds
        if gains:
            told = (
                f"ecl on {place.name} is {geometric_mean(gains.values()):.1f} times as fast as "
                f"ECL-CC on the Titan X of 2018, in the mean over {len(gains)} graphs of about the "
                f"same size ({min(gains.values()):.1f} to {max(gains.values()):.1f}); the paper: "
                "the Titan X is faster than the older K40 on nearly all."
            )
            faster = sum(gain > 1 for gain in gains.values())
            return verdict(faster >= 0.75 * len(gains), told, place.name)
    return not_measured("ecl on a GPU on graphs of the paper in about their full size")


def _sizes() -> dict[str, int]:
    from skerry.graph.papers import papers_graphs

    return {graph.name: graph.edges or 0 for graph in papers_graphs()}


SIZES = _sizes()

ECLCC_INSIDE = (
    Claim(
        "eclcc-paths",
        PAPER,
        "Table 4",
        "Paths are very short in the mean, except on europe_osm and USA-road-d.NY.",
        "the mean path is shorter than 2 on three quarters of the graphs",
        _short_paths,
    ),
    Claim(
        "eclcc-l2",
        PAPER,
        "Table 3",
        "Halving reads the L2 cache least, on all graphs but one.",
        "it does on nine tenths of the graphs, within 1%",
        _few_reads,
    ),
    Claim(
        "eclcc-kernels",
        PAPER,
        "Fig. 10",
        "Most of the time, 84.5%, goes into the three computing kernels.",
        "it is more than half in the mean",
        _kernel_shares,
    ),
    Claim(
        "eclcc-thresholds",
        PAPER,
        "Sect. 3",
        "The degrees from which warps and blocks take rows matter little.",
        "the worst of the thresholds tried costs less than a fifth in the mean",
        _thresholds,
    ),
    Claim(
        "eclcc-threads",
        PAPER,
        "Sect. 5.3",
        "Small graphs are too small for many threads: fewer are faster there.",
        "the smallest graph is fastest with fewer threads than the largest",
        _few_threads,
    ),
    Claim(
        "eclcc-devices",
        PAPER,
        "Fig. 17",
        "ECL-CC on the GPU is 19 times faster than the fastest other code on the CPU.",
        "it is faster than the fastest other CPU code in the mean",
        _devices,
    ),
    Claim(
        "eclcc-newer",
        PAPER,
        "Sect. 5.2",
        "A newer GPU is faster on nearly every graph.",
        "ours is faster than the paper's on three quarters of the graphs of about the same size",
        _newer,
    ),
)
