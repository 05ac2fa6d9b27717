"""Gerasimou's figures: speedup over a sequential code, throughput, and speedup by graph size."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from skerry_bench.report import published
from skerry_bench.report.display_names import display_name
from skerry_bench.report.figures.devices import ALL_DEVICES
from skerry_bench.report.figures.model import Figure, Mark, Panel
from skerry_bench.report.measurements import Cell, Measurements, Platform

MAPPINGS = ("thread-per-vertex", "warp-per-row", "block-per-row", "afforest-random")
SEQUENTIAL = ("union-find", "ecl-serial", "bfs", "dfs")
SOURCE = "Tesla T4, 2026"
NEEDS = "the suite gerasimou on a GPU, and union-find on a CPU at the same scale"


def speedups_of(measurements: Measurements) -> list[tuple[Cell, Cell]]:
    """Pairs of a mapping on a GPU and a sequential code on a CPU, on the same graph."""
    pairs: dict[tuple[Platform, str, str], tuple[Cell, Cell]] = {}
    for gpu, cpu in product(measurements.platforms("cuda"), measurements.platforms("cpu")):
        mapped, serial = measurements.table_pair(
            (gpu, MAPPINGS), (cpu, SEQUENTIAL), paper="Gerasimou"
        )
        for graph, row in mapped.items():
            others = [serial[graph][name] for name in SEQUENTIAL if name in serial.get(graph, {})]
            for implementation in MAPPINGS:
                if implementation in row and others:
                    pairs.setdefault((gpu, graph, implementation), (row[implementation], others[0]))
    return [*pairs.values()]


def speedups(measurements: Measurements) -> Figure:
    """Fig. 1: how much faster each mapping is than a sequential code."""
    pairs = speedups_of(measurements)
    marks = [
        Mark(
            series=display_name(cell.implementation),
            implementation=cell.implementation,
            graph=cell.graph.name,
            value=other.milliseconds / cell.milliseconds,
            cell=cell,
            note=f"over {other.implementation} on {other.platform.name}, "
            f"{other.milliseconds:.3g} ms",
        )
        for cell, other in pairs
    ]
    graphs = {mark.graph for mark in marks}
    marks += [mark for mark in _published_marks() if mark.graph in graphs]
    return Figure(
        id="gerasimou-fig1",
        paper="Gerasimou",
        where="Fig. 1",
        title="Mappings compared with a sequential code",
        caption="Speedup over plain union-find on one core. Larger is better.",
        kind="value",
        value_title="times faster than sequential",
        origin=1.0,
        panels=[Panel(ALL_DEVICES, "", tuple(marks))] if pairs else [],
        needs=NEEDS,
        sources=[SOURCE] if pairs else (),
    )


def _published_marks() -> Iterator[Mark]:
    for graph, (mapping, _, speedup) in published.best_mappings().items():
        yield _published_mark(graph, mapping, speedup, "table 2: the best mapping")
    for stated in published.stated():
        if stated.paper == "Gerasimou":
            note = f"from the text on {stated.where}"
            yield _published_mark(stated.graph, stated.implementation, stated.value, note)


def _published_mark(graph: str, mapping: str, value: float, note: str) -> Mark:
    return Mark(display_name(mapping), mapping, graph, value=value, source=SOURCE, note=note)


def edge_rates(measurements: Measurements) -> Figure:
    """Fig. 2: edges per second of each mapping."""
    panels = []
    for platform in measurements.platforms("cuda"):
        marks = []
        cells = measurements.table(platform, ("auto", *MAPPINGS, "afforest"), paper="Gerasimou")
        cells = {graph: row for graph, row in cells.items() if set(row) - {"auto", "afforest"}}
        for graph, row in cells.items():
            for implementation in ("auto", *MAPPINGS, "afforest"):
                if implementation in row and row[implementation].graph.entries:
                    cell = row[implementation]
                    rate = cell.graph.entries / cell.milliseconds * 1e3
                    name = display_name(implementation)
                    marks.append(Mark(name, implementation, graph, value=rate, cell=cell))
        for graph, (mapping, rate, _) in published.best_mappings().items():
            if graph in cells:
                marks.append(_published_mark(graph, mapping, rate, "table 2: the best mapping"))
        if marks:
            panels.append(Panel(platform.name, platform.device, tuple(marks)))
    return Figure(
        id="gerasimou-fig2",
        paper="Gerasimou",
        where="Fig. 2",
        title="Throughput of the mappings",
        caption="Directed edges of the graph divided by the run time. Larger is better.",
        kind="value",
        value_title="directed edges per second",
        panels=panels,
        needs="the suite gerasimou on a GPU",
        sources=[SOURCE] if panels else (),
    )


def best_by_size(measurements: Measurements) -> Figure:
    """Fig. 3: the best speedup of each graph, by its size."""
    best: dict[str, Mark] = {}
    for cell, other in speedups_of(measurements):
        value = other.milliseconds / cell.milliseconds
        old = best.get(cell.graph.name)
        if old is None or value > (old.value or 0):
            best[cell.graph.name] = Mark(
                series=display_name(cell.implementation),
                implementation=cell.implementation,
                graph=cell.graph.name,
                x=cell.graph.entries,
                value=value,
                cell=cell,
                note=f"over {other.implementation} on {other.platform.name}",
            )
    return Figure(
        id="gerasimou-fig3",
        paper="Gerasimou",
        where="Fig. 3",
        title="Best speedup by size",
        caption="Speedup of the best mapping of each graph over one core.",
        kind="points",
        x_title="directed edges",
        value_title="times faster than sequential",
        panels=[Panel(ALL_DEVICES, "", tuple(best.values()))] if best else [],
        needs=NEEDS,
    )
