"""The part of the page that needs no script: overview, claims, tables, and frames for charts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from skerry_bench.report.asset import read_asset
from skerry_bench.report.build import Report
from skerry_bench.report.claims.rules import Claim, Verdict
from skerry_bench.report.figures.model import Figure
from skerry_bench.report.format_value import Value, format_value
from skerry_bench.report.overview import Overview
from skerry_bench.report.published import PAPERS
from skerry_bench.report.tables import PaperTable

__all__ = ["html_body"]

HEADINGS = {
    "ECL-CC": "ECL-CC",
    "thesis": "The thesis: ECL and ECLaf",
    "Cong & Muzio": "Cong & Muzio",
    "Gerasimou": "Gerasimou",
}
PEER_FIGURES = ("all-implementations", "peers-solve", "peers-end-to-end")
"""Figures of skerry's own that come before those of the papers."""


def html_body(report: Report) -> str:
    """The content of the body element, without data and scripts."""
    return "\n".join(_body(report))


def _body(report: Report) -> Iterator[str]:
    yield '<a class="skip" href="#main">Skip to the content</a>'
    yield from _header(report.overview)
    yield from _filters()
    yield '<div class="columns">'
    yield from _contents(report)
    yield '<main id="main">'
    yield from _overview(report.overview)
    yield from _claims(report.claims)
    yield from _group("skerry", "skerry and its peers", "", _own_figures(report, first=True), ())
    for paper, title in HEADINGS.items():
        drawn = [figure for figure in report.figures if figure.paper == paper]
        tables = [table for table in report.tables if table.paper == paper]
        yield from _group(_id(paper), title, PAPERS[paper], drawn, tables)
    yield from _group("more", "Beyond the papers", "", _own_figures(report, first=False), ())
    yield from _all_measurements()
    yield from _method()
    yield "</main></div>"
    yield '<div id="tooltip" role="status" hidden></div>'


def _id(paper: str) -> str:
    return paper.lower().replace(" & ", "-").replace(" ", "-")


def _own_figures(report: Report, *, first: bool) -> list[Figure]:
    """Figures that belong to no paper, those before or those after the papers' figures."""
    own = [figure for figure in report.figures if figure.paper == "skerry"]
    return [figure for figure in own if (figure.id in PEER_FIGURES) == first]


def _header(overview: Overview) -> Iterator[str]:
    yield '<header class="top"><div>'
    yield "<h1>skerry benchmark report</h1>"
    yield (
        '<p class="lede">Connected components: every table and figure of four papers with measured '
        "numbers beside the published ones, and skerry beside its peers.</p>"
    )
    yield (
        '<p id="old-browser" class="missing" hidden>This browser cannot unpack the charts; '
        "only text and tables are shown. Chrome 80, Firefox 113, Safari 16.4 and later versions "
        "can.</p>"
    )
    yield "</div>"
    yield '<div class="theme" role="group" aria-label="Colors of the page">'
    for value, name in (("", "Auto"), ("light", "Light"), ("dark", "Dark")):
        pressed = "true" if not value else "false"
        yield f'<button type="button" data-theme="{value}" aria-pressed="{pressed}">{name}</button>'
    yield "</div></header>"
    if not overview.runs:
        yield "<p>These results describe no run.</p>"


def _filters() -> Iterator[str]:
    """Controls with empty lists, which the script fills."""
    yield '<section class="filters" aria-label="Filters and order">'
    yield '<details id="filters"><summary>Filter and order <span id="shown" role="status" '
    yield 'aria-live="polite"></span></summary><div class="choices">'
    yield '<fieldset><legend>Times over</legend><div class="segments">'
    for value, name in (("auto", "skerry's auto"), ("base", "the paper's baseline")):
        checked = " checked" if value == "auto" else ""
        yield (
            f'<label><input type="radio" name="base" value="{value}"{checked}>'
            f"<span>{name}</span></label>"
        )
    yield "</div></fieldset>"
    yield '<label class="field">Published<select id="published"></select></label>'
    yield (
        '<label class="field">Order<select id="order">'
        '<option value="paper">as in the papers</option><option value="name">by name</option>'
        '<option value="size">by size</option><option value="value">by value</option>'
        "</select></label>"
    )
    for name, title in (
        ("platforms", "Devices"),
        ("graphs", "Graphs"),
        ("implementations", "Algorithms"),
    ):
        yield (
            f'<details class="menu" id="menu-{name}"><summary>{title} <span class="count"></span>'
            f'</summary><fieldset><legend class="unseen">{title}</legend>'
            f'<div class="tools"><button type="button" data-all="{name}">All</button>'
            f'<button type="button" data-none="{name}">None</button></div>'
            f'<div class="list" id="{name}"></div></fieldset></details>'
        )
    yield '<button type="button" id="reset">Reset</button>'
    yield "</div></details></section>"


