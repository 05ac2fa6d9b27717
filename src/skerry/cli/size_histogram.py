"""The sizes of components as a histogram: a bar for each power of two, on a log scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

from rich.console import Console
from rich.table import Table
from rich.text import Text

from skerry.cli.result_facts import SizeClass

BAR = 30
"""Columns of the longest bar."""


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


def glyphs_of(out: Console) -> Glyphs:
    """The characters that this terminal can show."""
    return ASCII if out.options.ascii_only else UNICODE


def size_histogram(
    classes: Sequence[SizeClass], vertices: str, glyphs: Glyphs, width: int
) -> Table:
    """A line for each class of sizes that occurs; ``vertices`` is the noun for them.

    Bars are shorter, or left out, where the figures would not fit into ``width`` otherwise.
    """
    sizes = [
        f"{each.smallest:,}"
        + (f"{glyphs.to}{each.largest:,}" if each.largest > each.smallest else "")
        for each in classes
    ]
    counts = [(f"{each.components:,}", f"{each.vertices:,}") for each in classes]
    heads = ("components", vertices)
    figures = [max(map(len, column)) for column in zip(heads, *counts, strict=True)]
    room = min(BAR, width - max(10, *map(len, sizes)) - sum(figures) - 6)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", min_width=10, no_wrap=True)
    table.add_column(min_width=max(room, 0))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_row("size", "log scale" if room >= len("log scale") else "", *heads, style="dim")
    maximum = max(each.components for each in classes)
    before = classes[0].power
    for each, size, (components, members) in zip(classes, sizes, counts, strict=True):
        if each.power > before + 1:
            table.add_row(glyphs.gap, style="dim")
        before = each.power
        bar = _bar(each.components, maximum, room, glyphs) if room > 0 else ""
        table.add_row(size, Text(bar, style="cyan"), components, members)
    return table


def _bar(value: int, maximum: int, columns: int, glyphs: Glyphs) -> str:
    """A bar of 1 column for a value of 1 and of ``columns`` for the maximum, on a log scale."""
    length = 1 + (columns - 1) * (log2(value) / log2(maximum) if maximum > 1 else 0)
    steps = len(glyphs.parts_of_bar) + 1
    full, eighths = divmod(round(steps * length), steps)
    return glyphs.bar * full + (glyphs.parts_of_bar[eighths - 1] if eighths else "")
