"""A result as notebooks show it. Imported when one does: `html` is slow to import."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from skerry.printable import printable

if TYPE_CHECKING:
    from skerry.result.components import Components


def as_html(result: Components) -> str:
    """A table of counts, of the largest components and of what ran."""
    plan = result.plan
    rows = [
        ("components", f"{result.count:,}"),
        ("vertices", f"{result.num_vertices:,}"),
        ("edges", f"{plan.edges:,}"),
    ]
    rows += [
        (f"largest {i + 1}", f"{c.size:,} vertices, label {c.label}")
        for i, c in enumerate(result.largest(3))
    ]
    rows += [
        ("ran", f"{plan.algorithm} on {plan.device}, {plan.threads} thread(s)"),
        ("because", plan.reason),
        ("took", f"{plan.seconds * 1e3:.3f} ms"),
    ]
    cells = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th>"
        f"<td style='text-align:left'>{escape(printable(value))}</td></tr>"
        for name, value in rows
    )
    return f"<table><caption>skerry.Components</caption>{cells}</table>"
