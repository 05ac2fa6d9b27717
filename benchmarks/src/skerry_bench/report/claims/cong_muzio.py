"""What Cong & Muzio claim (2014): rewriting edges, stages, and who is best on which device."""

from __future__ import annotations

from collections.abc import Collection
from math import sqrt

from skerry_bench.report.claims.comparing import faster_by, fastest
from skerry_bench.report.claims.judging import (
    EVERY,
    LEVEL,
    Claim,
    Compared,
    Judge,
    Verdict,
    by_share,
    not_measured,
    strength,
    verdict,
)
from skerry_bench.report.measured import Cell, Cells, Measured, geometric_mean

__all__ = ["CONG_MUZIO"]

PAPER = "Cong & Muzio"
THREE = ("random-50M", "random-100M", "rmat-20M")
"""The inputs of its Figs. 1 to 3; Fig. 4 has a random and a scale-free one."""
TWO = ("random-50M", "rmat-20M")
"""Those of Figs. 5 and 6, and of the ranking that follows from them."""
RANGED = f"{EVERY}, and its mean there is half as strong at least, in logarithms"
FASTEST = "it is the fastest, or within 3% of it, on all graphs that the paper tells of"
_GPU = Compared("cuda", PAPER)
_CPU = Compared("cpu", PAPER)


def _claim(name: str, where: str, says: str, rule: str, judge: Judge) -> Claim:
    return Claim(f"cong-muzio-{name}", PAPER, where, says, rule, judge)


def _gains(
    measured: Measured, gpu: str, cpu: tuple[str, ...], graphs: Collection[str]
) -> tuple[str, dict[str, float]]:
    """How much faster one on a GPU is than the best of some on a CPU: where most graphs are."""
    best: tuple[str, dict[str, float]] = ("", {})
    for place in measured.places("cuda"):
        for other in measured.places("cpu"):
            home, rivals = measured.side_by_side((place, (gpu,)), (other, cpu), paper=PAPER)
            gains = {
                graph: first.milliseconds / home[graph][gpu].milliseconds
                for graph, first in _firsts(rivals).items()
                if graph in graphs and graph in home
            }
            if len(gains) > len(best[1]):
                best = (f"{place.name} against {other.name}", gains)
    return best


def _firsts(cells: Cells) -> dict[str, Cell]:
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
    """Whether a code on the GPU beats one on the CPU, or loses to it, on the paper's graphs."""

    def judged(measured: Measured) -> Verdict:
        place, gains = _gains(measured, gpu, cpu, graphs)
        if not gains:
            return not_measured(
                f"{gpu} on a GPU and {cpu[0]} on a CPU, on one of {', '.join(graphs)} in one size"
            )
        wins = sum(gain > 1 + LEVEL for gain in gains.values())
        losses = sum(gain < 1 - LEVEL for gain in gains.values())
        told = ", ".join(f"{gain:.2f} on {graph}" for graph, gain in gains.items())
        told = (
            f"{gpu} on the GPU is as fast, over {' or '.join(cpu)} on the CPU: {told}; faster on "
            f"{wins} of {len(gains)} graphs; the paper: {paper_says}."
        )
        if slower or published is None:
            return by_share(losses if slower else wins, len(gains), 1.0, told, place)
        agrees, partly = strength(geometric_mean(gains.values()), published)
        return verdict(agrees and wins == len(gains), told, place, partly=partly)

    return judged


def _rem_on_scale_free(measured: Measured) -> Verdict:
    for place in measured.places("cuda"):
        pair = ("rem", "cc-updt")
        cells = measured.table(place, pair, paper=PAPER, need=pair)
        found = {
            graph: row["rem"].milliseconds / row["cc-updt"].milliseconds
            for graph, row in cells.items()
            if row["rem"].graph.scale_free
        }
        if found:
            told = "; ".join(
                f"on {graph} Rem takes {ratio:.2f} times as long as CC-updt"
                for graph, ratio in found.items()
            )
            told = f"{told[0].upper()}{told[1:]} ({len(found)} graphs); the paper: longer."
            slower = sum(ratio > 1 + LEVEL for ratio in found.values())
            return by_share(slower, len(found), 1.0, told, place.name)
    return not_measured("rem and cc-updt on a scale-free graph on a GPU")


