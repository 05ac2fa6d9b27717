"""``skerry verify EDGES LABELS``: whether a file of labels is right for a file of edges.

The labels may be anyone's: any values will do, as long as vertices have equal ones exactly if a
path joins them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np
import numpy.typing as npt
import typer
from rich.text import Text

from skerry.cli.columns import array_of, column_of, columns_in, format_of_path
from skerry.cli.errors import WRONG, say
from skerry.cli.input_options import Reading, columns
from skerry.cli.progress import Watch
from skerry.cli.summary import console, rows
from skerry.engines.streaming.columns import with_threshold
from skerry.engines.streaming.join import batches_of
from skerry.errors import InputError
from skerry.graph.edge_source import Batch, EdgeSource
from skerry.ids.sorted_ids import SortedIds
from skerry.result.verify import Verification
from skerry.result.verify_stream import verify_stream
from skerry.threads import resolve_threads

__all__ = ["show_verify"]


def show_verify(reading: Reading, labels: str, threads: int | None, quiet: bool) -> None:
    """Prints the outcome; exits with 1 if the labels are wrong."""
    stream = reading.open()
    team = resolve_threads(threads)
    with Watch(quiet) as watch:
        watch.say("reading labels")
        ids, values = _read(labels, reading, stream)
        watched = watch.of(stream, "checking", "counting")
        checked = _check(watched, reading.threshold, ids, values, team)
    if not checked:
        say(f"{labels}: WRONG: {checked.message}")
        raise typer.Exit(WRONG)
    if not quiet:
        console().print(rows([("verified", Text(checked.message, style="green"))]))


def _check(
    stream: EdgeSource,
    threshold: float | None,
    ids: SortedIds | None,
    values: npt.NDArray[Any],
    threads: int,
) -> Verification:
    n = stream.num_vertices
    if ids is None and n is not None and len(values) != n:
        return _wrong(f"the graph has {n:,} vertices, but there are {len(values):,} labels")
    if ids is not None:
        twice = _first_repeated(ids)
        if twice is not None:
            return _wrong(f"{ids[twice]!r} has more than one label")

    def edges() -> Iterator[Batch]:
        with closing(batches_of(stream, threads)) as batches:
            for batch in batches:
                yield with_threshold(batch, threshold, stream.name)

    return verify_stream(edges(), ids, values)


def _wrong(message: str) -> Verification:
    return Verification(False, message, np.empty(0, np.uint64))


def _read(
    path: str, reading: Reading, stream: EdgeSource
) -> tuple[SortedIds | None, npt.NDArray[Any]]:
    """The ids, None for the numbers of vertices, and a number for the label of each."""
    if format_of_path(path) == "npy":
        if stream.id_kind == "external":
            raise InputError(
                f"{path}: holds labels without ids, but the ids of {stream.name} are names; write "
                "the labels with their ids: .parquet, .arrow or .csv"
            )
        return None, np.asarray(array_of(path))
    names = columns_in(path)
    source = columns(reading.source)
    width = len(source) if isinstance(source, tuple) else 1
    if len(names) not in (width + 1, 2 * width):
        raise InputError(
            f"{path}: labels have {width} columns of ids and then the component, in 1 or {width}; "
            f"there are: {', '.join(names)}"
        )
    ids = column_of(path, tuple(range(width)), header=True)
    labels = column_of(path, tuple(range(width, len(names))), header=True)
    parts = tuple(_arrow(one) for one in ids)
    found = SortedIds(parts[0] if width == 1 else parts)
    return found, _codes(labels)


def _arrow(column: Any) -> Any:
    import pyarrow as pa

    return pa.array(column) if isinstance(column, np.ndarray) else column


def _codes(parts: tuple[Any, ...]) -> npt.NDArray[np.uint64]:
    """A number for each row, the same for the same values in all of these columns."""
    codes = np.zeros(len(parts[0]), np.uint64)
    for part in parts:
        encoded = _arrow(part).dictionary_encode()
        fresh = np.asarray(encoded.indices).astype(np.uint64)
        both = codes * np.uint64(max(len(encoded.dictionary), 1)) + fresh
        codes = np.unique(both, return_inverse=True)[1].astype(np.uint64)
    return codes


def _first_repeated(ids: SortedIds) -> int | None:
    """A row whose id stands in an earlier row too."""
    codes = _codes(ids.parts)
    first = np.unique(codes, return_index=True)[1]
    if len(first) == len(codes):
        return None
    repeated = np.ones(len(codes), np.bool_)
    repeated[first] = False
    return int(np.flatnonzero(repeated)[0])
