"""Reads results and writes the report as HTML, Markdown or CSV, or a chart of it as SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from skerry.errors import ArgumentError
from skerry.formats.overwriting import refuse_overwriting
from skerry.formats.writers.atomic_file import atomic_file
from skerry_bench.report.build import Report, build_report
from skerry_bench.report.csv_table import csv_table
from skerry_bench.report.figures.model import Figure
from skerry_bench.report.find_figure import find_figure
from skerry_bench.report.html_page import html_page
from skerry_bench.report.load import load_results
from skerry_bench.report.markdown import figure_text, markdown
from skerry_bench.report.svg_chart import svg_chart
from skerry_bench.report.tables import PaperTable

WRITERS: Mapping[str, Callable[[Report], str]] = {
    ".html": html_page,
    ".htm": html_page,
    ".md": markdown,
    ".csv": csv_table,
    ".svg": svg_chart,
}


def write_report(paths: Iterable[Path], output: Path) -> Report:
    """Write the report on the results in ``paths``; the suffix of ``output`` selects the format.

    The file is replaced only after the report is complete.
    """
    writer = WRITERS.get(output.suffix.lower())
    if writer is None:
        raise ArgumentError(
            f"the name of the output must end in .html, .md, .csv or .svg: {output}"
        )
    paths = list(paths)
    refuse_overwriting([("--output", str(output))], map(str, paths))
    report = build_report(load_results(paths))
    text = writer(report)
    with atomic_file(output) as file:
        file.write(text.encode())
    return report


def one_figure(paths: Iterable[Path], text: str) -> str:
    """The figure or table that ``text`` names, as Markdown."""
    report = build_report(load_results(list(paths)))
    entries: list[Figure | PaperTable] = [*report.figures, *report.tables]
    return figure_text(find_figure(entries, text))
