"""Figures beyond the papers: all implementations, peers, memory, rounds, vertex order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from statistics import median

from skerry_bench.report.display_names import display_name
from skerry_bench.report.figures.bars import BarSpec, bar_figure
from skerry_bench.report.figures.model import Figure, Mark, Panel
from skerry_bench.report.measurements import (
    Cell,
    Cells,
    Measurements,
    ratios,
)
from skerry_bench.results import Results


def all_implementations(measurements: Measurements) -> Figure:
    """One row per implementation: its time relative to ``auto``, the median and range by graph."""
    panels = []
    for platform in measurements.platforms():
        cells = measurements.table(platform, study="peers")
        implementations = dict.fromkeys(
            name for row in cells.values() for name in row if "[" not in name
        )
        marks = []
        for implementation in implementations:
            over_auto = ratios(cells, implementation, "auto").values()
            over_ecl = ratios(cells, implementation, "ecl").values()
            if over_auto:
                marks.append(
                    Mark(
                        series=_series(implementation, cells),
                        implementation=implementation,
                        group=_row_name(implementation, implementations, cells),
                        over_auto=median(over_auto),
                        over_baseline=median(over_ecl) if over_ecl else None,
                        range_over_auto=(min(over_auto), max(over_auto)),
                        range_over_baseline=(min(over_ecl), max(over_ecl)) if over_ecl else None,
                        note=f"median over {len(over_auto)} graphs",
                    )
                )
        if len(marks) > 1:
            marks.sort(key=lambda mark: mark.over_auto or 0)
            panels.append(Panel(platform.name, platform.device, tuple(marks)))
    return Figure(
        id="all-implementations",
        paper="skerry",
        where="",
        title="All implementations relative to auto",
        caption="Time of an implementation divided by that of auto, on the graphs that both were "
        "measured on: a point is the median over the graphs, its line their range. Above 1 is "
        "slower. Implementations were not all measured on the same graphs; the tooltip says on how "
        "many.",
        kind="range",
        baseline="ecl",
        baseline_name=display_name("ecl"),
        panels=panels,
        needs="a suite with auto among its algorithms",
    )


def _row_name(implementation: str, implementations: Iterable[str], cells: Cells) -> str:
    """The display name; a peer that shares it with an algorithm of skerry is marked."""
    name = display_name(implementation)
    shared = sum(display_name(other) == name for other in implementations) > 1
    return f"{name} (peer)" if shared and _series(implementation, cells) == "peers" else name


def _series(implementation: str, cells: Cells) -> str:
    if implementation == "auto":
        return "auto"
    peer = any(row[implementation].result.peer for row in cells.values() if implementation in row)
    return "peers" if peer else "other algorithms of skerry"


def peers(measurements: Measurements, scope: str) -> Figure:
    """Other libraries and programs beside skerry."""
    end_to_end = scope == "end_to_end"
    names = dict.fromkeys(
        cell.implementation
        for cell in measurements.cells
        if cell.result.peer and cell.result.scope == scope
    )
    spec = BarSpec(
        id="peers-end-to-end" if end_to_end else "peers-solve",
        paper="skerry",
        where="",
        title="Peers, from an edge list" if end_to_end else "Peers, from a graph in memory",
        caption="Time from (source, target) arrays to labels, including the construction of the "
        "graph."
        if end_to_end
        else "Solve time only, on the same graph and device. See Method on combined runs.",
        implementations=("auto", "ecl", *names),
        baseline="ecl",
        needs="a suite with peers" + (", end to end" if end_to_end else ""),
        optional=True,
        require_any=names,
    )
    if not names:
        return bar_figure(spec, Measurements(Results()))
    return bar_figure(spec, _end_to_end_as_solve(measurements) if end_to_end else measurements)


def _end_to_end_as_solve(measurements: Measurements) -> Measurements:
    """Only the end-to-end measurements, marked as solve times: bar charts show solve times."""
    results = measurements.results
    lines = [
        replace(result, scope="solve") for result in results.results if result.scope == "end_to_end"
    ]
    return Measurements(Results([*results.runs.values(), *results.graphs.values(), *lines]))


def memory(measurements: Measurements) -> Figure:
    """Peak memory of each implementation without its input: the median over graphs."""
    panels = []
    for platform in measurements.platforms():
        peaks: dict[str, dict[str, list[float]]] = {}
        for cell in measurements.cells:
            peak, vertices = cell.result.peak_bytes, cell.graph.vertices
            if cell.platform == platform and peak and vertices and "[" not in cell.implementation:
                by_scope = peaks.setdefault(cell.implementation, {})
                by_scope.setdefault(cell.result.scope, []).append(peak / vertices)
        marks = [
            Mark(
                series="from a graph" if scope == "solve" else "from an edge list",
                implementation=implementation,
                group=display_name(implementation),
                value=median(values),
                note=f"median over {len(values)} measurements",
            )
            for implementation, by_scope in peaks.items()
            for scope, values in sorted(by_scope.items())
        ]
        if marks:
            panels.append(Panel(platform.name, platform.device, tuple(marks)))
    return Figure(
        id="memory",
        paper="skerry",
        where="",
        title="Memory",
        caption="Peak memory in bytes per vertex, without the input; median over the graphs.",
        kind="value",
        value_title="bytes per vertex",
        panels=panels,
        needs="a run that records peak memory",
    )


def rounds(measurements: Measurements) -> Figure:
    """Rounds to convergence."""
    panels = []
    for platform in measurements.platforms():
        marks: dict[tuple[str, str], Mark] = {}
        for cell in measurements.cells:
            count = (cell.result.statistics or {}).get("rounds")
            if cell.platform == platform and cell.result.study == "rounds" and count:
                graph, name = cell.graph.name, cell.implementation
                mark = Mark(display_name(name), name, graph, value=float(count), cell=cell)
                marks[graph, name] = mark
        if marks:
            panels.append(Panel(platform.name, platform.device, tuple(marks.values())))
    return Figure(
        id="rounds",
        paper="skerry",
        where="Gerasimou sect. 8",
        title="Rounds to convergence",
        caption="How often each algorithm processes its edges until nothing changes.",
        kind="value",
        value_title="rounds",
        origin=1.0,
        panels=panels,
        needs="the study rounds",
    )


def reordering(measurements: Measurements) -> Figure:
    """The effect of sorting vertices by degree, which Gerasimou proposes as future work."""
    panels = []
    for platform in measurements.platforms():
        by_key: dict[tuple[str, str], dict[str, Cell]] = {}
        for cell in measurements.cells:
            if cell.platform == platform and cell.result.study == "reorder":
                order = ", ".join(str(v) for v in (cell.result.parameter or {}).values())
                by_key.setdefault((cell.graph.name, cell.implementation), {})[order] = cell
        marks = []
        for (graph, implementation), orders in by_key.items():
            base = next((orders[name] for name in ("given", "none", "") if name in orders), None)
            for order, cell in orders.items():
                if base is not None and cell is not base:
                    series = f"{display_name(implementation)}, {order}"
                    value = cell.milliseconds / base.milliseconds
                    marks.append(Mark(series, implementation, graph, value=value, cell=cell))
        if marks:
            panels.append(Panel(platform.name, platform.device, tuple(marks)))
    return Figure(
        id="reorder",
        paper="skerry",
        where="Gerasimou sect. 8",
        title="Vertices sorted by degree",
        caption="Time on the reordered graph divided by the time on the original one, without the "
        "time of sorting. Below 1 the new order is faster.",
        kind="value",
        value_title="time over the original order",
        origin=1.0,
        panels=panels,
        needs="the study reorder",
    )
