"""A result as a person reads it: counts, a picture of the sizes, what ran and how fast.

One layout for every command: a narrow column of words, and beside it what they are about.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from skerry.cli.format_numbers import bytes_of, duration, fitting, many, percent, rate
from skerry.cli.result_facts import Facts, first_members
from skerry.cli.shown_ids import braced, islands
from skerry.cli.size_histogram import Glyphs, glyphs_of, picture
from skerry.result.plan import Plan

__all__ = ["Words", "console", "render", "rows"]

PIPE_WIDTH = 100
"""Columns where there is no terminal to ask."""
MEMBERS = 8
"""Members of a component to show at most, if they fit into a line."""
RATED_FROM = 10_000
"""Edges from which a speed says anything."""


@dataclass(frozen=True, slots=True)
class Words:
    """What the vertices of this graph are called."""

    vertex: str = "vertex"
    vertices: str = "vertices"


def console(stderr: bool = False) -> Console:
    """Where summaries go: stdout, in color only on a terminal."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else PIPE_WIDTH
    return Console(stderr=stderr, highlight=False, markup=False, width=width)


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
    glyphs = glyphs_of(out)
    parts: list[RenderableType] = [_counts(facts, words), ""]
    if facts.classes:
        parts += [picture(facts.classes, words.vertices, glyphs), ""]
    if names is not None:
        parts += _islands(facts, names, out.width, glyphs.more)
    elif facts.largest is not None and facts.largest.size > 1:
        parts += [_largest(facts, glyphs, out.width), ""]
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
        largest = many(facts.largest.size, words.vertex, words.vertices)
        said.append(("largest", f"{largest}, {percent(facts.share)} of all"))
        alone = many(facts.alone, words.vertex, words.vertices)
        said.append(("alone", f"{alone}, joined to no other"))
        between = [each for each in facts.classes if each.largest > 1]
        others = sum(each.components for each in between) - (facts.largest.size > 1)
        if others > 0:
            most = _second(facts)
            least = between[0].smallest
            sizes = f"{most:,}" if most == least else f"{least:,} to {most:,}"
            said.append(("between", f"{others:,} more of {sizes} {words.vertices}"))
    return rows(said)


def _second(facts: Facts) -> int:
    if len(facts.listed) > 1:
        return facts.listed[1].size
    return facts.result.largest(2)[1].size


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


def _largest(facts: Facts, glyphs: Glyphs, width: int) -> Table:
    """The largest components. Their labels are left out where they are the first members."""
    dense = facts.result._kind == "dense"
    told = [one for one in facts.listed if one.size > 1]
    sizes = [f"{one.size:,}" for one in told]
    labels = [str(one.label) if dense else "" for one in told]
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", min_width=10, no_wrap=True)
    table.add_column(justify="right", min_width=6, no_wrap=True)
    heads = ["largest", "share"]
    left = width - max(10, *map(len, sizes)) - 6 - 6
    if dense:
        table.add_column(justify="right", no_wrap=True)
        heads.append("label")
        left -= max(5, *map(len, labels)) + 2
    table.add_column(no_wrap=True)
    table.add_row(*heads, "members", style="dim")
    for one, size, label in zip(told, sizes, labels, strict=True):
        shown = [_id(member) for member in first_members(one, MEMBERS)]
        members = fitting(shown, one.size, left, glyphs.more)
        share = percent(one.size / facts.result.num_vertices)
        table.add_row(size, share, *([label] if dense else []), members)
    return table


def _id(value: object) -> str:
    """An id in one line; control characters are shown, not sent to the terminal."""
    if isinstance(value, tuple):
        return f"({', '.join(_id(one) for one in value)})"
    text = str(value)
    return text if text.isprintable() else repr(value)


def _run(facts: Facts, timing: str) -> Table:
    plan = facts.result.plan
    threads = "" if not plan.threads else f", {many(plan.threads, 'thread', 'threads')}"
    said: list[tuple[str, str | Text]] = [
        ("ran", Text.assemble((plan.algorithm, "bold"), f" on {plan.device}{threads}")),
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
    if not speed or facts.result.plan.edges < RATED_FROM:
        return ""
    what = "entries" if facts.result.plan.form == "csr" else "edges"
    read = facts.bytes_per_second
    from_files = f", reading {bytes_of(read)} a second" if read else ""
    return f", {rate(speed, what)} a second{from_files}"
