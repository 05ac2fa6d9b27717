"""Graphs as tables: Parquet, Arrow, CSV, TSV and edge lists of two columns, ``src`` and ``dst``.

Ids made of several columns become ``src_0``, ``src_1``, ...; weights become ``weight``. Parquet and
Arrow get the metadata ``n_vertices`` if ids are vertex numbers; text has none, so there each vertex
without an edge is written as a loop. Integers become text without pyarrow, see `integer_text`.
"""

from __future__ import annotations

import csv as csv_of_names
import io
from collections.abc import Generator, Sequence
from contextlib import closing
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from skerry.errors import InputError, UnsupportedError
from skerry.formats.columns import VERTICES_KEY
from skerry.formats.id_types import is_text
from skerry.formats.writers.integer_text import are_integers, write_rows
from skerry.formats.writers.options import WriteOptions
from skerry.formats.writers.renumber import as_vertices, with_isolated
from skerry.graph.edge_source import Batch, EdgeSource, closed_after
from skerry.optional import require_arrow

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq


PURPOSE = "writing tables"
EMPTY = Batch(np.empty(0, np.int64), np.empty(0, np.int64))


def parquet(source: EdgeSource, file: Any, options: WriteOptions) -> None:
    """Apache Parquet."""
    require_arrow(f"{options.path}: writing Parquet files")
    schema, batches = _table(source, options)
    with closing(batches), parquet_writer(file, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)


def arrow(source: EdgeSource, file: Any, options: WriteOptions) -> None:
    """An Arrow IPC file, which is Feather too."""
    ipc = require_arrow(f"{options.path}: writing Arrow files", "pyarrow.ipc")
    schema, batches = _table(source, options)
    with closing(batches), ipc.new_file(file, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)


def csv(source: EdgeSource, file: Any, options: WriteOptions) -> None:
    """Commas, with a header."""
    _text(source, file, options, ",", header=True)


def tsv(source: EdgeSource, file: Any, options: WriteOptions) -> None:
    """Tabs, with a header."""
    _text(source, file, options, "\t", header=True)


def edge_list(source: EdgeSource, file: Any, options: WriteOptions) -> None:
    """Spaces, without a header: integers only, as its readers expect."""
    _text(source, file, options, " ", header=False)


def parquet_writer(file: Any, schema: pa.Schema) -> pq.ParquetWriter:
    """Opens a Parquet file: checksums, and dictionaries only where values are likely to repeat."""
    pq = require_arrow(PURPOSE, "pyarrow.parquet")
    is_integer = require_arrow(PURPOSE, "pyarrow.types").is_integer
    repeated = [field.name for field in schema if not is_integer(field.type)]
    return pq.ParquetWriter(
        file,
        schema,
        compression="zstd",
        use_dictionary=repeated or False,
        write_page_checksum=True,
    )


def text_writer(file: Any, schema: pa.Schema, delimiter: str, header: bool) -> Any:
    """Opens delimited text; strings are quoted, numbers not."""
    pacsv = require_arrow(PURPOSE, "pyarrow.csv")
    if header:
        write_header(file, schema.names, delimiter)
    style = pacsv.WriteOptions(include_header=False, delimiter=delimiter, batch_size=1 << 14)
    return pacsv.CSVWriter(file, schema, write_options=style)


def write_header(file: Any, names: Sequence[str], delimiter: str) -> None:
    """Writes the names of columns, quoted where they must be."""
    line = io.StringIO()
    csv_of_names.writer(line, delimiter=delimiter, lineterminator="\n").writerow(names)
    file.write(line.getvalue().encode())


def _text(
    source: EdgeSource, file: Any, options: WriteOptions, delimiter: str, header: bool
) -> None:
    batches = _batches(source, options, isolated=True)
    with closing(batches):
        first = next(batches, EMPTY)
        if first.weight is None and are_integers(first.src, first.dst):
            if header:
                write_header(file, ("src", "dst"), delimiter)
            for batch in chain((first,), batches):
                if not are_integers(batch.src, batch.dst):
                    raise _other_type(source, batch, first.src.dtype)
                write_rows(file, (batch.src, batch.dst), delimiter)
        else:
            _arrow_text(first, batches, source, file, options, delimiter, header)


