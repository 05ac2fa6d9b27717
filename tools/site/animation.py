"""Draws the traces of docs/site/trace.json; stages.js of the site moves between their stages."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from kernel_trace import FILE

RADIUS = 14
TITLES = {
    "large": "One tree is large: its rows are left out",
    "none": "No tree is large: all rows are joined",
}


def traces() -> dict[str, dict[str, Any]]:
    """What the kernel did, by the name of the graph."""
    read: dict[str, dict[str, Any]] = json.loads(FILE.read_text())
    return read


def write(path: Any) -> None:
    """Writes the figures as HTML that a page includes."""
    figures = "\n".join(figure(name, trace) for name, trace in traces().items())
    path.write_text(f'{figures}\n<script src="_static/stages.js" defer></script>\n')


def figure(name: str, trace: dict[str, Any]) -> str:
    """A graph with the parent array below it, and buttons."""
    places = trace["positions"]
    lines = "".join(
        f'<line x1="{places[u][0]}" y1="{places[u][1]}" x2="{places[v][0]}" y2="{places[v][1]}"/>'
        for u, v in trace["edges"]
    )
    links = "".join("<path/>" for _ in places)
    vertices = "".join(
        f'<g transform="translate({x} {y})"><circle r="{RADIUS}"/><text dy="5">{v}</text></g>'
        for v, (x, y) in enumerate(places)
    )
    cells = "".join(f"<li><small>{v}</small><b>{v}</b></li>" for v in range(len(places)))
    title = escape(TITLES[name])
    return f"""<figure class="stages" id="stages-{name}">
<figcaption><strong>{title}</strong></figcaption>
<p class="status" aria-live="polite">The graph. Every vertex is to get a parent.</p>
<p class="buttons"><button type="button" class="back">Back</button>
<button type="button" class="next">Next</button>
<button type="button" class="play">Play</button> <span class="step"></span></p>
<svg viewBox="0 0 460 405" role="img" aria-label="{title}">
<defs><marker id="arrow-{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"
 orient="auto" markerUnits="userSpaceOnUse"><path d="M0 0 8 4 0 8z"/></marker></defs>
<g class="edges">{lines}</g><g class="links">{links}</g><g class="vertices">{vertices}</g>
</svg>
<ol class="parents" aria-label="the parent array">{cells}</ol>
<noscript>The steps need JavaScript; the text below has the same.</noscript>
<script type="application/json">{json.dumps(trace)}</script>
</figure>"""
