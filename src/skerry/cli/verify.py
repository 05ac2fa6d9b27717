"""``skerry verify EDGES LABELS``: whether a file of labels is right for a file of edges.

The labels may come from any program, and have any values: they are right if two vertices have equal
labels exactly where a path joins them.
"""

from __future__ import annotations

import numpy as np
import typer
from rich.text import Text

from skerry.api import verify
from skerry.cli.errors import WRONG, say
from skerry.cli.input_options import InputArguments, copied_pipe
from skerry.cli.logged_progress import progress_display
from skerry.cli.run_log import log_result
from skerry.cli.summary import console, labeled_lines
from skerry.cli.vertices import VertexArguments
from skerry.cli.wording import LABELS_FILE, spoken
from skerry.engines.label_input import Labeled, labeled_ids
from skerry.errors import InputError
from skerry.formats.file_columns import (
    PLAIN_LABELS,
    column_names,
    format_of_path,
    read_array,
    read_columns,
    read_pairs,
)
from skerry.graph.arrow import as_arrow
from skerry.io import EdgeSource


def show_verify(
    arguments: InputArguments,
    labels_path: str,
    further: VertexArguments,
    threads: int | None,
    quiet: bool,
) -> None:
    """Prints whether the labels are right; exits with 1 if they are wrong."""
    further.check()
    source = arguments.open(further.id_kind)
    with progress_display(quiet) as display:
        display.begin("reading labels")
        path = copied_pipe(labels_path, arguments.inputs)
        with spoken(LABELS_FILE):
            labels = _read_labels(path, arguments, source)
        wrong = _count_problem(source, further.num_vertices, labels)
        if wrong is None:
            verification = verify(
                display.track(source, "checking", "counting"),
                labels,
                threads=threads,
                **further.keywords(arguments, labels_path),
            )
            wrong = None if verification else verification.message
    log_result(labels=labels_path, correct=wrong is None, reason=wrong)
    if wrong is not None:
        say(f"{path}: WRONG: {wrong}")
        raise typer.Exit(WRONG)
    if not quiet:
        text = Text(verification.message, style="green")
        console().print(labeled_lines([("verified", text)]))


def _count_problem(source: EdgeSource, num_vertices: int | None, labels: Labeled) -> str | None:
    """What is wrong with the number of labels, where it must be that of the vertices."""
    n = source.num_vertices if num_vertices is None else num_vertices
    if labels.ids is not None or n is None or len(labels.values) == n:
        return None
    return f"the graph has {n:,} vertices, but there are {len(labels.values):,} labels"


def _read_labels(path: str, arguments: InputArguments, source: EdgeSource) -> Labeled:
    """The labels of a file, with ids unless it is an array."""
    name, width = format_of_path(path), arguments.id_width
    if name == "npy":
        if source.id_kind == "external":
            raise InputError(
                f"{path}: holds labels without ids, but {source.name} has external ids; write "
                "the labels with their ids: .parquet, .arrow or .csv"
            )
        return Labeled(np.asarray(read_array(path)))
    if name in PLAIN_LABELS:
        return _read_plain_labels(path, width)
    names = column_names(path)
    if len(names) not in (width + 1, 2 * width):
        raise InputError(
            f"{path}: labels have {width} columns of ids and then the component, in 1 or {width}; "
            f"there are: {', '.join(names)}"
        )
    as_text = bool(arguments.ids_as_text)
    ids = read_columns(path, tuple(range(width)), header=True, as_text=as_text)
    labels = read_columns(path, tuple(range(width, len(names))), header=True)
    return labeled_ids(tuple(map(as_arrow, ids)), labels)


def _read_plain_labels(path: str, width: int) -> Labeled:
    """The labels of a text file with a vertex and its component, both integers, a line."""
    if width != 1:
        raise InputError(f"{path}: has one column of ids, but the graph's ids have {width}")
    ids, components = read_pairs(path)
    return labeled_ids((ids,), (components,))
