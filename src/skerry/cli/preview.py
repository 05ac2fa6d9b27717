"""The first rows of a table, for ``skerry info``: what is in a file that is no clear graph too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from skerry.errors import InputError
from skerry.formats.file_columns import text_sample
from skerry.formats.sniff import format_of
from skerry.formats.source import SourceFile, seekable
from skerry.optional import require_arrow

SAMPLED = 10_000
SHOWN = 3
LINE_BYTES = 1 << 12
WIDTH = 30
"""Characters of a cell that are shown."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What the beginning of a file shows."""

    columns: list[tuple[str, str]]
    """Names and types; none where a format has no columns, or they are not clear."""
    rows: list[list[str]]
    """The first rows, or lines where there are no columns."""
    sampled: int = 0
    """Rows that were looked at for nulls."""
    nulls: tuple[int, ...] = ()
    """How many of them are null, by column."""

    def nulls_of(self) -> dict[str, int]:
        """Names of the columns with nulls, and how many they have in the sample."""
        pairs = zip(self.columns, self.nulls, strict=False)
        return {name: count for (name, _), count in pairs if count}


def preview(
    file: SourceFile, format_name: str | None, header: bool | None, delimiter: str | None
) -> Preview:
    """The beginning of a file; raises `InputError` if nothing of it can be read."""
    name = format_of(file, format_name).name
    if name not in ("parquet", "arrow", "csv", "tsv"):
        return Preview([], [])
    arrow = require_arrow(f"showing the columns of {name}")
    try:
        if name == "parquet":
            return _of_parquet(file)
        if name == "arrow":
            return _of_arrow(file)
        tabs = name == "tsv" and delimiter is None
        return _of_text(file, "\t" if tabs else delimiter, header)
    except (arrow.ArrowException, UnicodeDecodeError) as error:
        raise InputError(f"{file.name}: cannot be read: {error}") from None


def _of_parquet(file: SourceFile) -> Preview:
    pq = require_arrow("reading Parquet files", "pyarrow.parquet")
    with seekable(file) as raw, pq.ParquetFile(raw) as parquet:
        first = next(parquet.iter_batches(SAMPLED, use_threads=False), None)
        return _of_batch(parquet.schema_arrow.names, parquet.schema_arrow.types, first)


def _of_arrow(file: SourceFile) -> Preview:
    ipc = require_arrow("reading Arrow files", "pyarrow.ipc")
    if file.head(6) == b"ARROW1":
        with seekable(file) as raw, ipc.open_file(raw) as reader:
            first = reader.get_batch(0) if reader.num_record_batches else None
            return _of_batch(reader.schema.names, reader.schema.types, first)
    with file.beginning() as stream, ipc.open_stream(stream) as reader:
        first = next(iter(reader), None)
        return _of_batch(reader.schema.names, reader.schema.types, first)


def _of_text(file: SourceFile, delimiter: str | None, header: bool | None) -> Preview:
    for stated in (header,) if header is not None else (None, False):
        try:  # where it is not clear whether the first line is a header, it is shown as a row
            names, sample = text_sample(file, delimiter, stated)
        except InputError:
            continue
        if sample is not None:
            return _of_batch(names, sample.schema.types, sample)
    lines = file.head(LINE_BYTES).decode("utf-8", "replace").splitlines()
    return Preview([], [[line] for line in lines[:SHOWN]])


def _of_batch(names: Sequence[str], types: Sequence[Any], batch: Any) -> Preview:
    columns = list(zip(names, map(str, types), strict=True))
    if batch is None:
        return Preview(columns, [])
    batch = batch.slice(0, SAMPLED)
    shown = [[_shown(value) for value in column.slice(0, SHOWN)] for column in batch.columns]
    nulls = tuple(column.null_count for column in batch.columns)
    return Preview(columns, [list(row) for row in zip(*shown, strict=True)], len(batch), nulls)


def _shown(value: Any) -> str:
    """A cell in one line; text that is no UTF-8, and times out of range, cannot be shown."""
    try:
        text = "null" if not value.is_valid else str(value.as_py())
    except (ValueError, OverflowError):
        return "?"
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."
