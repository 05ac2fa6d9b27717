"""``skerry sweep INPUT... --at 0.8,0.9``: the components at several thresholds, in one reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

from rich.table import Table

from skerry.cli.errors import UsageError
from skerry.cli.format_numbers import percent
from skerry.cli.input_options import InputArguments
from skerry.cli.logged_progress import progress_display
from skerry.cli.result_facts import describe_input
from skerry.cli.run_log import log_result
from skerry.cli.summary import console, labeled_lines
from skerry.cli.terminal import print_json
from skerry.cli.vertices import VertexArguments
from skerry.result.threshold_sweep import ThresholdSweep
from skerry.thresholds import threshold_sweep

UNLIMITED = 1000
"""Characters that a row of the table never has."""


def parse_thresholds(texts: Sequence[str]) -> list[float]:
    """The numbers of a repeated option, or of one with commas."""
    parts = [part.strip() for text in texts for part in text.split(",") if part.strip()]
    try:
        values = [float(part) for part in parts]
    except ValueError:
        raise UsageError(f"--at must be numbers such as 0.8,0.9, got {', '.join(texts)}") from None
    if not values or not all(map(isfinite, values)):
        raise UsageError(f"--at must be finite numbers such as 0.8,0.9, got {', '.join(texts)}")
    return values


def show_sweep(
    arguments: InputArguments,
    thresholds: list[float],
    further: VertexArguments,
    threads: int | None,
    as_json: bool,
) -> None:
    """Reads the input once, and prints a line for each threshold.

    The threshold of the input is the loosest.
    """
    further.check()
    source = arguments.open(further.id_kind)
    with progress_display(as_json) as display:
        vertices: Any = further.read(arguments)
        sweep = threshold_sweep(
            display.track(source, "reading", "counting"),
            None,
            thresholds,
            keep=arguments.keep or "above",
            vertices=vertices,
            num_vertices=further.num_vertices,
            ids=further.id_kind,
            threads=threads,
        )
    columns = {name: column.tolist() for name, column in sweep.columns().items()}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    report = {
        "inputs": list(arguments.inputs),
        "format": source.facts.format,
        "input": source.facts.as_json(),
        "keep": arguments.keep or "above",
        "thresholds": rows,
    }
    log_result(**report)
    if as_json:
        print_json(report)
        return
    out = console()
    lines = [("graph", arguments.title), ("input", describe_input(source.facts))]
    out.print(labeled_lines([(label, text) for label, text in lines if text]))
    out.print()
    rows_of_text = list(_rows(sweep))
    table = _table(rows_of_text)
    if out.measure(table, options=out.options.update(width=UNLIMITED)).maximum <= out.width:
        out.print(table)
        return
    for row in rows_of_text:  # the terminal is too narrow for a table
        out.print(labeled_lines(list(row.items())))
        out.print()


def _rows(sweep: ThresholdSweep) -> Iterator[dict[str, str]]:
    columns = sweep.columns()
    for threshold, *counts in zip(*columns.values(), strict=True):
        vertices, largest = int(counts[1]), int(counts[3])
        share = percent(largest / vertices) if vertices else "-"
        texts = (f"{threshold:g}", *(f"{count:,}" for count in counts), share)
        yield dict(zip((*columns, "share"), texts, strict=True))


def _table(rows: Sequence[Mapping[str, str]]) -> Table:
    table = Table(box=None, pad_edge=True, header_style="")
    for name in rows[0] if rows else ():
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*row.values())
    return table
