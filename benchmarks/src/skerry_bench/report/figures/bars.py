"""Bar charts of times relative to a baseline, by graph: most figures of the papers.

Each bar has two ratios, to ``auto`` and to the baseline of the paper; the page switches between
them. A published number keeps its ratio to the paper's baseline: relative to ``auto`` it is drawn
where it would be if that ratio held for the measured baseline.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

from skerry_bench.report import published
from skerry_bench.report.display_names import display_name
from skerry_bench.report.figures.model import Figure, Mark, Panel
from skerry_bench.report.measurements import Cell, Cells, Measurements, Platform

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class BarSpec:
    """The description of a bar chart, without its values."""

    id: str
    paper: str
    where: str
    title: str
    caption: str
    implementations: Sequence[str]
    baseline: str
    needs: str
    devices: Sequence[str] = ("cuda", "cpu")
    study: str | None = None
    tables: Sequence[str] = ()
    """Tables of the paper with the times of its figures."""
    stated: str = ""
    """A figure of which the paper gives single numbers in its text only."""
    ranges: Mapping[str, str] = field(default_factory=dict)
    """Ranges of speedups over the baseline from the text of the paper, by implementation."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of implementations in this figure that differ from their display names."""
    optional: bool = False
    """Whether implementations without measurements are not listed as missing."""
    require_any: Collection[str] = ()
    """If not empty, only graphs with a measurement of one of these are shown."""

    def name(self, implementation: str) -> str:
        """The name of an implementation in this figure."""
        return self.names.get(implementation) or display_name(implementation)


def bar_figure(spec: BarSpec, measurements: Measurements) -> Figure:
    """The figure with its measured and published values."""
    panels = []
    sources: dict[str, None] = {}
    for platform in measurements.platforms():
        if platform.device in spec.devices:
            marks = tuple(_marks(spec, measurements, platform))
            if any(not mark.source for mark in marks):
                panels.append(Panel(platform.name, platform.device, marks))
                sources |= dict.fromkeys(mark.source for mark in marks if mark.source)
    of_tables = [table.source for table in _tables(spec) if table.source in sources]
    return Figure(
        id=spec.id,
        paper=spec.paper,
        where=spec.where,
        title=spec.title,
        caption=spec.caption,
        kind="ratio",
        panels=panels,
        baseline=spec.baseline,
        baseline_name=spec.name(spec.baseline),
        missing=_missing(spec, panels),
        needs=spec.needs,
        stated_only=bool(spec.stated or spec.ranges),
        sources=[*dict.fromkeys([*of_tables, *sources])],
    )


def _marks(spec: BarSpec, measurements: Measurements, platform: Platform) -> Iterator[Mark]:
    names = dict.fromkeys([AUTO, *spec.implementations])
    cells = measurements.table(
        platform,
        [*names, spec.baseline],
        study=spec.study,
        paper=spec.paper,
        same_sizes_as=(platform, spec.require_any) if spec.require_any else None,
    )
    shown = {
        graph: row
        for graph, row in cells.items()
        if sum(name in row for name in spec.implementations) > 1
        and (not spec.require_any or any(name in row for name in spec.require_any))
    }
    for row in shown.values():
        for name in names:
            if name in row:
                yield _measured_mark(spec, row, row[name])
    yield from _table_marks(spec, shown)
    if shown and (platform.device == "cuda" or spec.ranges):
        yield from _stated_marks(spec, shown, platform)


def _measured_mark(spec: BarSpec, row: Mapping[str, Cell], cell: Cell) -> Mark:
    return Mark(
        series=spec.name(cell.implementation),
        implementation=cell.implementation,
        graph=cell.graph.name,
        value=cell.milliseconds,
        over_auto=_ratio(cell, row.get(AUTO)),
        over_baseline=_ratio(cell, row.get(spec.baseline)),
        cell=cell,
    )


def _ratio(cell: Cell, other: Cell | None) -> float | None:
    return cell.milliseconds / other.milliseconds if other else None


def _tables(spec: BarSpec) -> list[published.Table]:
    return [published.table(spec.paper, name) for name in spec.tables]


def _table_marks(spec: BarSpec, shown: Cells) -> Iterator[Mark]:
    """Published times, of the implementations of the figure and of codes without counterpart."""
    for table in _tables(spec):
        drawn = {
            name: code
            for name, code in table.names.items()
            if name in spec.implementations or name == code
        }
        for graph, times in table.milliseconds.items():
            if graph not in shown or spec.baseline not in times:
                continue
            for name, time in times.items():
                if name in drawn:
                    ratio = time / times[spec.baseline]
                    note = f"{drawn[name]}: {time:g} ms, {table.table}"
                    yield _published_mark(
                        spec, shown[graph], graph, name, ratio, table.source, note
                    )


def _stated_marks(spec: BarSpec, shown: Cells, platform: Platform) -> Iterator[Mark]:
    """Numbers from the text of the paper; ranges are of the device of the platform."""
    for stated in published.stated():
        if (stated.paper, stated.where) == (spec.paper, spec.stated):
            row = shown.get(stated.graph)
            if row is not None or stated.graph == published.MEAN:
                yield _published_mark(
                    spec,
                    row or {},
                    stated.graph,
                    stated.implementation,
                    stated.value,
                    stated.source,
                    f"from the text on {spec.stated}",
                )
    device = "GPU" if platform.device == "cuda" else "CPU"
    for name, claim in spec.ranges.items():
        for speedup in published.speedups():
            if speedup.claim == claim and speedup.platform.startswith(device):
                middle = 1 / sqrt(speedup.low * speedup.high)
                note = (
                    f"{speedup.claim}: {speedup.low} to {speedup.high} times faster; the bar shows "
                    "the geometric mean of both"
                )
                source = f"{speedup.platform.removeprefix(device + ' ')}, 2014"
                yield _published_mark(spec, {}, published.MEAN, name, middle, source, note)


def _published_mark(
    spec: BarSpec,
    row: Mapping[str, Cell],
    graph: str,
    implementation: str,
    ratio: float,
    source: str,
    note: str,
) -> Mark:
    baseline = row.get(spec.baseline)
    baseline_over_auto = _ratio(baseline, row.get(AUTO)) if baseline else None
    return Mark(
        series=spec.name(implementation),
        implementation=implementation,
        graph=graph,
        over_baseline=ratio,
        over_auto=ratio * baseline_over_auto if baseline_over_auto else None,
        source=source,
        note=note,
    )


def _missing(spec: BarSpec, panels: Sequence[Panel]) -> list[str]:
    if spec.optional:
        return []
    lines = []
    for panel in panels:
        present = {mark.implementation for mark in panel.marks if not mark.source}
        absent = [spec.name(name) for name in (AUTO, *spec.implementations) if name not in present]
        if absent:
            lines.append(f"{panel.platform}: not measured: {', '.join(absent)}")
    return lines
