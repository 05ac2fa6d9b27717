"""``skerry convert IN... OUT``: a graph from any format that is read to any that is written."""

from __future__ import annotations

import os
from pathlib import Path
from time import perf_counter

from skerry.cli.format_numbers import bytes_of, duration, plural, rate
from skerry.cli.input_options import InputArguments
from skerry.cli.output import is_same_file
from skerry.cli.progress import ProgressDisplay
from skerry.cli.summary import RATED_FROM, console, labeled_lines
from skerry.errors import InputError
from skerry.formats.source import is_remote
from skerry.formats.writers.atomic_file import local_path
from skerry.formats.writers.options import ExternalIds
from skerry.formats.writers.write import check_output
from skerry.io import EdgeSource, write_graph

__all__ = ["show_convert", "write_with_progress"]


def show_convert(
    arguments: InputArguments,
    output: str,
    to: str | None,
    external_ids: ExternalIds,
    threads: int | None,
    quiet: bool,
) -> None:
    """Converts, batch by batch where the format of the output allows it."""
    check_output(output, "graph", to)
    if is_same_file(output, arguments.paths):
        raise InputError(f"{output}: is an input; it would be overwritten while it is read")
    source = arguments.open_weighted()
    write_with_progress(source, output, to, external_ids=external_ids, threads=threads, quiet=quiet)


def write_with_progress(
    source: EdgeSource,
    output: str,
    to: str | None,
    *,
    external_ids: ExternalIds = "refuse",
    threads: int | None = None,
    quiet: bool = False,
) -> None:
    """Writes a graph, with progress, and prints what was written."""
    output_format = check_output(output, "graph", to)
    start = perf_counter()
    with ProgressDisplay(quiet) as display:
        task = f"writing {os.path.basename(output)}"  # noqa: PTH119
        tracked = display.track(source, task, "finishing")
        write_graph(tracked, output, to, external_ids=external_ids, threads=threads)
        edges = display.edges
    seconds = perf_counter() - start
    if quiet:
        return
    vertices = source.num_vertices
    count = "" if vertices is None else f"{plural(vertices, 'vertex', 'vertices')}, "
    size = "" if is_remote(output) else f", {bytes_of(Path(local_path(output)).stat().st_size)}"
    per_second = f", {rate(edges / seconds, 'edges')} a second" if edges >= RATED_FROM else ""
    console().print(
        labeled_lines(
            [
                ("graph", f"{source.name}: {count}{plural(edges, 'edge', 'edges')}"),
                ("written", f"{output}: {output_format.name}{size}"),
                ("took", f"{duration(seconds)}{per_second}"),
            ]
        )
    )
