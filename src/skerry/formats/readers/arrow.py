"""Arrow IPC files and streams, and Feather (version 2, which is the same), read by pyarrow.

The metadata ``n_vertices`` means the same as in Parquet: ids are vertex numbers 0..n-1 rather than
external ids. Record batches are brought to a useful size: small ones are joined, large ones cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from skerry.errors import InputError, UnsupportedError
from skerry.formats.columns import ColumnChoice, choose_columns, declared_vertices
from skerry.formats.options import ReadOptions
from skerry.formats.prefetch import prefetch
from skerry.formats.readers.memory_errors import out_of_memory
from skerry.formats.source import SourceFile, seekable
from skerry.formats.table_edges import edges_of
from skerry.graph.edge_source import Batch, EdgeSource, IdKind
from skerry.optional import require_arrow

if TYPE_CHECKING:
    import pyarrow as pa


PURPOSE = "reading Arrow files"


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The edges in the chosen columns; see `skerry.formats.columns` for which these are."""
    options.refuse_text(file.name, "Arrow")
    with _opened(file) as (reader, _):
        choice = choose_columns(file.name, reader.schema, options)
        n = declared_vertices(choice, reader.schema)
    return EdgeSource(
        name=file.name,
        id_kind="external" if n is None else "vertices",
        open=lambda _: prefetch(lambda: _batches(file, options, choice, n)),
        num_vertices=n,
        num_bytes=file.size,
        facts=choice.facts(),
    )


def schema(file: SourceFile, options: ReadOptions) -> ColumnChoice:
    """The chosen columns and their types, which must fit those of the other files of a graph."""
    with _opened(file) as (reader, _):
        return choose_columns(file.name, reader.schema, options)


def _failures() -> tuple[type[BaseException], ...]:
    """What pyarrow raises on bad contents; a damaged length may demand any amount of memory."""
    return (require_arrow(PURPOSE).ArrowException, OSError, ValueError, MemoryError)


@contextmanager
def _opened(file: SourceFile, columns: list[int] | None = None) -> Iterator[tuple[Any, Any]]:
    """A reader of the chosen columns, and the stream of bytes if it is read in order."""
    ipc = require_arrow(f"{file.name}: {PURPOSE}", "pyarrow.ipc")
    magic = file.head(6)
    if magic.startswith(b"FEA1"):
        raise UnsupportedError(
            f"{file.name}: Feather version 1 is no longer read; write it again with "
            "pyarrow.feather.write_feather"
        )
    options = ipc.IpcReadOptions(included_fields=columns or [])
    with _as_input_error(file):
        if magic == b"ARROW1":
            with seekable(file) as raw, ipc.open_file(raw, options=options) as reader:
                yield reader, None
        else:
            with file.open() as stream, ipc.open_stream(stream, options=options) as reader:
                yield reader, stream


@contextmanager
def _as_input_error(file: SourceFile) -> Iterator[None]:
    try:
        yield
    except _failures() as error:
        if isinstance(error, InputError | UnsupportedError):
            raise
        if out_of_memory(error):
            reason = str(error).removeprefix(f"{file.name}: ")
            raise MemoryError(f"{file.name}: {reason}") from None
        raise InputError(
            f"{file.name}: not an Arrow file, or an incomplete one: {_reason(error)}"
        ) from None


def _batches(
    file: SourceFile, options: ReadOptions, choice: ColumnChoice, n: int | None
) -> Iterator[Batch]:
    # The reader gives the fields in the order of the file, whatever the order of the request.
    with _opened(file, choice.columns) as (reader, stream):
        reported = 0
        kind: IdKind = "external" if n is None else "vertices"
        for first, last, batch in _resized(_record_batches(file, reader), options.batch_rows):
            several = f"record batches {first}-{last}"
            location = f"record batch {first}" if first == last else several
            edges = edges_of(choice, batch, location, 0, kind)
            if stream is not None:
                done = stream.consumed
            else:
                done = (file.size or 0) * (last + 1) // reader.num_record_batches
            yield replace(edges, consumed=done - reported)
            reported = done


def _record_batches(file: SourceFile, reader: Any) -> Iterator[tuple[int, pa.RecordBatch]]:
    """The record batches with their numbers."""
    is_primitive = require_arrow(PURPOSE, "pyarrow.types").is_primitive
    number = 0
    while True:
        try:
            if hasattr(reader, "get_batch"):
                if number == reader.num_record_batches:
                    return
                batch = reader.get_batch(number)
            else:
                batch = reader.read_next_batch()
            # Offsets of text in a damaged file could point anywhere; nothing later checks them.
            batch.validate(full=not all(map(is_primitive, batch.schema.types)))
        except StopIteration:
            return
        except _failures() as error:
            if isinstance(error, InputError):
                raise
            if out_of_memory(error):
                raise MemoryError(
                    f"record batch {number} needs more memory than is free: {_reason(error)}"
                ) from None
            raise InputError(
                f"{file.name}: record batch {number} cannot be read, the file is truncated or "
                f"damaged: {_reason(error)}"
            ) from None
        yield number, batch
        number += 1


def _resized(
    batches: Iterator[tuple[int, pa.RecordBatch]], rows: int
) -> Iterator[tuple[int, int, pa.RecordBatch]]:
    """Batches of about ``rows`` rows, with the numbers of the first and last that they are from."""
    concat_batches = require_arrow(PURPOSE).concat_batches
    held: list[pa.RecordBatch] = []
    first = count = 0
    number = -1
    for number, batch in batches:
        if not held:
            first, count = number, 0
        held.append(batch)
        count += batch.num_rows
        if count < rows:
            continue
        for begin in range(0, count, rows):
            joined = held[0] if len(held) == 1 else concat_batches(held)
            yield first, number, joined.slice(begin, rows)
        held = []
    if count and held:
        yield first, number, concat_batches(held)


def _reason(error: BaseException) -> str:
    return str(error).strip().split("\n")[0] or "it demands more memory than there is"
