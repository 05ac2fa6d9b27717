"""Parquet, read by pyarrow: only the columns that are needed, some row groups at a time.

Row groups are decoded ahead in as many threads as the caller has, and come in order. A file whose
schema has the metadata ``n_vertices`` (skerry writes it for graphs of vertex numbers)
holds vertex numbers 0..n-1 rather than external ids, so vertices without an edge are in the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from skerry.errors import InputError
from skerry.formats.columns import ColumnChoice, choose_columns, declared_vertices
from skerry.formats.memory import claimed, is_limited, reserve, share_of_limit, start_arrow
from skerry.formats.options import ReadOptions
from skerry.formats.prefetch import prefetch_parts
from skerry.formats.readers.memory_errors import out_of_memory
from skerry.formats.source import SourceFile, seekable
from skerry.formats.table_edges import edges_of
from skerry.graph.arrow import byte_count, plain_type
from skerry.graph.edge_source import Batch, EdgeSource, IdKind, ReadPosition
from skerry.optional import require_arrow

if TYPE_CHECKING:
    import pyarrow as pa


if TYPE_CHECKING:
    import pyarrow as pa


PURPOSE = "reading Parquet files"

MAX_READERS = 8
"""Threads that decode row groups: with more, the disk or the consumer is the limit."""


TEXTS = ("string", "large_string")

ROOM_OF_READER = 64 << 20
"""Bytes of memory that one of them takes, about; under a limit there are as many as fit."""


@dataclass(frozen=True, slots=True)
class RowGroups:
    """Some row groups in succession that are read together."""

    first: int
    last: int
    num_bytes: int
    """Their share of the file."""

    @property
    def location(self) -> str:
        """Their numbers, for messages."""
        if self.first == self.last:
            return f"row group {self.first}"
        return f"row groups {self.first} to {self.last}"


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The edges in the chosen columns; see `skerry.formats.columns` for which these are."""
    options.refuse_text(file.name, "Parquet")
    with _opened(file) as parquet:
        choice = _choose(file, parquet, options)
        n = declared_vertices(choice, parquet.schema_arrow)
        num_edges = parquet.metadata.num_rows
        id_kind: IdKind = "external" if n is None else "vertices"
        all_parts = list(_grouped(parquet.metadata, options.batch_rows, file.size or 0))

    def open_at(threads: int, position: ReadPosition) -> Iterator[Batch]:
        begin, skip = position.offset or (0, 0)
        parts = all_parts
        if begin:
            with _opened(file) as parquet:
                parts = list(_grouped(parquet.metadata, options.batch_rows, file.size or 0, begin))
        # One file handle for each reader; a file compressed from outside is unpacked only once.
        readers = min(threads, MAX_READERS, len(parts)) if file.compression is None else 1
        start_arrow()
        readers = max(1, share_of_limit(readers * ROOM_OF_READER, 0, 2) // ROOM_OF_READER)
        by_column = readers < threads and not is_limited()

        def read_groups(assigned: Iterator[RowGroups]) -> Iterator[tuple[RowGroups, Batch]]:
            with _opened(file) as parquet:
                for groups in assigned:
                    left = skip if groups.first == begin else 0
                    share, rows = 0 if left else groups.num_bytes, 0
                    for batch in _record_batches(parquet, choice, groups, options, by_column):
                        rows += len(batch)
                        if left:  # an earlier reading has had these rows
                            batch, left = batch[left:], max(0, left - len(batch))
                            if not len(batch):
                                continue
                        edges = edges_of(choice, batch, groups.location, share, id_kind)
                        yield groups, replace(edges, next_offset=(groups.first, rows))
                        share = 0

        return prefetch_parts(parts, read_groups, readers)

    return EdgeSource(
        name=file.name,
        id_kind=id_kind,
        open=lambda threads: open_at(threads, ReadPosition()),
        open_at=open_at,
        num_vertices=n,
        num_edges=None if choice.drop_nulls else num_edges,
        num_bytes=file.size,
        decoded=True,
        facts=choice.facts(),
    )


def read_dictionary(file: SourceFile, number: int) -> Any | None:
    """A column of text as a dictionary array, as which it is stored; else, or if damaged, None."""
    if is_limited():
        return None
    pq = require_arrow(f"{file.name}: {PURPOSE}", "pyarrow.parquet")
    try:
        with _opened(file) as parquet:
            name, rows = parquet.schema_arrow.names[number], parquet.metadata.num_rows
            if str(plain_type(parquet.schema_arrow.types[number])) not in TEXTS:
                return None
        with (
            seekable(file) as raw,
            pq.ParquetFile(raw, read_dictionary=[name], page_checksum_verification=True) as parquet,
        ):
            table = parquet.read(columns=[name], use_threads=False)
    except _failures():  # an InputError is one of them
        return None
    if table.column_names != [name] or len(table) != rows or table.column(0).null_count:
        return None
    column = table.column(0).unify_dictionaries().combine_chunks()
    return column if str(plain_type(column.type)) in TEXTS and hasattr(column, "indices") else None


def schema(file: SourceFile, options: ReadOptions) -> ColumnChoice:
    """The chosen columns and their types, which must fit those of the other files of a graph."""
    with _opened(file) as parquet:
        return _choose(file, parquet, options)


def _choose(file: SourceFile, parquet: Any, options: ReadOptions) -> ColumnChoice:
    choice = choose_columns(file.name, parquet.schema_arrow, options)
    for number in choice.columns:
        if choice.names.count(choice.names[number]) > 1:
            raise InputError(
                f"{file.name}: several columns are called {choice.names[number]}; rename them"
            )
    return choice


def _failures() -> tuple[type[BaseException], ...]:
    """What pyarrow raises on bad contents."""
    return (require_arrow(PURPOSE).ArrowException, OSError, ValueError)


@contextmanager
def _opened(file: SourceFile) -> Iterator[Any]:
    """The file with its footer read."""
    pq = require_arrow(f"{file.name}: {PURPOSE}", "pyarrow.parquet")
    with seekable(file) as raw:
        try:
            parquet = pq.ParquetFile(
                raw,
                buffer_size=BUFFER if is_limited() else 0,
                pre_buffer=file.path is None and not is_limited(),
                page_checksum_verification=True,
            )
        except _failures() as error:
            if isinstance(error, InputError):
                raise
            if out_of_memory(error):
                raise _needs_memory(f"{file.name}: its footer", error) from None
            raise InputError(
                f"{file.name}: not a Parquet file, or an incomplete one: {_first_line(error)}"
            ) from None
        with parquet:
            yield parquet


def _grouped(metadata: Any, rows: int, size: int, begin: int = 0) -> Iterator[RowGroups]:
    """Row groups in succession of about ``rows`` rows: very small ones would cost more to open.

    ``begin`` is the first of them.
    """
    seen = sum(metadata.row_group(number).num_rows for number in range(begin))
    first, held, reported = begin, 0, size * seen // max(metadata.num_rows, 1)
    for number in range(begin, metadata.num_row_groups):
        held += metadata.row_group(number).num_rows
        if held >= rows or number == metadata.num_row_groups - 1:
            seen += held
            now = size * seen // max(metadata.num_rows, 1)
            yield RowGroups(first, number, now - reported)
            first, held, reported = number + 1, 0, now


def _record_batches(
    parquet: Any, choice: ColumnChoice, groups: RowGroups, options: ReadOptions, by_column: bool
) -> Iterator[pa.RecordBatch]:
    """The chosen columns of some row groups."""
    names = [choice.names[number] for number in choice.columns]
    numbers = range(groups.first, groups.last + 1)
    refuse_large_groups(parquet.metadata, names, numbers)

    def batches(numbers: range, rows: int) -> Iterator[pa.RecordBatch]:
        for batch in parquet.iter_batches(
            rows, row_groups=numbers, columns=names, use_threads=by_column
        ):
            # "a.b" is a column, and also the field b of a column a: pyarrow gives both.
            yield batch if batch.num_columns == len(names) else batch.select(names)

    rows = options.batch_rows
    try:
        rows, room = rows_of_batch(parquet, names, groups.first, rows)
        read = 0
        for batch in decoded(batches(numbers, rows), room, f"the rows of {groups.location}"):
            read += len(batch)
            yield batch
        _check_rows(choice.file, parquet.metadata, groups, read)
    except _failures() as error:
        if isinstance(error, InputError):
            raise
        if out_of_memory(error):
            raise _needs_memory(f"{choice.file}: {groups.location}", error) from None
        bad = groups.location
        for number in range(groups.first, groups.last + 1):
            try:
                for _ in batches(range(number, number + 1), rows):
                    pass
            except _failures():
                bad = f"row group {number}"
                break
        raise InputError(
            f"{choice.file}: {bad} cannot be read, the file is damaged: {_first_line(error)}"
        ) from None


def _check_rows(file: str, metadata: Any, groups: RowGroups, read: int) -> None:
    """Raises if pyarrow has passed over pages: it does, where their headers are damaged."""
    numbers = range(groups.first, groups.last + 1)
    stated = sum(metadata.row_group(number).num_rows for number in numbers)
    if read != stated:
        raise InputError(
            f"{file}: {groups.location} cannot be read, the file is damaged: the footer says "
            f"{stated:,} rows, and {read:,} are there"
        )


def _needs_memory(what: str, error: BaseException) -> MemoryError:
    return MemoryError(f"{what} needs more memory than is free: {_first_line(error)}")


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0]


