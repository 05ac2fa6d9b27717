"""The first chart of the page: who is how fast on what, as a table whose cells are bars.

A column is an implementation, a row a graph, all on one logarithmic axis. It needs no script: it is
there at once, prints, and is read aloud as the table that it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, floor, log10

from skerry_bench.corpus.halves import Half
from skerry_bench.report.answer import AUTO, HALF_TEXTS, Answer, AnswerRow
from skerry_bench.report.caveats import TOO_NOISY_TEXT
from skerry_bench.report.display_names import display_name
from skerry_bench.report.format_value import significant
from skerry_bench.report.measurements import Cell
from skerry_bench.report.spread import is_noisy, is_single, sample_range

FASTEST = "the fastest other"


def html_answers(answers: Sequence[Answer]) -> Iterator[str]:
    """The section; the chart of the first platform is open, those of others are a click away."""
    yield '<section id="answer"><h2>Who is how fast on what</h2>'
    if not answers:
        yield (
            '<p class="missing">These results do not compare auto with anything: no graph has '
            "times of auto and of another implementation on the same device.</p>"
        )
    for number, answer in enumerate(answers):
        yield f'<details class="answer" data-platform="{escape(answer.platform.name)}"'
        yield f"{' open' if number == 0 else ''}><summary>{escape(answer.platform.name)}</summary>"
        grave = [text for text in answer.caveats if text.startswith(TOO_NOISY_TEXT)]
        yield from _caveats(grave)
        for line in answer.headlines:
            yield f'<p class="headline">{escape(line)}</p>'
        yield from _caveats([text for text in answer.caveats if text not in grave])
        yield from _chart(answer)
        yield "</details>"
    yield "</section>"


def _caveats(caveats: Sequence[str]) -> Iterator[str]:
    if caveats:
        yield '<ul class="caveats" aria-label="Warnings">'
        for text in caveats:
            kind, _, rest = text.partition(":")
            yield f"<li><b>{escape(kind)}:</b>{escape(rest)}</li>"
        yield "</ul>"


class _Axis:
    """A logarithmic axis of milliseconds, from one power of ten to another."""

    def __init__(self, rows: Sequence[AnswerRow]) -> None:
        cells = [cell for row in rows for cell in (row.auto, *row.others.values())]
        lows, highs = zip(*map(sample_range, cells), strict=True)
        self.low = floor(log10(min(lows)) - 0.1)
        self.high = max(self.low + 1, ceil(log10(max(highs))))

    @property
    def decades(self) -> int:
        return self.high - self.low

    def position(self, milliseconds: float) -> float:
        """Where a time lies, in percent of the axis."""
        return round(100 * (log10(milliseconds) - self.low) / self.decades, 1)

    def ticks(self) -> Iterator[tuple[float, str]]:
        """Places and labels, at most four."""
        step = ceil(self.decades / 3)
        for power in range(self.low, self.high + 1, step):
            yield 100 * (power - self.low) / self.decades, _short(10.0**power)


def _short(value: float) -> str:
    return f"{value / 1000:g}k" if value >= 1000 else f"{value:g}"


def _chart(answer: Answer) -> Iterator[str]:
    columns = [
        implementation
        for implementation in answer.columns
        if any(implementation in row.others for row in answer.rows)
    ]
    axis = _Axis(
        [AnswerRow(row.graph, row.half, row.auto, _shown(row, columns)) for row in answer.rows]
    )
    caption = f"Median times on {answer.platform.name}, in milliseconds"
    yield f'<table class="race" style="--decades:{axis.decades}">'
    yield f'<caption class="unseen">{escape(caption)}</caption>'
    yield '<thead><tr><th scope="col">Graph</th>'
    for name in (AUTO, FASTEST, *columns):
        yield from _heading(name, axis, answer)
    yield f"</tr></thead><tbody>{_summary(answer, columns)}"
    half: Half | None = None
    both = len({row.half for row in answer.rows}) > 1
    for row in answer.rows:
        if both and row.half != half:
            half = row.half
            heading = f'<th scope="rowgroup" colspan="{3 + len(columns)}">'
            yield f'<tr class="half">{heading}graphs {HALF_TEXTS[half]}</th></tr>'
        yield from _row(row, columns, axis)
    yield "</tbody></table>"
    hidden = answer.others - len(columns)
    more = f" {hidden} more implementations are in the figures below." if hidden > 0 else ""
    yield (
        '<p class="caption">Bars are median times in ms on a logarithmic axis, shorter is faster; '
        "the line on a bar is the middle half of its samples, of fewer than five all of them. The "
        "first row is the time over that of auto, the median and the range over the graphs. The "
        "fastest of a row is bold. auto may have been tuned on graphs for tuning, and was not on "
        "those for checking. ~ noisy, 1x a single sample, * a generated stand-in of a paper's "
        f"graph.{more}</p>"
    )


def _shown(row: AnswerRow, columns: Sequence[str]) -> dict[str, Cell]:
    shown = {name: row.others[name] for name in columns if name in row.others}
    other = row.fastest_other()
    return shown | ({FASTEST: other} if other else {})


def _heading(name: str, axis: _Axis, answer: Answer) -> Iterator[str]:
    peers = {other for row in answer.rows for other in row.others if row.others[other].result.peer}
    kind = _kind(name, name in peers)
    title = f"{FASTEST} of {answer.others}" if name == FASTEST else display_name(name)
    role = {"auto": "", "peer": "peer", "own": "skerry's"}.get(kind, "")
    note = f" <small>{role}</small>" if role and name != FASTEST else ""
    labels = "".join(f'<i style="left:{at:.0f}%">{text}</i>' for at, text in axis.ticks())
    data = "" if name == FASTEST else f' data-implementation="{escape(name)}"'
    who = '<span class="who"></span>' if name == FASTEST else ""
    yield (
        f'<th scope="col" class="{kind}"{data}>{escape(title)}{note}'
        f'<span class="axis" aria-hidden="true"><span>{labels}</span><b>ms</b>{who}</span></th>'
    )


def _kind(name: str, peer: bool) -> str:
    if name == AUTO:
        return "auto"
    return "peer" if peer else "rival" if name == FASTEST else "own"


def _row(row: AnswerRow, columns: Sequence[str], axis: _Axis) -> Iterator[str]:
    other = row.fastest_other()
    best = min(cell.milliseconds for cell in (row.auto, other) if cell is not None)
    label = escape(row.graph.label)
    yield f'<tr data-graph="{escape(row.graph.name)}" data-half="{row.half}">'
    yield f'<th scope="row">{label}</th>'
    yield _bar(row.auto, row, axis, best, AUTO)
    yield _bar(other, row, axis, best, FASTEST)
    for name in columns:
        yield _bar(row.others.get(name), row, axis, best, name)
    yield "</tr>"


def _bar(cell: Cell | None, row: AnswerRow, axis: _Axis, best: float, column: str) -> str:
    label = FASTEST if column == FASTEST else display_name(column)
    if cell is None:
        return (
            f'<td class="empty" data-label="{escape(label)}"><span class="unseen">none</span></td>'
        )
    low, high = map(axis.position, sample_range(cell))
    kind = _kind(column, cell.result.peer)
    kind += " best" if cell.milliseconds == best else ""
    data = "" if column == FASTEST else f' data-implementation="{escape(column)}"'
    who = f'<span class="who">{escape(cell.implementation)}</span>' if column == FASTEST else ""
    return (
        f'<td class="{kind}"{data} data-label="{escape(label)}" '
        f'title="{escape(_details(cell, row))}">'
        f'<div><span class="track"><i style="width:{axis.position(cell.milliseconds)}%"></i>'
        f'<b style="left:{low}%;width:{max(0.0, round(high - low, 1))}%"></b></span>'
        f'<span class="at">{_milliseconds(cell)}</span>{who}</div></td>'
    )


def _milliseconds(cell: Cell) -> str:
    """Two digits of a noisy clock, three of a quiet one."""
    if is_noisy(cell):
        return f"~{significant(cell.milliseconds, 2)}"
    if is_single(cell):
        return f"1x {significant(cell.milliseconds, 2)}"
    return significant(cell.milliseconds)


def _details(cell: Cell, row: AnswerRow) -> str:
    ran = f" (ran {cell.result.ran})" if cell.result.ran not in (None, cell.implementation) else ""
    ratio = significant(cell.milliseconds / row.auto.milliseconds, 2)
    samples = ", ".join(significant(1e3 * seconds) for seconds in cell.result.seconds[:15])
    threads = f", {cell.result.threads} threads" if cell.result.threads else ""
    return (
        f"{cell.implementation}{ran} on {cell.graph.label}{threads}: {ratio} times the time of "
        f"auto; samples: {samples} ms"
    )


def _summary(answer: Answer, columns: Sequence[str]) -> str:
    """The first row: medians over the graphs with their ranges."""
    cells = ['<td class="auto" data-label="auto">1</td>']
    for name in (FASTEST, *columns):
        ratios = answer.ratios_of_fastest() if name == FASTEST else answer.ratios(name)
        label = FASTEST if name == FASTEST else display_name(name)
        few = ratios is not None and ratios.graphs < len(answer.rows)
        count = f", {ratios.graphs} graphs" if ratios and few and ratios.graphs > 1 else ""
        data = "" if name == FASTEST else f' data-implementation="{escape(name)}"'
        text = f"{ratios.text}{count}" if ratios else ""
        cells.append(f'<td{data} data-label="{escape(label)}">{text}</td>')
    return f'<tr class="sum"><th scope="row">Median over auto</th>{"".join(cells)}</tr>'
