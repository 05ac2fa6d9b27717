"""What Cong & Muzio claim (2014): rewriting edges, stages, and who is best on which device."""

from __future__ import annotations

from skerry.report.claims.judging import (
    LEVEL,
    Claim,
    Compared,
    Judge,
    Verdict,
    faster_by,
    fastest,
    not_measured,
    verdict,
)
from skerry.report.figures.across import same_graph
from skerry.report.measured import Measured

__all__ = ["CONG_MUZIO"]

PAPER = "Cong & Muzio"
EVERY = "it holds on every graph, level ones aside (in part: on two thirds)"
_GPU = Compared("cuda", PAPER)
_CPU = Compared("cpu", PAPER)


def _claim(name: str, where: str, says: str, rule: str, judge: Judge) -> Claim:
    return Claim(f"cong-muzio-{name}", PAPER, where, says, rule, judge)


def _gpu_over_cpu(gpu: str, cpu: tuple[str, ...], paper_says: str, kinds: str) -> Judge:
    """Whether a code on the GPU beats one on the CPU on graphs of a kind."""

    def judged(measured: Measured) -> Verdict:
        gains: dict[str, float] = {}
        for place in measured.places("cuda")[:1]:
            home = measured.table(place, (gpu,), paper=PAPER)
            for other in measured.places("cpu"):
                for graph, row in measured.table(other, cpu, paper=PAPER).items():
                    best = min(row.values(), key=lambda cell: cell.milliseconds)
                    cell = home.get(graph, {}).get(gpu)
                    if cell and same_graph(cell, best) and (kinds in ("", cell.graph.family)):
                        gains[graph] = best.milliseconds / cell.milliseconds
        if not gains:
            return not_measured(f"{gpu} on a GPU and {cpu[0]} on a CPU, on one graph in one size")
        wins = sum(gain > 1 + LEVEL for gain in gains.values())
        told = (
            f"{gpu} on the GPU is {min(gains.values()):.2f} to {max(gains.values()):.2f} times as "
            f"fast as {cpu[0]} on the CPU, and faster on {wins} of {len(gains)} graphs; the paper: "
            f"{paper_says}."
        )
        agrees = wins == 0 if kinds == "torus" else wins == len(gains)
        return verdict(agrees, told)

    return judged


def _rem_on_scale_free(measured: Measured) -> Verdict:
    for place in measured.places("cuda"):
        cells = measured.table(place, ("rem", "cc-updt"), paper=PAPER)
        found = {
            graph: row["rem"].milliseconds / row["cc-updt"].milliseconds
            for graph, row in cells.items()
            if len(row) == 2 and row["rem"].graph.scale_free
        }
        if found:
            told = "; ".join(
                f"on {graph} Rem takes {ratio:.2f} times as long as CC-updt"
                for graph, ratio in found.items()
            )
            slower = all(ratio > 1 for ratio in found.values())
            return verdict(slower, f"{told[0].upper()}{told[1:]}; the paper: longer.", place.name)
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
            return verdict(min(found) > 0.5, told, place.name)
    return not_measured("CC with the times of its steps")


CONG_MUZIO = (
    _claim(
        "cc-devices",
        "Fig. 1",
        "Plain CC is 2.5 to 4 times faster on the GPU than on the CPU.",
        "it is faster on the GPU on every graph",
        _gpu_over_cpu("cc", ("cc",), "2.5 to 4 times", ""),
    ),
    _claim(
        "graft",
        "Sect. 2",
        "Grafting takes 90 to 95% of CC's time on both machines.",
        "it takes more than half everywhere",
        _grafting,
    ),
    _claim(
        "updt-gpu",
        "Fig. 2",
        "On the GPU, CC-updt is always faster than CC, by 1.75 to 1.83 on the scale-free graph.",
        EVERY,
        faster_by(_GPU, "cc-updt", "cc", "always, 1.75 to 1.83 on R-MAT"),
    ),
    _claim(
        "updt-cpu",
        "Fig. 2",
        "On the CPU, CC-updt is 1.66 to 3 times faster than CC.",
        EVERY,
        faster_by(_CPU, "cc-updt", "cc", "1.66 to 3.0"),
    ),
    _claim(
        "stages-gpu",
        "Fig. 3",
        "On the GPU, Stages is 1.7 to 2.3 times faster than CC.",
        EVERY,
        faster_by(_GPU, "stages-cc", "cc", "1.7 to 2.3"),
    ),
    _claim(
        "stages-cpu",
        "Fig. 3",
        "On the CPU, Stages is 2.4 to 4.5 times faster than CC.",
        EVERY,
        faster_by(_CPU, "stages-cc", "cc", "2.4 to 4.5"),
    ),
    _claim(
        "stages-schd",
        "Fig. 3",
        "On the CPU, Stages outperforms Schd.",
        EVERY,
        faster_by(_CPU, "stages-cc", "schd", "clearly"),
    ),
    *(
        _claim(
            f"inside-{device}-{inner}",
            "Fig. 4",
            f"On the {device.upper()}, Stages speeds up {inner.upper()}.",
            EVERY,
            faster_by(compared, f"stages-{inner}", inner, says),
        )
        for device, compared, inner, says in (
            ("gpu", _GPU, "sv", "1.07 to 2.6"),
            ("gpu", _GPU, "sv-updt", "1.07 to 2.6"),
            ("cpu", _CPU, "sv", "1.3 to 3.1"),
            ("cpu", _CPU, "schd", "1.3 to 3.1"),
        )
    ),
    _claim(
        "stages-updt",
        "Figs. 5 and 6",
        "On the GPU, Stages is always faster than CC-updt.",
        EVERY,
        faster_by(_GPU, "stages-cc", "cc-updt", "always"),
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
        "it is the fastest on three quarters of the graphs",
        fastest(_GPU, "stages-cc", ("cc", "cc-updt", "rem"), "always", 0.75),
    ),
    _claim(
        "cpu-fastest",
        "Sect. 6",
        "Rem with prefetching is the fastest on the CPU.",
        "it is the fastest on three quarters of the graphs",
        fastest(
            _CPU, "rem-prefetch", ("cc", "cc-updt", "stages-cc", "schd"), "it is the fastest", 0.75
        ),
    ),
    _claim(
        "best-random",
        "Fig. 7",
        "Stages on the GPU beats Rem on the CPU on random graphs.",
        "it does on every random graph",
        _gpu_over_cpu("stages-cc", ("rem-prefetch", "rem"), "faster", "random"),
    ),
    _claim(
        "best-torus",
        "Fig. 7",
        "Rem on the CPU beats Stages on the GPU on the torus.",
        "it does on the torus",
        _gpu_over_cpu("stages-cc", ("rem-prefetch", "rem"), "slower on the torus", "torus"),
    ),
)
