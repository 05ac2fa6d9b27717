"""The part of the page that needs no script, in the order of the page.

First whether the papers hold and who is how fast on what, then the graphs, the claims and where the
numbers come from, then every figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from skerry_bench.report.answer import Answer
from skerry_bench.report.build import Report
from skerry_bench.report.display_names import PAPER_HEADINGS
from skerry_bench.report.figures.model import Figure
from skerry_bench.report.graph_table import GRAPH_COLUMNS, graph_rows
from skerry_bench.report.holds import sentences
from skerry_bench.report.html_answer import html_answers
from skerry_bench.report.html_claims import html_claims
from skerry_bench.report.html_figures import html_group
from skerry_bench.report.html_holds import html_holds
from skerry_bench.report.html_provenance import html_method, html_provenance
from skerry_bench.report.html_table import html_table
from skerry_bench.report.published import PAPERS

FIRST_SECTIONS = {
    "answer": "Who is how fast",
    "graph-table": "Graphs",
    "claims": "Claims",
    "provenance": "Runs",
}
PEER_FIGURES = ("all-implementations", "peers-solve", "peers-end-to-end")
"""Figures of skerry's own that come before those of the papers."""


def html_body(report: Report) -> str:
    """The content of the body element, without data and scripts."""
    return "\n".join(_body(report))


def _body(report: Report) -> Iterator[str]:
    yield '<a class="skip" href="#main">Skip to the content</a>'
    yield from _header()
    yield from _filters()
    yield '<div class="columns">'
    yield from _contents(report)
    yield '<main id="main">'
    yield from html_holds(report.claims)
    yield from html_answers(report.answers)
    yield from _graphs(report.answers)
    yield from html_claims(report.claims, report.programs)
    yield from html_provenance(report.overview)
    yield from html_group(
        "skerry", "skerry and its peers", "", _own_figures(report, first=True), ()
    )
    for paper, title in PAPER_HEADINGS.items():
        drawn = [figure for figure in report.figures if figure.paper == paper]
        tables = [table for table in report.tables if table.paper == paper]
        yield from html_group(_id(paper), title, PAPERS[paper], drawn, tables)
    own_tables = [table for table in report.tables if table.paper == "skerry"]
    yield from html_group(
        "more", "Beyond the papers", "", _own_figures(report, first=False), own_tables
    )
    yield from _all_measurements()
    yield from html_method()
    yield "</main></div>"
    yield '<div id="tooltip" role="status" hidden></div>'


def _id(paper: str) -> str:
    return paper.lower().replace(" & ", "-").replace(" ", "-")


def _own_figures(report: Report, *, first: bool) -> list[Figure]:
    """Figures that belong to no paper, those before or those after the papers' figures."""
    own = [figure for figure in report.figures if figure.paper == "skerry"]
    return [figure for figure in own if (figure.id in PEER_FIGURES) == first]


def _header() -> Iterator[str]:
    yield '<header class="top"><div>'
    yield "<h1>skerry benchmark report</h1>"
    yield (
        '<p class="lede">Connected components: skerry beside its peers, and the figures of four '
        "papers with measured numbers beside the published ones.</p>"
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
    if any(sentences(report.claims)):
        yield '<li><a href="#holds">Do the papers hold?</a></li>'
    for name, title in FIRST_SECTIONS.items():
        yield f'<li><a href="#{name}">{title}</a></li>'
    yield from _entry("skerry", "skerry and its peers", _own_figures(report, first=True))
    for paper, title in PAPER_HEADINGS.items():
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


def _graphs(answers: Sequence[Answer]) -> Iterator[str]:
    yield '<section id="graph-table"><h2>Graphs</h2>'
    if not answers:
        yield '<p class="missing">No graph has times of auto and of another implementation.</p>'
    yield (
        '<p class="caption">Size is the part of the original graph. Graphs for tuning are those '
        "that auto's rules were chosen on, or whose times were seen while it was made; graphs of "
        "your own are halved by their names. Of two times whose samples overlap, neither is "
        "faster: undecided.</p>"
    )
    for number, answer in enumerate(answers):
        name = escape(answer.platform.name)
        yield f'<details class="answer" data-platform="{name}"{" open" if not number else ""}>'
        yield f"<summary>{name}: {len(answer.rows)} graphs</summary>"
        caption = f"Graphs on {answer.platform.name}"
        yield from html_table(GRAPH_COLUMNS, graph_rows(answer), caption, sortable=True, cards=True)
        yield "</details>"
    yield "</section>"


def _all_measurements() -> Iterator[str]:
    yield '<section id="measurements"><h2>All measurements</h2>'
    yield (
        '<details class="numbers" id="all"><summary>Every result, by the filters above</summary>'
        '<div class="scroll" tabindex="0" role="region" aria-label="All measurements"></div>'
        "</details></section>"
    )
