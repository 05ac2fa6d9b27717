"""Graphs as tables: Parquet, Arrow, CSV, TSV and edge lists of two columns, ``src`` and ``dst``.

Ids made of several columns become ``src_0``, ``src_1``, ...; weights become ``weight``. Parquet and
Arrow say in the metadata ``n_vertices`` if ids are the numbers of vertices, and how many there are;
text cannot, so there each vertex without an edge is written as a loop.
"""

from __future__ import annotations

import csv as csv_of_names
import io
from collections.abc import Generator
from contextlib import closing
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from skerry.errors import InputError, UnsupportedError
from skerry.formats.columns import VERTICES_KEY
from skerry.formats.writers.graph import WriteOptions
from skerry.formats.writers.renumber import as_numbers, opened, with_isolated
from skerry.graph.edge_source import Batch, EdgeSource

__all__ = [
    "arrow",
    "csv",
    "edge_list",
    "parquet",
    "parquet_writer",
    "text_writer",
    "tsv",
]


def parquet(stream: EdgeSource, file: Any, options: WriteOptions) -> None:
    """Apache Parquet."""
    schema, batches = _table(stream, options, isolated=False)
    with closing(batches), parquet_writer(file, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)


def arrow(stream: EdgeSource, file: Any, options: WriteOptions) -> None:
    """An Arrow IPC file, which is Feather too."""
    schema, batches = _table(stream, options, isolated=False)
    with closing(batches), pa.ipc.new_file(file, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)


def csv(stream: EdgeSource, file: Any, options: WriteOptions) -> None:
    """Commas, with a header."""
    _text(stream, file, options, ",", header=True)


def tsv(stream: EdgeSource, file: Any, options: WriteOptions) -> None:
    """Tabs, with a header."""
    _text(stream, file, options, "\t", header=True)


def edge_list(stream: EdgeSource, file: Any, options: WriteOptions) -> None:
    """Blanks, without a header: integers only, as its readers expect."""
    _text(stream, file, options, " ", header=False)


def parquet_writer(file: Any, schema: pa.Schema) -> pq.ParquetWriter:
    """Opens a Parquet file: checksums, and dictionaries only where values are likely to repeat."""
    repeated = [field.name for field in schema if not pa.types.is_integer(field.type)]
    return pq.ParquetWriter(
        file,
        schema,
        compression="zstd",
        use_dictionary=repeated or False,
        write_page_checksum=True,
    )


def text_writer(file: Any, schema: pa.Schema, delimiter: str, header: bool) -> Any:
    """Opens delimited text; strings are quoted, numbers not."""
    if header:
        names = io.StringIO()
        csv_of_names.writer(names, delimiter=delimiter, lineterminator="\n").writerow(schema.names)
        file.write(names.getvalue().encode())
    style = pacsv.WriteOptions(include_header=False, delimiter=delimiter, batch_size=1 << 14)
    return pacsv.CSVWriter(file, schema, write_options=style)


def _text(
    stream: EdgeSource, file: Any, options: WriteOptions, delimiter: str, header: bool
) -> None:
    schema, batches = _table(stream, options, isolated=True)
    numbers = all(pa.types.is_integer(field.type) for field in schema if field.name != "weight")
    with closing(batches):
        if not header and (len(schema) > 3 or not numbers):
            raise UnsupportedError(
                f"{options.path}: an edge list holds integers; write these ids to .csv or .tsv"
            )
        plain = pa.schema([(field.name, _as_text(options.path, field)) for field in schema])
        with text_writer(file, plain, delimiter, header) as writer:
            for batch in batches:
                writer.write_table(pa.Table.from_batches([batch]).cast(plain))


def _as_text(path: str, field: pa.Field) -> pa.DataType:
    kind = field.type
    if pa.types.is_string_view(kind):
        return pa.large_string()
    if any(
        test(kind)
        for test in (
            pa.types.is_binary,
            pa.types.is_large_binary,
            pa.types.is_fixed_size_binary,
            pa.types.is_binary_view,
        )
    ):
        raise UnsupportedError(
            f"{path}: the ids in {field.name} are {kind}, which text cannot hold; write Parquet or "
            "Arrow"
        )
    return kind


def _table(
    stream: EdgeSource, options: WriteOptions, *, isolated: bool
) -> tuple[pa.Schema, Generator[pa.RecordBatch, None, None]]:
    """The schema of the table, and its batches."""
    metadata = None
    if stream.id_kind == "vertices":
        numbered = as_numbers(stream, options)
        n = numbered.num_vertices
        metadata = {VERTICES_KEY: str(n).encode()}
        batches = with_isolated(numbered.batches(), n) if isolated else numbered.batches()
    else:
        batches = _batches(stream, options)
    first = next(batches, None)
    fields = _fields(first or Batch(np.empty(0, np.int64), np.empty(0, np.int64)), stream)
    schema = pa.schema(fields, metadata=metadata)

    def tables() -> Generator[pa.RecordBatch, None, None]:
        with closing(batches):
            if first is not None:
                yield _record_batch(first, schema, stream)
            for batch in batches:
                yield _record_batch(batch, schema, stream)

    return schema, tables()


def _batches(stream: EdgeSource, options: WriteOptions) -> Generator[Batch, None, None]:
    with opened(stream, options.threads) as batches:
        yield from batches


def _fields(batch: Batch, stream: EdgeSource) -> list[tuple[str, pa.DataType]]:
    fields = []
    for name, end in (("src", batch.src), ("dst", batch.dst)):
        several = isinstance(end, tuple)
        for number, column in enumerate(end if several else (end,)):
            kind = pa.array(column[:0]).type if isinstance(column, np.ndarray) else column.type
            if pa.types.is_integer(kind) and stream.id_kind == "external" and kind != pa.uint64():
                kind = pa.int64()  # later batches may need more bits than the first
            fields.append((f"{name}_{number}" if several else name, kind))
    if batch.weight is not None:
        kind = pa.from_numpy_dtype(batch.weight.dtype)
        fields.append(("weight", kind if pa.types.is_floating(kind) else pa.float64()))
    return fields


def _record_batch(batch: Batch, schema: pa.Schema, stream: EdgeSource) -> pa.RecordBatch:
    columns: list[Any] = []
    for end in (batch.src, batch.dst):
        columns.extend(end if isinstance(end, tuple) else (end,))
    if batch.weight is not None:
        columns.append(batch.weight)
    try:
        arrays = [
            pc.cast(pa.array(np.ascontiguousarray(c)) if isinstance(c, np.ndarray) else c, kind)
            for c, kind in zip(columns, schema.types, strict=True)
        ]
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:
        raise InputError(
            f"{stream.name}: {batch.place}: these ids do not fit the type of those before, "
            f"{schema.types[0]}: {error}"
        ) from None
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
