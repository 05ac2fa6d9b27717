"""Energy of a call on each graph: a table for each platform that it was measured on, if any."""

from __future__ import annotations

from collections.abc import Sequence

from skerry_bench.report.display_names import display_name
from skerry_bench.report.format_value import Value
from skerry_bench.report.measurements import Cell, Cells, Measurements, Platform
from skerry_bench.report.tables import Column, PaperTable

PARTS = {"cpu": "CPU", "gpu": "GPU"}


def energy_tables(measurements: Measurements) -> list[PaperTable]:
    """Joules of a call by implementation and part of the machine; none where none were measured."""
    tables = []
    for number, platform in enumerate(measurements.platforms(), 1):
        cells = measurements.table(platform, keep=_has_energy)
        if cells:
            tables.append(_table(platform, cells, f"energy-{number}"))
    return tables


def _has_energy(cell: Cell) -> bool:
    return any(part in PARTS for part in cell.result.energy or ())


def _table(platform: Platform, cells: Cells, name: str) -> PaperTable:
    columns = dict.fromkeys(
        (implementation, part)
        for row in cells.values()
        for implementation, cell in row.items()
        for part in PARTS
        if part in (cell.result.energy or ())
    )
    rows: list[tuple[str, Sequence[Value]]] = [
        (graph, [_joules(row.get(implementation), part) for implementation, part in columns])
        for graph, row in cells.items()
    ]
    return PaperTable(
        id=name,
        paper="skerry",
        where="energy",
        title=f"Joules of a call on {platform.name}",
        note="A block of calls, a second or longer, divided by their number. CPU: the packages, by "
        "RAPL; GPU: the board, by NVML. All that these took meanwhile counts, at rest too.",
        columns=[
            Column(f"{display_name(implementation)}, {PARTS[part]}, J", measured=True)
            for implementation, part in columns
        ],
        rows=rows,
    )


def _joules(cell: Cell | None, part: str) -> float | None:
    return None if cell is None else (cell.result.energy or {}).get(part)