def _grafting(measured: Measured) -> Verdict:
    for place in measured.places():
        found = []
        for row in measured.table(place, ("cc",), paper=PAPER).values():
            passes = dict(row["cc"].result.passes or ())
            graft = sum(seconds for name, seconds in passes.items() if "graft" in name)
            if graft:
                found.append(graft / sum(passes.values()))
        if found:
            told = (
                f"Grafting takes {min(found):.0%} to {max(found):.0%} of CC's time on {len(found)} "
                "graphs; the paper: 90 to 95%."
            )
            mean = sum(found) / len(found)
            return verdict(mean >= 0.9, told, place.name, partly=mean > 0.5)
    return not_measured("CC with the times of its steps")


CONG_MUZIO = (
    _claim(
        "cc-devices",
        "Fig. 1",
        "Plain CC is 2.5 to 4 times faster on the GPU than on the CPU.",
        "it is faster on the GPU on each of the paper's three graphs, by half as much in the mean "
        "(in part: in the mean)",
        _gpu_over_cpu("cc", ("cc",), "2.5 to 4 times", THREE, sqrt(2.5 * 4)),
    ),
    _claim(
        "graft",
        "Sect. 2",
        "Grafting takes 90 to 95% of CC's time on both machines.",
        "it takes 90% in the mean (in part: more than half)",
        _grafting,
    ),
    _claim(
        "updt-gpu",
        "Fig. 2",
        "On the GPU, CC-updt is 1.75 to 1.83 times faster than CC on the scale-free graph.",
        RANGED,
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
        EVERY,
        faster_by(_GPU, "cc-updt", "cc", "always", graphs=TWO),
    ),
    _claim(
        "updt-cpu",
        "Fig. 2",
        "On the CPU, CC-updt is 1.66 to 3 times faster than CC.",
        RANGED,
        faster_by(_CPU, "cc-updt", "cc", "1.66 to 3.0", graphs=THREE, published=sqrt(1.66 * 3.0)),
    ),
    _claim(
        "stages-gpu",
        "Fig. 3",
        "On the GPU, Stages is 1.7 to 2.3 times faster than CC.",
        RANGED,
        faster_by(_GPU, "stages-cc", "cc", "1.7 to 2.3", graphs=THREE, published=sqrt(1.7 * 2.3)),
    ),
    _claim(
        "stages-cpu",
        "Fig. 3",
        "On the CPU, Stages is 2.4 to 4.5 times faster than CC.",
        RANGED,
        faster_by(_CPU, "stages-cc", "cc", "2.4 to 4.5", graphs=THREE, published=sqrt(2.4 * 4.5)),
    ),
    _claim(
        "stages-schd",
        "Fig. 3",
        "On the CPU, Stages outperforms Schd.",
        EVERY,
        faster_by(_CPU, "stages-cc", "schd", "clearly", graphs=THREE),
    ),
    *(
        _claim(
            f"inside-{device}-{inner}",
            "Fig. 4",
            f"On the {device.upper()}, Stages speeds up {inner.upper()}.",
            EVERY,
            faster_by(compared, f"stages-{inner}", inner, says, graphs=THREE),
        )
        for device, compared, inner, says in (
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
        EVERY,
        faster_by(_GPU, "stages-cc", "cc-updt", "always", graphs=TWO),
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
        fastest(_GPU, "stages-cc", ("cc", "cc-updt", "rem"), "consistently", 1.0, TWO),
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
            TWO,
        ),
    ),
    _claim(
        "best-random",
        "Fig. 7",
        "Stages on the GPU beats Rem on the CPU on random graphs and the scale-free one.",
        "it does on each of these (in part: on two thirds)",
        _gpu_over_cpu("stages-cc", ("rem-prefetch", "rem"), "faster on these", THREE),
    ),
    _claim(
        "best-torus",
        "Fig. 7",
        "Rem on the CPU beats Stages on the GPU on the torus.",
        "it does on the torus",
        _gpu_over_cpu(
            "stages-cc",
            ("rem-prefetch", "rem"),
            "slower on the torus",
            ("torus-100M",),
            slower=True,
        ),
    ),
)
