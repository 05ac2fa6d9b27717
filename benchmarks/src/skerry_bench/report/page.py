"""The report as one page that needs nothing from outside: style, script, library and data in it.

Charts are drawn in the browser by Vega-Lite, whose bundle comes from vl-convert: 0.9 MB of script
where Plotly's is over 4, a grammar instead of drawing code, SVG that prints well, and a package on
PyPI that brings it without a network. It lies in the page compressed, 0.4 MB, so that a page can be
kept beside its results; the browser unpacks it. A policy in the page's head forbids every request.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING, Any

from skerry.errors import UnsupportedError
from skerry_bench.report import sections
from skerry_bench.report.asset import asset
from skerry_bench.report.payload import payload

if TYPE_CHECKING:
    from skerry_bench.report.build import Report

__all__ = ["page"]

STYLES = ("page.css", "parts.css", "print.css")
SCRIPTS = ("state.js", "library.js", "charts.js", "figures.js", "tables.js", "main.js")
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)


def page(report: Report) -> str:
    """The whole page."""
    data = json.dumps(payload(report), separators=(",", ":"), allow_nan=False)
    style = "\n".join(map(asset, STYLES))
    script = "\n".join(map(asset, SCRIPTS))
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            '<meta name="generator" content="skerry report">',
            "<title>skerry, measured</title>",
            '<link rel="icon" href="data:,">',
            f"<style>\n{style}</style>",
            "</head>",
            "<body>",
            sections.body(report),
            f'<script type="application/json" id="data">{_in_script(data)}</script>',
            f'<script type="text/plain" id="library">{_packed(_library())}</script>',
            f"<script>\n{_in_script(script)}</script>",
            "</body>",
            "</html>",
            "",
        )
    )


def _library() -> str:
    """Vega, Vega-Lite and their embedding, as one script that defines ``vegaEmbed``."""
    try:
        import vl_convert
    except ImportError:
        raise UnsupportedError(
            "the page's charts need vl-convert: pip install 'skerry[report]' "
            "(Markdown and CSV do without)"
        ) from None
    bundle: Any = vl_convert.javascript_bundle  # whose type says that it needs a text
    # It is a module: in a function of its own its names stay its own.
    return f"(function(){{{bundle()}}})();"


def _packed(text: str) -> str:
    """Text as the page's script unpacks it: zlib's form of deflate, in base64."""
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


def _in_script(text: str) -> str:
    """Text that cannot end the element that it is in."""
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")
