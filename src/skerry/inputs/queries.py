"""Queries that run when they are read: polars' LazyFrame, DuckDB's relations and results.

Of a query whose columns are known before it runs, only those that are needed are computed.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple


class Query(NamedTuple):
    """A table whose rows are not there yet."""

    schema: Any
    """The Arrow schema of all columns."""
    run: Callable[[list[int]], Iterable[Any]]
    """Record batches of pyarrow with some columns, by their numbers, in that order."""
    repeatable: bool = True
    """Whether it can be run again."""


def is_query(table: Any) -> bool:
    """Whether this is a query of polars or DuckDB, by the name of its class."""
    return _class_of(table) in QUERIES


def as_query(table: Any) -> Query:
    """A query that `is_query` knows."""
    return QUERIES[_class_of(table)](table)


def _class_of(table: Any) -> tuple[str, str]:
    kind = type(table)
    return kind.__module__.partition(".")[0].lstrip("_"), kind.__qualname__


def _lazy_frame(frame: Any) -> Query:
    import polars
    import pyarrow as pa

    def reader(rows: Any) -> Any:
        return pa.RecordBatchReader.from_stream(rows)

    columns = frame.collect_schema()
    names = list(columns)

    def run(numbers: list[int]) -> Any:
        needed = frame.select([polars.col(names[number]) for number in numbers])
        return reader(needed.collect(engine="streaming"))

    return Query(reader(polars.DataFrame(schema=columns)).schema, run)


def _relation(relation: Any) -> Query:
    import pyarrow as pa

    names = list(relation.columns)
    schema = pa.RecordBatchReader.from_stream(relation.limit(0)).schema

    def run(numbers: list[int]) -> Any:
        if len(set(names)) == len(names):
            needed = relation.select(*(_quoted(names[number]) for number in numbers))
            return pa.RecordBatchReader.from_stream(needed)
        return _selected(pa.RecordBatchReader.from_stream(relation), numbers)

    return Query(schema, run)


def _quoted(name: str) -> str:
    """A name as DuckDB's SQL has it."""
    return '"' + name.replace('"', '""') + '"'


def _result(connection: Any) -> Query:
    """The result of ``connection.execute(...)``, which is the connection itself."""
    with warnings.catch_warnings():
        # That a relation would be copied once less.
        warnings.simplefilter("ignore", UserWarning)
        read = getattr(connection, "to_arrow_reader", None) or connection.fetch_record_batch
        reader = read()
    if reader is None:
        raise ValueError("there is no result to read; it may have been read before")
    return Query(reader.schema, lambda numbers: _selected(reader, numbers), repeatable=False)


def _selected(batches: Iterable[Any], numbers: list[int]) -> Iterable[Any]:
    return (batch.select(numbers) for batch in batches)


QUERIES: dict[tuple[str, str], Callable[[Any], Query]] = {
    ("polars", "LazyFrame"): _lazy_frame,
    ("duckdb", "DuckDBPyRelation"): _relation,
    ("duckdb", "DuckDBPyConnection"): _result,
}
