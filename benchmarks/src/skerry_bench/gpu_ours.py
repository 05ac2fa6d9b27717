"""What `auto` takes on rows and on edge lists, beside others and what the memory allows."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from statistics import geometric_mean, median
from typing import Any

from skerry.graph.device import DeviceEdges
from skerry.result.plan import Statistics
from skerry_bench.gpu_graphs import Case, Given
from skerry_bench.gpu_measure import Bench, Sheet, table

__all__ = ["measure_edges", "measure_kernels", "measure_rows", "show_ours"]

BANDWIDTH = 4.1e12  # bytes a second that an H200 reads, measured
GATHERS = ((16e6, 140e9), (64e6, 65e9), (256e6, 40e9))
"""Random reads a second by the size of the table they go to, in bytes, measured on an H200."""

KERNEL_RUNS = 5  # after one to warm up


def measure_rows(sheet: Sheet, bench: Bench, given: Given, case: Case) -> None:
    """`auto` on a symmetric CSR, through the public call: to an idle device, and to a busy one."""
    answer, timing = bench.measure(given, "auto", "csr")
    given.check(answer, "auto")
    ran = answer.plan.algorithm
    del answer
    answer, queued = bench.measure(given, "auto", "csr", busy=True)
    given.check(answer, "auto")
    result: dict[str, Any] = {"queued_ms": queued.median, "queued_samples": queued.samples}
    if bench.scale == 1:
        result |= {
            "ecl_cc_ms": case.ecl_cc,
            "ecl_cc_ratio": case.ecl_cc / timing.median,
            "ecl_cc_ratio_queued": case.ecl_cc / queued.median,
            "sketch_ms": case.sketch,
            "sketch_ratio": case.sketch / timing.median,
            "sketch_ratio_queued": case.sketch / queued.median,
            "in_mean": case.in_mean,
        }
    sheet.add("rows", timing, **given.size("csr"), algorithm="auto", ran=ran, **result)


def measure_edges(sheet: Sheet, bench: Bench, given: Given, case: Case) -> None:
    """`auto` on the edge list as its generator has it, and with its edges shuffled."""
    del case
    for order in ("generated", "shuffled"):
        graph = given if order == "generated" else replace(given, edges=_shuffled(bench, given))
        answer, timing = bench.measure(graph, "auto", "edges")
        given.check(answer, "auto")
        floor = floor_of_edges(graph.edges) * 1e3
        sheet.add(
            "edges",
            timing,
            **graph.size("edges"),
            algorithm="auto",
            ran=answer.plan.algorithm,
            order=order,
            kernels_ms=answer.plan.seconds * 1e3,
            floor_ms=floor,
            floor_ratio=timing.median / floor,
        )


def _shuffled(bench: Bench, given: Given) -> DeviceEdges:
    xp = bench.runtime.xp
    xp.random.seed(1)
    order = xp.random.permutation(given.edges.num_edges)
    edges = given.edges
    return DeviceEdges(edges.src[order], edges.dst[order], edges.num_vertices)


def floor_of_edges(edges: DeviceEdges) -> float:
    """Seconds that nobody goes below who reads each edge once and looks up both of its ends."""
    table_bytes = 4 * edges.num_vertices
    moved = 2 * edges.num_edges * int(edges.src.itemsize) + table_bytes
    return max(moved / BANDWIDTH, 2 * edges.num_edges / gather_rate(table_bytes))


def gather_rate(table_bytes: float) -> float:
    """Random reads a second from a table of that size; by its logarithm between those measured."""
    if table_bytes <= GATHERS[0][0]:
        return GATHERS[0][1]
    for (below, fast), (above, slow) in pairwise(GATHERS):
        if table_bytes <= above:
            share = math.log(table_bytes / below) / math.log(above / below)
            return fast + share * (slow - fast)
    return GATHERS[-1][1]


def measure_kernels(sheet: Sheet, bench: Bench, given: Given, case: Case) -> None:
    """Every kernel of `auto` on both forms, and the path lengths of ECL-CC (its Table 4).

    Taken with statistics: kernels count what they do, and an event stands between them.
    """
    del case
    for form in ("csr", "edges"):
        bench.compile("auto", form, statistics=True)
        runs = [
            given.solve("auto", form, statistics=True).plan.passes for _ in range(KERNEL_RUNS + 1)
        ]
        times = {
            f"{number} {step.name}": round(median(run[number].seconds for run in runs[1:]) * 1e6, 1)
            for number, step in enumerate(runs[0])
        }
        total = sum(times.values())
        sheet.add("kernels", **given.size(form), algorithm="auto", microseconds=times, total=total)
    bench.compile("ecl", statistics=True)
    counts = given.solve("ecl", statistics=True).plan.statistics or Statistics()
    sheet.add(
        "paths",
        **given.size("csr"),
        algorithm="ecl",
        average=counts.average,
        longest=counts.longest,
        finds=counts.finds,
        hooks=counts.hooks,
    )


def show_ours(sheet: Sheet) -> None:
    """The tables of the parts above."""
    _show_rows(sheet)
    columns = {"graph": "graph", "m": "edges", "order": "order", "ms": "auto, ms"}
    columns |= {"floor_ms": "floor, ms", "floor_ratio": "auto / floor"}
    _show(sheet, "auto on edge lists", "edges", columns)
    for form in ("csr", "edges"):
        lines = [
            [r["graph"], r["total"], _kernel_times(r)]
            for r in sheet.of("kernels")
            if r["form"] == form
        ]
        table(sheet.console, f"Kernels of auto, {form}", ["graph", "all, us", "each, us"], lines)
    columns = {"graph": "graph", "average": "path length", "longest": "longest"}
    _show(sheet, "Path lengths of ecl", "paths", columns)


def _show_rows(sheet: Sheet) -> None:
    columns = {"graph": "graph", "n": "vertices", "m": "entries", "ms": "auto, ms"}
    columns |= {"spread": "spread", "queued_ms": "queued, ms"}
    columns |= {"ecl_cc_ms": "ECL-CC 1.1, ms", "ecl_cc_ratio": "ratio"}
    columns |= {"ecl_cc_ratio_queued": "queued"}
    columns |= {"sketch_ms": "first sketch, ms", "sketch_ratio": "ratio"}
    columns |= {"sketch_ratio_queued": "queued"}
    _show(sheet, "auto on symmetric CSR", "rows", columns)
    counted = [r for r in sheet.of("rows") if r.get("in_mean")]
    if counted:
        ratios = ("ecl_cc_ratio", "ecl_cc_ratio_queued", "sketch_ratio", "sketch_ratio_queued")
        means: dict[str, Any] = {name: geometric_mean(r[name] for r in counted) for name in ratios}
        sheet.add("mean", graphs=len(counted), **means)


def _show(sheet: Sheet, title: str, part: str, columns: dict[str, str]) -> None:
    lines = [[result.get(key) for key in columns] for result in sheet.of(part)]
    table(sheet.console, title, list(columns.values()), lines)


def _kernel_times(result: dict[str, Any]) -> str:
    """Names without their number, in order."""
    parts = result["microseconds"].items()
    return ", ".join(f"{name.partition(' ')[2]} {value:.0f}" for name, value in parts)
