"""Claims of the thesis (Jaiganesh 2017) beyond ECL-CC: ECLaf, Galois, throughput."""

from __future__ import annotations

from skerry_bench.report.claims.comparisons import fastest, mean_of
from skerry_bench.report.claims.rules import (
    MEAN_RULE,
    TIE,
    Claim,
    Comparison,
    Judge,
    Verdict,
    not_measured,
    verdict,
)
from skerry_bench.report.display_names import display_name
from skerry_bench.report.figures.devices import GPU
from skerry_bench.report.measurements import Measurements, geometric_mean
from skerry_bench.report.published import table

PAPER = "thesis"
_GPU = Comparison("cuda", "ECL-CC")
_CPU = Comparison("cpu", "ECL-CC")


def _claim(name: str, where: str, statement: str, rule: str, judge: Judge) -> Claim:
    return Claim(f"thesis-{name}", PAPER, where, statement, rule, judge)


def _published(slow: str, fast: str) -> float:
    rows = table(PAPER, "Table A.1").milliseconds.values()
    return round(geometric_mean(row[slow] / row[fast] for row in rows), 2)


def _rate(what: str, paper_says: str) -> Judge:
    """Judges whether ECL has the highest mean rate of the GPU codes, over graphs of all."""

    def judge(measurements: Measurements) -> Verdict:
        unit = "edges" if what == "edges" else "vertices"
        selected = _GPU.cells(measurements, GPU, ("ecl",), at_least=2)
        if selected is None:
            return not_measured("ecl and another code on a GPU")
        platform, cells = selected
        codes = [name for name in GPU if any(name in row for row in cells.values())]
        cells = {graph: row for graph, row in cells.items() if set(codes) <= set(row)}
        sizes = {
            graph: getattr(row["ecl"].graph, "entries" if what == "edges" else "vertices")
            for graph, row in cells.items()
        }
        sizes = {graph: size for graph, size in sizes.items() if size}
        if not sizes:
            return not_measured(f"{' and '.join(codes)} on the same graph on a GPU")
        rates = {
            name: sum(size / cells[graph][name].milliseconds for graph, size in sizes.items())
            / (1e6 * len(sizes))
            for name in codes
        }
        best = max(rates, key=rates.__getitem__)
        finding = (
            f"ecl processes {rates['ecl']:.2f} billion {unit} per second on average over "
            f"{len(sizes)} graphs that all of {', '.join(map(display_name, codes))} were measured "
            f"on; the highest rate is that of {display_name(best)}, {rates[best]:.2f}; the paper: "
            f"ECL, {paper_says}."
        )
        return verdict(rates["ecl"] >= rates[best] / (1 + TIE), finding, platform.name)

    return judge


THESIS = (
    _claim(
        "eclaf-ecl",
        "Table A.1",
        "Avoiding atomic operations costs time: ECLaf takes 2 times as long as ECL (Table A.1).",
        MEAN_RULE,
        mean_of(_GPU, "eclaf", "ecl", _published("eclaf", "ecl")),
    ),
    _claim(
        "eclaf-groute",
        "Fig. 6.10",
        "Groute is 1.1 times faster than ECLaf on average.",
        MEAN_RULE,
        mean_of(_GPU, "groute", "eclaf", 0.91),
    ),
    _claim(
        "eclaf-soman",
        "Fig. 6.10",
        "ECLaf is 2 times faster than Soman on average.",
        MEAN_RULE,
        mean_of(_GPU, "soman", "eclaf", 2.0),
    ),
    _claim(
        "eclaf-gunrock",
        "Fig. 6.10",
        "ECLaf is 4.3 times faster than Gunrock on average.",
        MEAN_RULE,
        mean_of(_GPU, "gunrock", "eclaf", 4.3),
    ),
    *(
        _claim(
            f"eclaf-{implementation}",
            "Fig. 6.12",
            f"On CPUs, ECLaf is {ratio:g} times faster than {code} on average.",
            MEAN_RULE,
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
        "it is on every graph, or within 3% of the fastest (in part: on two thirds)",
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
        MEAN_RULE,
        mean_of(_CPU, "galois-async", "union-find", 1.81),
    ),
    _claim(
        "edges",
        "Fig. 6.8",
        "ECL on the GPU has the highest throughput, 5.3 billion edges per second.",
        "ecl has the highest rate of the papers' codes for GPUs, or is within 3% of it",
        _rate("edges", "5.295"),
    ),
    _claim(
        "nodes",
        "Fig. 6.9",
        "ECL on the GPU has the highest throughput, 650 million vertices per second.",
        "ecl has the highest rate of the papers' codes for GPUs, or is within 3% of it",
        _rate("nodes", "0.65"),
    ),
)
