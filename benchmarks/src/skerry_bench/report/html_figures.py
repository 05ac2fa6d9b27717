"""Frames of the figures, which the page's script fills, and the papers' tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from skerry_bench.report.figures.model import Figure
from skerry_bench.report.html_table import html_table
from skerry_bench.report.tables import PaperTable


def html_group(
    name: str,
    title: str,
    subtitle: str,
    drawn: Sequence[Figure],
    tables: Sequence[PaperTable],
) -> Iterator[str]:
    """A section of figures and tables."""
    yield f'<section id="{name}"><h2>{escape(title)}</h2>'
    if subtitle:
        yield f'<p class="source">{escape(subtitle)}</p>'
    for figure in drawn:
        yield from _figure(figure)
    for table in tables:
        yield from _paper_table(table)
    yield "</section>"


def _figure(figure: Figure) -> Iterator[str]:
    state = "" if figure.has_measurements else " empty"
    yield f'<article class="figure{state}" id="{figure.id}" aria-labelledby="{figure.id}-title">'
    where = f'<span class="where">{escape(figure.where)}</span> ' if figure.where else ""
    yield f'<h3 id="{figure.id}-title">{where}{escape(figure.title)}</h3>'
    yield f'<p class="caption">{escape(figure.caption)}</p>'
    if figure.has_measurements:
        yield '<ul class="legend" aria-label="Legend"></ul><div class="charts"></div>'
        for line in figure.missing:
            yield f'<p class="missing">{escape(line)}.</p>'
        yield (
            '<details class="numbers"><summary>Numbers as a table</summary>'
            '<div class="scroll" tabindex="0" role="region" aria-label="Numbers"></div></details>'
        )
    else:
        rest = f" {' '.join(f'{line}.' for line in figure.missing)}" if figure.missing else ""
        yield (
            f'<p class="missing">Not measured in these results.{escape(rest)} '
            f"Needs {escape(figure.needs)}.</p>"
        )
    yield "</article>"


def _paper_table(table: PaperTable) -> Iterator[str]:
    yield f'<article class="figure" id="{table.id}" aria-labelledby="{table.id}-title">'
    yield (
        f'<h3 id="{table.id}-title"><span class="where">{escape(table.where)}</span> '
        f"{escape(table.title)}</h3>"
    )
    yield f'<p class="caption">{escape(table.note)}</p>'
    if table.missing:
        yield f'<p class="missing">{escape(table.missing)}</p>'
    head = ["Graph", *(column.name for column in table.columns)]
    measured = [False, *(column.measured for column in table.columns)]
    rows = [(graph, *values) for graph, values in table.rows]
    yield f"<details><summary>Table of {len(rows)} graphs</summary>"
    yield from html_table(head, rows, table.title, measured, sortable=True)
    yield "</details></article>"
