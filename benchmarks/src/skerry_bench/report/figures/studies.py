"""Figures of the internals: kernels, path lengths, threads, parameters, growth, rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from skerry_bench.report import published
from skerry_bench.report.figures.model import Figure, Mark, Panel
from skerry_bench.report.measured import Cell, Measured, Place
from skerry_bench.report.names import label_of

__all__ = [
    "STUDIES",
    "Study",
    "kernels",
    "path_cells",
    "paths",
    "phase_of",
    "row_of",
    "shares",
    "study",
]

PHASES = (
    ("init", "initialization"),
    ("short", "short rows (thread)"),
    ("middle", "middle rows (warp)"),
    ("long", "long rows (block)"),
    ("hook", "computation, all rows"),
    ("finish", "finalization"),
)
NOT_OURS_TO_COUNT = ("build", "convert", "copy")


def phase_of(name: str) -> str | None:
    """The phase of ECL-CC that a pass belongs to; None where it only prepares the input.

    >>> phase_of("hook halving, short rows"), phase_of("finish single"), phase_of("build csr")
    ('short rows (thread)', 'finalization', None)
    """
    lowered = name.lower()
    if lowered.startswith(NOT_OURS_TO_COUNT):
        return None
    return next((phase for word, phase in PHASES if word in lowered), name)


def shares(cell: Cell) -> dict[str, float]:
    """The share of each phase in the time of a measurement."""
    times: dict[str, float] = {}
    for name, seconds in cell.result.passes or ():
        phase = phase_of(name)
        if phase:
            times[phase] = times.get(phase, 0.0) + seconds
    whole = sum(times.values())
    return {phase: seconds / whole for phase, seconds in times.items()} if whole else {}


def kernels(measured: Measured) -> Figure:
    """ECL-CC's Fig. 10: where its time goes."""
    order = [phase for _, phase in PHASES]
    panels = []
    for place in measured.places():
        cells = measured.table(
            place, ("ecl",), study="kernels", paper="ECL-CC", keep=lambda c: bool(c.result.passes)
        )
        marks = []
        for graph, row in cells.items():
            found = shares(row["ecl"])
            for phase in sorted(found, key=lambda p: order.index(p) if p in order else 99):
                cell = row["ecl"]
                marks.append(Mark(phase, phase, graph, value=found[phase], cell=cell))
        if marks:
            if place.device == "cuda":
                marks += [
                    Mark(
                        s.implementation,
                        s.implementation,
                        group=s.source,
                        value=s.value,
                        source=s.source,
                    )
                    for s in published.stated()
                    if s.where == "Fig. 10"
                ]
            panels.append(Panel(place.name, place.device, tuple(marks)))
    return Figure(
        id="eclcc-fig10",
        paper="ECL-CC",
        where="Fig. 10",
        title="Where ECL-CC's time goes",
        caption="Shares of the kernels in the run time. The published row is the mean over the "
        "paper's graphs.",
        kind="stack",
        value_title="share of the run time",
        origin=0.0,
        panels=panels,
        needs="the study kernels",
        ghosts=["GTX Titan X, 2018"] if any(p.device == "cuda" for p in panels) else (),
    )


def paths(measured: Measured) -> Figure:
    """ECL-CC's Table 4 as a figure: path lengths."""
    panels = []
    for place in measured.places():
        marks = []
        for cell in path_cells(measured, place).values():
            told = cell.result.statistics or {}
            for key, series in (("average_path", "average"), ("longest_path", "longest")):
                if key in told:
                    value = float(told[key])
                    marks.append(Mark(series, series, cell.graph.name, value=value, cell=cell))
        graphs = {mark.graph for mark in marks}
        for graph, values in published.path_lengths().items():
            if graph in graphs:
                for series, value in zip(("average", "longest"), values, strict=True):
                    source = "GTX Titan X, 2018"
                    marks.append(
                        Mark(series, series, graph, value=value, source=source, note="Table 4")
                    )
        if graphs:
            panels.append(Panel(place.name, place.device, tuple(marks)))
    return Figure(
        id="eclcc-table4",
        paper="ECL-CC",
        where="Table 4",
        title="Path lengths",
        caption="Parents that a find of ECL-CC walks over, in the mean and at most. They vary "
        "with the order in which threads meet.",
        kind="value",
        value_title="path length",
        panels=panels,
        needs="the study paths",
        ghosts=["GTX Titan X, 2018"] if panels else (),
    )


def path_cells(measured: Measured, place: Place) -> dict[str, Cell]:
    """Measurements of ECL-CC that counted path lengths, by graph."""

    def counted(cell: Cell) -> bool:
        return "average_path" in (cell.result.statistics or {})

    found = measured.table(place, ("ecl",), study="paths", paper="ECL-CC", keep=counted)
    return {graph: row["ecl"] for graph, row in found.items()}


