"""``skerry verify EDGES LABELS``: whether a file of labels is right for a file of edges.

The labels may come from any program, and have any values: they are right if two vertices have equal
labels exactly where a path joins them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import typer
from rich.text import Text

from skerry.cli.columns import column_names, format_of_path, read_array, read_columns
from skerry.cli.errors import WRONG, say
from skerry.cli.input_options import InputArguments
from skerry.cli.progress import ProgressDisplay
from skerry.cli.summary import console, labeled_lines
from skerry.engines.streaming.batches import verifier
from skerry.errors import InputError
from skerry.graph.threshold import Threshold
from skerry.ids.external import External
from skerry.ids.id_space import IdSpace, counted_from
from skerry.io import EdgeSource
from skerry.optional import require_arrow
from skerry.result.verify import Verification
from skerry.threads import resolve_threads

__all__ = ["show_verify"]


def show_verify(arguments: InputArguments, labels: str, threads: int | None, quiet: bool) -> None:
    """Prints whether the labels are right; exits with 1 if they are wrong."""
    source = arguments.open()
    team = resolve_threads(threads)
    with ProgressDisplay(quiet) as display:
        display.begin("reading labels")
        ids, values = _read_labels(labels, arguments.id_width, source)
        tracked = display.track(source, "checking", "counting")
        verification = _verify(tracked, arguments.selection, ids, values, team)
    if not verification:
        say(f"{labels}: WRONG: {verification.message}")
        raise typer.Exit(WRONG)
    if not quiet:
        text = Text(verification.message, style="green")
        console().print(labeled_lines([("verified", text)]))


def _verify(
    source: EdgeSource,
    threshold: Threshold | None,
    ids: External | None,
    values: npt.NDArray[Any],
    threads: int,
) -> Verification:
    n = source.num_vertices
    if ids is None and n is not None and len(values) != n:
        return _wrong(f"the graph has {n:,} vertices, but there are {len(values):,} labels")
    if ids is not None:
        repeated = _first_repeated(ids)
        if repeated is not None:
            return _wrong(f"{ids[repeated]!r} has more than one label")
    id_space: IdSpace = counted_from(source.first_id, len(values)) if ids is None else ids
    return verifier(source, id_space, threads, threshold)(values)


def _wrong(message: str) -> Verification:
    return Verification(False, message, np.empty(0, np.uint64))


def _read_labels(
    path: str, width: int, source: EdgeSource
) -> tuple[External | None, npt.NDArray[Any]]:
    """The ids (None: vertex numbers) and a number for the label of each."""
    if format_of_path(path) == "npy":
        if source.id_kind == "external":
            raise InputError(
                f"{path}: holds labels without ids, but {source.name} has external ids; write "
                "the labels with their ids: .parquet, .arrow or .csv"
            )
        return None, np.asarray(read_array(path))
    names = column_names(path)
    if len(names) not in (width + 1, 2 * width):
        raise InputError(
            f"{path}: labels have {width} columns of ids and then the component, in 1 or {width}; "
            f"there are: {', '.join(names)}"
        )
    ids = read_columns(path, tuple(range(width)), header=True)
    labels = read_columns(path, tuple(range(width, len(names))), header=True)
    parts = tuple(_as_arrow(column) for column in ids)
    return External(parts[0] if width == 1 else parts), _codes(labels)


def _as_arrow(column: Any) -> Any:
    pa = require_arrow("reading labels with ids")

    return pa.array(column) if isinstance(column, np.ndarray) else column


def _codes(parts: tuple[Any, ...]) -> npt.NDArray[np.uint64]:
    """A number for each row, the same for the same values in all of these columns."""
    codes = np.zeros(len(parts[0]), np.uint64)
    for part in parts:
        encoded = _as_arrow(part).dictionary_encode()
        indices = np.asarray(encoded.indices).astype(np.uint64)
        combined = codes * np.uint64(max(len(encoded.dictionary), 1)) + indices
        codes = np.unique(combined, return_inverse=True)[1].astype(np.uint64)
    return codes


def _first_repeated(ids: External) -> int | None:
    """The first row whose id is in an earlier row too."""
    columns = ids.columns
    codes = _codes(columns if isinstance(columns, tuple) else (columns,))
    first = np.unique(codes, return_index=True)[1]
    if len(first) == len(codes):
        return None
    repeated = np.ones(len(codes), np.bool_)
    repeated[first] = False
    return int(np.flatnonzero(repeated)[0])
