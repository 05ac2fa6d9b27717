"""From blocks of text to edges, through the native parsers; and the messages of their errors."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.formats.memory import reserve, share_of_limit
from skerry.formats.options import ReadOptions
from skerry.formats.prefetch import prefetch_map
from skerry.formats.readers.text.blocks import Block, Spare, read_blocks
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import Batch
from skerry.graph.edges import vertex_dtype

LEAST_BLOCK = 1 << 16
"""Bytes of a block where memory is short."""
FAULTS = {number: name for name, number in _native.TEXT_FAULTS.items()}


@dataclass(frozen=True, slots=True)
class Body:
    """What follows the header of a file."""

    file: SourceFile
    skip: int = 0
    """Bytes of the header."""
    lines: int = 0
    """Lines of the header."""
    read_before: bool = False
    """Whether these bytes were counted by an earlier reading, which is continued."""

    def behind(self, offset: tuple[int, ...]) -> Body:
        """What is left behind a `next_offset`; all of it if that is empty."""
        if not offset:
            return self
        skip, lines = offset
        return Body(self.file, skip, lines, read_before=True)


@dataclass(frozen=True, slots=True)
class LineError:
    """The first error in a block."""

    fault: str
    """A key of ``_native.TEXT_FAULTS``, or ``"sign"``: no integer type holds all ids."""
    token: str
    line: str


@dataclass(frozen=True, slots=True)
class ParsedBlock:
    """The edges of a block, or its first error."""

    src: npt.NDArray[Any]
    dst: npt.NDArray[Any]
    weight: npt.NDArray[np.float64] | None
    lines: int
    rows: int
    consumed: int
    error: LineError | None
    num_bytes: int
    """Bytes of the text, after decompression."""


@dataclass(slots=True)
class EdgeLines:
    """Parses lines "u v ..."; see parse_edges.h."""

    comments: str = "#%/"
    delimiter: str = ""
    letters: bool = False
    strict: bool = False
    """Whether nothing but the delimiter stands between columns, and there are no further ones."""
    columns: tuple[int, int, int] = (0, 1, 2)
    weighted: bool = False
    bounds: tuple[int, int] | None = None
    """The first id and how many there are; None: any."""
    dtype: np.dtype[Any] = field(default_factory=lambda: np.dtype(np.uint32))

    def __post_init__(self) -> None:
        if self.bounds is not None:
            self.dtype = vertex_dtype(self.bounds[1])

    def __call__(self, block: Block) -> ParsedBlock:
        """Parses a block; ids are as narrow as this and all earlier blocks allow."""
        # Of the shortest lines: see max_edges in parse_edges.h.
        source, target, _ = self.columns
        room = block.size // (max(source, target) + (2 if source == target else 3)) + 1
        weight = np.empty(room, np.float64) if self.weighted else None
        while True:
            dtype = self.dtype  # read once: another thread may widen it
            reserve(2 * room * dtype.itemsize, "the edges of a block of text")
            src, dst = np.empty(room, dtype), np.empty(room, dtype)
            edges, lines, rows, negative, huge, wrong = _native.edges_of_text(
                block.buffer,
                block.size,
                src,
                dst,
                weight,
                self.comments,
                self.delimiter,
                self.letters,
                self.columns,
                self.bounds,
                self.strict,
            )
            if wrong is None or FAULTS[wrong[0]] != "wide":
                break
            self.dtype = np.dtype(np.uint64)
        src, dst = src[:edges], dst[:edges]
        error = _line_error(block, wrong)
        if negative and huge:
            error = error or LineError("sign", "", "")
        elif dtype.itemsize == 8 and self.bounds is None and not huge:
            src, dst = src.view(np.int64), dst.view(np.int64)
        return ParsedBlock(
            src,
            dst,
            None if weight is None else weight[:edges],
            lines,
            rows,
            block.consumed,
            error,
            block.size,
        )


@dataclass(frozen=True, slots=True)
class Numbers:
    """Parses text that is one list of numbers; ``src`` and ``dst`` are both that list."""

    def __call__(self, block: Block) -> ParsedBlock:
        """Parses a block."""
        reserve(4 * block.size, "the numbers of a block of text")
        numbers = np.empty(block.size // 2 + 1, np.uint64)
        count, lines, rows, _, _, wrong = _native.numbers_of_text(block.buffer, block.size, numbers)
        values = numbers[:count]
        error = _line_error(block, wrong)
        return ParsedBlock(values, values, None, lines, rows, block.consumed, error, block.size)


@dataclass(frozen=True, slots=True)
class RowLines:
    """Parses lines that are rows of neighbors; see parse_rows.h."""

    bounds: tuple[int, int]
    comment: str = ""
    skip: int = 0
    has_weights: bool = False
    weighted: bool = False
    """Whether to read the weights; the file can have them in either case."""

    def __call__(self, block: Block) -> ParsedBlock:
        """Parses a block; the sources are numbers of rows within it."""
        room = block.size // 2 + 1
        dtype = vertex_dtype(self.bounds[1])
        reserve(2 * room * dtype.itemsize, "the rows of a block of text")
        src, dst = np.empty(room, dtype), np.empty(room, dtype)
        weight = np.empty(room, np.float64) if self.weighted else None
        edges, lines, rows, _, _, wrong = _native.rows_of_text(
            block.buffer,
            block.size,
            src,
            dst,
            weight,
            self.comment,
            self.skip,
            self.has_weights,
            self.bounds,
        )
        return ParsedBlock(
            src[:edges],
            dst[:edges],
            None if weight is None else weight[:edges],
            lines,
            rows,
            block.consumed,
            _line_error(block, wrong),
            block.size,
        )


def edge_batches(
    body: Body, parse: EdgeLines, options: ReadOptions, threads: int
) -> Generator[Batch, None, None]:
    """The edges of every block, each with the bytes and lines before the next one."""
    offset = body.skip
    for line, block in parse_body(body, parse, options, threads):
        offset += block.num_bytes
        yield Batch(
            *(block.src, block.dst, block.weight, f"from line {line} on", block.consumed),
            next_offset=(offset, line - 1 + block.lines),
        )


def parse_body(
    body: Body,
    parse: Callable[[Block], ParsedBlock],
    options: ReadOptions,
    threads: int,
    ids: str = "",
) -> Generator[tuple[int, ParsedBlock], None, None]:
    """Every block of a body, parsed, and the number of its first line; raises at the first error.

    ``ids`` describes the ids that are allowed, for messages.
    """
    spare: Spare = deque()

    def parse_and_free(block: Block) -> ParsedBlock:
        try:
            return parse(block)
        finally:
            spare.append(block.buffer)

    line = body.lines + 1
    # A block takes up to five times its size with its edges, and some wait for every thread.
    block_bytes = share_of_limit(options.block_bytes, LEAST_BLOCK, 16 * (threads + 1))
    blocks = read_blocks(body.file, block_bytes, body.skip, spare, body.read_before)
    parsed_blocks = prefetch_map(blocks, parse_and_free, threads)
    try:
        for parsed in parsed_blocks:
            if parsed.error is not None:
                raise _error(body.file.name, line + parsed.lines, parsed.error, ids)
            yield line, parsed
            line += parsed.lines
    finally:
        parsed_blocks.close()


def shorten(text: str, limit: int = 60) -> str:
    """At most so many characters of a text."""
    return text if len(text) <= limit else text[: limit - 3] + "..."


def _line_error(block: Block, wrong: tuple[int, int, int, int] | None) -> LineError | None:
    if wrong is None:
        return None
    fault, line_begin, begin, end = wrong
    token = block.buffer[begin : min(end, begin + 256)].tobytes().decode("utf-8", "replace")
    line = block.line_at(line_begin).decode("utf-8", "replace").strip()
    return LineError(FAULTS[fault], shorten(token), shorten(line))


def _error(name: str, line: int, error: LineError, ids: str) -> InputError:
    what = {
        "word": f"{error.token!r} is not a whole number",
        "fraction": f"{error.token!r} is not a whole number",
        "overflow": f"{error.token} does not fit into 64 bits",
        "missing": "a column is missing",
        "columns": "there are fewer or more columns than before",
        "notation": f"{error.token!r} is not written as integers are",
        "outside": f"{error.token} is outside of {ids}",
        "weight": f"the weight {error.token!r} is not a number",
        "sign": "ids below 0 and ids above 2^63 - 1 stand together; no integer type holds both",
    }[error.fault]
    where = f" in the line {error.line!r}" if error.line else ""
    advice = (
        '; format="csv" reads words as ids (skerry.io.read_edges)'
        if error.fault in ("word", "notation") and not ids
        else ""
    )
    if error.fault == "word" and not ids and line == 1:
        advice = "; if it is a header, add header=True (skerry.io.read_edges); " + advice[2:]
    return InputError(f"{name}: line {line}: {what}{where}{advice}")
