"""Tables of the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from skerry_bench.report.format_value import Value, format_value


def html_table(
    head: Sequence[str],
    rows: Sequence[Sequence[Value]],
    caption: str,
    measured: Sequence[bool] = (),
    *,
    sortable: bool = False,
    cards: bool = False,
) -> Iterator[str]:
    """The lines of a table.

    Parameters
    ----------
    head, rows
        Headings, and a sequence of values for each row; the first is the name of the row.
    caption
        Its name for screen readers.
    measured
        Which columns contain measured values, beside published ones.
    sortable
        Whether its headings sort it, and the filter of graphs hides its rows.
    cards
        Whether it turns into a list on a phone, one card a row, instead of being scrolled.
    """
    shaded = list(measured) or [False] * len(head)
    kinds = [name for name, on in (("sortable", sortable), ("cards", cards)) if on]
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    yield f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}">'
    yield f'<table{kind}><caption class="unseen">{escape(caption)}</caption><thead><tr>'
    for name, shade in zip(head, shaded, strict=True):
        title = f"{escape(name)}{' <span class=by>measured</span>' if shade else ''}"
        inner = f'<button type="button">{title}</button>' if sortable else title
        yield f'<th scope="col"{" class=measured" if shade else ""}>{inner}</th>'
    yield "</tr></thead><tbody>"
    for row in rows:
        name = format_value(row[0])
        graph = f' data-graph="{escape(name.removesuffix(" *"))}"' if sortable else ""
        cells = "".join(
            _cell(value, shade, label if cards else "")
            for value, shade, label in zip(row[1:], shaded[1:], head[1:], strict=True)
        )
        yield f'<tr{graph}><th scope="row">{escape(name)}</th>{cells}</tr>'
    yield "</tbody></table></div>"


def _cell(value: Value, measured: bool, label: str) -> str:
    number = isinstance(value, int | float)
    kinds = [name for name, on in (("n", number), ("measured", measured)) if on]
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    data = f' data-v="{value}"' if number else ""
    data += f' data-label="{escape(label)}"' if label else ""
    return f"<td{kind}{data}>{escape(format_value(value))}</td>"