@dataclass(frozen=True, slots=True)
class Study:
    """A sweep: small charts, each with a line for every implementation over a number."""

    id: str
    study: str
    where: str
    title: str
    caption: str
    x_title: str
    value_title: str
    x: Callable[[Cell], float | None]
    facet: Callable[[Cell], str]
    """The small chart that a measurement belongs to; its line there is its implementation's."""
    value: Callable[[Cell, float], float]
    """Of a measurement and the time of the first point of its line, in milliseconds."""
    from_best: bool = False
    """Whether values are over the best of a line, not its first."""
    linear: bool = False


def study(spec: Study, measured: Measured) -> Figure:
    """The figure of a sweep."""
    panels = []
    for place in measured.places():
        lines: dict[tuple[str, str], list[tuple[float, Cell]]] = {}
        for cell in measured.cells:
            if cell.place == place and cell.result.study == spec.study:
                x = spec.x(cell)
                if x is not None:
                    key = (row_of(cell.implementation), spec.facet(cell))
                    lines.setdefault(key, []).append((x, cell))
        marks = [mark for key, points in lines.items() for mark in _line(spec, key, points)]
        if marks:
            panels.append(Panel(place.name, place.device, tuple(marks)))
    return Figure(
        id=spec.id,
        paper="skerry",
        where=spec.where,
        title=spec.title,
        caption=spec.caption,
        kind="line",
        x_title=spec.x_title,
        value_title=spec.value_title,
        origin=0.0 if spec.linear else None,
        panels=panels,
        needs=f"the study {spec.study}",
    )


def _line(spec: Study, key: tuple[str, str], points: list[tuple[float, Cell]]) -> Iterator[Mark]:
    points.sort(key=lambda point: point[0])
    first = points[0][1].milliseconds
    if spec.from_best:
        first = min(cell.milliseconds for _, cell in points)
    for x, cell in points:
        yield Mark(
            series=label_of(key[0]),
            implementation=key[0],
            graph=cell.graph.name,
            group=key[1],
            x=x,
            value=spec.value(cell, first),
            cell=cell,
        )


def row_of(implementation: str) -> str:
    """The row of the catalog that an implementation is a variant of.

    >>> row_of("stages-cc[q=0.5]")
    'stages-cc'
    """
    return implementation.partition("[")[0]


def _parameter(name: str, **fixed: float) -> Callable[[Cell], float | None]:
    """A number that a study varies, where the others have their usual value."""

    def value(cell: Cell) -> float | None:
        told = cell.result.parameter or {}
        usual = all(told.get(other) in (None, number) for other, number in fixed.items())
        return float(told[name]) if usual and name in told else None

    return value


def _graph_label(cell: Cell) -> str:
    return cell.graph.label


def _threads(cell: Cell) -> float | None:
    return float(cell.result.threads) if cell.result.threads else None


def _edges(cell: Cell) -> float | None:
    return cell.graph.entries / 2 if cell.graph.entries else None


def _growing(cell: Cell) -> str:
    """Graphs grow in vertices with four edges each, or in edges alone."""
    most = cell.graph.entries / 2
    fixed = f"{cell.graph.vertices:,} vertices"
    even = 3.5 * cell.graph.vertices < most < 4.5 * cell.graph.vertices
    return "4 edges a vertex" if even else fixed


STUDIES = (
    Study(
        id="threads",
        study="threads",
        where="ECL-CC sect. 5.3",
        title="Threads",
        caption="How much faster with more threads than with the fewest measured.",
        x_title="threads",
        value_title="times faster",
        x=_threads,
        facet=_graph_label,
        value=lambda cell, first: first / cell.milliseconds,
        linear=True,
    ),
    Study(
        id="growth",
        study="growth",
        where="",
        title="Growth",
        caption="Time an edge as graphs grow. A level line is linear growth.",
        x_title="edges",
        value_title="ns an edge",
        x=_edges,
        facet=_growing,
        value=lambda cell, _: cell.milliseconds * 1e6 / max(1.0, _edges(cell) or 1.0),
    ),
    Study(
        id="thresholds-warp",
        study="thresholds",
        where="ECL-CC sect. 3",
        title="From which degree a warp takes a row",
        caption="Time over the best of each line, blocks taking rows from 353 on. The paper uses "
        "17 and says that it matters little.",
        x_title="degree",
        value_title="time over the best",
        x=_parameter("warp_from", block_from=353),
        facet=_graph_label,
        value=lambda cell, best: cell.milliseconds / best,
        from_best=True,
    ),
    Study(
        id="thresholds-block",
        study="thresholds",
        where="ECL-CC sect. 3",
        title="From which degree a block takes a row",
        caption="Time over the best of each line, warps taking rows from 17 on. The paper uses "
        "353 and says that it matters little.",
        x_title="degree",
        value_title="time over the best",
        x=_parameter("block_from", warp_from=17),
        facet=_graph_label,
        value=lambda cell, best: cell.milliseconds / best,
        from_best=True,
    ),
    Study(
        id="stages-q",
        study="stages-q",
        where="Cong & Muzio, algorithm 3",
        title="Size of Stages' groups of edges",
        caption="Time over the best of each line; the paper uses q = 1, groups of n edges.",
        x_title="q",
        value_title="time over the best",
        x=_parameter("q"),
        facet=_graph_label,
        value=lambda cell, best: cell.milliseconds / best,
        from_best=True,
    ),
)
