"""The table of graphs: what each of them is, and what the first chart shows of it, in numbers."""

from __future__ import annotations

from collections.abc import Sequence

from skerry_bench.report.answer import Answer, AnswerRow
from skerry_bench.report.caveats import relative_size
from skerry_bench.report.format_value import Value, significant
from skerry_bench.report.spread import is_noisy, is_single, order_of, spread

GRAPH_COLUMNS = (
    "Graph",
    "Kind",
    "Vertices, M",
    "Edges, M",
    "Size",
    "For",
    "auto, ms",
    "auto ran",
    "Fastest other",
    "its ms",
    "times auto's",
    "auto is",
    "Warning",
)


def graph_rows(answer: Answer) -> list[Sequence[Value]]:
    """One row per graph of a comparison."""
    return [_row(row) for row in answer.rows]


def _row(row: AnswerRow) -> Sequence[Value]:
    graph, auto, other = row.graph, row.auto, row.fastest_other()
    size = relative_size(auto)
    values: list[Value] = [
        graph.label,
        graph.family,
        graph.vertices / 1e6 or None,
        graph.entries / 2e6 or None,
        f"{significant(100 * size, 2)}%" if size else None,
        row.half,
        auto.milliseconds,
        auto.result.ran or "",
    ]
    if other is None:
        return [*values, None, None, None, None, None]
    ratio = float(significant(other.milliseconds / auto.milliseconds).replace(",", ""))
    order = order_of(auto, other)
    return [*values, other.implementation, other.milliseconds, ratio, order, _warning(row)]


def _warning(row: AnswerRow) -> str:
    other = row.fastest_other()
    shown = [cell for cell in (row.auto, other) if cell is not None]
    if any(map(is_single, shown)):
        return "single sample"
    if any(map(is_noisy, shown)):
        return f"noisy: spread {significant(100 * max(map(spread, shown)), 2)}%"
    return ""
