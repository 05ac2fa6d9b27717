"""A result as a person reads it: counts, a picture of the sizes, what ran and how fast.

One layout for every command: a narrow column of words, and beside it what they are about.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from skerry.cli.facts import Facts, SizeClass
from skerry.cli.names import braced, islands
from skerry.plan import Plan

__all__ = ["Words", "console", "duration", "render", "rows"]

PIPE_WIDTH = 100
"""Columns where there is no terminal to ask."""
BAR = 30
"""Longest bar of the picture, in columns."""
LISTED = 5
"""Largest components, and members of each, to list when vertices have no names."""


@dataclass(frozen=True, slots=True)
class Words:
    """What the vertices of this graph are called."""

    vertex: str = "vertex"
    vertices: str = "vertices"


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Characters that not every terminal has."""

    bar: str
    parts_of_bar: tuple[str, ...]
    """One eighth of a bar, two eighths, ...; empty where a column cannot be divided."""
    to: str
    gap: str
    more: str


UNICODE = Glyphs(
    "\u2588", tuple("\u258f\u258e\u258d\u258c\u258b\u258a\u2589"), "\u2013", "\u22ee", "\u2026"
)
ASCII = Glyphs("#", (), "-", ".", "...")


def console() -> Console:
    """Where summaries go: stdout, in colour only on a terminal."""
    if sys.stdout.isatty():
        return Console(highlight=False, markup=False)
    return Console(highlight=False, markup=False, width=PIPE_WIDTH)


def render(
    out: Console,
    facts: Facts,
    *,
    words: Words | None = None,
    names: Sequence[str] | None = None,
    timing: str = "",
) -> Group:
    """The whole summary; with ``names`` of the vertices, small components are shown by name."""
    words = words or Words()
    glyphs = ASCII if out.options.ascii_only else UNICODE
    parts: list[RenderableType] = [_counts(facts, words), ""]
    if facts.classes:
        parts += [_picture(facts.classes, words, glyphs), ""]
    if names is not None:
        parts += _islands(facts, names, out.width, glyphs.more)
    elif len(facts.classes) and facts.result.count > facts.alone:
        parts += [_largest(facts), ""]
    parts.append(_run(facts, timing))
    return Group(*parts)


def rows(pairs: Sequence[tuple[str, str | Text]]) -> Table:
    """The layout of all summaries: a word on the left, what is to be said on the right."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", min_width=10, no_wrap=True)
    table.add_column()
    for word, text in pairs:
        table.add_row(f" {word}", text)
    return table


def _counts(facts: Facts, words: Words) -> Table:
    result = facts.result
    count = Text.assemble(
        (f"{result.count:,}", "bold"), " component" if result.count == 1 else " components"
    )
    said: list[tuple[str, str | Text]] = [("found", count)]
    if facts.largest is not None:
        share = facts.largest.size / result.num_vertices
        said.append(("largest", f"{_many(facts.largest.size, words)}, {share:.1%} of all"))
        said.append(("alone", f"{_many(facts.alone, words)}, joined to no other"))
        between = [each for each in facts.classes if each.largest > 1]
        others = sum(each.components for each in between) - (facts.largest.size > 1)
        if others > 0:
            most = facts.result.largest(2)[1].size
            sizes = "2" if most == 2 else f"2 to {most:,}"
            said.append(("between", f"{others:,} more of {sizes} {words.vertices}"))
    return rows(said)


def _many(number: int, words: Words) -> str:
    return f"{number:,} {words.vertex if number == 1 else words.vertices}"


def _picture(classes: Sequence[SizeClass], words: Words, glyphs: Glyphs) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", min_width=10)
    table.add_column(min_width=BAR)
    table.add_column(justify="right")
    table.add_column(justify="right")
    table.add_row("size", "log scale", "components", words.vertices, style="dim")
    most = max(each.components for each in classes)
    before = classes[0].power
    for each in classes:
        if each.power > before + 1:
            table.add_row(glyphs.gap, style="dim")
        before = each.power
        size = f"{each.smallest:,}"
        if each.largest > each.smallest:
            size += f"{glyphs.to}{each.largest:,}"
        bar = Text(_bar(each.components, most, glyphs), style="cyan")
        table.add_row(size, bar, f"{each.components:,}", f"{each.vertices:,}")
    return table


def _bar(value: int, most: int, glyphs: Glyphs) -> str:
    """One component is one column and the most are `BAR`; equal steps are equal factors."""
    length = 1 + (BAR - 1) * (log2(value) / log2(most) if most > 1 else 0)
    steps = len(glyphs.parts_of_bar) + 1
    full, rest = divmod(round(steps * length), steps)
    return glyphs.bar * full + (glyphs.parts_of_bar[rest - 1] if rest else "")


def _islands(facts: Facts, names: Sequence[str], width: int, more: str) -> list[RenderableType]:
    found = islands(facts.result, names)
    if not found:
        return []
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", min_width=10, style="bold")
    table.add_column(no_wrap=True)
    for members in found:
        table.add_row(str(len(members)), braced(members, width - 13, more))
    title = Text(" small islands, the largest of each family of names", style="dim")
    return [title, table, ""]


def _largest(facts: Facts) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", min_width=10)
    table.add_column(justify="right")
    table.add_column()
    table.add_row("largest", "label", "members", style="dim")
    for each in facts.result.largest(LISTED):
        if each.size > 1:
            first = ", ".join(map(str, each.members[:LISTED].tolist()))
            members = first + (", ..." if each.size > LISTED else "")
            table.add_row(f"{each.size:,}", str(each.label), members)
    return table


def _run(facts: Facts, timing: str) -> Table:
    plan = facts.result.plan
    threads = "1 thread" if plan.threads == 1 else f"{plan.threads} threads"
    said: list[tuple[str, str | Text]] = [
        ("ran", Text.assemble((plan.algorithm, "bold"), f" on {plan.device}, {threads}")),
        ("because", plan.reason),
        ("took", Text.assemble((duration(plan.seconds), "bold"), _speed(facts), timing)),
        ("", Text(_passes(plan), style="dim")),
    ]
    said += [("note", note) for note in plan.notes]
    checked = facts.verification
    if checked is not None:
        mark, style = ("verified", "green") if checked.ok else ("WRONG", "bold red")
        said.append((mark, Text(checked.message, style=style)))
    return rows(said)


def _passes(plan: Plan) -> str:
    # A pass may tell its parts as "pass: part", over and over; a person reads their sum.
    times: dict[str, float] = {}
    for step in plan.passes:
        name = step.name.partition(":")[0]
        times[name] = times.get(name, 0.0) + step.seconds
    return ", ".join(f"{name} {duration(seconds)}" for name, seconds in times.items())


def _speed(facts: Facts) -> str:
    speed = facts.edges_per_second
    if not speed:
        return ""
    what = "entries" if facts.result.plan.form == "csr" else "edges"
    for size, word in ((1e9, "billion"), (1e6, "million"), (1e3, "thousand")):
        if speed >= size:
            return f", {speed / size:.3g} {word} {what} a second"
    return f", {speed:.3g} {what} a second"


def duration(seconds: float) -> str:
    """Three digits are enough for a person: ``1.24 ms``, ``2.05 s``."""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"
