"""What the thesis adds to the paper (Jaiganesh 2017): ECLaf, the styles of Galois, throughput."""

from __future__ import annotations

from skerry.report.claims.judging import (
    Claim,
    Compared,
    Judge,
    Verdict,
    faster_by,
    mean_of,
    not_measured,
    verdict,
)
from skerry.report.figures.across import throughput
from skerry.report.measured import Measured, geometric_mean
from skerry.report.published import table

__all__ = ["THESIS"]

PAPER = "thesis"
ON_SIDE = "the mean is on the same side of 1, by half as much at least (in part: by less)"
_GPU = Compared("cuda", "ECL-CC")
_CPU = Compared("cpu", "ECL-CC")


def _claim(name: str, where: str, says: str, rule: str, judge: Judge) -> Claim:
    return Claim(f"thesis-{name}", PAPER, where, says, rule, judge)


def _published(slow: str, fast: str) -> float:
    rows = table(PAPER, "Table A.1").milliseconds.values()
    return round(geometric_mean(row[slow] / row[fast] for row in rows), 2)


def _rate(what: str, paper_says: str) -> Judge:
    def judged(measured: Measured) -> Verdict:
        for panel in throughput(measured, what).panels:
            ours = {m.contender: m.value or 0.0 for m in panel.marks if not m.source}
            ours.pop("auto", None)
            if panel.device == "cuda" and "ecl" in ours and len(ours) > 1:
                best = max(ours, key=ours.__getitem__)
                named = "edges" if what == "edges" else "vertices"
                told = (
                    f"ecl does {ours['ecl'] / 1e9:.2f} billion {named} a second in the "
                    f"mean; the highest of the codes measured is {best} with "
                    f"{ours[best] / 1e9:.2f}; the paper: ECL, {paper_says}."
                )
                return verdict(best == "ecl", told, panel.place)
        return not_measured("ecl and another code on a GPU")

    return judged


THESIS = (
    _claim(
        "eclaf-ecl",
        "Table A.1",
        "Doing without atomic operations costs: ECLaf takes 2 times as long as ECL (by Table A.1).",
        ON_SIDE,
        mean_of(_GPU, "eclaf", "ecl", _published("eclaf", "ecl")),
    ),
    _claim(
        "eclaf-groute",
        "Fig. 6.10",
        "Groute is 1.1 times faster than ECLaf in the mean.",
        ON_SIDE,
        mean_of(_GPU, "groute", "eclaf", 0.91),
    ),
    _claim(
        "eclaf-soman",
        "Fig. 6.10",
        "ECLaf is 2 times faster than Soman in the mean.",
        ON_SIDE,
        mean_of(_GPU, "soman", "eclaf", 2.0),
    ),
    _claim(
        "eclaf-gunrock",
        "Fig. 6.10",
        "ECLaf is 4.3 times faster than Gunrock in the mean.",
        ON_SIDE,
        mean_of(_GPU, "gunrock", "eclaf", 4.3),
    ),
    *(
        _claim(
            f"eclaf-{contender}",
            "Fig. 6.12",
            f"On CPUs, ECLaf is {ratio:g} times faster than {code} in the mean.",
            ON_SIDE,
            mean_of(_CPU, contender, "eclaf", ratio),
        )
        for contender, code, ratio in (
            ("bfscc", "Ligra+ BFSCC", 1.1),
            ("label-propagation", "Ligra+ Components", 1.7),
            ("crono-sv", "CRONO", 2.62),
            ("galois-async", "asynchronous Galois", 3.5),
            ("galois-sync", "synchronous Galois", 7.1),
            ("galois-blocked", "blocked asynchronous Galois", 10.2),
        )
    ),
    _claim(
        "galois-styles",
        "Fig. 6.3",
        "Of the styles of Galois the asynchronous one is the fastest.",
        "it is on every graph, level ones aside",
        faster_by(_CPU, "galois-async", "galois-sync", "4.7 against 9.5 times slower than ECL"),
    ),
    _claim(
        "galois-serial",
        "Fig. 6.7",
        "The parallel Galois codes are slower than the serial one.",
        ON_SIDE,
        mean_of(_CPU, "galois-async", "union-find", 1.81),
    ),
    _claim(
        "edges",
        "Fig. 6.8",
        "ECL on the GPU has the highest throughput, 5.3 billion edges a second.",
        "ecl is the highest of the papers' codes",
        _rate("edges", "5.295"),
    ),
    _claim(
        "nodes",
        "Fig. 6.9",
        "ECL on the GPU has the highest throughput, 650 million vertices a second.",
        "ecl is the highest of the papers' codes",
        _rate("nodes", "0.65"),
    ),
)
