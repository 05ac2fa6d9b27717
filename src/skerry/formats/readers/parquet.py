"""Parquet, read by pyarrow: only the columns that are needed, some row groups at a time.

Row groups are decoded ahead in as many threads as the caller has, and come in order. A file whose
schema has the metadata ``n_vertices`` (skerry writes it for graphs whose vertices are numbers)
holds vertices 0..n-1 rather than names, so that those without an edge are in the answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from skerry.errors import InputError
from skerry.formats.columns import Chosen, choose_columns, edges_of, vertices_said
from skerry.formats.options import ReadOptions
from skerry.formats.prefetch import prefetch_parts
from skerry.formats.source import SourceFile, seekable
from skerry.graph.edge_source import Batch, EdgeSource, IdKind

__all__ = ["read", "schema"]

FAILURES = (pa.ArrowException, OSError, ValueError)
"""What pyarrow raises on bad contents."""

MAX_READERS = 8
"""Threads that decode row groups: with more, the disk or the consumer is the limit."""


@dataclass(frozen=True, slots=True)
class RowGroups:
    """Some row groups in succession that are read together."""

    first: int
    last: int
    num_bytes: int
    """Their share of the file."""

    @property
    def place(self) -> str:
        """What messages call them."""
        if self.first == self.last:
            return f"row group {self.first}"
        return f"row groups {self.first} to {self.last}"


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The edges in the chosen columns; see `skerry.formats.columns` for which these are."""
    with _opened(file) as parquet:
        chosen = _choose(file, parquet, options)
        n = vertices_said(chosen, parquet.schema_arrow)
        num_edges = parquet.metadata.num_rows
        id_kind: IdKind = "external" if n is None else "vertices"
        parts = list(_grouped(parquet.metadata, options.batch_rows, file.size or 0))

    def open_batches(threads: int) -> Iterator[Batch]:
        # One file handle for each reader; a file compressed from outside is unpacked only once.
        readers = min(threads, MAX_READERS, len(parts)) if file.compression is None else 1
        by_column = readers < threads

        def read_groups(assigned: Iterator[RowGroups]) -> Iterator[tuple[RowGroups, Batch]]:
            with _opened(file) as parquet:
                for groups in assigned:
                    share = groups.num_bytes
                    for batch in _record_batches(parquet, chosen, groups, options, by_column):
                        yield groups, edges_of(chosen, batch, groups.place, share, id_kind)
                        share = 0

        return prefetch_parts(parts, read_groups, readers)

    return EdgeSource(
        name=file.name,
        id_kind=id_kind,
        open=open_batches,
        num_vertices=n,
        num_edges=num_edges,
        num_bytes=file.size,
        decoded=True,
        facts=chosen.facts(),
    )


def schema(file: SourceFile, options: ReadOptions) -> str:
    """The chosen columns and their types, which must be the same in all files of a graph."""
    with _opened(file) as parquet:
        return _choose(file, parquet, options).told()


def _choose(file: SourceFile, parquet: Any, options: ReadOptions) -> Chosen:
    chosen = choose_columns(file.name, parquet.schema_arrow, options)
    for number in chosen.columns:
        if chosen.names.count(chosen.names[number]) > 1:
            raise InputError(
                f"{file.name}: several columns are called {chosen.names[number]}; rename them"
            )
    return chosen


@contextmanager
def _opened(file: SourceFile) -> Iterator[Any]:
    """The file with its footer read."""
    with seekable(file) as raw:
        try:
            parquet = pq.ParquetFile(
                raw, pre_buffer=file.path is None, page_checksum_verification=True
            )
        except FAILURES as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"{file.name}: not a whole Parquet file: {_first_line(error)}"
            ) from None
        with parquet:
            yield parquet


def _grouped(metadata: Any, rows: int, size: int) -> Iterator[RowGroups]:
    """Row groups in succession of about ``rows`` rows: very small ones would cost more to open."""
    first = held = seen = told = 0
    for number in range(metadata.num_row_groups):
        held += metadata.row_group(number).num_rows
        if held >= rows or number == metadata.num_row_groups - 1:
            seen += held
            now = size * seen // max(metadata.num_rows, 1)
            yield RowGroups(first, number, now - told)
            first, held, told = number + 1, 0, now


def _record_batches(
    parquet: Any, chosen: Chosen, groups: RowGroups, options: ReadOptions, by_column: bool
) -> Iterator[pa.RecordBatch]:
    """The chosen columns of some row groups."""
    names = [chosen.names[number] for number in chosen.columns]

    def batches(numbers: range) -> Iterator[pa.RecordBatch]:
        return parquet.iter_batches(  # type: ignore[no-any-return]
            options.batch_rows, row_groups=numbers, columns=names, use_threads=by_column
        )

    try:
        yield from batches(range(groups.first, groups.last + 1))
    except FAILURES as error:
        if isinstance(error, InputError):
            raise
        bad = groups.place
        for number in range(groups.first, groups.last + 1):
            try:
                for _ in batches(range(number, number + 1)):
                    pass
            except FAILURES:
                bad = f"row group {number}"
                break
        raise InputError(
            f"{chosen.file}: {bad} cannot be read, the file is damaged: {_first_line(error)}"
        ) from None


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0]
