"""The report as Markdown: claims, means of every figure, and the papers' tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from skerry_bench.report.measured import geometric_mean
from skerry_bench.report.published import PAPERS

if TYPE_CHECKING:
    from skerry_bench.report.build import Report
    from skerry_bench.report.figures import Figure, Panel
    from skerry_bench.report.overview import Overview
    from skerry_bench.report.tables import PaperTable, Value

__all__ = ["markdown", "shown"]


def markdown(report: Report) -> str:
    """The whole report."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield "# skerry, measured"
    yield ""
    yield from _overview(report.overview)
    yield "## What the papers claim"
    yield ""
    for paper in PAPERS:
        yield f"### {PAPERS[paper]}"
        yield ""
        yield from _table(
            ("claim", "where", "verdict", "what was measured"),
            [
                (claim.says, claim.where, f"**{verdict.outcome}**", verdict.finding)
                for claim, verdict in report.claims
                if claim.paper == paper
            ],
            left=4,
        )
    yield "## Figures"
    yield ""
    for figure in report.figures:
        yield from _figure(figure)
    yield "## Tables"
    yield ""
    for table in report.tables:
        yield from _paper_table(table)


def _overview(told: Overview) -> Iterator[str]:
    yield (
        f"{told.measurements:,} measurements ({told.samples:,} samples) of {told.implementations} "
        f"implementations, {told.peers} of them peers, on {told.graphs} graphs ({told.stand_ins} "
        f"stand-ins, marked *); {told.verified:,} verified. {' '.join(told.peaks)}"
    )
    yield ""
    head = ("date", "suite", "machine", "commit", "options", "results")
    rows = [
        (one.date, one.suite, one.machine, one.commit, one.options, one.results)
        for one in told.runs
    ]
    yield from _table(head, rows, left=5)
    for machine, versions in told.versions:
        yield f"{machine}: {versions}."
        yield ""
    if told.skipped:
        yield from _table(("skipped because", "times", "for example"), told.skipped)


def _figure(figure: Figure) -> Iterator[str]:
    named = f"{figure.paper}, {figure.where}: " if figure.where else ""
    yield f"### {named}{figure.title}"
    yield ""
    yield figure.caption
    yield ""
    if not figure.measured:
        yield f"Not measured: needs {figure.needs}. {' '.join(figure.missing)}".rstrip()
        yield ""
        return
    for panel in figure.panels:
        yield f"{panel.title or panel.place}:"
        yield ""
        yield from _panel(figure, panel)
    for line in figure.missing:
        yield f"{line}."
        yield ""


def _panel(figure: Figure, panel: Panel) -> Iterator[str]:
    rows: dict[str, dict[str, float]] = {}
    series: dict[str, None] = {}
    ratio = figure.kind == "ratio"
    by_auto = ratio and any(mark.by_auto is not None for mark in panel.marks if not mark.source)
    for mark in panel.marks:
        value = (mark.by_auto if by_auto else mark.by_base) if ratio else mark.value
        if value is None or (mark.source and ratio and by_auto):
            continue
        row = mark.graph or mark.group
        row = f"{row}, {figure.x_title} {mark.x:g}" if mark.x is not None else row
        name = f"{mark.series} ({mark.source})" if mark.source else mark.series
        series[name] = None
        rows.setdefault(row, {})[name] = value
    lines: list[Sequence[Value]] = [
        (row, *(found.get(name) for name in series)) for row, found in rows.items()
    ]
    if ratio and len(rows) > 1 and any(mark.graph for mark in panel.marks):
        means: list[Value] = ["**geometric mean**"]
        for name in series:
            values = [found[name] for found in rows.values() if name in found]
            means.append(geometric_mean(values) if values else None)
        lines.append(means)
    what = f"time over {'auto' if by_auto else figure.base}" if ratio else figure.value_title
    yield from _table((what, *series), lines)


def _paper_table(table: PaperTable) -> Iterator[str]:
    yield f"### {table.paper}, {table.where}: {table.title}"
    yield ""
    yield f"{table.note} {table.missing}".rstrip()
    yield ""
    head = [f"{column.name}, ours" if column.ours else column.name for column in table.columns]
    yield from _table(("graph", *head), [(graph, *values) for graph, values in table.rows])


def _table(head: Sequence[str], rows: Sequence[Sequence[Value]], *, left: int = 1) -> Iterator[str]:
    yield f"| {' | '.join(map(_safe, head))} |"
    yield f"|{'---|' * left}{'--:|' * (len(head) - left)}"
    for row in rows:
        yield f"| {' | '.join(_safe(shown(value)) for value in row)} |"
    yield ""


def _safe(text: str) -> str:
    return text.replace("|", "\\|")


def shown(value: Value) -> str:
    """A number with four figures, or the text itself.

    >>> shown(1234.5), shown(0.01234), shown(None), shown(7)
    ('1,234', '0.01234', '', '7')
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else value