BUFFER = 1 << 18
"""Bytes of a column that are read at a time."""
PAGES = 4 << 20
"""Bytes of the pages of a column that are held, about: its dictionary, and a page before and after
it is unpacked. Writers make pages of a megabyte."""
FEWEST_ROWS, SAMPLED_ROWS = 64, 1 << 10
"""Rows of a batch where rows are wide; rows by which the width of text is estimated."""
SHARE = 32
"""Parts of what is left under the limit, one for a batch: it is there decoded and converted, two
wait for the consumer, and ids take several times their size in its table."""
IN_DECODING = 3
"""Times the bytes of a batch that decoding it takes: lists that grow by doubling."""


def refuse_large_groups(metadata: Any, names: list[str], numbers: range) -> None:
    """Raises `MemoryError` if the chosen columns of one of these row groups do not fit."""
    if is_limited():
        for number in numbers:
            size = sum(_sizes(metadata.row_group(number), names))
            reserve(size, f"the columns {' and '.join(names)} of row group {number}, unpacked,")


def rows_of_batch(parquet: Any, names: list[str], number: int, wanted: int) -> tuple[int, int]:
    """Rows of a batch of this row group, and the bytes that decoding them takes."""
    if not is_limited():
        return wanted, 0
    pages = sum(min(size, PAGES) + BUFFER for size in _sizes(_group(parquet, number), names))
    width = _row_bytes(parquet, names, number, pages)
    rows = share_of_limit(wanted * width, FEWEST_ROWS * width, SHARE) // width
    return rows, pages + IN_DECODING * rows * width


