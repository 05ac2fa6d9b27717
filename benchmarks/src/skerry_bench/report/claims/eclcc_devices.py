"""Claims of the ECL-CC paper that compare devices: GPU and CPU, newer and older GPU."""

from __future__ import annotations

from collections.abc import Sequence

from skerry.datasets import papers_graphs
from skerry_bench.report.claims.rules import (
    MEAN_RULE,
    TIE,
    Claim,
    Judge,
    Verdict,
    by_share,
    not_measured,
    strength,
    verdict,
)
from skerry_bench.report.display_names import display_name
from skerry_bench.report.figures.devices import PARALLEL, SERIAL
from skerry_bench.report.measurements import Measurements, Platform, geometric_mean
from skerry_bench.report.published import table

PAPER = "ECL-CC"
DIRECTED_EDGES = {graph.name: graph.edges or 0 for graph in papers_graphs()}


def _gpu_over_cpu(others: Sequence[str], kind: str, published: float) -> Judge:
    """Judges how much faster ECL-CC on a GPU is than the fastest other code on a CPU."""

    def judge(measurements: Measurements) -> Verdict:
        best: dict[str, dict[str, float]] = {}
        where = ""
        for gpu in measurements.platforms("cuda"):
            for cpu in measurements.platforms("cpu"):
                by_graph = _over_gpu(measurements, gpu, cpu, others)
                if len(by_graph) > len(best):
                    best, where = by_graph, f"{gpu.name} and {cpu.name}"
        if not best:
            return not_measured(
                f"ecl on a GPU and {kind} codes on a CPU, on the same graph in the same size"
            )
        # Means are comparable only over the same graphs.
        common = set.intersection(*map(set, best.values()))
        means = {
            name: geometric_mean(row[name] for row in best.values())
            for name in others
            if name in common
        }
        if not means:
            return not_measured(f"a {kind} code on all graphs that any of them was measured on")
        first = min(means, key=means.__getitem__)
        finding = (
            f"ECL-CC on the GPU takes 1/{means[first]:.1f} of the time of {display_name(first)}, "
            f"the fastest of {len(means)} other {kind} codes on the CPU, on average over "
            f"{len(best)} graphs; the paper: 1/{published:g}."
        )
        return verdict(True, finding, where, judged=strength(means[first], published))

    return judge


def _over_gpu(
    measurements: Measurements, gpu: Platform, cpu: Platform, others: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Times on the CPU relative to ECL-CC on the GPU, by graph and implementation."""
    by_graph: dict[str, dict[str, float]] = {}
    on_gpu, on_cpu = measurements.table_pair(
        (gpu, ("ecl",)), (cpu, others), study="devices", paper=PAPER
    )
    for graph, row in on_cpu.items():
        base = on_gpu.get(graph, {}).get("ecl")
        for implementation, cell in row.items():
            if base:
                ratio = cell.milliseconds / base.milliseconds
                by_graph.setdefault(graph, {})[implementation] = ratio
    return by_graph


def _newer_gpu(measurements: Measurements) -> Verdict:
    times = table(PAPER, "Table 5").milliseconds
    for platform in measurements.platforms("cuda"):
        cells = measurements.table(platform, ("ecl",), paper=PAPER)
        gains = {}
        for graph, row in cells.items():
            size = row["ecl"].graph.entries
            original = DIRECTED_EDGES.get(graph, 0)
            if graph in times and original and abs(size / original - 1) < 0.25:
                gains[graph] = times[graph]["ecl"] / row["ecl"].milliseconds
        if gains:
            finding = (
                f"ecl on {platform.name} is {geometric_mean(gains.values()):.1f} times as fast as "
                f"ECL-CC on the Titan X of 2018, on average over {len(gains)} graphs of about the "
                f"same size ({min(gains.values()):.1f} to {max(gains.values()):.1f}); the paper: "
                "the Titan X is faster than the older K40 in 88 of 90 cases."
            )
            faster = sum(gain > 1 + TIE for gain in gains.values())
            return by_share(faster, len(gains), 88 / 90, finding, platform.name)
    return not_measured("ecl on a GPU on graphs of the paper in about their original size")


ECLCC_DEVICES = (
    Claim(
        "eclcc-devices",
        PAPER,
        "Fig. 17",
        "ECL-CC on the GPU is 19 times faster than the fastest other parallel code on the CPU.",
        MEAN_RULE,
        _gpu_over_cpu([name for name in PARALLEL if name != "ecl"], "parallel", 19),
    ),
    Claim(
        "eclcc-devices-serial",
        PAPER,
        "Fig. 17",
        "ECL-CC on the GPU is 77 times faster than the fastest other serial code on the CPU.",
        MEAN_RULE,
        _gpu_over_cpu([name for name in SERIAL if name != "ecl-serial"], "serial", 77),
    ),
    Claim(
        "eclcc-newer",
        PAPER,
        "Sect. 5.2",
        "A newer GPU is faster on nearly every graph.",
        "the measured GPU is faster than the paper's in the same share of cases, on graphs of "
        "about the same size",
        _newer_gpu,
    ),
)