def _contents(report: Report) -> Iterator[str]:
    yield '<nav aria-label="Contents"><ol>'
    yield '<li><a href="#overview">Overview</a></li><li><a href="#claims">Claims</a></li>'
    yield from _entry("skerry", "skerry and its peers", _own_figures(report, first=True))
    for paper, title in HEADINGS.items():
        drawn = [figure for figure in report.figures if figure.paper == paper]
        yield from _entry(_id(paper), title, drawn)
    yield from _entry("more", "Beyond the papers", _own_figures(report, first=False))
    yield '<li><a href="#measurements">All measurements</a></li>'
    yield '<li><a href="#method">Method</a></li></ol></nav>'


def _entry(name: str, title: str, drawn: Iterable[Figure]) -> Iterator[str]:
    yield f'<li><a href="#{name}">{escape(title)}</a><ol>'
    for figure in drawn:
        text = figure.title if figure.paper == "skerry" else figure.where
        dim = "" if figure.has_measurements else ' class="dim"'
        yield f'<li><a href="#{figure.id}"{dim}>{escape(text)}</a></li>'
    yield "</ol></li>"


def _overview(overview: Overview) -> Iterator[str]:
    yield '<section id="overview"><h2>Overview</h2>'
    yield '<dl class="totals">'
    conclusions = overview.conclusions
    totals = (
        (f"{overview.measurements:,}", "measurements", f"{overview.samples:,} samples"),
        (f"{overview.implementations}", "implementations", f"{overview.peers} of them peers"),
        (f"{overview.graphs}", "graphs", f"{overview.stand_ins} stand-ins"),
        (f"{overview.verified:,}", "verified", _verified(overview)),
        (
            f"{conclusions.get('agrees', 0)}",
            "claims agree",
            f"{conclusions.get('in part', 0)} in part, {conclusions.get('disagrees', 0)} do not, "
            f"{conclusions.get('not measured', 0)} not measured",
        ),
    )
    for number, name, detail in totals:
        yield f"<div><dt>{name}</dt><dd>{number}<small>{detail}</small></dd></div>"
    yield "</dl>"
    for line in overview.highlights:
        yield f'<p class="highlight">{escape(line)}</p>'
    yield "<h3>What was run</h3>"
    head = ("When", "Suite", "Machine", "Results", "Commit", "Options")
    rows = [
        (run.date, run.suite, run.machine, run.results, run.commit, run.options)
        for run in overview.runs
    ]
    yield from _table(head, rows, "Runs")
    for machine, versions in overview.versions:
        yield f'<p class="caption">{escape(machine)}: {escape(versions)}.</p>'
    yield f"<h3>Skipped</h3>{'' if overview.skipped else '<p>Nothing was skipped.</p>'}"
    if overview.skipped:
        yield from _table(("Reason", "Times", "For example"), overview.skipped, "Skipped, and why")
    yield "</section>"


def _verified(overview: Overview) -> str:
    rest = overview.measurements - overview.verified
    how = f", {overview.verified_by_count} by count" if overview.verified_by_count else ""
    return f"{rest} not{how}" if rest else f"all of them{how}"


def _claims(claims: Sequence[tuple[Claim, Verdict]]) -> Iterator[str]:
    yield '<section id="claims"><h2>What the papers claim</h2>'
    yield (
        "<p>Each claim, paraphrased, with the verdict of these results. Times that differ by less "
        "than 3% count as ties.</p>"
    )
    yield '<div class="segments" role="group" aria-label="Verdicts to show" id="verdicts">'
    for name in ("agrees", "in part", "disagrees", "not measured"):
        count = sum(verdict.conclusion == name for _, verdict in claims)
        pressed = "false" if name == "not measured" else "true"
        yield (
            f'<button type="button" data-verdict="{name}" aria-pressed="{pressed}">'
            f"{name} <b>{count}</b></button>"
        )
    yield "</div>"
    yield (
        '<label class="check"><input type="checkbox" id="rules"> show the rule of each verdict'
        "</label>"
    )
    for paper, title in HEADINGS.items():
        yield f"<h3>{escape(title)}</h3>"
        yield f'<ul class="claims" aria-label="Claims of {escape(title)}">'
        for claim, verdict in claims:
            if claim.paper == paper:
                yield from _claim(claim, verdict)
        yield "</ul>"
    yield "</section>"


