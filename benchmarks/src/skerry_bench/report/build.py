"""Everything that a report shows, whatever it is written as."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from skerry.errors import InputError
from skerry_bench.report.claims import CLAIMS, Claim, Verdict, judge
from skerry_bench.report.figures import Figure, figures
from skerry_bench.report.measured import Measured
from skerry_bench.report.overview import Overview, overview
from skerry_bench.report.reading import read
from skerry_bench.report.tables import PaperTable, paper_tables
from skerry_bench.results import Results

__all__ = ["Report", "build", "write_report"]


@dataclass(frozen=True, slots=True)
class Report:
    """The parts, in the order of the page."""

    measured: Measured
    overview: Overview
    claims: Sequence[tuple[Claim, Verdict]]
    figures: Sequence[Figure]
    tables: Sequence[PaperTable]


def build(results: Results) -> Report:
    """The report on a set of results."""
    measured = Measured(results)
    verdicts = [(claim, judge(claim, measured)) for claim in CLAIMS]
    return Report(
        measured=measured,
        overview=overview(measured, verdicts),
        claims=verdicts,
        figures=figures(measured),
        tables=paper_tables(measured),
    )


def write_report(paths: Iterable[Path], output: Path) -> Report:
    """Reads results and writes a page, Markdown or CSV, as the name of the output says."""
    from skerry_bench.report.markdown import markdown
    from skerry_bench.report.page import page
    from skerry_bench.report.sheet import sheet

    forms = {".html": page, ".htm": page, ".md": markdown, ".csv": sheet}
    form = forms.get(output.suffix.lower())
    if form is None:
        raise InputError(f"{output} is not .html, .md or .csv")
    report = build(read(paths))
    text = form(report)
    beside = output.with_name(f".{output.name}.new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(output)
    return report
