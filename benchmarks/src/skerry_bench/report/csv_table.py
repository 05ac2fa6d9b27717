"""The report as CSV: one line for every measured or published number of the figures."""

from __future__ import annotations

import csv
import io

from skerry_bench.report.build import Report
from skerry_bench.report.figures.model import Figure, Mark, Panel

HEADER = (
    "figure",
    "where",
    "platform",
    "graph",
    "stand_in",
    "implementation",
    "published",
    "threads",
    "x",
    "value",
    "milliseconds",
    "over_auto",
    "over_baseline",
    "samples_ms",
)


def csv_table(report: Report) -> str:
    """All marks of all figures."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(HEADER)
    for figure in report.figures:
        for panel in figure.panels:
            writer.writerows(_row(figure, panel, mark) for mark in panel.marks)
    return buffer.getvalue()


def _row(figure: Figure, panel: Panel, mark: Mark) -> tuple[str | int, ...]:
    cell = mark.cell
    return (
        figure.id,
        f"{figure.paper}, {figure.where}",
        panel.title or panel.platform,
        mark.graph or mark.group,
        int(cell.graph.stand_in) if cell else "",
        mark.implementation,
        mark.source,
        (cell.result.threads or "") if cell else "",
        _number(mark.x),
        _number(mark.value),
        _number(cell.milliseconds) if cell else "",
        _number(mark.over_auto),
        _number(mark.over_baseline),
        " ".join(f"{1e3 * seconds:.6g}" for seconds in cell.result.seconds) if cell else "",
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
