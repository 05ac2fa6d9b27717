"""``skerry convert IN... OUT``: a graph from any format that is read to any that is written."""

from __future__ import annotations

import os
from time import perf_counter

from skerry.cli.format_numbers import bytes_of, duration, many, rate
from skerry.cli.input_options import Reading, column
from skerry.cli.progress import Watch
from skerry.cli.summary import console, rows
from skerry.errors import InputError
from skerry.formats.writers.graph import NamesBecome, check_output, write_graph
from skerry.graph.edge_source import EdgeSource

__all__ = ["show_convert", "write_watched"]


def show_convert(
    reading: Reading,
    output: str,
    to: str | None,
    names: NamesBecome,
    threads: int | None,
    quiet: bool,
) -> None:
    """Converts, batch by batch where the format to be written allows it."""
    check_output(output, "graph", to)
    target = os.path.realpath(output)
    if any(os.path.realpath(one) == target for one in reading.paths):
        raise InputError(f"{output}: is an input; it would be overwritten while it is read")
    weight = None if reading.weight is None else column(reading.weight)
    stream = reading.open(reading.reading_weight(weight))
    write_watched(stream, output, to, names=names, threads=threads, quiet=quiet)


def write_watched(
    stream: EdgeSource,
    output: str,
    to: str | None,
    *,
    names: NamesBecome = "refused",
    threads: int | None = None,
    quiet: bool = False,
) -> None:
    """Writes a graph, with progress, and says what was written."""
    row = check_output(output, "graph", to)
    began = perf_counter()
    with Watch(quiet) as watch:
        watched = watch.of(stream, f"writing {os.path.basename(output)}", "finishing")  # noqa: PTH119
        write_graph(watched, output, to, names=names, threads=threads)
        edges = watch.edges
    seconds = perf_counter() - began
    if quiet:
        return
    vertices = stream.num_vertices
    count = "" if vertices is None else f"{many(vertices, 'vertex', 'vertices')}, "
    size = os.stat(output).st_size  # noqa: PTH116
    speed = f", {rate(edges / seconds, 'edges')} a second" if edges >= 10_000 else ""
    console().print(
        rows(
            [
                ("graph", f"{stream.name}: {count}{many(edges, 'edge', 'edges')}"),
                ("written", f"{output}: {row.name}, {bytes_of(size)}"),
                ("took", f"{duration(seconds)}{speed}"),
            ]
        )
    )
