"""Text formats whose header has the number of vertices and of edges.

Both are checked, so that a truncated file is never taken for a smaller graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from skerry.errors import InputError
from skerry.formats.options import ReadOptions
from skerry.formats.readers.text.parse import Body, EdgeLines, RowLines, parse_body
from skerry.graph.edge_source import Batch, EdgeSource

Offset = tuple[int, ...]


MISCOUNT = 1 << 20


@dataclass(frozen=True, slots=True)
class CountedLines:
    """The lines of edges behind a header."""

    body: Body
    parse: EdgeLines
    vertices: int
    first_id: int
    counts: tuple[int, ...]
    """Numbers of edges that are allowed; the first is that of the header."""
    declared: str
    """The header's number, for messages: ``"5 arcs"``."""

    def batches(self, options: ReadOptions, threads: int, offset: Offset = ()) -> Iterator[Batch]:
        """All edges; raises at the end if their number is not the header's."""
        *begin, count = offset or (0,)
        body, limit = self.body.behind(tuple(begin)), max(self.counts)
        ids = range_of_ids(self.vertices, self.first_id)
        name, end = body.file.name, body.skip
        for line, block in parse_body(body, self.parse, options, threads, ids):
            count += len(block.src)
            end += block.num_bytes
            if count > limit:
                raise InputError(f"{name}: the header says {self.declared}, but there are more")
            yield Batch(
                *(block.src, block.dst, block.weight, f"from line {line} on", block.consumed),
                next_offset=(end, line - 1 + block.lines, count),
            )
        if count not in self.counts:
            raise InputError(
                f"{name}: the header says {self.declared}, but only {count:,} are there; the file "
                "may be truncated"
            )


@dataclass(frozen=True, slots=True)
class CountedRows:
    """The rows of neighbors behind a header."""

    body: Body
    parse: RowLines
    vertices: int
    first_id: int
    counts: tuple[int, ...]
    """Numbers of neighbors that are allowed in all rows; empty: any number."""
    declared: str

    def batches(self, options: ReadOptions, threads: int, offset: Offset = ()) -> Iterator[Batch]:
        """All neighbors; raises if the numbers of rows or neighbors are not the header's."""
        *begin, count, rows = offset or (0, 0)
        body = self.body.behind(tuple(begin))
        ids = range_of_ids(self.vertices, self.first_id)
        name, end = body.file.name, body.skip
        for line, block in parse_body(body, self.parse, options, threads, ids):
            count += len(block.src)
            end += block.num_bytes
            if len(block.src) and rows + int(block.src[-1]) >= self.vertices:
                raise InputError(
                    f"{name}: the header says {self.vertices:,} vertices, but there are more rows"
                )
            block.src[:] += block.src.dtype.type(rows)
            rows += block.rows
            yield Batch(
                *(block.src, block.dst, block.weight, f"from line {line} on", block.consumed),
                next_offset=(end, line - 1 + block.lines, count, rows),
            )
        # The last row may be an empty line without a line end, which leaves no trace in the file.
        if rows < self.vertices - 1:
            raise InputError(
                f"{name}: the header says {self.vertices:,} vertices, but only {rows:,} rows are "
                "there; the file may be truncated"
            )
        if self.counts and count not in self.counts:
            raise InputError(f"{name}: the header says {self.declared}, but {count:,} are there")


def counted_source(lines: CountedLines | CountedRows, options: ReadOptions) -> EdgeSource:
    """The source of such lines or rows."""
    file = lines.body.file
    if isinstance(lines, CountedRows):
        check_lines(lines.body, lines.vertices - 1, f"{lines.vertices:,} vertices")
    else:
        # An edge takes four bytes with its line end, which the last one may lack.
        check_lines(lines.body, 4 * min(lines.counts) - 1, lines.declared)
    return EdgeSource(
        name=file.name,
        id_kind="vertices",
        open=lambda threads: lines.batches(options, threads),
        open_at=lambda threads, position: lines.batches(options, threads, position.offset),
        num_vertices=lines.vertices,
        first_id=lines.first_id,
        num_edges=lines.counts[0] if len(lines.counts) == 1 else None,
        num_bytes=file.size,
        facts=options.fixed_facts(),
    )


def check_lines(body: Body, needed: int, declared: str) -> None:
    """Raises if a file cannot hold the bytes that its header implies, before memory is taken.

    Up to a megabyte more, reading goes on: then the message can say how much is there.
    """
    largest = body.file.largest_contents
    if largest is not None and needed > largest + MISCOUNT:
        raise InputError(
            f"{body.file.name}: the header says {declared}, for which a file of "
            f"{body.file.size:,} bytes is too small; it may be truncated"
        )


def range_of_ids(vertices: int, first_id: int) -> str:
    """The ids that a header allows, for messages."""
    if vertices == 0:
        return "the header's range, which is empty"
    return f"the header's range, {first_id}..{first_id + vertices - 1}"


def header_numbers(line: str) -> list[int] | None:
    """The numbers of a line of a header; None if there is anything else, or one beyond 2^63."""
    words = line.split()
    if not all(word.isascii() and word.isdigit() and len(word) < 20 for word in words):
        return None
    numbers = [int(word) for word in words]
    return numbers if all(number < 1 << 63 for number in numbers) else None
