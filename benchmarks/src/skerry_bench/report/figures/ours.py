"""Figures of our own: everybody beside ``auto``, peers, memory, rounds, reordering."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from statistics import median

from skerry_bench.report.figures.bars import Bars, bars
from skerry_bench.report.figures.model import Figure, Mark, Panel
from skerry_bench.report.measured import Cell, Cells, Measured, Place, geometric_mean, ratios
from skerry_bench.report.names import label_of
from skerry_bench.results import Results

__all__ = ["counted", "everybody", "memory", "peers", "reordering", "rounds"]


def everybody(measured: Measured) -> Figure:
    """One bar an implementation: its mean over ``auto`` on all graphs of a place."""
    panels = []
    for place in measured.places():
        cells = measured.table(place)
        implementations = dict.fromkeys(
            one for row in cells.values() for one in row if "[" not in one
        )
        marks = []
        for implementation in implementations:
            found = ratios(cells, implementation, "auto")
            to_ecl = ratios(cells, implementation, "ecl")
            if found:
                marks.append(
                    Mark(
                        series=_side(implementation, cells),
                        implementation=implementation,
                        group=label_of(implementation),
                        by_auto=geometric_mean(found.values()),
                        by_base=geometric_mean(to_ecl.values()) if to_ecl else None,
                        note=f"{len(found)} graphs, from {min(found.values()):.2f} "
                        f"to {max(found.values()):.2f}",
                    )
                )
        if len(marks) > 1:
            marks.sort(key=lambda mark: mark.by_auto or 0)
            panels.append(Panel(place.name, place.device, tuple(marks)))
    return Figure(
        id="everybody",
        paper="skerry",
        where="",
        title="Everybody beside auto",
        caption="Geometric mean, over the graphs that both were measured on, of the time of a "
        "implementation over that of auto. Beyond 1 is slower.",
        kind="ratio",
        base="ECL-CC (ecl)",
        baseline="ecl",
        panels=panels,
        needs="a suite with auto among its algorithms",
    )


def _side(implementation: str, cells: Cells) -> str:
    if implementation == "auto":
        return "auto"
    peer = any(row[implementation].result.peer for row in cells.values() if implementation in row)
    return "peers" if peer else "skerry's other rows"


def peers(measured: Measured, scope: str) -> Figure:
    """Other libraries and programs beside us."""
    end_to_end = scope == "end_to_end"
    names = dict.fromkeys(
        cell.implementation
        for cell in measured.cells
        if cell.result.peer and cell.result.scope == scope
    )
    spec = Bars(
        id="peers-end-to-end" if end_to_end else "peers-solve",
        paper="skerry",
        where="",
        title="Peers, from an edge list" if end_to_end else "Peers, from a graph in memory",
        caption="All that it takes from (source, target) arrays to labels, building their graph "
        "included."
        if end_to_end
        else "Solve time only, on the same graph and device; see Method on runs.",
        implementations=("auto", "ecl", *names),
        base="ecl",
        needs="a suite with peers" + (", whole time" if end_to_end else ""),
        optional=True,
        among=names,
    )
    if not names:
        figure = bars(spec, Measured(Results()))
    elif end_to_end:
        figure = bars(spec, _only_whole(measured))
    else:
        figure = bars(spec, measured)
    return figure


def _only_whole(measured: Measured) -> Measured:
    kept = measured.results
    lines = [replace(one, scope="solve") for one in kept.results if one.scope == "end_to_end"]
    return Measured(Results([*kept.runs.values(), *kept.graphs.values(), *lines]))


def counted(
    figure: Figure, measured: Measured, value: Callable[[Cell], float | None], study: str | None
) -> Figure:
    """Fills a figure of single values by graph and implementation."""
    panels = []
    for place in measured.places():
        marks = _values(measured, place, value, study)
        if marks:
            panels.append(Panel(place.name, place.device, tuple(marks)))
    return replace(figure, panels=panels)


def _values(
    measured: Measured, place: Place, value: Callable[[Cell], float | None], study: str | None
) -> list[Mark]:
    found: dict[tuple[str, str], Mark] = {}
    for cell in measured.cells:
        if cell.place != place or (study and cell.result.study != study):
            continue
        number = value(cell)
        if number is not None:
            name = label_of(cell.implementation)
            mark = Mark(name, cell.implementation, cell.graph.name, value=number, cell=cell)
            found[cell.graph.name, cell.implementation] = mark
    return list(found.values())


def memory(measured: Measured) -> Figure:
    """The most memory that an implementation took beside its input: the median over graphs."""
    panels = []
    for place in measured.places():
        found: dict[str, dict[str, list[float]]] = {}
        for cell in measured.cells:
            peak, vertices = cell.result.peak_bytes, cell.graph.vertices
            if cell.place == place and peak and vertices and "[" not in cell.implementation:
                by_scope = found.setdefault(cell.implementation, {})
                by_scope.setdefault(cell.result.scope, []).append(peak / vertices)
        marks = [
            Mark(
                series="from a graph" if scope == "solve" else "from an edge list",
                implementation=implementation,
                group=label_of(implementation),
                value=median(values),
                note=f"median over {len(values)} measurements",
            )
            for implementation, by_scope in found.items()
            for scope, values in sorted(by_scope.items())
        ]
        if marks:
            panels.append(Panel(place.name, place.device, tuple(marks)))
    return Figure(
        id="memory",
        paper="skerry",
        where="",
        title="Memory",
        caption="Bytes a vertex at the peak, the input not counted; the median over graphs.",
        kind="value",
        value_title="bytes a vertex",
        panels=panels,
        needs="a run that records the peak of memory",
    )


def rounds(measured: Measured) -> Figure:
    """Iterations to convergence."""

    def count(cell: Cell) -> float | None:
        found = (cell.result.statistics or {}).get("rounds")
        return float(found) if found else None

    figure = Figure(
        id="rounds",
        paper="skerry",
        where="Gerasimou sect. 8",
        title="Rounds to convergence",
        caption="How often each algorithm goes over its edges until nothing changes.",
        kind="value",
        value_title="rounds",
        origin=1.0,
        panels=[],
        needs="the study rounds",
    )
    return counted(figure, measured, count, "rounds")


def reordering(measured: Measured) -> Figure:
    """Vertices sorted by degree, the future work of Gerasimou."""
    panels = []
    for place in measured.places():
        by_key: dict[tuple[str, str], dict[str, Cell]] = {}
        for cell in measured.cells:
            if cell.place == place and cell.result.study == "reorder":
                order = ", ".join(str(v) for v in (cell.result.parameter or {}).values())
                by_key.setdefault((cell.graph.name, cell.implementation), {})[order] = cell
        marks = []
        for (graph, implementation), orders in by_key.items():
            base = next((orders[one] for one in ("given", "none", "") if one in orders), None)
            for order, cell in orders.items():
                if base is not None and cell is not base:
                    series = f"{label_of(implementation)}, {order}"
                    value = cell.milliseconds / base.milliseconds
                    marks.append(Mark(series, implementation, graph, value=value, cell=cell))
        if marks:
            panels.append(Panel(place.name, place.device, tuple(marks)))
    return Figure(
        id="reorder",
        paper="skerry",
        where="Gerasimou sect. 8",
        title="Vertices sorted by degree",
        caption="Time on the reordered graph over that on the given one; below 1 it pays, the "
        "sorting not counted.",
        kind="value",
        value_title="time over the given order",
        origin=1.0,
        panels=panels,
        needs="the study reorder",
    )
