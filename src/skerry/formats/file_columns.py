"""Columns of files: their values, names and types."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from skerry.errors import InputError
from skerry.formats.find import find_files
from skerry.formats.open import open_edges
from skerry.formats.options import Columns, OnNull, ReadOptions
from skerry.formats.readers import parquet
from skerry.formats.readers.layout import find_layout
from skerry.formats.sniff import format_of
from skerry.formats.source import SourceFile, seekable
from skerry.graph.edge_source import IdColumn
from skerry.optional import require_arrow

SAMPLE_BYTES = 1 << 16
"""Bytes of text from which the types of columns are inferred."""

PLAIN_LABELS = ("wcc", "snap")
"""Formats of labels without a header: what LDBC publishes has no suffix, and looks like edges."""


def format_of_path(path: str) -> str:
    """The name of a file's format."""
    return format_of(find_files(path)[0]).name


def read_columns(
    path: str, columns: tuple[int, ...], header: bool | None = None, as_text: bool = False
) -> tuple[Any, ...]:
    """Some columns of a file, by number; ``as_text``: also where all of them look like integers."""
    return read_with_dropped(path, columns, header, as_text=as_text)[0]


def read_dictionary(path: str, column: int) -> Any | None:
    """A column of text of a Parquet file as it is stored there, its distinct values apart.

    None where it is not stored so; `read_columns` says what may be wrong.
    """
    files = find_files(path)
    if len(files) > 1 or format_of(files[0]).name != "parquet":
        return None
    return parquet.read_dictionary(files[0], column)


def read_with_dropped(
    path: str,
    columns: Columns,
    header: bool | None = None,
    on_null: OnNull = "error",
    as_text: bool = False,
) -> tuple[tuple[Any, ...], int]:
    """Some columns of a file, and how many rows with nulls were left out.

    The file is read as edges whose ends are both these columns.
    """
    name = format_of_path(path)
    text = name in ("csv", "tsv")
    ends = columns[0] if isinstance(columns, tuple) and len(columns) == 1 else columns
    options = ReadOptions(
        *(ends, ends),
        header=header if text else None,
        on_null=on_null,
        ids_as_text=as_text and text,
    )
    source = open_edges(path, options)
    if source.num_vertices is not None and name not in ("parquet", "arrow"):
        raise InputError(f"{path}: holds a graph, not columns of ids")
    dropped, batches = 0, []
    for batch in source.open(1):
        dropped += batch.dropped
        batches.append(_copied(batch.src))
    width = len(columns) if isinstance(columns, tuple) else 1
    if not batches:
        return tuple(np.empty(0, np.int64) for _ in range(width)), dropped
    return tuple(_joined([batch[i] for batch in batches]) for i in range(width)), dropped


def _copied(column: IdColumn) -> tuple[Any, ...]:
    """A copy of the columns: a batch's memory may be used again for the next."""
    parts = column if isinstance(column, tuple) else (column,)
    return tuple(part.copy() if isinstance(part, np.ndarray) else part for part in parts)


def _joined(columns: list[Any]) -> Any:
    if isinstance(columns[0], np.ndarray):
        return np.concatenate(columns)
    import pyarrow as pa

    return pa.concat_arrays(columns)


def read_array(path: str) -> Any:
    """A one-dimensional array of integers in a .npy file."""
    file = find_files(path)[0]
    try:
        with seekable(file) as raw:  # only a path can be mapped
            mode: Any = "r" if isinstance(raw, str) else None
            array = np.load(raw, mmap_mode=mode, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise InputError(f"{path}: not a .npy file of numbers: {error}") from None
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InputError(
            f"{path}: must be a one-dimensional array of integers, got {array.dtype} of shape "
            f"{array.shape}"
        )
    return array


def read_pairs(path: str) -> tuple[Any, Any]:
    """Both columns of a text file with two integers a line."""
    batches = list(open_edges(path, format="snap").open(1))
    none = np.empty(0, np.int64)
    first = np.concatenate([batch.src for batch in batches] or [none])
    return first, np.concatenate([batch.dst for batch in batches] or [none])


def begins_quoted(path: str) -> bool:
    """Whether the first row of delimited text ends in quotes, as names that are text do."""
    lines = find_files(path)[0].head(SAMPLE_BYTES).splitlines()
    return len(lines) > 1 and lines[1].rstrip().endswith(b'"')


def column_names(path: str) -> list[str]:
    """The names of a table's columns."""
    return [name for name, _ in typed_columns(find_files(path)[0], None, header=True)]


def typed_columns(
    file: SourceFile,
    format_name: str | None,
    *,
    header: bool | None = None,
    delimiter: str | None = None,
) -> list[tuple[str, str]]:
    """Names and types of a table's columns; none where a format has no table of columns."""
    name = format_of(file, format_name).name
    if name in ("parquet", "arrow"):
        return [(field.name, str(field.type)) for field in _schema_of(file, name)]
    if name in ("csv", "tsv"):
        file = replace(file, text=True)
        return _of_text(file, "\t" if name == "tsv" and delimiter is None else delimiter, header)
    return []


def _schema_of(file: SourceFile, name: str) -> Any:
    """The schema of a Parquet or Arrow file."""
    if name == "parquet":
        pq = require_arrow("reading Parquet files", "pyarrow.parquet")
        with seekable(file) as raw, pq.ParquetFile(raw) as parquet:
            return parquet.schema_arrow
    ipc = require_arrow("reading Arrow files", "pyarrow.ipc")
    if file.head(6) == b"ARROW1":
        with seekable(file) as raw, ipc.open_file(raw) as reader:
            return reader.schema
    with file.open() as stream, ipc.open_stream(stream) as reader:
        return reader.schema


def _of_text(file: SourceFile, delimiter: str | None, header: bool | None) -> list[tuple[str, str]]:
    """Types are inferred from the first rows."""
    names, sample = text_sample(file, delimiter, header)
    types = ["?"] * len(names) if sample is None else map(str, sample.schema.types)
    return list(zip(names, types, strict=True))


def text_sample(
    file: SourceFile, delimiter: str | None, header: bool | None
) -> tuple[list[str], Any]:
    """Names of the columns of delimited text, and a table of its first rows.

    The table is None if a row does not fit: reading the edges says which.
    """
    pa = require_arrow("reading the columns of delimited text")
    pacsv = require_arrow("reading the columns of delimited text", "pyarrow.csv")

    as_text = ReadOptions(0, 0, delimiter=delimiter, header=header, ids_as_text=True)
    layout, chosen = find_layout(file, as_text)
    numbers = [str(number) for number in range(len(chosen.names))]
    head = file.head(SAMPLE_BYTES)
    try:
        sample = pacsv.read_csv(
            pa.BufferReader(head[: head.rfind(b"\n") + 1] or head),
            pacsv.ReadOptions(skip_rows=layout.first_line, column_names=numbers),
            pacsv.ParseOptions(delimiter=layout.delimiter, newlines_in_values=layout.quoted),
            pacsv.ConvertOptions(timestamp_parsers=[], null_values=[""], strings_can_be_null=True),
        )
    except pa.ArrowInvalid:
        return list(chosen.names), None
    return list(chosen.names), sample


def schema_metadata(path: str) -> dict[bytes, bytes]:
    """The metadata of a single Parquet or Arrow file; none of others."""
    files = find_files(path)
    name = format_of(files[0]).name
    if len(files) > 1 or name not in ("parquet", "arrow"):
        return {}
    return dict(_schema_of(files[0], name).metadata or {})
