"""Computes everything that a report contains, independent of the output format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skerry_bench.report.answer import Answer, answers
from skerry_bench.report.claims.catalog import CLAIMS
from skerry_bench.report.claims.rules import Claim, Verdict
from skerry_bench.report.energy_table import energy_tables
from skerry_bench.report.figures.catalog import all_figures
from skerry_bench.report.figures.model import Figure
from skerry_bench.report.measurements import Measurements
from skerry_bench.report.overview import Overview, summarize
from skerry_bench.report.papers_programs import describe, papers_programs
from skerry_bench.report.tables import PaperTable, paper_tables
from skerry_bench.results import Results


@dataclass(frozen=True, slots=True)
class Report:
    """The parts of a report, in the order of the page."""

    measurements: Measurements
    answers: Sequence[Answer]
    claims: Sequence[tuple[Claim, Verdict]]
    programs: Sequence[str]
    """Which programs the claims were judged by, where not by our defaults."""
    overview: Overview
    figures: Sequence[Figure]
    tables: Sequence[PaperTable]


def build_report(results: Results) -> Report:
    """Judge all claims and fill all figures and tables from a set of results."""
    measurements = Measurements(results)
    judged, substitutes = papers_programs(measurements)
    verdicts = [(claim, claim.judge(judged)) for claim in CLAIMS]
    return Report(
        measurements=measurements,
        answers=answers(measurements),
        claims=verdicts,
        programs=describe(substitutes),
        overview=summarize(measurements, verdicts),
        figures=all_figures(measurements),
        tables=[*paper_tables(measurements), *energy_tables(measurements)],
    )
