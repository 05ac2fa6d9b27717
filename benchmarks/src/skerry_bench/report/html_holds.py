"""The top of the page: whether the papers hold, in five sentences and one chart."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from skerry_bench.report.claims.rules import CONCLUSIONS
from skerry_bench.report.display_names import PAPER_HEADINGS
from skerry_bench.report.holds import Judged, by_paper, sentences


def html_holds(claims: Judged) -> Iterator[str]:
    """The section; empty if no claim was measured. It needs no script."""
    lines = list(sentences(claims))
    if not lines:
        return
    yield '<section id="holds"><h2>Do the papers hold?</h2>'
    yield from (f'<p class="headline">{escape(line)}</p>' for line in lines)
    yield '<table class="holds"><caption>Claims by verdict</caption><tbody>'
    for paper, row in by_paper(claims).items():
        yield f'<tr><th scope="row">{escape(PAPER_HEADINGS[paper])}</th><td><div>'
        for name in CONCLUSIONS:
            if row[name]:
                yield (
                    f'<span class="{_kind(name)}" '
                    f'style="flex-grow:{row[name]}" title="{row[name]} {name}">{row[name]}</span>'
                )
        yield "</div></td></tr>"
    yield '</tbody></table><p class="holds-legend">'
    for name in CONCLUSIONS:
        yield f'<b><span class="{_kind(name)}"></span>{name}</b> '
    yield "</p></section>"


def _kind(name: str) -> str:
    return name.replace(",", "").replace(" ", "-")
