"""The report as Markdown: who is how fast on what, claims, the values of figures, tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skerry_bench.report.answer import Answer
from skerry_bench.report.build import Report
from skerry_bench.report.claim_causes import cause_of, count_causes
from skerry_bench.report.claims.rules import Claim, Verdict
from skerry_bench.report.display_names import display_name
from skerry_bench.report.figures.model import Figure, Mark, Panel
from skerry_bench.report.format_value import Value, format_value
from skerry_bench.report.graph_table import GRAPH_COLUMNS, graph_rows
from skerry_bench.report.holds import count_table, sentences
from skerry_bench.report.measurements import geometric_mean
from skerry_bench.report.overview import Overview
from skerry_bench.report.published import PAPERS
from skerry_bench.report.tables import PaperTable


def markdown(report: Report) -> str:
    """The complete report."""
    return "\n".join(_lines(report)) + "\n"


def figure_text(figure: Figure | PaperTable) -> str:
    """One figure or table, as the report has it."""
    return "\n".join(_figure(figure) if isinstance(figure, Figure) else _paper_table(figure))


def _lines(report: Report) -> Iterator[str]:
    yield "# skerry benchmark report"
    yield ""
    lines = list(sentences(report.claims))
    if lines:
        yield "## Do the papers hold?"
        yield ""
        yield from (f"- {line}" for line in lines)
        yield ""
        yield from _table(*count_table(report.claims))
    for answer in report.answers:
        yield from _answer(answer)
    yield "## What the papers claim"
    yield ""
    for text in filter(None, (count_causes(report.claims), *report.programs)):
        yield text
        yield ""
    for paper in PAPERS:
        yield f"### {PAPERS[paper]}"
        yield ""
        yield from _table(
            ("claim", "where", "verdict", "what was measured"),
            [
                (
                    claim.statement,
                    claim.where,
                    f"**{verdict.conclusion}**",
                    f"{verdict.finding}{_cause(claim, verdict)}",
                )
                for claim, verdict in report.claims
                if claim.paper == paper
            ],
            left=4,
        )
    yield "## Where the numbers come from"
    yield ""
    yield from _overview(report.overview)
    yield "## Figures"
    yield ""
    for figure in report.figures:
        yield from _figure(figure)
    yield "## Tables"
    yield ""
    for table in report.tables:
        yield from _paper_table(table)


def _cause(claim: Claim, verdict: Verdict) -> str:
    cause = cause_of(claim, verdict)
    return f" **Cause: {cause.cause}**: {cause.evidence}." if cause else ""


def _answer(answer: Answer) -> Iterator[str]:
    """Headlines and warnings, medians with their ranges, and the table of graphs."""
    yield f"## Who is how fast on {answer.platform.name}"
    yield ""
    for line in answer.headlines:
        yield f"{line}"
        yield ""
    for line in answer.caveats:
        yield f"- {line}"
    if answer.caveats:
        yield ""
    ratios = [("the fastest other", answer.ratios_of_fastest())]
    ratios += [(display_name(name), answer.ratios(name)) for name in answer.columns]
    yield from _table(
        ("", "time over auto, median (range) over graphs", "graphs"),
        [(name, ratio.text, ratio.graphs) for name, ratio in ratios if ratio is not None],
    )
    yield from _table(GRAPH_COLUMNS, graph_rows(answer), left=2)


def _overview(overview: Overview) -> Iterator[str]:
    yield (
        f"{overview.measurements:,} measurements ({overview.samples:,} samples) of "
        f"{overview.implementations} implementations, {overview.peers} of them peers, on "
        f"{overview.graphs} graphs ({overview.stand_ins} stand-ins, marked *); "
        f"{overview.verified:,} verified."
    )
    yield ""
    head = ("date", "suite", "machine", "commit", "options", "results")
    rows = [
        (run.date, run.suite, run.machine, run.commit, run.options, run.results)
        for run in overview.runs
    ]
    yield from _table(head, rows, left=5)
    for machine, versions in overview.versions:
        yield f"{machine}: {versions}."
        yield ""
    if overview.skipped:
        yield from _table(("skipped because", "times", "for example"), overview.skipped)


def _figure(figure: Figure) -> Iterator[str]:
    prefix = f"{figure.paper}, {figure.where}: " if figure.where else ""
    yield f"### {prefix}{figure.title}"
    yield ""
    yield figure.caption
    yield ""
    if not figure.has_measurements:
        yield f"Not measured: needs {figure.needs}. {' '.join(figure.missing)}".rstrip()
        yield ""
        return
    for panel in figure.panels:
        yield f"{panel.title or panel.platform}:"
        yield ""
        yield from _panel(figure, panel)
    for line in figure.missing:
        yield f"{line}."
        yield ""


def _panel(figure: Figure, panel: Panel) -> Iterator[str]:
    """A table of the panel's marks; ratios are to ``auto`` where it was measured."""
    ratio = figure.kind in ("ratio", "range")
    auto = ratio and any(mark.over_auto is not None for mark in panel.marks if not mark.source)
    rows: dict[str, dict[str, float]] = {}
    series: dict[str, None] = {}
    for mark in panel.marks:
        value = (mark.over_auto if auto else mark.over_baseline) if ratio else mark.value
        if value is None or (mark.source and auto):
            continue
        name = f"{mark.series} ({mark.source})" if mark.source else mark.series
        series[name] = None
        rows.setdefault(_row_name(figure, mark), {})[name] = value
    lines: list[Sequence[Value]] = [
        (name, *(values.get(column) for column in series)) for name, values in rows.items()
    ]
    if ratio and len(rows) > 1 and any(mark.graph for mark in panel.marks):
        means: list[Value] = ["**geometric mean**"]
        for column in series:
            values = [row[column] for row in rows.values() if column in row]
            means.append(geometric_mean(values) if values else None)
        lines.append(means)
    baseline = "auto" if auto else figure.baseline_name
    yield from _table((f"time over {baseline}" if ratio else figure.value_title, *series), lines)


def _row_name(figure: Figure, mark: Mark) -> str:
    name = mark.graph or mark.group
    return f"{name}, {figure.x_title} {mark.x:g}" if mark.x is not None else name


def _paper_table(table: PaperTable) -> Iterator[str]:
    yield f"### {table.paper}, {table.where}: {table.title}"
    yield ""
    yield f"{table.note} {table.missing}".rstrip()
    yield ""
    head = [
        f"{column.name}, measured" if column.measured else column.name for column in table.columns
    ]
    yield from _table(("graph", *head), [(graph, *values) for graph, values in table.rows])


def _table(head: Sequence[str], rows: Sequence[Sequence[Value]], *, left: int = 1) -> Iterator[str]:
    """A table whose first ``left`` columns are aligned to the left, the others to the right."""
    yield f"| {' | '.join(map(_escaped, head))} |"
    yield f"|{'---|' * left}{'--:|' * (len(head) - left)}"
    for row in rows:
        yield f"| {' | '.join(_escaped(format_value(value)) for value in row)} |"
    yield ""


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