def decoded(batches: Iterator[pa.RecordBatch], room: int, purpose: str) -> Iterator[pa.RecordBatch]:
    """The batches, each decoded where there is room for it."""
    while True:
        with claimed(room, purpose):
            batch = next(batches, None)
        if batch is None:
            return
        room = max(room, IN_DECODING * byte_count(batch)) if room else 0
        yield batch


def _group(parquet: Any, number: int) -> Any:
    return parquet.metadata.row_group(number)


def _sizes(group: Any, names: list[str]) -> Iterator[int]:
    """The bytes of columns of a row group when they are unpacked."""
    for number in range(group.num_columns):
        column = group.column(number)
        if column.path_in_schema in names:
            yield max(column.total_uncompressed_size, 0)


def _row_bytes(parquet: Any, names: list[str], number: int, pages: int) -> int:
    """Bytes of a row, about: of text, twice those of the first rows."""
    schema = parquet.schema_arrow
    try:
        return max(1, sum(int(schema.field(name).type.bit_width) // 8 for name in names))
    except ValueError:  # no fixed width
        pass
    with claimed(pages, f"the first rows of row group {number}"):
        rows = parquet.iter_batches(
            SAMPLED_ROWS, row_groups=[number], columns=names, use_threads=False
        )
        sample = next(rows, None)
        return 64 if not sample else 2 * byte_count(sample) // len(sample) + 1
