"""Claims of Cong & Muzio (2014): rewriting edges, Stages, and the best code of each device."""

from __future__ import annotations

from collections.abc import Collection
from math import sqrt

from skerry_bench.report.claims.comparisons import faster_by, fastest
from skerry_bench.report.claims.rules import (
    ON_EVERY_GRAPH,
    TIE,
    Claim,
    Comparison,
    Judge,
    Verdict,
    by_share,
    not_measured,
    strength,
    verdict,
)
from skerry_bench.report.measurements import Cell, Cells, Measurements, geometric_mean

PAPER = "Cong & Muzio"
FIGS_1_TO_3 = ("random-50M", "random-100M", "rmat-20M")
"""The inputs of Figs. 1 to 3; Fig. 4 has a random and a scale-free graph."""
FIGS_5_AND_6 = ("random-50M", "rmat-20M")
"""The inputs of Figs. 5 and 6, and of the ranking that follows from them."""
RANGE_RULE = f"{ON_EVERY_GRAPH}, and the mean over them is at least half as strong, in logarithms"
FASTEST = "it is the fastest, or within 3% of the fastest, on all graphs that the paper reports"
_GPU = Comparison("cuda", PAPER)
_CPU = Comparison("cpu", PAPER)


def _claim(name: str, where: str, statement: str, rule: str, judge: Judge) -> Claim:
    return Claim(f"cong-muzio-{name}", PAPER, where, statement, rule, judge)


def _gains(
    measurements: Measurements, gpu: str, cpu: tuple[str, ...], graphs: Collection[str]
) -> tuple[str, dict[str, float]]:
    """The speedup of a code on a GPU over the fastest of some codes on a CPU, by graph.

    From the pair of platforms with the most graphs, whose names come first.
    """
    best: tuple[str, dict[str, float]] = ("", {})
    for platform in measurements.platforms("cuda"):
        for other in measurements.platforms("cpu"):
            on_gpu, on_cpu = measurements.table_pair((platform, (gpu,)), (other, cpu), paper=PAPER)
            gains = {
                graph: cell.milliseconds / on_gpu[graph][gpu].milliseconds
                for graph, cell in _fastest_cells(on_cpu).items()
                if graph in graphs and graph in on_gpu
            }
            if len(gains) > len(best[1]):
                best = (f"{platform.name} and {other.name}", gains)
    return best


def _fastest_cells(cells: Cells) -> dict[str, Cell]:
    return {g: min(row.values(), key=lambda cell: cell.milliseconds) for g, row in cells.items()}


def _gpu_over_cpu(
    gpu: str,
    cpu: tuple[str, ...],
    paper_says: str,
    graphs: Collection[str],
    published: float | None = None,
    *,
    slower: bool = False,
) -> Judge:
    """Judges whether a code on the GPU is faster (or slower) than one on the CPU."""

    def judge(measurements: Measurements) -> Verdict:
        platform, gains = _gains(measurements, gpu, cpu, graphs)
        if not gains:
            return not_measured(
                f"{gpu} on a GPU and {cpu[0]} on a CPU, in the same size of {' or '.join(graphs)}"
            )
        wins = sum(gain > 1 + TIE for gain in gains.values())
        losses = sum(gain < 1 - TIE for gain in gains.values())
        speedups = ", ".join(f"{gain:.2f} on {graph}" for graph, gain in gains.items())
        finding = (
            f"The speedup of {gpu} on the GPU over {' or '.join(cpu)} on the CPU is {speedups}; "
            f"faster on {wins} of {len(gains)} graphs; the paper: {paper_says}."
        )
        if slower or published is None:
            return by_share(losses if slower else wins, len(gains), 1.0, finding, platform)
        judged = strength(geometric_mean(gains.values()), published)
        return verdict(wins == len(gains), finding, platform, judged=judged)

    return judge


def _rem_on_scale_free(measurements: Measurements) -> Verdict:
    for platform in measurements.platforms("cuda"):
        pair = ("rem", "cc-updt")
        cells = measurements.table(platform, pair, paper=PAPER, need=pair)
        by_graph = {
            graph: row["rem"].milliseconds / row["cc-updt"].milliseconds
            for graph, row in cells.items()
            if row["rem"].graph.scale_free
        }
        if by_graph:
            listed = ", ".join(f"{ratio:.2f} on {graph}" for graph, ratio in by_graph.items())
            finding = f"The time of Rem relative to CC-updt is {listed}; the paper: longer."
            slower = sum(ratio > 1 + TIE for ratio in by_graph.values())
            return by_share(slower, len(by_graph), 1.0, finding, platform.name)
    return not_measured("rem and cc-updt on a scale-free graph on a GPU")


def _grafting(measurements: Measurements) -> Verdict:
    for platform in measurements.platforms():
        fractions = []
        cells = measurements.table(platform, ("cc",), study="rounds", paper=PAPER)
        own = [row for graph, row in cells.items() if graph in FIGS_1_TO_3]
        for row in own or cells.values():
            passes = dict(row["cc"].result.passes or ())
            graft = sum(seconds for name, seconds in passes.items() if "graft" in name)
            if graft:
                fractions.append(graft / sum(passes.values()))
        if fractions:
            finding = (
                f"Grafting takes {min(fractions):.0%} to {max(fractions):.0%} of CC's time on "
                f"{len(fractions)} graphs; the paper: 90 to 95%."
            )
            mean = sum(fractions) / len(fractions)
            return verdict(mean >= 0.9, finding, platform.name, partly=mean > 0.5)
    return not_measured("CC with the times of its steps")


