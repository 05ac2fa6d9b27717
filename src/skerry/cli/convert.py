"""``skerry convert IN... OUT``: a graph from any format that is read to any that is written."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from skerry.cli.errors import UsageError
from skerry.cli.format_numbers import bytes_of, duration, plural, rate
from skerry.cli.input_options import InputArguments
from skerry.cli.logged_progress import progress_display
from skerry.cli.output import StandardOutput
from skerry.cli.run_log import log_result
from skerry.cli.summary import RATED_FROM, console, labeled_lines
from skerry.formats.overwriting import STANDARD_OUTPUT, refuse_overwriting
from skerry.formats.registry import Format, format_named
from skerry.formats.source import is_remote
from skerry.formats.writers.atomic_file import local_path
from skerry.formats.writers.options import ExternalIds
from skerry.formats.writers.write import check_output, write_graph_to
from skerry.io import EdgeSource, write_graph

BINARY = ("parquet", "arrow", "egr", "sg", "npy", "raw32", "raw64")


def show_convert(
    arguments: InputArguments,
    output: str,
    to: str | None,
    external_ids: ExternalIds,
    threads: int | None,
    quiet: bool,
) -> None:
    """Converts, batch by batch where the format of the output allows it."""
    output_format = check_graph_output(output, to, "--to")
    numbers = output_format.id_kind == "vertices"  # such formats may need counts before the edges
    arguments = replace(arguments, again=True if numbers else "counts")
    refuse_overwriting([("OUTPUT", output)], [each.location for each in arguments.files])
    source = arguments.open_weighted()
    write_with_progress(source, output, to, external_ids=external_ids, threads=threads, quiet=quiet)


def check_graph_output(output: str, format_name: str | None, option: str) -> Format:
    """The format to write; raises before any work if it could not be written there."""
    if output != STANDARD_OUTPUT:
        return check_output(output, "graph", format_name)
    if format_name is None:
        raise UsageError(f"standard output has no suffix: name the format with {option}")
    if sys.stdout.isatty() and format_name in BINARY:
        raise UsageError(f"{format_name} is not for a terminal: write it to a file or a pipe")
    chosen = format_named(format_name)
    chosen.function("write_graph")
    return chosen


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
    to_stdout = output == STANDARD_OUTPUT
    start = perf_counter()
    with progress_display(quiet) as display:
        task = f"writing {os.path.basename(output)}"  # noqa: PTH119
        tracked = display.track(source, task, "finishing")
        if to_stdout:
            write_graph_to(
                StandardOutput(), tracked, to or "", external_ids=external_ids, threads=threads
            )
        else:
            write_graph(tracked, output, to, external_ids=external_ids, threads=threads)
        edges = display.edges
    seconds = perf_counter() - start
    log_result(output=output, vertices=source.num_vertices, edges=edges)
    if quiet or to_stdout:  # where data goes, nothing else does
        return
    vertices = source.num_vertices
    count = "" if vertices is None else f"{plural(vertices, 'vertex', 'vertices')}, "
    size = "" if is_remote(output) else f", {bytes_of(Path(local_path(output)).stat().st_size)}"
    per_second = f", {rate(edges / seconds, 'edges')} a second" if edges >= RATED_FROM else ""
    output_format = check_output(output, "graph", to)
    console().print(
        labeled_lines(
            [
                ("graph", f"{source.name}: {count}{plural(edges, 'edge', 'edges')}"),
                ("written", f"{output}: {output_format.name}{size}"),
                ("took", f"{duration(seconds)}{per_second}"),
            ]
        )
    )