def _claim(claim: Claim, verdict: Verdict) -> Iterator[str]:
    kind = verdict.conclusion.replace(" ", "-")
    platform = f" <small>{escape(verdict.platform)}</small>" if verdict.platform else ""
    yield (
        f'<li id="claim-{claim.id}" data-conclusion="{verdict.conclusion}" class="{kind}">'
        f'<span class="verdict">{verdict.conclusion}</span>'
        f'<div><p class="says">{escape(claim.statement)} <small>{escape(claim.where)}</small></p>'
        f'<p class="finding">{escape(verdict.finding)}{platform}</p>'
        f'<p class="rule">Agrees if {escape(claim.rule)}.</p></div></li>'
    )


def _group(
    name: str,
    title: str,
    subtitle: str,
    drawn: Sequence[Figure],
    tables: Sequence[PaperTable],
) -> Iterator[str]:
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
    yield f"<details{' open' if not table.missing else ''}><summary>Table</summary>"
    yield from _table(head, rows, table.title, measured, sortable=True)
    yield "</details></article>"


def _table(
    head: Sequence[str],
    rows: Sequence[Sequence[Value]],
    caption: str,
    measured: Sequence[bool] = (),
    *,
    sortable: bool = False,
) -> Iterator[str]:
    """A table; ``measured`` says which columns hold measured values, beside published ones."""
    shaded = list(measured) or [False] * len(head)
    yield f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}">'
    kind = ' class="sortable"' if sortable else ""
    yield f'<table{kind}><caption class="unseen">{escape(caption)}</caption><thead><tr>'
    for name, shade in zip(head, shaded, strict=True):
        title = f"{escape(name)}{' <span class=by>measured</span>' if shade else ''}"
        inner = f'<button type="button">{title}</button>' if sortable else title
        yield f'<th scope="col"{" class=measured" if shade else ""}>{inner}</th>'
    yield "</tr></thead><tbody>"
    for row in rows:
        graph = f' data-graph="{escape(str(row[0]))}"' if sortable else ""
        cells = "".join(
            _cell(value, shade) for value, shade in zip(row[1:], shaded[1:], strict=True)
        )
        yield f'<tr{graph}><th scope="row">{escape(format_value(row[0]))}</th>{cells}</tr>'
    yield "</tbody></table></div>"


def _cell(value: Value, measured: bool) -> str:
    kinds = [
        *(["n"] if isinstance(value, int | float) else []),
        *(["measured"] if measured else []),
    ]
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    number = f' data-v="{value}"' if isinstance(value, int | float) else ""
    return f"<td{kind}{number}>{escape(format_value(value))}</td>"


def _all_measurements() -> Iterator[str]:
    yield '<section id="measurements"><h2>All measurements</h2>'
    yield (
        '<details class="numbers" id="all"><summary>Every result, by the filters above</summary>'
        '<div class="scroll" tabindex="0" role="region" aria-label="All measurements"></div>'
        "</details></section>"
    )


def _method() -> Iterator[str]:
    yield '<section id="method"><h2>Method</h2>'
    for text in (
        "A time is the median of its samples, after one warm-up run. Every result was verified "
        "outside of the timed part. Ratios compare times on the same graph and platform. Means are "
        "geometric.",
        "Results of several runs on the same kind of machine are combined, so a ratio may compare "
        "two runs and include noise and version changes. The tooltip of a bar shows its date.",
        "A star marks a stand-in: a generated graph of the same family and about the same size as "
        "the paper's, scaled down where the options of a run say so. Where two or more of a "
        "paper's own graphs were measured, only these appear in its figures and claims.",
        "Hollow bars are published numbers, with the device and the year of the paper. They keep "
        "their ratio to the paper's baseline: relative to auto they are drawn where they would be "
        "if that ratio held for the measured baseline.",
        "The codes of the papers are represented by skerry's implementations of the same "
        "algorithms, rewritten without data races; their source files document the differences. "
        "Peers are the original programs.",
        "Charts: Vega and Vega-Lite, copyright University of Washington Interactive Data Lab, BSD "
        "3-Clause license. This page contains them in compressed form, together with D3, "
        "Delaunator, TopoJSON and node-semver (ISC), fast-json-patch and "
        "json-stringify-pretty-compact (MIT).",
    ):
        yield f"<p>{escape(text)}</p>"
    yield '<details class="licenses"><summary>Licenses of these libraries</summary>'
    for paragraph in read_asset("licenses.txt").split("\n\n"):
        yield f"<p>{escape(paragraph)}</p>"
    yield "</details></section>"
