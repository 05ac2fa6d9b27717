"""The chart of the README: other libraries' times over skerry's, as an SVG file.

A bar ends at the median over the graphs, a line spans their range, and the numbers stand beside
them, on one logarithmic axis. The file has its own background and both themes, so it is readable on
any page, and needs no script and no font.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, log10

from skerry import InputError
from skerry_bench.report.build import Report
from skerry_bench.report.format_value import significant
from skerry_bench.report.peer_panels import PeerPanel, peer_panels

WIDTH = 760
LEFT, RIGHT = 150, 600
"""Where the axis begins and ends; names are left of it, numbers right."""
ROW, BAR = 24, 12
TITLE, HEADING, AXIS = 64, 34, 26

STYLE = """
text { font: 13px -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
.title { font-size: 16px; font-weight: 600 } .note, .tick { font-size: 12px; fill: #59636e }
.name { text-anchor: end } .tick { text-anchor: middle } .self { font-weight: 600 }
.number { paint-order: stroke; stroke: #ffffff; stroke-width: 5px }
.page { fill: #ffffff; stroke: #d1d9e0 } .grid { stroke: #d1d9e0 } .one { stroke: #59636e }
.bar { fill: #bf6a02 } .bar.self { fill: #0969da } .range { stroke: #1f2328; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .note, .tick { fill: #9198a1 } .number { stroke: #0d1117 }
.page { fill: #0d1117; stroke: #3d444d } .grid { stroke: #3d444d } .one { stroke: #9198a1 }
.bar { fill: #d18616 } .bar.self { fill: #4493f8 } .range { stroke: #f0f6fc }
}"""


def svg_chart(report: Report) -> str:
    """The chart of all panels of a report.

    Raises
    ------
    InputError
        If the results have no times of other libraries from an edge list.
    """
    panels = peer_panels(report.measurements)
    if not panels:
        raise InputError(
            "a chart compares skerry with other libraries from an edge list to labels: measure "
            "with --peers, for instance skerry bench families --peers installed"
        )
    return "\n".join(_lines(panels)) + "\n"


def _lines(panels: Sequence[PeerPanel]) -> Iterator[str]:
    height = TITLE + AXIS + sum(HEADING + ROW * (1 + len(panel.peers)) for panel in panels)
    decades = max(1, ceil(log10(max(r.high for panel in panels for _, r in panel.peers))))
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img" aria-labelledby="title description">'
    )
    yield '<title id="title">Time over skerry\'s, from an edge list to labels</title>'
    yield f'<desc id="description">{escape(_description(panels))}</desc>'
    yield f"<style>{STYLE}\n</style>"
    yield f'<rect class="page" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="6"/>'
    yield '<text class="title" x="16" y="28">How many times as long as skerry?</text>'
    yield (
        '<text class="note" x="16" y="48">from an edge list in arrays to labels: '
        "median and range over graphs, log scale</text>"
    )
    top = TITLE
    for panel in panels:
        yield from _panel(panel, top, decades)
        top += HEADING + ROW * (1 + len(panel.peers))
    for decade in range(decades + 1):
        x = _position(10**decade, decades)
        yield f'<text class="tick" x="{x}" y="{top + 17}">{10**decade:,}x</text>'
    yield "</svg>"


def _panel(panel: PeerPanel, top: int, decades: int) -> Iterator[str]:
    yield f'<text class="note" x="{LEFT + 8}" y="{top + 20}">{escape(_heading(panel))}</text>'
    for decade in range(decades + 1):
        x = _position(10**decade, decades)
        length = ROW * (1 + len(panel.peers))
        kind = "one" if decade == 0 else "grid"
        yield f'<path class="{kind}" d="M{x} {top + HEADING}v{length}"/>'
    rows = [("skerry", 1.0, 1.0, 1.0, "1")]
    for name, ratio in panel.peers:
        few = f", {ratio.graphs} graphs" if 1 < ratio.graphs < len(panel.graphs) else ""
        rows.append((name, ratio.median, ratio.low, ratio.high, f"{ratio.text}{few}"))
    for number, (name, middle, low, high, text) in enumerate(rows):
        y = top + HEADING + ROW * number
        center, own = y + ROW / 2, " self" if number == 0 else ""
        yield f'<text class="name{own}" x="{LEFT - 10}" y="{center + 4.5}">{escape(name)}</text>'
        # skerry's own bar would have no length: it shows where 1 is.
        width = max(4.0, round(_position(middle, decades) - LEFT, 1))
        yield (
            f'<rect class="bar{own}" x="{LEFT}" y="{center - BAR / 2}" width="{width}" '
            f'height="{BAR}" rx="2"/>'
        )
        start, end = _position(low, decades), _position(high, decades)
        if high > low:
            ends = f"M{start} {center - 4}v8M{end} {center - 4}v8"
            yield f'<path class="range" d="M{start} {center}H{end}{ends}"/>'
        x = round(max(end, LEFT + width) + 8, 1)
        yield f'<text class="number{own}" x="{x}" y="{center + 4.5}">{escape(text)}</text>'


def _position(ratio: float, decades: int) -> float:
    return round(LEFT + (RIGHT - LEFT) * log10(max(ratio, 0.5)) / decades, 1)


def _heading(panel: PeerPanel) -> str:
    tuned = "may have been" if panel.half == "tuning" else "was not"
    graphs = f"{len(panel.graphs)} graph{'s' * (len(panel.graphs) > 1)}"
    return (
        f"{graphs} that auto {tuned} tuned on; {panel.platform.name}, {panel.threads} threads, "
        f"{panel.date}"
    )


def _description(panels: Sequence[PeerPanel]) -> str:
    return " ".join(
        f"{_heading(panel)}: "
        + ", ".join(f"{name} {significant(ratio.median, 2)}" for name, ratio in panel.peers)
        + "."
        for panel in panels
    )
