"""Claims on ECL-CC's counts rather than times: paths, L2 accesses, kernels, threads."""

from __future__ import annotations

from collections.abc import Mapping

from skerry_bench.report.claims.judging import (
    LEVEL,
    Claim,
    Verdict,
    by_share,
    not_measured,
    told_graphs,
    verdict,
)
from skerry_bench.report.figures.studies import path_cells, row_of, shares
from skerry_bench.report.measured import Cell, Graph, Measured, geometric_mean

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
            graphs = told_graphs((cell.graph for cell in cells.values()), PAPER)
            told = (
                f"The mean path is shorter than 2 on {short} of {graphs}, the longest "
                f"mean is {lengths[worst]:.2f} on {worst}; the paper: 16 of 18, 4.26 on europe_osm."
            )
            return by_share(short, len(lengths), 16 / 18, told, place.name)
    return not_measured("the study paths")


def _few_reads(measured: Measured) -> Verdict:
    for place in measured.places("cuda"):
        found: dict[Graph, dict[str, float]] = {}
        for cell in measured.cells:
            counts = cell.result.statistics or {}
            if cell.place == place and "l2_reads" in counts and cell.implementation in JUMPS:
                found.setdefault(cell.graph, {})[cell.implementation] = float(counts["l2_reads"])
        reads = {graph: row for graph, row in found.items() if set(JUMPS) <= set(row)}
        if reads:
            fewest = [
                graph for graph, row in reads.items() if row["ecl"] <= 1.001 * min(row.values())
            ]
            means = "; ".join(
                f"{JUMPS[jump]} reads "
                f"{geometric_mean(row[jump] / row['ecl'] for row in reads.values()):.2f} "
                "times as much"
                for jump in list(JUMPS)[:3]
            )
            told = (
                f"Halving reads the L2 least on {len(fewest)} of {told_graphs(reads, PAPER)}; "
                f"{means}; the paper: on 17 of 18; 1.44, 1.09 and 2.43 times as much."
            )
            return by_share(len(fewest), len(reads), 17 / 18, told, place.name)
    return not_measured("L2 counters of the four kinds of pointer jumping (Nsight Compute)")


def _kernel_shares(measured: Measured) -> Verdict:
    for place in measured.places("cuda"):
        cells = measured.table(
            place, ("ecl",), study="kernels", paper=PAPER, keep=lambda c: bool(c.result.passes)
        )
        found = {row["ecl"].graph: shares(row["ecl"]) for row in cells.values()}
        rows = {g: share for g, share in found.items() if any("rows" in phase for phase in share)}
        if rows:
            means: dict[str, float] = {}
            for share in rows.values():
                for phase, value in share.items():
                    means[phase] = means.get(phase, 0.0) + value / len(rows)
            computing = sum(value for phase, value in means.items() if "rows" in phase)
            told = (
                f"The three computing kernels take {computing:.0%} in the mean over "
                f"{told_graphs(rows, PAPER)} ("
                f"{', '.join(f'{p} {v:.0%}' for p, v in means.items())}); the paper: 84.5% "
                "(start 10%, threads 47%, warps 27%, blocks 11%, finish 6%)."
            )
            return verdict(computing > 0.5, told, place.name)
    return not_measured("the study kernels on a GPU")


def _thresholds(measured: Measured) -> Verdict:
    for place in measured.places("cuda"):
        spans: dict[Graph, list[float]] = {}
        for cell in measured.cells:
            ours = cell.result.study == "thresholds" and row_of(cell.implementation) == "ecl"
            if ours and cell.place == place:
                spans.setdefault(cell.graph, []).append(cell.milliseconds)
        worst = {graph: max(found) / min(found) for graph, found in spans.items() if len(found) > 2}
        if worst:
            mean = geometric_mean(worst.values())
            told = (
                f"The worst thresholds take {mean:.2f} times as long as the best in the mean over "
                f"{told_graphs(worst, PAPER)}, {max(worst.values()):.2f} at most; the paper: no "
                "significant effect."
            )
            return verdict(mean < 1.2, told, place.name)
    return not_measured("the study thresholds on a GPU")


def _few_threads(measured: Measured) -> Verdict:
    for place in measured.places("cpu"):
        found: dict[Graph, dict[int, Cell]] = {}
        for cell in measured.cells:
            ours = cell.result.study == "threads" and cell.implementation == "ecl"
            if ours and cell.place == place and cell.result.threads:
                found.setdefault(cell.graph, {})[cell.result.threads] = cell
        teams = {graph: row for graph, row in found.items() if len(row) > 1}
        if len(teams) > 1:
            small, *_, large = sorted(teams, key=lambda graph: graph.entries)
            few, many = _best_team(teams[small]), _best_team(teams[large])
            told = (
                f"ecl needs {few} of {max(teams[small])} threads on the smallest of "
                f"{len(teams)} graphs ({small.name}) to be within 3% of its best, and {many} on "
                f"the largest ({large.name}); the paper: of 40, 10 are best on the smallest and 20 "
                "on most of the medium ones."
            )
            return verdict(few < many, told, place.name)
    return not_measured("ecl in the study threads on two graphs")


def _best_team(row: Mapping[int, Cell]) -> int:
    """The fewest threads that are as fast as any number of them."""
    best = min(cell.milliseconds for cell in row.values())
    return min(team for team, cell in row.items() if cell.milliseconds <= (1 + LEVEL) * best)


ECLCC_INSIDE = (
    Claim(
        "eclcc-paths",
        PAPER,
        "Table 4",
        "Paths are very short in the mean, shorter than 2 but on europe_osm and USA-road-d.NY.",
        "it is shorter than 2 on the same share of graphs (in part: on two thirds of it)",
        _short_paths,
    ),
    Claim(
        "eclcc-l2",
        PAPER,
        "Table 3",
        "Halving reads the L2 cache least, on all graphs but one.",
        "it does on the same share of graphs (in part: on two thirds of it)",
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
        "the smallest graph needs fewer threads to be within 3% of its best time than the largest",
        _few_threads,
    ),
)
