"""Gerasimou's figures: speedups over a sequential code, throughput, and speedup by size."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from skerry_bench.report import published
from skerry_bench.report.figures.across import TOGETHER
from skerry_bench.report.figures.model import Figure, Mark, Panel
from skerry_bench.report.measured import Cell, Measured, Place
from skerry_bench.report.names import label_of

__all__ = ["MAPPINGS", "best_by_size", "edge_rates", "speedups", "speedups_of"]

MAPPINGS = ("thread-per-vertex", "warp-per-row", "block-per-row", "afforest-random")
SEQUENTIAL = ("union-find", "ecl-serial", "bfs", "dfs")
SOURCE = "Tesla T4, 2026"
NEEDS = "the suite gerasimou on a GPU, and union-find on a CPU at the same scale"


def speedups_of(measured: Measured) -> list[tuple[Cell, Cell]]:
    """Mappings on the GPU with the sequential code on a CPU, on the same graph."""
    found: dict[tuple[Place, str, str], tuple[Cell, Cell]] = {}
    for gpu, cpu in product(measured.places("cuda"), measured.places("cpu")):
        mapped, serial = measured.side_by_side(
            (gpu, MAPPINGS), (cpu, SEQUENTIAL), paper="Gerasimou"
        )
        for graph, row in mapped.items():
            others = [serial[graph][one] for one in SEQUENTIAL if one in serial.get(graph, {})]
            for implementation in MAPPINGS:
                if implementation in row and others:
                    found.setdefault((gpu, graph, implementation), (row[implementation], others[0]))
    return [*found.values()]


def speedups(measured: Measured) -> Figure:
    """Fig. 1: how much faster each mapping is than a sequential code."""
    pairs = speedups_of(measured)
    marks = [
        Mark(
            series=label_of(cell.implementation),
            implementation=cell.implementation,
            graph=cell.graph.name,
            value=other.milliseconds / cell.milliseconds,
            cell=cell,
            note=f"over {other.implementation} on {other.place.name}, {other.milliseconds:.3g} ms",
        )
        for cell, other in pairs
    ]
    graphs = {mark.graph for mark in marks}
    marks += [ghost for ghost in _ghosts() if ghost.graph in graphs]
    return Figure(
        id="gerasimou-fig1",
        paper="Gerasimou",
        where="Fig. 1",
        title="Mappings against a sequential code",
        caption="How many times faster than plain union-find on one core. To the right is better.",
        kind="value",
        value_title="times faster than sequential",
        origin=1.0,
        panels=[Panel(TOGETHER, "", tuple(marks))] if pairs else [],
        needs=NEEDS,
        ghosts=[SOURCE] if pairs else (),
    )


def _ghosts() -> Iterator[Mark]:
    for graph, (mapping, _, speedup) in published.best_mappings().items():
        yield _ghost(graph, mapping, speedup, "table 2: the best mapping")
    for one in published.stated():
        if one.paper == "Gerasimou":
            yield _ghost(one.graph, one.implementation, one.value, f"told beside {one.where}")


def _ghost(graph: str, mapping: str, value: float, note: str) -> Mark:
    return Mark(label_of(mapping), mapping, graph, value=value, source=SOURCE, note=note)


def edge_rates(measured: Measured) -> Figure:
    """Fig. 2: edges a second of each mapping."""
    panels = []
    for place in measured.places("cuda"):
        marks = []
        cells = measured.table(place, ("auto", *MAPPINGS, "afforest"), paper="Gerasimou")
        cells = {graph: row for graph, row in cells.items() if set(row) - {"auto", "afforest"}}
        for graph, row in cells.items():
            for implementation in ("auto", *MAPPINGS, "afforest"):
                if implementation in row and row[implementation].graph.entries:
                    cell = row[implementation]
                    rate = cell.graph.entries / cell.milliseconds * 1e3
                    name = label_of(implementation)
                    marks.append(Mark(name, implementation, graph, value=rate, cell=cell))
        for graph, (mapping, rate, _) in published.best_mappings().items():
            if graph in cells:
                marks.append(_ghost(graph, mapping, rate, "table 2: the best mapping"))
        if marks:
            panels.append(Panel(place.name, place.device, tuple(marks)))
    return Figure(
        id="gerasimou-fig2",
        paper="Gerasimou",
        where="Fig. 2",
        title="Throughput of the mappings",
        caption="Directed edges of the graph by the time taken. To the right is better.",
        kind="value",
        value_title="directed edges a second",
        panels=panels,
        needs="the suite gerasimou on a GPU",
        ghosts=[SOURCE] if panels else (),
    )


def best_by_size(measured: Measured) -> Figure:
    """Fig. 3: the best speedup of each graph by its size."""
    best: dict[str, Mark] = {}
    for cell, other in speedups_of(measured):
        value = other.milliseconds / cell.milliseconds
        old = best.get(cell.graph.name)
        if old is None or value > (old.value or 0):
            best[cell.graph.name] = Mark(
                series=label_of(cell.implementation),
                implementation=cell.implementation,
                graph=cell.graph.name,
                x=cell.graph.entries,
                value=value,
                cell=cell,
                note=f"over {other.implementation} on {other.place.name}",
            )
    return Figure(
        id="gerasimou-fig3",
        paper="Gerasimou",
        where="Fig. 3",
        title="Best speedup by size",
        caption="The best mapping of each graph against one core.",
        kind="points",
        x_title="directed edges",
        value_title="times faster than sequential",
        panels=[Panel(TOGETHER, "", tuple(best.values()))] if best else [],
        needs=NEEDS,
    )
