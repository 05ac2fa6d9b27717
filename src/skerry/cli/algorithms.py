"""``skerry algorithms``: the catalog as a table, two lines a row so that it fits anywhere."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from skerry.algorithms.catalog import Algorithm, catalog
from skerry.cli.summary import console, rows
from skerry.errors import InputError

__all__ = ["show_algorithms"]


def show_algorithms(paper: str) -> None:
    """Prints the rows whose paper contains ``paper``, whatever its case."""
    found = [row for row in catalog() if paper.lower() in row.paper.lower()]
    if not found:
        papers = sorted({part for row in catalog() for part in row.paper.split("; ")})
        raise InputError(f"no algorithm of a paper like {paper!r}; there are: {', '.join(papers)}")
    out = console()
    out.print(_table(found))
    out.print(_legend(found))


def _table(found: list[Algorithm]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0), expand=True)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(ratio=1)
    table.add_column(no_wrap=True)
    table.add_row(" name", "what it does, its paper and its choices", "reads, runs on", style="dim")
    for row in found:
        said = Text.assemble(row.summary, (_source(row), "dim"))
        table.add_row(f" {row.name}", said, Text.assemble(row.form, (_places(row), "dim")))
    return table


def _places(row: Algorithm) -> str:
    places = ", ".join("gpu" if device == "cuda" else device for device in row.devices)
    return f"\n{places}\none cpu thread" if row.serial else f"\n{places}"


def _source(row: Algorithm) -> str:
    section = f"section {row.section}" if row.section[:1].isdigit() else row.section
    source = f"\n{row.paper}, {section}"
    return f"{source}\nchoices: {', '.join(row.choices)}" if row.choices else source


def _legend(found: list[Algorithm]) -> Table:
    merged: dict[str, tuple[object, ...]] = {}
    for row in found:
        merged |= row.choices
    lines: list[tuple[str, str | Text]] = [
        (name, ", ".join(map(str, values))) for name, values in merged.items() if values
    ]
    numbers = [name for name, values in merged.items() if not values]
    if numbers:
        lines.append(("number", ", ".join(numbers)))
    if lines:
        lines = [
            ("", ""),
            ("choices", "name[choice=value,...] runs a row with other choices"),
            *lines,
        ]
    return rows(lines)
