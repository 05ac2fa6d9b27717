"""Writes graphs and labels to files, in the format of their suffix.

What is read back is the same graph, vertices without an edge included: a format that holds the
number of vertices gets it, and in others vertices without an edge are written as loops. A graph is
never written where it would become another one: formats of vertex numbers refuse external ids
unless the caller says what they become.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from skerry.errors import InputError, UnsupportedError
from skerry.formats.overwriting import refuse_overwriting
from skerry.formats.registry import FORMATS, Format, format_named
from skerry.formats.writers.atomic_file import (
    COMPRESSIONS,
    InOrder,
    atomic_file,
    check_target,
    split_compression,
)
from skerry.formats.writers.labels import Labels, RowProgress, checked_labels, rows_of
from skerry.formats.writers.options import ExternalIds, WriteOptions
from skerry.graph.edge_source import EdgeSource
from skerry.threads import resolve_threads

SELF_COMPRESSED = ("parquet", "arrow")


def check_output(
    path: str | os.PathLike[str],
    role: Literal["graph", "labels"],
    format: str | None = None,
    inputs: Iterable[str] = (),
) -> Format:
    """The format to write; raises now, before any work, if the file could not be written later.

    It must not be one of ``inputs``.
    """
    refuse_overwriting([("writing", os.fspath(path))], inputs)
    check_target(path)
    inner, compression = split_compression(Path(path))
    chosen = format_named(format) if format is not None else _by_suffix(path, inner, role)
    chosen.function(f"write_{role}")
    if inner.suffix.lower() == ".wsg":
        raise UnsupportedError(f"{path}: weights are not written to .wsg; write .sg or .wel")
    if compression and chosen.name in SELF_COMPRESSED:
        raise UnsupportedError(
            f"{path}: {chosen.name} files are compressed inside; leave out {compression}"
        )
    return chosen


def _by_suffix(path: str | os.PathLike[str], inner: Path, role: str) -> Format:
    able = [format for format in FORMATS if getattr(format, f"write_{role}") is not None]
    suffix = inner.suffix.lower()
    for format in able:
        if suffix in format.suffixes:
            return format
    suffixes = " ".join(suffix for format in able for suffix in format.suffixes)
    what = f"the suffix {suffix}" if suffix else "a name without a suffix"
    raise UnsupportedError(
        f"{path}: {role if role == 'labels' else 'graphs'} are not written under {what}; there "
        f"are: {suffixes} (text and binary ones also with {' '.join(COMPRESSIONS)})"
    )


def write_graph(
    source: EdgeSource,
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    external_ids: ExternalIds = "refuse",
    threads: int | None = None,
) -> None:
    """Writes a graph; the file is complete or not there at all.

    Parameters
    ----------
    source
        The edges; a format that begins with counts reads them twice if the source has no counts.
    path
        The file, or an address for fsspec (``s3://...``); one that exists is replaced. A suffix of
        compression (``.gz``, ``.zst``, ``.bz2``, ``.xz``) compresses it.
    format
        The name of a format; by default the suffix decides.
    external_ids
        What external ids become in a format of vertex numbers: ``"refuse"`` raises,
        ``"vertices"`` takes integers as vertex numbers, ``"ranks"`` numbers the ids 0..n-1 in
        their own order.
    threads
        How many threads to use; all of the machine by default.

    Raises
    ------
    InputError
        If the edges cannot be read, do not fit the format, or ``path`` is one of their files.
    UnsupportedError
        If the format is not written, or cannot hold such ids or weights.
    OutputError
        If the disk is full, for instance.

    Examples
    --------
    >>> import tempfile
    >>> from skerry.formats.open import open_edges
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     edges, matrix = Path(folder, "graph.el"), Path(folder, "graph.mtx")
    ...     _ = edges.write_text("0 1\\n5 4\\n")
    ...     write_graph(open_edges(edges), matrix, external_ids="ranks")
    ...     print(matrix.read_text(), end="")
    %%MatrixMarket matrix coordinate pattern symmetric
    4 4 2
    2 1
    4 3
    """
    if external_ids not in ("refuse", "vertices", "ranks"):
        raise InputError(
            f'external_ids must be "refuse", "vertices" or "ranks", got {external_ids!r}'
        )
    chosen = check_output(path, "graph", format, source.facts.files)
    options = WriteOptions(os.fspath(path), resolve_threads(threads), external_ids)
    with atomic_file(path) as file:
        chosen.function("write_graph")(source, file, options)


def write_graph_to(
    stream: Any,
    source: EdgeSource,
    format: str,
    *,
    external_ids: ExternalIds = "refuse",
    threads: int | None = None,
) -> None:
    """Writes a graph to an open stream, which need not seek; arguments as of `write_graph`."""
    options = WriteOptions("standard output", resolve_threads(threads), external_ids)
    format_named(format).function("write_graph")(source, InOrder(stream), options)
    stream.flush()


def write_labels(
    labels: Labels,
    path: str | os.PathLike[str],
    format: str | None = None,
    progress: RowProgress | None = None,
) -> None:
    """Writes an array of labels, or columns of ids and labels, or a table of them."""
    chosen = check_output(path, "labels", format)
    _write(chosen, checked_labels(labels), path, progress)


def write_sizes(
    columns: Mapping[str, Any],
    path: str | os.PathLike[str],
    format: str | None = None,
    progress: RowProgress | None = None,
) -> None:
    """Writes columns of components and their sizes; NPY as an array with a row for each."""
    chosen = check_output(path, "labels", format)
    as_array = chosen.name == "npy"
    rows = rows_of(columns, path) if as_array else checked_labels(columns)
    _write(chosen, rows, path, progress)


def _write(
    chosen: Format, labels: Any, path: str | os.PathLike[str], progress: RowProgress | None
) -> None:
    write = chosen.function("write_labels")
    with atomic_file(path) as file:
        write(labels, file, os.fspath(path), progress)
