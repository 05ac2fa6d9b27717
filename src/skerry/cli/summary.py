"""A result as people read it: counts, a histogram of the sizes, what ran and how fast.

All commands use one layout: a narrow column of labels, and beside each its text.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from skerry.cli.format_numbers import bytes_of, duration, join_to_width, percent, plural, rate
from skerry.cli.result_facts import ResultFacts, first_members
from skerry.cli.safe_console import SafeConsole
from skerry.cli.shown_ids import braced, islands, shown_id
from skerry.cli.size_histogram import Glyphs, glyphs_of, size_histogram
from skerry.cli.wording import as_options
from skerry.result.plan import Plan

PIPE_WIDTH = 100
"""Columns where the output is no terminal."""
MEMBERS = 8
"""Members of a component to show, as far as they fit into a line."""
RATED_FROM = 10_000
"""Edges below which no rate is shown: it would be noise."""


@dataclass(frozen=True, slots=True)
class VertexNoun:
    """What the vertices of this graph are called."""

    singular: str = "vertex"
    plural: str = "vertices"


def console(stderr: bool = False) -> Console:
    """Where summaries go: stdout, in color only on a terminal."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else PIPE_WIDTH
    return SafeConsole(stderr=stderr, width=width)


def render(
    out: Console,
    facts: ResultFacts,
    *,
    noun: VertexNoun | None = None,
    names: Sequence[str] | None = None,
    timing: str = "",
) -> Group:
    """The whole summary; with ``names`` of the vertices, small components are shown by name."""
    noun = noun or VertexNoun()
    glyphs = glyphs_of(out)
    parts: list[RenderableType] = [_counts(facts, noun), ""]
    if facts.classes:
        parts += [size_histogram(facts.classes, noun.plural, glyphs, out.width), ""]
    if names is not None:
        parts += _islands(facts, names, out.width, glyphs.more)
    elif facts.largest is not None and facts.largest.size > 1:
        parts += [_largest(facts, glyphs, out.width), ""]
    parts.append(_run(facts, timing))
    return Group(*parts)


def labeled_lines(pairs: Sequence[tuple[str, str | Text]]) -> Table:
    """The layout of all summaries: a label on the left, its text on the right."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", min_width=10, no_wrap=True)
    table.add_column()
    for label, text in pairs:
        table.add_row(f" {label}", text)
    return table


def _counts(facts: ResultFacts, noun: VertexNoun) -> Table:
    result = facts.result
    count = Text.assemble(
        (f"{result.count:,}", "bold"), " component" if result.count == 1 else " components"
    )
    lines: list[tuple[str, str | Text]] = [("found", count)]
    if facts.largest is not None:
        largest = plural(facts.largest.size, noun.singular, noun.plural)
        lines.append(("largest", f"{largest}, {percent(facts.share)} of all"))
        alone = plural(facts.alone, noun.singular, noun.plural)
        lines.append(("isolated", f"{alone}, joined to no other"))
        between = [each for each in facts.classes if each.largest > 1]
        others = sum(each.components for each in between) - (facts.largest.size > 1)
        if others > 0:
            largest_other = _second(facts)
            smallest = between[0].smallest
            sizes = f"{smallest:,}"
            if largest_other > smallest:
                sizes += f" to {largest_other:,}"
            lines.append(("others", f"{others:,} more of {sizes} {noun.plural}"))
    if facts.names is not None:
        lines.append(("names", str(facts.names)))
    return labeled_lines(lines)


def _second(facts: ResultFacts) -> int:
    if len(facts.listed) > 1:
        return facts.listed[1].size
    return facts.result.largest(2)[1].size


def _islands(
    facts: ResultFacts, names: Sequence[str], width: int, more: str
) -> list[RenderableType]:
    shown = islands(facts.result, names)
    if not shown:
        return []
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", min_width=10, style="bold")
    table.add_column(no_wrap=True)
    for members in shown:
        table.add_row(str(len(members)), braced(members, width - 13, more))
    title = Text(" small islands, the largest of each family of names", style="dim")
    return [title, table, ""]


def _largest(facts: ResultFacts, glyphs: Glyphs, width: int) -> Table:
    """The largest components. Their labels are left out where they are the first members."""
    dense = facts.result._kind == "dense"
    components = [component for component in facts.listed if component.size > 1]
    sizes = [f"{component.size:,}" for component in components]
    labels = [str(component.label) if dense else "" for component in components]
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", min_width=10, no_wrap=True)
    table.add_column(justify="right", min_width=6, no_wrap=True)
    heads = ["largest", "share"]
    remaining = width - max(10, *map(len, sizes)) - 6 - 6
    if dense:
        table.add_column(justify="right", no_wrap=True)
        heads.append("label")
        remaining -= max(5, *map(len, labels)) + 2
    table.add_column(no_wrap=True)
    table.add_row(*heads, "members", style="dim")
    for component, size, label in zip(components, sizes, labels, strict=True):
        shown = [shown_id(member) for member in first_members(component, MEMBERS)]
        members = join_to_width(shown, component.size, remaining, glyphs.more)
        share = percent(component.size / facts.result.num_vertices)
        table.add_row(size, share, *([label] if dense else []), members)
    return table


def _run(facts: ResultFacts, timing: str) -> Table:
    plan = facts.result.plan
    threads = "" if not plan.threads else f", {plural(plan.threads, 'thread', 'threads')}"
    lines: list[tuple[str, str | Text]] = [
        ("ran", Text.assemble((plan.algorithm, "bold"), f" on {plan.device}{threads}")),
        ("because", as_options(plan.reason)),
        ("took", Text.assemble((duration(plan.seconds), "bold"), _speed(facts), timing)),
        ("", Text(_passes(plan), style="dim")),
    ]
    lines += [("note", as_options(note)) for note in plan.notes]
    verification = facts.verification
    if verification is not None:
        label, style = ("verified", "green") if verification.ok else ("WRONG", "bold red")
        lines.append((label, Text(verification.message, style=style)))
    return labeled_lines(lines)


def _passes(plan: Plan) -> str:
    # A pass may report its parts as "pass: part", many times; their sum is what people read.
    times: dict[str, float] = {}
    for step in plan.passes:
        name = step.name.partition(":")[0]
        times[name] = times.get(name, 0.0) + step.seconds
    return ", ".join(f"{name} {duration(seconds)}" for name, seconds in times.items())


def _speed(facts: ResultFacts) -> str:
    edges_per_second = facts.edges_per_second
    if not edges_per_second or facts.result.plan.edges < RATED_FROM:
        return ""
    unit = "entries" if facts.result.plan.form == "csr" else "edges"
    bytes_per_second = facts.bytes_per_second
    from_files = f", reading {bytes_of(bytes_per_second)} a second" if bytes_per_second else ""
    return f", {rate(edges_per_second, unit)} a second{from_files}"
