"""How much of a Parquet file is decoded at a time under a limit of memory.

A column is then read through a small buffer, page by page, instead of a row group at once, and
batches have as few rows as fit. A row group whose chosen columns do not fit as a whole is refused:
a page may be as large as its column, and the footer does not tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from skerry.formats.memory import claimed, is_limited, reserve, share_of_limit
from skerry.graph.arrow import byte_count

if TYPE_CHECKING:
    import pyarrow as pa


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
