"""The report as CSV: every measurement and every published number of the figures, a line each."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skerry_bench.report.build import Report

__all__ = ["sheet"]

HEAD = (
    "figure",
    "where",
    "place",
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


def sheet(report: Report) -> str:
    """All marks of all figures."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    for figure in report.figures:
        for panel in figure.panels:
            for mark in panel.marks:
                cell = mark.cell
                writer.writerow(
                    (
                        figure.id,
                        f"{figure.paper}, {figure.where}",
                        panel.title or panel.place,
                        mark.graph or mark.group,
                        int(cell.graph.stand_in) if cell else "",
                        mark.implementation,
                        mark.source,
                        (cell.result.threads or "") if cell else "",
                        _number(mark.x),
                        _number(mark.value),
                        _number(cell.milliseconds) if cell else "",
                        _number(mark.by_auto),
                        _number(mark.by_base),
                        " ".join(f"{1e3 * one:.6g}" for one in cell.result.seconds) if cell else "",
                    )
                )
    return out.getvalue()


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
