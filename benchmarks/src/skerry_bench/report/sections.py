"""The parts of the page that need no script: overview, claims, headings, tables, empty charts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from skerry_bench.report.asset import asset
from skerry_bench.report.markdown import shown
from skerry_bench.report.published import PAPERS

if TYPE_CHECKING:
    from skerry_bench.report.build import Report
    from skerry_bench.report.claims import Claim, Verdict
    from skerry_bench.report.figures import Figure
    from skerry_bench.report.overview import Overview
    from skerry_bench.report.tables import PaperTable, Value

__all__ = ["body"]

HEADINGS = {
    "ECL-CC": "ECL-CC",
    "thesis": "The thesis: ECL and ECLaf",
    "Cong & Muzio": "Cong & Muzio",
    "Gerasimou": "Gerasimou",
}
OURS_FIRST = ("everybody", "peers-solve", "peers-end-to-end")


def body(report: Report) -> str:
    """Everything between the body's tags, but for data and scripts."""
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
    yield from _group("ours", "skerry and its peers", "", _ours(report, first=True), ())
    for paper, title in HEADINGS.items():
        drawn = [figure for figure in report.figures if figure.paper == paper]
        tables = [table for table in report.tables if table.paper == paper]
        yield from _group(_id(paper), title, PAPERS[paper], drawn, tables)
    yield from _group("more", "Beyond the papers", "", _ours(report, first=False), ())
    yield from _everything()
    yield from _method()
    yield "</main></div>"
    yield '<div id="tip" role="status" hidden></div>'


def _id(paper: str) -> str:
    return paper.lower().replace(" & ", "-").replace(" ", "-")


def _ours(report: Report, *, first: bool) -> list[Figure]:
    ours = [figure for figure in report.figures if figure.paper == "skerry"]
    return [figure for figure in ours if (figure.id in OURS_FIRST) == first]


def _header(told: Overview) -> Iterator[str]:
    yield '<header class="top"><div>'
    yield "<h1>skerry, measured</h1>"
    yield (
        '<p class="lede">Connected components: every table and figure of four papers, our numbers '
        "beside theirs and peers beside us.</p>"
    )
    yield (
        '<p id="old-browser" class="missing" hidden>This browser cannot unpack the charts '
        "(Chrome 80, Firefox 113 and Safari 16.4 can, and newer ones): here are texts and tables "
        "only.</p>"
    )
    yield "</div>"
    yield '<div class="theme" role="group" aria-label="Colors of the page">'
    for value, name in (("", "Auto"), ("light", "Light"), ("dark", "Dark")):
        pressed = "true" if not value else "false"
        yield f'<button type="button" data-theme="{value}" aria-pressed="{pressed}">{name}</button>'
    yield "</div></header>"
    if not told.runs:
        yield "<p>No run is described in these results.</p>"


