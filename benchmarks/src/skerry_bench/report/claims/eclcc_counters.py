"""Claims of the ECL-CC paper on path lengths, L2 accesses, kernels, thresholds and threads."""

from __future__ import annotations

from collections.abc import Mapping

from skerry_bench.report.claims.rules import (
    TIE,
    Claim,
    Verdict,
    by_share,
    describe_graphs,
    not_measured,
    verdict,
)
from skerry_bench.report.figures.studies import base_algorithm, path_cells, phase_shares
from skerry_bench.report.measurements import Cell, Graph, Measurements, geometric_mean

PAPER = "ECL-CC"
JUMPS = {
    "ecl[jump=multiple]": "Jump1",
    "ecl[jump=single]": "Jump2",
    "ecl[jump=none]": "Jump3",
    "ecl": "Jump4",
}


def _short_paths(measurements: Measurements) -> Verdict:
    for platform in measurements.platforms("cuda") + measurements.platforms("cpu"):
        cells = path_cells(measurements, platform)
        if cells:
            lengths = {
                g: float((c.result.statistics or {})["average_path"]) for g, c in cells.items()
            }
            short = sum(length < 2 for length in lengths.values())
            worst = max(lengths, key=lengths.__getitem__)
            graphs = describe_graphs((cell.graph for cell in cells.values()), PAPER)
            finding = (
                f"The average path is shorter than 2 on {short} of {graphs}, the longest "
                f"average is {lengths[worst]:.2f} on {worst}; the paper: 16 of 18, 4.26 on "
                "europe_osm."
            )
            return by_share(short, len(lengths), 16 / 18, finding, platform.name)
    return not_measured("the study paths")


def _few_reads(measurements: Measurements) -> Verdict:
    for platform in measurements.platforms("cuda"):
        counters: dict[Graph, dict[str, float]] = {}
        for cell in measurements.cells:
            statistics = cell.result.statistics or {}
            if (
                cell.platform == platform
                and "l2_reads" in statistics
                and cell.implementation in JUMPS
            ):
                counters.setdefault(cell.graph, {})[cell.implementation] = float(
                    statistics["l2_reads"]
                )
        reads = {graph: row for graph, row in counters.items() if set(JUMPS) <= set(row)}
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
            finding = (
                f"Halving has the fewest L2 reads on {len(fewest)} of "
                f"{describe_graphs(reads, PAPER)}; {means}; the paper: on 17 of 18; 1.44, 1.09 and "
                "2.43 times as much."
            )
            return by_share(len(fewest), len(reads), 17 / 18, finding, platform.name)
    return not_measured("L2 counters of the four kinds of pointer jumping (Nsight Compute)")


def _kernel_shares(measurements: Measurements) -> Verdict:
    for platform in measurements.platforms("cuda"):
        cells = measurements.table(
            platform, ("ecl",), study="kernels", paper=PAPER, keep=lambda c: bool(c.result.passes)
        )
        fractions = {row["ecl"].graph: phase_shares(row["ecl"]) for row in cells.values()}
        fractions = {
            graph: share
            for graph, share in fractions.items()
            if any("rows" in phase for phase in share)
        }
        if fractions:
            means: dict[str, float] = {}
            for share in fractions.values():
                for phase, value in share.items():
                    means[phase] = means.get(phase, 0.0) + value / len(fractions)
            computing = sum(value for phase, value in means.items() if "rows" in phase)
            finding = (
                f"The three computation kernels take {computing:.0%} of the time on average over "
                f"{describe_graphs(fractions, PAPER)} ("
                f"{', '.join(f'{p} {v:.0%}' for p, v in means.items())}); the paper: 84.5% "
                "(start 10%, threads 47%, warps 27%, blocks 11%, finish 6%)."
            )
            return verdict(computing > 0.5, finding, platform.name)
    return not_measured("the study kernels on a GPU")


def _thresholds(measurements: Measurements) -> Verdict:
    for platform in measurements.platforms("cuda"):
        spans: dict[Graph, list[float]] = {}
        for cell in measurements.cells:
            ecl = base_algorithm(cell.implementation) == "ecl"
            if ecl and cell.result.study == "thresholds" and cell.platform == platform:
                spans.setdefault(cell.graph, []).append(cell.milliseconds)
        worst = {graph: max(times) / min(times) for graph, times in spans.items() if len(times) > 2}
        if worst:
            mean = geometric_mean(worst.values())
            finding = (
                f"The worst thresholds take {mean:.2f} times as long as the best on average over "
                f"{describe_graphs(worst, PAPER)}, at most "
                f"{max(worst.values()):.2f}; the paper: no significant effect."
            )
            return verdict(mean < 1.2, finding, platform.name)
    return not_measured("the study thresholds on a GPU")


def _few_threads(measurements: Measurements) -> Verdict:
    for platform in measurements.platforms("cpu"):
        by_threads: dict[Graph, dict[int, Cell]] = {}
        for cell in measurements.cells:
            ecl = cell.result.study == "threads" and cell.implementation == "ecl"
            if ecl and cell.platform == platform and cell.result.threads:
                by_threads.setdefault(cell.graph, {})[cell.result.threads] = cell
        graphs = {graph: row for graph, row in by_threads.items() if len(row) > 1}
        if len(graphs) > 1:
            small, *_, large = sorted(graphs, key=lambda graph: graph.entries)
            few, many = _fewest_threads(graphs[small]), _fewest_threads(graphs[large])
            finding = (
                f"ecl needs {few} of {max(graphs[small])} threads on the smallest of "
                f"{len(graphs)} graphs ({small.name}) to be within 3% of its best, and {many} on "
                f"the largest ({large.name}); the paper: of 40, 10 are best on the smallest and 20 "
                "on most of the medium ones."
            )
            return verdict(few < many, finding, platform.name)
    return not_measured("ecl in the study threads on two graphs")


def _fewest_threads(row: Mapping[int, Cell]) -> int:
    """The smallest number of threads with a time that is tied with the best."""
    best = min(cell.milliseconds for cell in row.values())
    return min(threads for threads, cell in row.items() if cell.milliseconds <= (1 + TIE) * best)


ECLCC_COUNTERS = (
    Claim(
        "eclcc-paths",
        PAPER,
        "Table 4",
        "Paths are very short: shorter than 2 on average, except on europe_osm and USA-road-d.NY.",
        "it is shorter than 2 on the same share of graphs (in part: on two thirds of it)",
        _short_paths,
    ),
    Claim(
        "eclcc-l2",
        PAPER,
        "Table 3",
        "Halving has the fewest L2 reads on all graphs except one.",
        "it does on the same share of graphs (in part: on two thirds of it)",
        _few_reads,
    ),
    Claim(
        "eclcc-kernels",
        PAPER,
        "Fig. 10",
        "The three computation kernels take most of the time, 84.5%.",
        "they take more than half on average",
        _kernel_shares,
    ),
    Claim(
        "eclcc-thresholds",
        PAPER,
        "Sect. 3",
        "The degrees from which warps and blocks process rows have little effect.",
        "the worst thresholds that were measured cost less than 20% on average",
        _thresholds,
    ),
    Claim(
        "eclcc-threads",
        PAPER,
        "Sect. 5.3",
        "Small graphs are too small for many threads: fewer threads are faster on them.",
        "the smallest graph needs fewer threads to be within 3% of its best time than the largest",
        _few_threads,
    ),
)
