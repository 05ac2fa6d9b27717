"""The data of the page's script: every measurement once, and figures that refer to it by index."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skerry_bench.report.build import Report
from skerry_bench.report.display_names import SERIES_COLORS, color_of, display_name
from skerry_bench.report.figures.model import Figure, Mark
from skerry_bench.report.measurements import Cell


def payload(report: Report) -> dict[str, Any]:
    """The data as plain objects, for JSON."""
    cells = report.measurements.cells
    index = {id(cell): number for number, cell in enumerate(cells)}
    drawn = [figure for figure in report.figures if figure.has_measurements]
    used = {
        mark.implementation for figure in drawn for panel in figure.panels for mark in panel.marks
    }
    peers = {cell.implementation for cell in cells if cell.result.peer}
    return {
        "measurements": [_cell(cell) for cell in cells],
        "graphs": {
            graph.name: {"label": graph.label, "size": graph.entries, "paper": graph.paper}
            for graph in report.measurements.graphs()
        },
        "platforms": [
            {"name": platform.name, "device": platform.device}
            for platform in report.measurements.platforms()
        ],
        "implementations": {
            name: {"label": display_name(name), "peer": name in peers}
            for name in dict.fromkeys(cell.implementation for cell in cells)
        },
        "colors": {name: color_of(name) for name in sorted(used)} | dict(SERIES_COLORS),
        "series": dict(SERIES_COLORS),
        "figures": [_figure(figure, index) for figure in drawn],
    }


def _cell(cell: Cell) -> dict[str, Any]:
    result = cell.result
    return _without_none(
        {
            "platform": cell.platform.name,
            "graph": cell.graph.name,
            "implementation": result.implementation,
            "study": result.study,
            "scope": result.scope if result.scope != "solve" else None,
            "threads": result.threads,
            "ran": result.ran if result.ran != result.implementation else None,
            "ms": _rounded(cell.milliseconds) or None,
            "samples": [_rounded(1e3 * seconds) for seconds in result.seconds],
            "entries": cell.graph.entries or None,
            "peak": result.peak_bytes,
            "date": cell.run.date[:10] or None,
            "parameter": dict(result.parameter) if result.parameter else None,
            "unverified": True if not result.verified else None,
        }
    )


def _figure(figure: Figure, index: Mapping[int, int]) -> dict[str, Any]:
    return {
        "id": figure.id,
        "kind": figure.kind,
        "title": figure.title,
        "baseline": figure.baseline,
        "baselineName": figure.baseline_name,
        "x": figure.x_title,
        "value": figure.value_title,
        "origin": figure.origin,
        "statedOnly": figure.stated_only,
        "panels": [
            {
                "platform": panel.platform,
                "device": panel.device,
                "title": panel.title or panel.platform,
                "marks": [_mark(mark, index) for mark in panel.marks],
            }
            for panel in figure.panels
        ],
    }


def _mark(mark: Mark, index: Mapping[int, int]) -> dict[str, Any]:
    """Short keys: a page has thousands of marks."""
    return _without_none(
        {
            "s": mark.series,
            "i": mark.implementation,
            "g": mark.graph or None,
            "row": mark.group or None,
            "x": mark.x,
            "v": _rounded(mark.value),
            "auto": _rounded(mark.over_auto),
            "base": _rounded(mark.over_baseline),
            "low": _end(mark.range_over_auto, 0),
            "high": _end(mark.range_over_auto, 1),
            "blow": _end(mark.range_over_baseline, 0),
            "bhigh": _end(mark.range_over_baseline, 1),
            "m": index.get(id(mark.cell)) if mark.cell else None,
            "src": mark.source or None,
            "note": mark.note or None,
        }
    )


def _end(ends: tuple[float, float] | None, side: int) -> float | None:
    return None if ends is None else _rounded(ends[side])


def _without_none(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value is not None}


def _rounded(value: float | None) -> float | None:
    """Five significant digits: more than a chart or a reader can use."""
    return None if value is None else float(f"{value:.5g}")
