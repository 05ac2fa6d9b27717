"""Claims of the paper on ECL-CC that compare devices: a GPU and a CPU, a newer GPU and an older."""

from __future__ import annotations

from collections.abc import Sequence

from skerry.datasets.papers import papers_graphs
from skerry_bench.report.claims.judging import (
    LEVEL,
    ON_SIDE,
    Claim,
    Judge,
    Verdict,
    by_share,
    not_measured,
    strength,
    verdict,
)
from skerry_bench.report.figures.across import PARALLEL, SERIAL
from skerry_bench.report.measured import Measured, Place, geometric_mean
from skerry_bench.report.names import label_of
from skerry_bench.report.published import table

__all__ = ["ECLCC_DEVICES"]

PAPER = "ECL-CC"
SIZES = {graph.name: graph.edges or 0 for graph in papers_graphs()}


def _devices(others: Sequence[str], kind: str, published: float) -> Judge:
    """How much faster ECL-CC on a GPU is than the fastest other code of a CPU."""

    def judged(measured: Measured) -> Verdict:
        best: dict[str, dict[str, float]] = {}
        where = ""
        for gpu in measured.places("cuda"):
            for cpu in measured.places("cpu"):
                found = _over_home(measured, gpu, cpu, others)
                if len(found) > len(best):
                    best, where = found, f"{gpu.name} against {cpu.name}"
        if not best:
            return not_measured(f"one graph, in one size, on a GPU and with {kind} codes on a CPU")
        # Only those that were measured on all these graphs: means over others are others.
        common = set.intersection(*map(set, best.values()))
        means = {
            one: geometric_mean(row[one] for row in best.values())
            for one in others
            if one in common
        }
        if not means:
            return not_measured(f"a {kind} code on all graphs that another was measured on")
        first = min(means, key=means.__getitem__)
        told = (
            f"ECL-CC on the GPU takes 1/{means[first]:.1f} of the time of {label_of(first)}, the "
            f"fastest of {len(means)} other {kind} codes on the CPU, in the mean over {len(best)} "
            f"graphs; the paper: 1/{published:g}."
        )
        agrees, partly = strength(means[first], published)
        return verdict(agrees, told, where, partly=partly)

    return judged


def _over_home(
    measured: Measured, gpu: Place, cpu: Place, others: Sequence[str]
) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    home, rivals = measured.side_by_side(
        (gpu, ("ecl",)), (cpu, others), study="devices", paper=PAPER
    )
    for graph, row in rivals.items():
        base = home.get(graph, {}).get("ecl")
        for implementation, cell in row.items():
            if base:
                ratio = cell.milliseconds / base.milliseconds
                found.setdefault(graph, {})[implementation] = ratio
    return found


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
                "the Titan X is faster than the older K40 in 88 of 90 cases."
            )
            faster = sum(gain > 1 + LEVEL for gain in gains.values())
            return by_share(faster, len(gains), 88 / 90, told, place.name)
    return not_measured("ecl on a GPU on graphs of the paper in about their full size")


ECLCC_DEVICES = (
    Claim(
        "eclcc-devices",
        PAPER,
        "Fig. 17",
        "ECL-CC on the GPU is 19 times faster than the fastest other parallel code on the CPU.",
        ON_SIDE,
        _devices([one for one in PARALLEL if one != "ecl"], "parallel", 19),
    ),
    Claim(
        "eclcc-devices-serial",
        PAPER,
        "Fig. 17",
        "ECL-CC on the GPU is 77 times faster than the fastest other serial code on the CPU.",
        ON_SIDE,
        _devices([one for one in SERIAL if one != "ecl-serial"], "serial", 77),
    ),
    Claim(
        "eclcc-newer",
        PAPER,
        "Sect. 5.2",
        "A newer GPU is faster on nearly every graph.",
        "ours is faster than the paper's in the same share of cases, on graphs of about the same "
        "size",
        _newer,
    ),
)