def _arrow_text(
    first: Batch,
    batches: Generator[Batch, None, None],
    source: EdgeSource,
    file: Any,
    options: WriteOptions,
    delimiter: str,
    header: bool,
) -> None:
    pa = require_arrow(f"{options.path}: writing weights, or ids that are not integers, as text")
    schema = pa.schema(_fields(first, source))
    integers = all(pa.types.is_integer(field.type) for field in schema if field.name != "weight")
    if not header and (len(schema) > 3 or not integers):
        raise UnsupportedError(
            f"{options.path}: an edge list holds integers; write these ids to .csv or .tsv"
        )
    plain = pa.schema([(field.name, _text_type(options.path, field)) for field in schema])
    with text_writer(file, plain, delimiter, header) as writer:
        for batch in chain((first,), batches):
            table = pa.Table.from_batches([_record_batch(batch, schema, source)]).cast(plain)
            _refuse_empty_text(options.path, table)
            writer.write_table(table)


def _refuse_empty_text(path: str, table: pa.Table) -> None:
    """Raises if an id is empty: in delimited text it would be read as a missing one."""
    pc = require_arrow(PURPOSE, "pyarrow.compute")
    for name, column in zip(table.column_names, table.columns, strict=True):
        if is_text(column.type) and pc.min(pc.binary_length(column)).as_py() == 0:
            raise UnsupportedError(
                f"{path}: an id in {name} is the empty text, which delimited text cannot hold; "
                "write Parquet or Arrow"
            )


def _text_type(path: str, field: pa.Field) -> pa.DataType:
    """The type in which a column is written as text; raises if there is none."""
    pa = require_arrow(PURPOSE)
    kind = field.type
    if pa.types.is_string_view(kind):
        return pa.large_string()
    if any(
        is_binary(kind)
        for is_binary in (
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
    source: EdgeSource, options: WriteOptions
) -> tuple[pa.Schema, Generator[pa.RecordBatch, None, None]]:
    """The schema of the table, and its batches."""
    metadata = None
    if source.id_kind == "vertices":
        graph = as_vertices(source, options)
        metadata = {VERTICES_KEY: str(graph.num_vertices).encode()}
        batches = graph.batches()
    else:
        batches = _batches(source, options, isolated=False)
    first = next(batches, None)
    fields = _fields(first or EMPTY, source)
    schema = require_arrow(PURPOSE).schema(fields, metadata=metadata)

    def record_batches() -> Generator[pa.RecordBatch, None, None]:
        with closing(batches):
            if first is not None:
                yield _record_batch(first, schema, source)
            for batch in batches:
                yield _record_batch(batch, schema, source)

    return schema, record_batches()


def _batches(
    source: EdgeSource, options: WriteOptions, *, isolated: bool
) -> Generator[Batch, None, None]:
    """The batches of a source; with ``isolated``, loops for vertices without an edge too."""
    if source.id_kind == "vertices" and isolated:
        graph = as_vertices(source, options)
        yield from with_isolated(graph.batches(), graph.num_vertices)
        return
    with closed_after(source.open(options.threads)) as batches:
        yield from batches


def _fields(batch: Batch, source: EdgeSource) -> list[tuple[str, pa.DataType]]:
    pa = require_arrow(PURPOSE)
    fields = []
    for name, end in (("src", batch.src), ("dst", batch.dst)):
        several = isinstance(end, tuple)
        for number, column in enumerate(end if several else (end,)):
            kind = pa.array(column[:0]).type if isinstance(column, np.ndarray) else column.type
            if pa.types.is_integer(kind) and source.id_kind == "external" and kind != pa.uint64():
                kind = pa.int64()  # later batches may need more bits than the first
            fields.append((f"{name}_{number}" if several else name, kind))
    if batch.weight is not None:
        kind = pa.from_numpy_dtype(batch.weight.dtype)
        fields.append(("weight", kind if pa.types.is_floating(kind) else pa.float64()))
    return fields


def _record_batch(batch: Batch, schema: pa.Schema, source: EdgeSource) -> pa.RecordBatch:
    pa = require_arrow(PURPOSE)
    cast = require_arrow(PURPOSE, "pyarrow.compute").cast
    columns: list[Any] = []
    for end in (batch.src, batch.dst):
        columns.extend(end if isinstance(end, tuple) else (end,))
    if batch.weight is not None:
        columns.append(batch.weight)
    try:
        arrays = [
            cast(pa.array(np.ascontiguousarray(c)) if isinstance(c, np.ndarray) else c, kind)
            for c, kind in zip(columns, schema.types, strict=True)
        ]
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:
        raise _other_type(source, batch, schema.types[0], error) from None
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _other_type(
    source: EdgeSource, batch: Batch, kind: Any, error: Exception | None = None
) -> InputError:
    reason = "" if error is None else f": {error}"
    return InputError(
        f"{source.name}: {batch.location}: these ids do not fit the type of those before, "
        f"{kind}{reason}"
    )