CONG_MUZIO = (
    _claim(
        "cc-devices",
        "Fig. 1",
        "Plain CC is 2.5 to 4 times faster on the GPU than on the CPU.",
        "it is faster on the GPU on each of the paper's three graphs, and the mean is at least "
        "half as strong, in logarithms (in part: faster on average)",
        _gpu_over_cpu("cc", ("cc",), "2.5 to 4 times", FIGS_1_TO_3, sqrt(2.5 * 4)),
    ),
    _claim(
        "graft",
        "Sect. 2",
        "Grafting takes 90 to 95% of CC's time on both machines.",
        "it takes 90% on average (in part: more than half)",
        _grafting,
    ),
    _claim(
        "updt-gpu",
        "Fig. 2",
        "On the GPU, CC-updt is 1.75 to 1.83 times faster than CC on the scale-free graph.",
        RANGE_RULE,
        faster_by(
            _GPU,
            "cc-updt",
            "cc",
            "1.75 to 1.83 on R-MAT",
            graphs=("rmat-20M",),
            published=sqrt(1.75 * 1.83),
        ),
    ),
    _claim(
        "updt-always",
        "Figs. 5 and 6",
        "On the GPU, CC-updt is always faster than CC.",
        ON_EVERY_GRAPH,
        faster_by(_GPU, "cc-updt", "cc", "always", graphs=FIGS_5_AND_6),
    ),
    _claim(
        "updt-cpu",
        "Fig. 2",
        "On the CPU, CC-updt is 1.66 to 3 times faster than CC.",
        RANGE_RULE,
        faster_by(
            _CPU, "cc-updt", "cc", "1.66 to 3.0", graphs=FIGS_1_TO_3, published=sqrt(1.66 * 3.0)
        ),
    ),
    _claim(
        "stages-gpu",
        "Fig. 3",
        "On the GPU, Stages is 1.7 to 2.3 times faster than CC.",
        RANGE_RULE,
        faster_by(
            _GPU, "stages-cc", "cc", "1.7 to 2.3", graphs=FIGS_1_TO_3, published=sqrt(1.7 * 2.3)
        ),
    ),
    _claim(
        "stages-cpu",
        "Fig. 3",
        "On the CPU, Stages is 2.4 to 4.5 times faster than CC.",
        RANGE_RULE,
        faster_by(
            _CPU, "stages-cc", "cc", "2.4 to 4.5", graphs=FIGS_1_TO_3, published=sqrt(2.4 * 4.5)
        ),
    ),
    _claim(
        "stages-schd",
        "Fig. 3",
        "On the CPU, Stages outperforms Schd.",
        ON_EVERY_GRAPH,
        faster_by(_CPU, "stages-cc", "schd", "clearly", graphs=FIGS_1_TO_3),
    ),
    *(
        _claim(
            f"inside-{device}-{inner}",
            "Fig. 4",
            f"On the {device.upper()}, Stages speeds up {inner.upper()}.",
            ON_EVERY_GRAPH,
            faster_by(comparison, f"stages-{inner}", inner, paper_says, graphs=FIGS_1_TO_3),
        )
        for device, comparison, inner, paper_says in (
            ("gpu", _GPU, "sv", "all, by 1.07 to 2.6"),
            ("gpu", _GPU, "sv-updt", "all, by 1.07 to 2.6"),
            ("cpu", _CPU, "sv", "all, by 1.3 to 3.1"),
            ("cpu", _CPU, "schd", "all, by 1.3 to 3.1"),
        )
    ),
    _claim(
        "stages-updt",
        "Figs. 5 and 6",
        "On the GPU, Stages is always faster than CC-updt.",
        ON_EVERY_GRAPH,
        faster_by(_GPU, "stages-cc", "cc-updt", "always", graphs=FIGS_5_AND_6),
    ),
    _claim(
        "rem-scale-free",
        "Fig. 6",
        "On the GPU, Rem is slower than CC-updt on the scale-free graph.",
        "it is slower on every scale-free graph",
        _rem_on_scale_free,
    ),
    _claim(
        "gpu-fastest",
        "Sect. 6",
        "Stages is the fastest on the GPU.",
        FASTEST,
        fastest(_GPU, "stages-cc", ("cc", "cc-updt", "rem"), "consistently", 1.0, FIGS_5_AND_6),
    ),
    _claim(
        "cpu-fastest",
        "Sect. 6",
        "Rem with prefetching is the fastest on the CPU.",
        FASTEST,
        fastest(
            _CPU,
            "rem-prefetch",
            ("rem", "cc", "cc-updt", "stages-cc", "schd"),
            "it is the fastest",
            1.0,
            FIGS_5_AND_6,
        ),
    ),
    _claim(
        "best-random",
        "Fig. 7",
        "Stages on the GPU is faster than Rem on the CPU on random and scale-free graphs.",
        "it is on each of these (in part: on two thirds)",
        _gpu_over_cpu("stages-cc", ("rem-prefetch", "rem"), "faster on these", FIGS_1_TO_3),
    ),
    _claim(
        "best-torus",
        "Fig. 7",
        "Rem on the CPU is faster than Stages on the GPU on the torus.",
        "it is on the torus",
        _gpu_over_cpu(
            "stages-cc",
            ("rem-prefetch", "rem"),
            "slower on the torus",
            ("torus-100M",),
            slower=True,
        ),
    ),
)
