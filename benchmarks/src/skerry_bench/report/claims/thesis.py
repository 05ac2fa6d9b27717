"""What the thesis adds to the paper (Jaiganesh 2017): ECLaf, the styles of Galois, throughput."""

from __future__ import annotations

from skerry_bench.report.claims.comparing import fastest, mean_of
from skerry_bench.report.claims.judging import (
    LEVEL,
    ON_SIDE,
    Claim,
    Compared,
    Judge,
    Verdict,
    not_measured,
    verdict,
)
from skerry_bench.report.figures.across import GPU
from skerry_bench.report.measured import Measured, geometric_mean
from skerry_bench.report.names import label_of
from skerry_bench.report.published import table

__all__ = ["THESIS"]

PAPER = "thesis"
_GPU = Compared("cuda", "ECL-CC")
_CPU = Compared("cpu", "ECL-CC")


def _claim(name: str, where: str, says: str, rule: str, judge: Judge) -> Claim:
    return Claim(f"thesis-{name}", PAPER, where, says, rule, judge)


def _published(slow: str, fast: str) -> float:
    rows = table(PAPER, "Table A.1").milliseconds.values()
    return round(geometric_mean(row[slow] / row[fast] for row in rows), 2)


def _rate(what: str, paper_says: str) -> Judge:
    """Whether ECL has the highest mean rate of the GPU codes, over graphs that all were run on."""

    def judged(measured: Measured) -> Verdict:
        named = "edges" if what == "edges" else "vertices"
        found = _GPU.cells(measured, GPU, ("ecl",), at_least=2)
        if found is None:
            return not_measured("ecl and another code on a GPU")
        place, cells = found
        codes = [one for one in GPU if any(one in row for row in cells.values())]
        cells = {graph: row for graph, row in cells.items() if set(codes) <= set(row)}
        sizes = {
            graph: getattr(row["ecl"].graph, "entries" if what == "edges" else "vertices")
            for graph, row in cells.items()
        }
        sizes = {graph: size for graph, size in sizes.items() if size}
        if not sizes:
            return not_measured(f"{' and '.join(codes)} on one graph on a GPU")
        rates = {
            one: sum(size / cells[graph][one].milliseconds for graph, size in sizes.items())
            / (1e6 * len(sizes))
            for one in codes
        }
        best = max(rates, key=rates.__getitem__)
        told = (
            f"ecl does {rates['ecl']:.2f} billion {named} a second in the mean over {len(sizes)} "
            f"graphs that all of {', '.join(map(label_of, codes))} were measured on; the highest "
            f"is {label_of(best)} with {rates[best]:.2f}; the paper: ECL, {paper_says}."
        )
        return verdict(rates["ecl"] >= rates[best] / (1 + LEVEL), told, place.name)

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
            f"eclaf-{implementation}",
            "Fig. 6.12",
            f"On CPUs, ECLaf is {ratio:g} times faster than {code} in the mean.",
            ON_SIDE,
            mean_of(_CPU, implementation, "eclaf", ratio),
        )
        for implementation, code, ratio in (
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
        "Of the three styles of Galois the asynchronous one is the fastest.",
        "it is on every graph, or within 3% of it (in part: on two thirds)",
        fastest(
            _CPU,
            "galois-async",
            ("galois-sync", "galois-blocked"),
            "on all inputs (ECL-CC, Sect. 2)",
            1.0,
        ),
    ),
    _claim(
        "galois-serial",
        "Fig. 6.7",
        "Even the asynchronous parallel Galois code, the fastest, is slower than the serial one.",
        ON_SIDE,
        mean_of(_CPU, "galois-async", "union-find", 1.81),
    ),
    _claim(
        "edges",
        "Fig. 6.8",
        "ECL on the GPU has the highest throughput, 5.3 billion edges a second.",
        "ecl is the highest of the papers' codes for GPUs, or within 3% of it",
        _rate("edges", "5.295"),
    ),
    _claim(
        "nodes",
        "Fig. 6.9",
        "ECL on the GPU has the highest throughput, 650 million vertices a second.",
        "ecl is the highest of the papers' codes for GPUs, or within 3% of it",
        _rate("nodes", "0.65"),
    ),
)
