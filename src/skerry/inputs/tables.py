"""Tables in memory, or coming out of a query, as streams of edges: whatever speaks Arrow.

pyarrow's own tables, batches and readers; anything with the Arrow PyCapsule interface (polars,
pandas, DuckDB and many more) or, failing that, the dataframe interchange protocol. Nothing is
copied but what the other side must convert.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.formats.columns import choose_columns, declared_vertices
from skerry.formats.options import ReadOptions
from skerry.formats.table_edges import edges_of
from skerry.graph.arrow import byte_count
from skerry.graph.edge_source import Batch, EdgeSource, IdKind
from skerry.graph.unchanged import AGAIN
from skerry.ids.columns import array_from_numpy
from skerry.inputs.edge_sources import read_options, with_id_kind
from skerry.inputs.pandas_frames import is_frame, labels_as_numbers, query_of_frame
from skerry.inputs.queries import Query, as_query, is_query
from skerry.inputs.sources import InputKind, StreamSource
from skerry.optional import require_arrow
from skerry.request import InputOptions

PROTOCOLS = ("__arrow_c_stream__", "__arrow_c_array__", "__dataframe__")
TABLES_HAVE = ("columns", "column_names", "schema", "__dataframe__")  # and columns have not


def is_table(graph: Any) -> bool:
    """Whether this is a query, or speaks one of the protocols of tables and is no single column."""
    if are_records(graph) or is_query(graph):
        return True
    if not any(hasattr(graph, protocol) for protocol in PROTOCOLS):
        return False
    column = hasattr(graph, "dtype") or hasattr(graph, "type")
    return not column or any(hasattr(graph, name) for name in TABLES_HAVE)


def table_source(table: Any, options: ReadOptions) -> EdgeSource:
    """The edges in the chosen columns of a table; `skerry.formats.columns` says which these are."""
    require_arrow("reading tables")
    name = name_of(table)
    if is_frame(table):
        options = labels_as_numbers(table, options, name)
    query = _query(table, options)
    chosen = choose_columns(name, query.schema, options)
    n = declared_vertices(chosen, query.schema)
    id_kind: IdKind = "external" if n is None else "vertices"

    def open_batches(threads: int) -> Iterator[Batch]:
        del threads
        row = 0
        for batch in _batches(query, chosen.columns, table):
            yield edges_of(chosen, batch, f"rows from {row:,}", byte_count(batch), id_kind)
            row += batch.num_rows

    facts = replace(chosen.facts(), format="table")
    return EdgeSource(
        name, id_kind, open_batches, num_vertices=n, repeatable=query.repeatable, facts=facts
    )


def table_columns(table: Any, choose: Callable[[list[str]], Iterable[int]]) -> tuple[Any, ...]:
    """Some columns of a table as Arrow's, by the numbers that are chosen by all names."""
    pa = require_arrow("reading tables")
    query = _query(table, ReadOptions())
    numbers = list(choose(query.schema.names))
    batches = list(_batches(query, numbers, table))
    schema = pa.schema([query.schema.field(number) for number in numbers])
    read = pa.Table.from_batches(batches, None if batches else schema)
    return tuple(read.columns)


def name_of(table: Any) -> str:
    """What messages call a table: its type."""
    kind = type(table)
    return f"{_library(table)}.{kind.__qualname__}"


def _query(table: Any, options: ReadOptions) -> Query:
    """The table as something that can be read, perhaps again."""
    import pyarrow as pa

    try:
        if are_records(table):
            return query_of_records(table)
        if is_query(table):
            return as_query(table)
        if is_frame(table):
            return query_of_frame(table, options, name_of(table))
        first = [_reader(table)]
    except (TypeError, ValueError, pa.ArrowException) as error:
        if isinstance(error, InputError):
            raise
        raise _unreadable(table, error) from None
    except Exception as error:
        if _is_of_its_library(error, table):
            raise _unreadable(table, error) from None
        raise

    schema = first[0].schema

    def run(numbers: list[int]) -> Iterator[Any]:
        reader = first.pop() if first else _reader(table)
        if reader.schema.names != schema.names:
            raise InputError(AGAIN.format(f"its columns are {reader.schema.names} now"))
        return (batch.select(numbers) for batch in reader)

    return Query(schema, run, not isinstance(table, pa.RecordBatchReader))


def _reader(table: Any) -> Any:
    """A pyarrow reader of a table's batches."""
    import pyarrow as pa

    if isinstance(table, pa.RecordBatchReader):
        return table
    if isinstance(table, pa.Table):
        return table.to_reader()
    if hasattr(table, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(table)
    if hasattr(table, "__arrow_c_array__"):
        return pa.Table.from_batches([pa.record_batch(table)]).to_reader()
    from pyarrow.interchange import from_dataframe

    return from_dataframe(table).to_reader()


def _batches(query: Query, columns: list[int], table: Any) -> Iterator[Any]:
    import pyarrow as pa

    try:
        yield from query.run(columns)
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(table, error) from None
    except Exception as error:
        if _is_of_its_library(error, table):
            raise _unreadable(table, error) from None
        raise


def _unreadable(table: Any, error: Exception) -> InputError:
    reason = (str(error).strip() or type(error).__name__).splitlines()[0]
    return InputError(f"{name_of(table)}: cannot be read as a table: {reason}")


def _is_of_its_library(error: Exception, table: Any) -> bool:
    """Whether an exception was defined by the library whose table was read."""
    libraries = (_library(error), _library(table))
    return libraries[0] == libraries[1]


def _library(value: Any) -> str:
    return type(value).__module__.partition(".")[0].lstrip("_")


def _open(table: Any, options: InputOptions) -> StreamSource:
    return with_id_kind(table_source(table, read_options(options)), options)


TABLE = InputKind("tables", _open, ("external", "vertices"))


def are_records(table: Any) -> bool:
    """Whether this is an array with named fields."""
    return isinstance(table, np.ndarray) and table.dtype.names is not None


def query_of_records(records: npt.NDArray[Any]) -> Query:
    """The fields as columns, each converted when it is read."""
    import pyarrow as pa

    if records.ndim != 1:
        raise InputError(f"a structured array of edges has one dimension, got {records.shape}")
    names = records.dtype.names or ()
    if type(records) is not np.ndarray:
        masked: Any = np.ma.getmaskarray(records)
        for name in names:
            if masked[name].any():
                row = int(np.argmax(masked[name]))
                raise InputError(f"field {name} is masked in row {row}: drop such rows first")
    fields = [np.asarray(records[name]) for name in names]
    schema = pa.schema([(name, _type(field)) for name, field in zip(names, fields, strict=True)])

    def run(numbers: list[int]) -> Any:
        arrays = [_column(fields[number]) for number in numbers]
        return [pa.record_batch(arrays, [names[number] for number in numbers])]

    return Query(schema, run)


def _type(field: npt.NDArray[Any]) -> Any:
    """The type that a field becomes in Arrow; null where it cannot hold ids."""
    import pyarrow as pa

    if field.ndim != 1 or field.dtype.names is not None:
        return pa.null()
    return _column(field if field.dtype.kind == "O" else field[:0]).type


def _column(values: npt.NDArray[Any]) -> Any:
    """The values of a field, which lie apart, as an Arrow array."""
    import pyarrow as pa

    if values.dtype.kind in "iufb":
        return pa.array(np.ascontiguousarray(values, values.dtype.newbyteorder("=")))
    return array_from_numpy(values)
