"""Figures on internals: kernels, path lengths, threads, parameters, growth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from skerry_bench.report import published
from skerry_bench.report.display_names import display_name
from skerry_bench.report.figures.model import Figure, Mark, Panel
from skerry_bench.report.measurements import Cell, Measurements, Platform

SOURCE = "GTX Titan X, 2018"
PHASES = (
    ("init", "initialization"),
    ("short", "short rows (thread)"),
    ("middle", "middle rows (warp)"),
    ("long", "long rows (block)"),
    ("hook", "computation, all rows"),
    ("finish", "finalization"),
)
PREPARATION = ("build", "convert", "copy")
"""First words of passes that prepare the input."""


def phase_of(name: str) -> str | None:
    """The phase of ECL-CC that a pass belongs to; None if it only prepares the input.

    >>> phase_of("hook halving, short rows"), phase_of("finish single"), phase_of("build csr")
    ('short rows (thread)', 'finalization', None)
    """
    lowered = name.lower()
    if lowered.startswith(PREPARATION):
        return None
    return next((phase for word, phase in PHASES if word in lowered), name)


def phase_shares(cell: Cell) -> dict[str, float]:
    """The share of each phase in the run time."""
    times: dict[str, float] = {}
    for name, seconds in cell.result.passes or ():
        phase = phase_of(name)
        if phase:
            times[phase] = times.get(phase, 0.0) + seconds
    total = sum(times.values())
    return {phase: seconds / total for phase, seconds in times.items()} if total else {}


def kernels(measurements: Measurements) -> Figure:
    """ECL-CC's Fig. 10: the share of each kernel in the run time."""
    order = [phase for _, phase in PHASES]
    panels = []
    for platform in measurements.platforms():
        cells = measurements.table(
            platform,
            ("ecl",),
            study="kernels",
            paper="ECL-CC",
            keep=lambda c: bool(c.result.passes),
        )
        marks = []
        for graph, row in cells.items():
            fractions = phase_shares(row["ecl"])
            for phase in sorted(fractions, key=lambda p: order.index(p) if p in order else 99):
                cell = row["ecl"]
                marks.append(Mark(phase, phase, graph, value=fractions[phase], cell=cell))
        if marks:
            if platform.device == "cuda":
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
            panels.append(Panel(platform.name, platform.device, tuple(marks)))
    return Figure(
        id="eclcc-fig10",
        paper="ECL-CC",
        where="Fig. 10",
        title="Run time of ECL-CC by kernel",
        caption="Share of each kernel in the run time. The published row is the mean over the "
        "paper's graphs.",
        kind="stack",
        value_title="share of the run time",
        origin=0.0,
        panels=panels,
        needs="the study kernels",
        sources=[SOURCE] if any(panel.device == "cuda" for panel in panels) else (),
    )


def paths(measurements: Measurements) -> Figure:
    """ECL-CC's Table 4 as a figure: path lengths."""
    panels = []
    for platform in measurements.platforms():
        marks = []
        for cell in path_cells(measurements, platform).values():
            statistics = cell.result.statistics or {}
            for key, series in (("average_path", "average"), ("longest_path", "longest")):
                if key in statistics:
                    value = float(statistics[key])
                    marks.append(Mark(series, series, cell.graph.name, value=value, cell=cell))
        graphs = {mark.graph for mark in marks}
        for graph, values in published.path_lengths().items():
            if graph in graphs:
                for series, value in zip(("average", "longest"), values, strict=True):
                    marks.append(
                        Mark(series, series, graph, value=value, source=SOURCE, note="Table 4")
                    )
        if graphs:
            panels.append(Panel(platform.name, platform.device, tuple(marks)))
    return Figure(
        id="eclcc-table4",
        paper="ECL-CC",
        where="Table 4",
        title="Path lengths",
        caption="Average and maximum number of parents that a find operation of ECL-CC follows. "
        "The numbers vary with the scheduling of the threads.",
        kind="value",
        value_title="path length",
        panels=panels,
        needs="the study paths",
        sources=[SOURCE] if panels else (),
    )


def path_cells(measurements: Measurements, platform: Platform) -> dict[str, Cell]:
    """Measurements of ECL-CC with path lengths, by graph."""

    def has_path_lengths(cell: Cell) -> bool:
        return "average_path" in (cell.result.statistics or {})

    cells = measurements.table(
        platform, ("ecl",), study="paths", paper="ECL-CC", keep=has_path_lengths
    )
    return {graph: row["ecl"] for graph, row in cells.items()}


@dataclass(frozen=True, slots=True)
class StudySpec:
    """A parameter study: small charts with a line for every implementation over a number."""

    id: str
    study: str
    where: str
    title: str
    caption: str
    x_title: str
    value_title: str
    x: Callable[[Cell], float | None]
    facet: Callable[[Cell], str]
    """The small chart that a measurement belongs to."""
    value: Callable[[Cell, float], float]
    """The value of a measurement; the second argument is the reference time of its line in ms."""
    from_best: bool = False
    """Whether the reference time is the shortest of the line instead of the first."""
    linear: bool = False


