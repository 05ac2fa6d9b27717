"""Records in a table or in files, read in batches with the columns that are asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from skerry.errors import InputError, UnsupportedError
from skerry.formats.find import find_files
from skerry.formats.sniff import format_of
from skerry.formats.writers.atomic_file import atomic_file
from skerry.formats.writers.tables import parquet_writer, text_writer
from skerry.formats.writers.write import check_output
from skerry.optional import require_arrow

PURPOSE = "reading records"
KINDS = {"parquet": "parquet", "arrow": "ipc", "csv": "csv", "tsv": "csv"}


class Records(NamedTuple):
    """Rows that can be read in order, more than once unless they come from a reader."""

    name: str
    schema: Any
    batches: Callable[[Sequence[str] | None], Iterator[Any]]
    """The batches with some columns, or with all."""


def open_records(records: Any, text: Sequence[str] = ()) -> Records:
    """Records of a table, of columns by name, or of Parquet, Arrow and text files.

    Columns in ``text`` are text in files of delimited text, whatever they look like.
    """
    pa = require_arrow(PURPOSE)
    if isinstance(records, str | os.PathLike):
        return _of_files(records, text)
    name = type(records).__name__
    if isinstance(records, Mapping):
        records = pa.table(dict(records))
    elif not isinstance(records, pa.RecordBatchReader):
        try:
            records = pa.table(records)
        except (TypeError, ValueError, pa.ArrowException) as error:
            raise InputError(f"records ({name}): cannot be read as a table: {error}") from None
    if isinstance(records, pa.RecordBatchReader):
        used: list[Any] = []

        def once(columns: Sequence[str] | None) -> Iterator[Any]:
            if used:
                raise UnsupportedError(
                    "records: a reader of batches can be read only once; pass a table or a file"
                )
            used.append(records)
            return (batch if columns is None else batch.select(columns) for batch in records)

        return Records(name, records.schema, once)
    table = records
    return Records(
        name,
        table.schema,
        lambda columns: iter((table if columns is None else table.select(columns)).to_batches()),
    )


def check_column(records: Records, name: str) -> None:
    """Raises if there is no such column."""
    names: list[str] = list(records.schema.names)
    if name not in names:
        raise InputError(
            f"{records.name}: there is no column {name}; there are: {', '.join(names)}"
        )


def _of_files(path: str | os.PathLike[str], text: Sequence[str]) -> Records:
    pa, dataset = require_arrow(PURPOSE), require_arrow(PURPOSE, "pyarrow.dataset")
    csv = require_arrow(PURPOSE, "pyarrow.csv")
    files = find_files(path)
    name = format_of(files[0]).name
    if name not in KINDS:
        raise UnsupportedError(f"{path}: records are read from Parquet, Arrow, CSV and TSV files")
    kind: Any = KINDS[name]
    if kind == "csv":
        kind = dataset.CsvFileFormat(
            parse_options=csv.ParseOptions(delimiter="\t" if name == "tsv" else ","),
            convert_options=csv.ConvertOptions(column_types=dict.fromkeys(text, pa.string())),
        )
    with _arrow_errors(os.fspath(path)):
        opened = dataset.dataset([file.name for file in files], format=kind)

    def batches(columns: Sequence[str] | None) -> Iterator[Any]:
        with _arrow_errors(os.fspath(path)):
            yield from opened.to_batches(columns=None if columns is None else list(columns))

    return Records(os.fspath(path), opened.schema, batches)


@contextmanager
def _arrow_errors(name: str) -> Iterator[None]:
    pa = require_arrow(PURPOSE)
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{name}: {str(error).splitlines()[0]}") from None


def write_records(
    batches: Iterator[Any], schema: Any, path: str | os.PathLike[str], format: str | None = None
) -> int:
    """Writes batches to a file that is complete or not there at all; returns the rows."""
    chosen = check_output(path, "labels", format).name
    if chosen not in KINDS:
        raise UnsupportedError(f"{path}: records are written as .parquet, .arrow, .csv or .tsv")
    rows = 0
    with atomic_file(path) as file, _writer(chosen, file, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def _writer(name: str, file: Any, schema: Any) -> Any:
    if name == "parquet":
        return parquet_writer(file, schema)
    if name == "arrow":
        return require_arrow("writing records", "pyarrow.ipc").new_file(file, schema)
    return text_writer(file, schema, "\t" if name == "tsv" else ",", header=True)
