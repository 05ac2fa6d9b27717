"""``skerry algorithms``: the catalog as a table; short lines fit any window."""

from __future__ import annotations

from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from skerry.algorithms.algorithm import OTHER_CHOICES
from skerry.algorithms.catalog import Algorithm, catalog
from skerry.algorithms.number_ranges import NUMBER_RANGES
from skerry.algorithms.paper_names import names_of
from skerry.cli.errors import UsageError
from skerry.cli.summary import console, labeled_lines
from skerry.cli.terminal import print_json


def show_algorithms(text: str, as_json: bool = False) -> None:
    """Prints the algorithms with ``text`` in their name, summary or paper, in any case."""
    specs = [spec for spec in catalog() if text.lower() in _searched(spec)]
    if not specs:
        papers = sorted({part for spec in catalog() for part in spec.paper.split("; ")})
        raise UsageError(
            f"no algorithm matches {text!r}; `skerry algorithms` lists them all, of these papers: "
            f"{', '.join(papers)}"
        )
    if as_json:
        print_json([_as_json(spec) for spec in specs])
        return
    out = console()
    out.print(_table(specs))
    out.print(_legend(specs))


def _searched(spec: Algorithm) -> str:
    return "\n".join((spec.name, spec.summary, spec.paper, *names_of(spec.name))).lower()


def _as_json(spec: Algorithm) -> dict[str, Any]:
    return {
        "name": spec.name,
        "summary": spec.summary,
        "paper": spec.paper,
        "section": spec.section,
        "paper_names": list(names_of(spec.name)),
        "form": spec.form,
        "devices": list(spec.devices),
        "serial": spec.serial,
        "choices": {name: list(values) for name, values in spec.choices.items()},
    }


def _table(specs: list[Algorithm]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0), expand=True)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(ratio=1)
    table.add_column(no_wrap=True)
    table.add_row(" name", "what it does, its paper and its choices", "reads, runs on", style="dim")
    for spec in specs:
        description = Group(spec.summary, *_dim(_source(spec)))
        form = Group(spec.form, *_dim(_devices(spec)))
        table.add_row(f" {spec.name}", description, form)
    return table


def _dim(lines: list[str]) -> list[Text]:
    return [Text(line, style="dim") for line in lines]


def _devices(spec: Algorithm) -> list[str]:
    devices = ", ".join("gpu" if device == "cuda" else device for device in spec.devices)
    return [devices, "one cpu thread"] if spec.serial else [devices]


def _source(spec: Algorithm) -> list[str]:
    section = f"section {spec.section}" if spec.section[:1].isdigit() else spec.section
    lines = [f"{spec.paper}, {section}"]
    if names := names_of(spec.name):
        lines.append(f"in the papers: {', '.join(names)}")
    if spec.choices:
        lines.append(f"choices: {', '.join(spec.choices)}")
    return lines


def _legend(specs: list[Algorithm]) -> Table:
    merged: dict[str, tuple[object, ...]] = {}
    for spec in specs:
        merged |= spec.choices
    lines: list[tuple[str, str | Text]] = [
        (name, (", ".join(map(str, values)) or str(NUMBER_RANGES[name])) + _only_on(name))
        for name, values in merged.items()
    ]
    if lines:
        lines = [
            ("", ""),
            ("choices", "name[choice=value,...] runs an algorithm with other choices"),
            *lines,
        ]
    return labeled_lines(lines)


def _only_on(choice: str) -> str:
    """Which device a choice is for, if not for all."""
    other = {"cpu": " (gpu)", "cuda": " (cpu)"}
    return "".join(other[device] for device, names in OTHER_CHOICES.items() if choice in names)
