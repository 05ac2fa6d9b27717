"""Writes a stream of edges to a file, in the format that its suffix tells.

What is read back is the same graph, vertices without an edge included: a format that says how many
vertices there are says so, and in others those vertices are written as loops. So a graph is never
written where it would become another one: ids that are names are refused by formats that number
their vertices 0..n-1, unless the caller says what is to become of them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from skerry.errors import InputError, UnsupportedError
from skerry.formats.registry import FORMATS, Format, format_named
from skerry.formats.writers.atomic_file import (
    COMPRESSIONS,
    check_target,
    split_compression,
    whole_file,
)
from skerry.graph.edge_source import EdgeSource
from skerry.threads import resolve_threads

__all__ = ["NamesBecome", "WriteOptions", "check_output", "write_graph"]

NamesBecome = Literal["refused", "numbers", "ranks"]
"""What ids that are names become in a format that numbers its vertices 0..n-1.

``"refused"``: an error. ``"numbers"``: integers are taken as the numbers of vertices, so that those
which do not occur become vertices without an edge. ``"ranks"``: 0..n-1 in the ids' own order; the
names themselves are lost.
"""

SELF_COMPRESSED = ("parquet", "arrow")


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """What a writer of graphs is told beside the graph."""

    path: str
    """For messages."""
    threads: int
    names: NamesBecome = "refused"


def check_output(
    path: str | os.PathLike[str], role: Literal["graph", "labels"], format: str | None = None
) -> Format:
    """The format to write; raises now, before any work, if the file could not be written later."""
    check_target(path)
    inner, compression = split_compression(Path(path))
    row = format_named(format) if format is not None else _by_suffix(path, inner, role)
    row.function(f"write_{role}")
    if inner.suffix.lower() == ".wsg":
        raise UnsupportedError(f"{path}: weights are not written to .wsg; write .sg or .wel")
    if compression and row.name in SELF_COMPRESSED:
        raise UnsupportedError(
            f"{path}: {row.name} files are compressed inside; leave out {compression}"
        )
    return row


def _by_suffix(path: str | os.PathLike[str], inner: Path, role: str) -> Format:
    able = [row for row in FORMATS if getattr(row, f"write_{role}") is not None]
    suffix = inner.suffix.lower()
    for row in able:
        if suffix in row.suffixes:
            return row
    suffixes = " ".join(suffix for row in able for suffix in row.suffixes)
    what = f"the suffix {suffix}" if suffix else "a name without a suffix"
    raise UnsupportedError(
        f"{path}: {role if role == 'labels' else 'graphs'} are not written under {what}; there "
        f"are: {suffixes} (text and binary ones also with {' '.join(COMPRESSIONS)})"
    )


def write_graph(
    stream: EdgeSource,
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    names: NamesBecome = "refused",
    threads: int | None = None,
) -> None:
    """Writes the whole file or nothing.

    Examples
    --------
    >>> import tempfile
    >>> from skerry.formats.open import open_edges
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     edges, matrix = Path(folder, "graph.el"), Path(folder, "graph.mtx")
    ...     _ = edges.write_text("0 1\\n5 4\\n")
    ...     write_graph(open_edges(edges), matrix, names="ranks")
    ...     print(matrix.read_text(), end="")
    %%MatrixMarket matrix coordinate pattern symmetric
    4 4 2
    2 1
    4 3
    """
    if names not in ("refused", "numbers", "ranks"):
        raise InputError(f'names must be "refused", "numbers" or "ranks", got {names!r}')
    row = check_output(path, "graph", format)
    options = WriteOptions(os.fspath(path), resolve_threads(threads), names)
    with whole_file(path) as file:
        row.function("write_graph")(stream, file, options)