def study_figure(spec: StudySpec, measurements: Measurements) -> Figure:
    """The figure of a parameter study."""
    panels = []
    steps: set[float] = set()
    for platform in measurements.platforms():
        lines: dict[tuple[str, str], list[tuple[float, Cell]]] = {}
        for cell in measurements.cells:
            if cell.platform == platform and cell.result.study == spec.study:
                x = spec.x(cell)
                if x is not None:
                    key = (base_algorithm(cell.implementation), spec.facet(cell))
                    lines.setdefault(key, []).append((x, cell))
                    steps.add(x)
        marks = [mark for key, points in lines.items() for mark in _line(spec, key, points)]
        if marks:
            panels.append(Panel(platform.name, platform.device, tuple(marks)))
    figure = Figure(
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
    return _as_bars(figure, *sorted(steps)) if spec.linear and len(steps) == 2 else figure


def _as_bars(figure: Figure, low: float, high: float) -> Figure:
    """Two points make no line: a bar for the second, over the first."""
    panels = [
        replace(
            panel,
            marks=tuple(replace(mark, x=None, group="") for mark in panel.marks if mark.x == high),
        )
        for panel in figure.panels
    ]
    return replace(
        figure,
        kind="value",
        origin=1.0,
        value_title=f"{figure.value_title}, {high:g} {figure.x_title} over {low:g}",
        panels=[panel for panel in panels if panel.marks],
    )


def _line(
    spec: StudySpec, key: tuple[str, str], points: list[tuple[float, Cell]]
) -> Iterator[Mark]:
    points.sort(key=lambda point: point[0])
    reference = points[0][1].milliseconds
    if spec.from_best:
        reference = min(cell.milliseconds for _, cell in points)
    for x, cell in points:
        yield Mark(
            series=display_name(key[0]),
            implementation=key[0],
            graph=cell.graph.name,
            group=key[1],
            x=x,
            value=spec.value(cell, reference),
            cell=cell,
        )


def base_algorithm(implementation: str) -> str:
    """The algorithm of the catalog that an implementation is a variant of.

    >>> base_algorithm("stages-cc[q=0.5]")
    'stages-cc'
    """
    return implementation.partition("[")[0]


def _parameter(name: str, **fixed: float) -> Callable[[Cell], float | None]:
    """The value of a varied parameter; None where a parameter in ``fixed`` has another value."""

    def value(cell: Cell) -> float | None:
        parameter = cell.result.parameter or {}
        matches = all(parameter.get(other) in (None, number) for other, number in fixed.items())
        return float(parameter[name]) if matches and name in parameter else None

    return value


def _graph_label(cell: Cell) -> str:
    return cell.graph.label


def _threads(cell: Cell) -> float | None:
    return float(cell.result.threads) if cell.result.threads else None


def _edges(cell: Cell) -> float | None:
    return cell.graph.entries / 2 if cell.graph.entries else None


def _growth_series(cell: Cell) -> str:
    """Graphs grow in vertices with four edges per vertex, or in edges only."""
    edges_per_vertex = cell.graph.entries / 2 / max(1, cell.graph.vertices)
    if 3.5 < edges_per_vertex < 4.5:
        return "4 edges per vertex"
    return f"{cell.graph.vertices:,} vertices"


STUDIES = (
    StudySpec(
        id="threads",
        study="threads",
        where="ECL-CC sect. 5.3",
        title="Threads",
        caption="Speedup over the smallest number of threads that was measured.",
        x_title="threads",
        value_title="times as fast",
        x=_threads,
        facet=_graph_label,
        value=lambda cell, first: first / cell.milliseconds,
        linear=True,
    ),
    StudySpec(
        id="growth",
        study="growth",
        where="",
        title="Growth",
        caption="Time per edge as graphs grow. A horizontal line means linear growth.",
        x_title="edges",
        value_title="ns per edge",
        x=_edges,
        facet=_growth_series,
        value=lambda cell, _: cell.milliseconds * 1e6 / max(1.0, _edges(cell) or 1.0),
    ),
    StudySpec(
        id="thresholds-warp",
        study="thresholds",
        where="ECL-CC sect. 3",
        title="Smallest degree of a row for a warp",
        caption="Time relative to the best of each line; blocks process rows from degree 353. The "
        "paper uses 17 and reports little effect.",
        x_title="degree",
        value_title="time over the best",
        x=_parameter("warp_from", block_from=353),
        facet=_graph_label,
        value=lambda cell, best: cell.milliseconds / best,
        from_best=True,
    ),
    StudySpec(
        id="thresholds-block",
        study="thresholds",
        where="ECL-CC sect. 3",
        title="Smallest degree of a row for a block",
        caption="Time relative to the best of each line; warps process rows from degree 17. The "
        "paper uses 353 and reports little effect.",
        x_title="degree",
        value_title="time over the best",
        x=_parameter("block_from", warp_from=17),
        facet=_graph_label,
        value=lambda cell, best: cell.milliseconds / best,
        from_best=True,
    ),
    StudySpec(
        id="stages-q",
        study="stages-q",
        where="Cong & Muzio, algorithm 3",
        title="Size of the edge groups of Stages",
        caption="Time relative to the best of each line; the paper uses q = 1, groups of n edges.",
        x_title="q",
        value_title="time over the best",
        x=_parameter("q"),
        facet=_graph_label,
        value=lambda cell, best: cell.milliseconds / best,
        from_best=True,
    ),
)
