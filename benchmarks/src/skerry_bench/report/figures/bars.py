"""Bars of times over a baseline, by graph: most figures of the papers, as a table of specs.

Each bar carries two ratios, to our ``auto`` and to the baseline of the paper; the page switches
between them. A published number keeps its ratio to the paper's baseline: beside ``auto`` it is
drawn where it would stand if that ratio held against our measurement of the baseline.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

from skerry_bench.report import published
from skerry_bench.report.figures.model import Figure, Mark, Panel
from skerry_bench.report.measured import Cell, Measured, Place
from skerry_bench.report.names import label_of

__all__ = ["Bars", "bars"]

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Bars:
    """A figure of bars, before it is filled."""

    id: str
    paper: str
    where: str
    title: str
    caption: str
    implementations: Sequence[str]
    base: str
    needs: str
    devices: Sequence[str] = ("cuda", "cpu")
    study: str | None = None
    tables: Sequence[str] = ()
    """Tables of the paper with the times behind its figures."""
    stated: str = ""
    """The figure whose numbers are told in the text only."""
    ranges: Mapping[str, str] = field(default_factory=dict)
    """Ranges of speedups over the baseline that a text tells, by implementation."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of implementations in this figure, where they differ from the usual ones."""
    optional: bool = False
    """Whether implementations that were not measured are not worth a word."""
    among: Collection[str] = ()
    """Where given, only graphs on which one of these was measured are shown."""

    def name(self, implementation: str) -> str:
        """Of an implementation, in this figure."""
        return self.names.get(implementation) or label_of(implementation)


def bars(spec: Bars, measured: Measured) -> Figure:
    """The figure with what was measured and published of it."""
    panels = []
    sources: dict[str, None] = {}
    for place in measured.places():
        if place.device in spec.devices:
            marks = tuple(_marks(spec, measured, place))
            if any(not mark.source for mark in marks):
                panels.append(Panel(place.name, place.device, marks))
                sources |= dict.fromkeys(mark.source for mark in marks if mark.source)
    ordered = [one.source for one in _tables(spec) if one.source in sources]
    return Figure(
        id=spec.id,
        paper=spec.paper,
        where=spec.where,
        title=spec.title,
        caption=spec.caption,
        kind="ratio",
        panels=panels,
        base=spec.name(spec.base),
        baseline=spec.base,
        missing=_missing(spec, panels),
        needs=spec.needs,
        told=bool(spec.stated or spec.ranges),
        ghosts=[*dict.fromkeys([*ordered, *sources])],
    )


def _marks(spec: Bars, measured: Measured, place: Place) -> Iterator[Mark]:
    wanted = [*dict.fromkeys([AUTO, *spec.implementations, spec.base])]
    cells = measured.table(place, wanted, study=spec.study, paper=spec.paper)
    shown = {
        graph: row
        for graph, row in cells.items()
        if sum(implementation in row for implementation in spec.implementations) > 1
        and (not spec.among or any(one in row for one in spec.among))
    }
    for row in shown.values():
        for implementation in dict.fromkeys([AUTO, *spec.implementations]):
            if implementation in row:
                yield _mark(spec, row, row[implementation])
    yield from _ghosts(spec, shown)
    if shown and (place.device == "cuda" or spec.ranges):
        yield from _told(spec, shown, place)


def _mark(spec: Bars, row: Mapping[str, Cell], cell: Cell) -> Mark:
    return Mark(
        series=spec.name(cell.implementation),
        implementation=cell.implementation,
        graph=cell.graph.name,
        value=cell.milliseconds,
        by_auto=_over(cell, row.get(AUTO)),
        by_base=_over(cell, row.get(spec.base)),
        cell=cell,
    )


def _over(cell: Cell, other: Cell | None) -> float | None:
    return cell.milliseconds / other.milliseconds if other else None


def _tables(spec: Bars) -> list[published.Table]:
    return [published.table(spec.paper, name) for name in spec.tables]


def _ghosts(spec: Bars, shown: Mapping[str, Mapping[str, Cell]]) -> Iterator[Mark]:
    for table in _tables(spec):
        for graph, times in table.milliseconds.items():
            if graph in shown and spec.base in times:
                for implementation, time in times.items():
                    ratio = time / times[spec.base]
                    note = f"{table.names[implementation]}: {time:g} ms, {table.table}"
                    if implementation in spec.implementations or implementation not in _known(
                        table
                    ):
                        yield _ghost(
                            spec, shown[graph], graph, implementation, ratio, table.source, note
                        )


def _told(spec: Bars, shown: Mapping[str, Mapping[str, Cell]], place: Place) -> Iterator[Mark]:
    """Numbers that stand in a text only: those on GPUs for a GPU, those on CPUs for a CPU."""
    for one in published.stated():
        if (one.paper, one.where) == (spec.paper, spec.stated):
            row = shown.get(one.graph)
            if row is not None or one.graph == published.MEAN:
                note = f"told in the text to {spec.stated}"
                yield _ghost(
                    spec, row or {}, one.graph, one.implementation, one.value, one.source, note
                )
    kind = "GPU" if place.device == "cuda" else "CPU"
    for implementation, claim in spec.ranges.items():
        for told in published.speedups():
            if told.claim == claim and told.platform.startswith(kind):
                middle = 1 / sqrt(told.low * told.high)
                note = f"{told.claim}: {told.low} to {told.high} times faster; its middle is drawn"
                source = f"{told.platform.removeprefix(kind + ' ')}, 2014"
                yield _ghost(spec, {}, published.MEAN, implementation, middle, source, note)


def _known(table: published.Table) -> set[str]:
    return {
        implementation for implementation, name in table.names.items() if implementation != name
    }


def _ghost(
    spec: Bars,
    row: Mapping[str, Cell],
    graph: str,
    implementation: str,
    ratio: float,
    source: str,
    note: str,
) -> Mark:
    base = row.get(spec.base)
    to_auto = _over(base, row.get(AUTO)) if base else None
    return Mark(
        series=spec.name(implementation),
        implementation=implementation,
        graph=graph,
        by_base=ratio,
        by_auto=ratio * to_auto if to_auto else None,
        source=source,
        note=note,
    )


def _missing(spec: Bars, panels: Sequence[Panel]) -> list[str]:
    told = []
    for panel in panels:
        have = {mark.implementation for mark in panel.marks if not mark.source}
        absent = [spec.name(one) for one in (AUTO, *spec.implementations) if one not in have]
        if absent and not spec.optional:
            told.append(f"{panel.place}: not measured: {', '.join(absent)}")
    return told
