"""The report as one self-contained HTML page: style, script, chart library and data are inside.

Charts are drawn in the browser by Vega-Lite. Its bundle comes from the package vl-convert: 0.9 MB
of script (Plotly's is over 4), charts described by data instead of drawing code, SVG that prints
well, and no network needed to install it. The bundle is stored compressed, 0.4 MB, so that a page
can be kept beside its results; the browser unpacks it. A content security policy in the page's
head forbids every request.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

from skerry import UnsupportedError
from skerry_bench.report.asset import read_asset
from skerry_bench.report.build import Report
from skerry_bench.report.html_body import html_body
from skerry_bench.report.payload import payload

STYLES = ("page.css", "parts.css", "answer.css", "print.css")
SCRIPTS = (
    *("state.js", "library.js", "layout.js", "charts.js", "figures.js", "tables.js"),
    "main.js",
)
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)


def html_page(report: Report) -> str:
    """The complete page."""
    data = json.dumps(payload(report), separators=(",", ":"), allow_nan=False)
    style = "\n".join(map(read_asset, STYLES))
    script = "\n".join(map(read_asset, SCRIPTS))
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
            "<title>skerry benchmark report</title>",
            '<link rel="icon" href="data:,">',
            f"<style>\n{style}</style>",
            "</head>",
            "<body>",
            html_body(report),
            f'<script type="application/json" id="data">{_escaped(data)}</script>',
            f'<script type="text/plain" id="library">{_compressed(_chart_library())}</script>',
            f"<script>\n{_escaped(script)}</script>",
            "</body>",
            "</html>",
            "",
        )
    )


def _chart_library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script that defines ``vegaEmbed``."""
    try:
        import vl_convert
    except ImportError:
        raise UnsupportedError(
            "the charts of an HTML report need vl-convert: pip install 'skerry-bench[report]', "
            "or write .md or .csv instead"
        ) from None
    bundle: Any = vl_convert.javascript_bundle  # its type stub wrongly requires an argument
    # The function keeps the bundle's names out of the global scope.
    return f"(function(){{{bundle()}}})();"


def _compressed(text: str) -> str:
    """Text as ``library.js`` unpacks it: deflate in zlib format, then base64."""
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


def _escaped(text: str) -> str:
    """Text that cannot end the script element that contains it."""
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")
