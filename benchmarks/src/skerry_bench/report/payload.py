"""What the page's script is given: measurements once, and figures that refer to them by number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from skerry_bench.report.names import SERIES, label_of, slot_of

if TYPE_CHECKING:
    from skerry_bench.report.build import Report
    from skerry_bench.report.figures import Figure, Mark
    from skerry_bench.report.measured import Cell

__all__ = ["payload"]


def payload(report: Report) -> dict[str, Any]:
    """Plain objects, for JSON."""
    cells = report.measured.cells
    number = {id(cell): place for place, cell in enumerate(cells)}
    drawn = [_figure(figure, number) for figure in report.figures if figure.measured]
    used = {mark["c"] for one in drawn for panel in one["panels"] for mark in panel["marks"]}
    implementations = dict.fromkeys(cell.implementation for cell in cells)
    return {
        "measurements": [_cell(cell) for cell in cells],
        "graphs": {
            graph.name: {"label": graph.label, "size": graph.entries, "paper": graph.paper}
            for graph in report.measured.graphs()
        },
        "places": [
            {"name": place.name, "device": place.device} for place in report.measured.places()
        ],
        "implementations": {
            one: {"label": label_of(one), "peer": _peer(report, one)} for one in implementations
        },
        "slots": {one: slot_of(one) for one in sorted(used)} | dict(SERIES),
        "figures": drawn,
    }


def _peer(report: Report, implementation: str) -> bool:
    return any(
        cell.result.peer for cell in report.measured.cells if cell.implementation == implementation
    )


def _cell(cell: Cell) -> dict[str, Any]:
    result = cell.result
    told = {
        "place": cell.place.name,
        "graph": cell.graph.name,
        "implementation": result.implementation,
        "study": result.study,
        "scope": result.scope if result.scope != "solve" else None,
        "threads": result.threads,
        "ran": result.ran if result.ran != result.implementation else None,
        "ms": _short(cell.milliseconds) or None,
        "samples": [_short(1e3 * one) for one in result.seconds],
        "entries": cell.graph.entries or None,
        "peak": result.peak_bytes,
        "date": cell.run.date[:10] or None,
        "parameter": dict(result.parameter) if result.parameter else None,
        "unverified": True if not result.verified else None,
    }
    return {key: value for key, value in told.items() if value is not None}


def _figure(figure: Figure, number: Mapping[int, int]) -> dict[str, Any]:
    return {
        "id": figure.id,
        "kind": figure.kind,
        "title": figure.title,
        "base": figure.base,
        "baseline": figure.baseline,
        "x": figure.x_title,
        "value": figure.value_title,
        "origin": figure.origin,
        "told": figure.told,
        "panels": [
            {
                "place": panel.place,
                "device": panel.device,
                "title": panel.title or panel.place,
                "marks": [_mark(mark, number) for mark in panel.marks],
            }
            for panel in figure.panels
        ],
    }


def _mark(mark: Mark, number: Mapping[int, int]) -> dict[str, Any]:
    told = {
        "s": mark.series,
        "c": mark.implementation,
        "g": mark.graph or None,
        "row": mark.group or None,
        "x": mark.x,
        "v": _short(mark.value),
        "auto": _short(mark.by_auto),
        "base": _short(mark.by_base),
        "m": number.get(id(mark.cell)) if mark.cell else None,
        "src": mark.source or None,
        "note": mark.note or None,
    }
    return {key: value for key, value in told.items() if value is not None}


def _short(value: float | None) -> float | None:
    """Five figures: what a chart or a reader can use."""
    return None if value is None else float(f"{value:.5g}")
