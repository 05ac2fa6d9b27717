"""The orders that the papers report among their variants, on today's hardware."""

from __future__ import annotations

from dataclasses import dataclass

from skerry_bench.gpu_graphs import Case, Given
from skerry_bench.gpu_measure import Bench, Sheet, table

__all__ = ["ORDERS", "Order", "measure_papers", "show_papers"]

TIMES = 5
LEVELS = ("label-propagation", "bfs")
"""These take a round a level of the graph: not where its diameter is in the thousands."""


@dataclass(frozen=True)
class Order:
    """Variants that a paper compares, and the graphs to compare them on."""

    title: str
    algorithms: tuple[str, ...]
    graphs: tuple[str, ...]

    def runs(self, case: Case) -> list[str]:
        """What to measure on a graph."""
        if case.name not in self.graphs:
            return []
        # Without jumping, paths as long as the graph is deep are walked for every edge.
        left_out = (*LEVELS, "ecl[jump=none]") if case.deep else ()
        return [name for name in self.algorithms if name not in left_out]


_ECL_GRAPHS = ("grid1024", "random", "rmat22", "road")

ORDERS = (
    Order(
        "ECL-CC's Init1 to Init3 (Fig. 7)",
        ("ecl[init=own]", "ecl[init=smallest]", "ecl"),
        _ECL_GRAPHS,
    ),
    Order(
        "ECL-CC's Jump1 to Jump4 (Fig. 8)",
        ("ecl[jump=multiple]", "ecl[jump=single]", "ecl[jump=none]", "ecl"),
        _ECL_GRAPHS,
    ),
    Order(
        "ECL-CC's Fini1 to Fini3 (Fig. 9)",
        ("ecl[finish=halving]", "ecl[finish=multiple]", "ecl"),
        _ECL_GRAPHS,
    ),
    Order(
        "Codes for GPUs (ECL-CC sect. 5.2, the thesis' ECLaf)",
        ("ecl", "eclaf", "soman", "groute", "gunrock", *LEVELS),
        ("grid1024", "grid4096", "random", "rmat22", "rmat21", "uniform", "road", "path"),
    ),
    Order(
        "Cong & Muzio: rewriting edges, and stages",
        ("cc", "cc-updt", "stages-cc", "stages-cc-updt", "sv", "sv-updt", "rem"),
        ("uniform", "rmat22"),
    ),
    Order(
        "Gerasimou: rows by threads, warps, blocks, and Afforest",
        ("thread-per-vertex", "warp-per-row", "block-per-row", "afforest", "afforest-random"),
        ("rmat21", "mawi"),
    ),
)


def measure_papers(sheet: Sheet, bench: Bench, given: Given, case: Case) -> None:
    """All variants on one graph, each once."""
    for algorithm in dict.fromkeys(name for order in ORDERS for name in order.runs(case)):
        with sheet.attempt(graph=given.name, algorithm=algorithm):
            answer, timing = bench.measure(given, algorithm, times=TIMES)
            given.check(answer, algorithm)
            sheet.add(
                "papers",
                timing,
                **given.size(answer.plan.form),
                algorithm=algorithm,
                kernels_ms=answer.plan.seconds * 1e3,
            )


def show_papers(sheet: Sheet) -> None:
    """A table an order."""
    cells = {(one["algorithm"], one["graph"]): one["ms"] for one in sheet.of("papers")}
    measured = {graph for _, graph in cells}
    for order in ORDERS:
        graphs = [graph for graph in order.graphs if graph in measured]
        lines = [[name, *(cells.get((name, g)) for g in graphs)] for name in order.algorithms]
        table(sheet.console, order.title, ["ms", *graphs], lines if graphs else [])