def _filters() -> Iterator[str]:
    """Empty lists: the script knows what there is to choose from."""
    yield '<section class="filters" aria-label="Filters and order">'
    yield '<details id="filters"><summary>Filter and order <span id="shown" role="status" '
    yield 'aria-live="polite"></span></summary><div class="choices">'
    yield '<fieldset><legend>Times over</legend><div class="segments">'
    for value, name in (("auto", "our auto"), ("base", "ECL-CC, as the papers")):
        checked = " checked" if value == "auto" else ""
        yield (
            f'<label><input type="radio" name="base" value="{value}"{checked}>'
            f"<span>{name}</span></label>"
        )
    yield "</div></fieldset>"
    yield '<label class="field">Published<select id="ghosts"></select></label>'
    yield (
        '<label class="field">Order<select id="order">'
        '<option value="paper">as in the papers</option><option value="name">by name</option>'
        '<option value="size">by size</option><option value="value">by value</option>'
        "</select></label>"
    )
    for name, title in (
        ("places", "Devices"),
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
    yield from _entry("ours", "skerry and its peers", _ours(report, first=True))
    for paper, title in HEADINGS.items():
        drawn = [figure for figure in report.figures if figure.paper == paper]
        yield from _entry(_id(paper), title, drawn)
    yield from _entry("more", "Beyond the papers", _ours(report, first=False))
    yield '<li><a href="#everything">All measurements</a></li>'
    yield '<li><a href="#method">Method</a></li></ol></nav>'


def _entry(name: str, title: str, drawn: Iterable[Figure]) -> Iterator[str]:
    yield f'<li><a href="#{name}">{escape(title)}</a><ol>'
    for figure in drawn:
        text = figure.title if figure.paper == "skerry" else figure.where
        dim = "" if figure.measured else ' class="dim"'
        yield f'<li><a href="#{figure.id}"{dim}>{escape(text)}</a></li>'
    yield "</ol></li>"


def _overview(told: Overview) -> Iterator[str]:
    yield '<section id="overview"><h2>Overview</h2>'
    yield '<dl class="facts">'
    agree = told.outcomes
    facts = (
        (f"{told.measurements:,}", "measurements", f"{told.samples:,} samples"),
        (f"{told.implementations}", "implementations", f"{told.peers} of them peers"),
        (f"{told.graphs}", "graphs", f"{told.stand_ins} stand-ins"),
        (f"{told.verified:,}", "verified", _verified(told)),
        (
            f"{agree.get('agrees', 0)}",
            "claims agree",
            f"{agree.get('in part', 0)} in part, {agree.get('disagrees', 0)} not, "
            f"{agree.get('not measured', 0)} open",
        ),
    )
    for number, name, detail in facts:
        yield f"<div><dt>{name}</dt><dd>{number}<small>{detail}</small></dd></div>"
    yield "</dl>"
    for line in told.peaks:
        yield f'<p class="peak">{escape(line)}</p>'
    yield "<h3>What was run</h3>"
    head = ("When", "Suite", "Machine", "Results", "Commit", "Options")
    rows = [
        (one.date, one.suite, one.machine, one.results, one.commit, one.options)
        for one in told.runs
    ]
    yield from _table(head, rows, "Runs")
    for machine, versions in told.versions:
        yield f'<p class="caption">{escape(machine)}: {escape(versions)}.</p>'
    yield f"<h3>Skipped</h3>{'' if told.skipped else '<p>Nothing was skipped.</p>'}"
    if told.skipped:
        yield from _table(("Reason", "Times", "For example"), told.skipped, "Skipped, and why")
    yield "</section>"


def _verified(told: Overview) -> str:
    rest = told.measurements - told.verified
    how = f", {told.by_count} by count" if told.by_count else ""
    return f"{rest} not{how}" if rest else f"all of them{how}"


def _claims(claims: Sequence[tuple[Claim, Verdict]]) -> Iterator[str]:
    yield '<section id="claims"><h2>What the papers claim</h2>'
    yield (
        "<p>Each claim in our words, with what these results say of it. Times that differ by less "
        "than 3% count as level.</p>"
    )
    yield '<div class="segments" role="group" aria-label="Verdicts to show" id="verdicts">'
    for name in ("agrees", "in part", "disagrees", "not measured"):
        count = sum(verdict.outcome == name for _, verdict in claims)
        pressed = "false" if name == "not measured" else "true"
        yield (
            f'<button type="button" data-verdict="{name}" aria-pressed="{pressed}">'
            f"{name} <b>{count}</b></button>"
        )
    yield "</div>"
    yield ('<label class="check"><input type="checkbox" id="rules"> how each is judged</label>')
    for paper, title in HEADINGS.items():
        those = [(claim, verdict) for claim, verdict in claims if claim.paper == paper]
        yield f"<h3>{escape(title)}</h3>"
        yield f'<ul class="claims" aria-label="Claims of {escape(title)}">'
        for claim, verdict in those:
            yield from _claim(claim, verdict)
        yield "</ul>"
    yield "</section>"


def _claim(claim: Claim, verdict: Verdict) -> Iterator[str]:
    kind = verdict.outcome.replace(" ", "-")
    place = f" <small>{escape(verdict.place)}</small>" if verdict.place else ""
    yield (
        f'<li id="claim-{claim.id}" data-outcome="{verdict.outcome}" class="{kind}">'
        f'<span class="verdict">{verdict.outcome}</span>'
        f'<div><p class="says">{escape(claim.says)} <small>{escape(claim.where)}</small></p>'
        f'<p class="finding">{escape(verdict.finding)}{place}</p>'
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
    state = "" if figure.measured else " empty"
    yield f'<article class="figure{state}" id="{figure.id}" aria-labelledby="{figure.id}-title">'
    where = f'<span class="where">{escape(figure.where)}</span> ' if figure.where else ""
    yield f'<h3 id="{figure.id}-title">{where}{escape(figure.title)}</h3>'
    yield f'<p class="caption">{escape(figure.caption)}</p>'
    if figure.measured:
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
    ours = [False, *(column.ours for column in table.columns)]
    rows = [(graph, *values) for graph, values in table.rows]
    yield f"<details{' open' if not table.missing else ''}><summary>The table</summary>"
    yield from _table(head, rows, table.title, ours, sortable=True)
    yield "</details></article>"


def _table(
    head: Sequence[str],
    rows: Sequence[Sequence[Value]],
    caption: str,
    ours: Sequence[bool] = (),
    *,
    sortable: bool = False,
) -> Iterator[str]:
    marked = list(ours) or [False] * len(head)
    yield f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}">'
    kind = ' class="sortable"' if sortable else ""
    yield f'<table{kind}><caption class="unseen">{escape(caption)}</caption><thead><tr>'
    for name, mine in zip(head, marked, strict=True):
        said = f"{escape(name)}{' <span class=by>ours</span>' if mine else ''}"
        inner = f'<button type="button">{said}</button>' if sortable else said
        yield f'<th scope="col"{" class=ours" if mine else ""}>{inner}</th>'
    yield "</tr></thead><tbody>"
    for row in rows:
        graph = f' data-graph="{escape(str(row[0]))}"' if sortable else ""
        cells = "".join(_cell(value, mine) for value, mine in zip(row[1:], marked[1:], strict=True))
        yield f'<tr{graph}><th scope="row">{escape(shown(row[0]))}</th>{cells}</tr>'
    yield "</tbody></table></div>"


def _cell(value: Value, ours: bool) -> str:
    kinds = [*(["n"] if isinstance(value, int | float) else []), *(["ours"] if ours else [])]
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    number = f' data-v="{value}"' if isinstance(value, int | float) else ""
    return f"<td{kind}{number}>{escape(shown(value))}</td>"


def _everything() -> Iterator[str]:
    yield '<section id="everything"><h2>All measurements</h2>'
    yield (
        '<details class="numbers" id="all"><summary>Every result, by the filters above</summary>'
        '<div class="scroll" tabindex="0" role="region" aria-label="All measurements"></div>'
        "</details></section>"
    )


def _method() -> Iterator[str]:
    yield '<section id="method"><h2>Method</h2>'
    for text in (
        "A time is the median of its samples, after one run to warm up; the answer was verified "
        "outside of the timing. Ratios are taken on one graph in one place. Means are geometric.",
        "Results of several runs on one kind of machine are joined, so a ratio may be of two runs, "
        "which noise and other versions can move; pointing at a bar tells its date.",
        "A star marks a stand-in: a generated graph of the family and about the size of the "
        "paper's, scaled where a run says so. Where a paper's own graphs were measured, two or "
        "more, only these are in its figures and claims.",
        "Hollow bars are published numbers, with the device and the year of the paper. They keep "
        "their ratio to the paper's baseline: beside auto they stand where they would if that "
        "ratio held against our measurement of the baseline.",
        "The papers' codes are represented by our rows of the same algorithm, race-free rewrites "
        "with the departures that their files tell; peers are the programs themselves.",
        "Charts: Vega and Vega-Lite, copyright University of Washington Interactive Data Lab, BSD "
        "3-Clause license. They lie in this page compressed, with what they are built on: D3, "
        "Delaunator, TopoJSON and node-semver (ISC), fast-json-patch and "
        "json-stringify-pretty-compact (MIT).",
    ):
        yield f"<p>{escape(text)}</p>"
    yield '<details class="licenses"><summary>Licenses of these libraries</summary>'
    for paragraph in asset("licenses.txt").split("\n\n"):
        yield f"<p>{escape(paragraph)}</p>"
    yield "</details></section>"
