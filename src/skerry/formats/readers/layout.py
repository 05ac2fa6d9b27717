"""How a file of delimited text is laid out, found out from its beginning.

Comments (lines that begin with # or %) and blank lines at the head are passed over. The delimiter
is the caller's, or the first of `DELIMITERS` that cuts each of the first lines into as many cells.
There is a header if the caller says so or names a column; if the first line holds two of the usual
names; or if a cell of it is no number where the cells below all are. Ids are 64-bit integers if all
that were seen are, and otherwise text: so are those with leading zeros, which integers would lose.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import pyarrow as pa

from skerry.errors import InputError
from skerry.formats.columns import USUAL, Chosen, choose_columns, column_number
from skerry.formats.options import Columns, ReadOptions
from skerry.formats.source import SourceFile

__all__ = ["Layout", "find_layout"]

SAMPLE = 1 << 20
"""Bytes that are looked at."""
ROWS_LOOKED_AT = 10_000
DELIMITERS = ",\t;| "
COMMENTS = ("#", "%")


@dataclass(frozen=True, slots=True)
class Layout:
    """How to cut a file into rows and cells."""

    delimiter: str
    header: bool
    """Whether the first row names the columns."""
    first_line: int
    """Lines before the first row of data: comments, blank lines, the header."""
    first_byte: int
    """The bytes of these lines."""
    quoted: bool
    """Whether quotes occur, so that a line break may be part of a cell."""
    plain: bool
    """Whether the data seen has neither quotes nor line ends of old: lines are rows."""


def find_layout(file: SourceFile, options: ReadOptions) -> tuple[Layout, Chosen]:
    """The layout of a file, and the columns of the edges with their types."""
    sample = file.head(SAMPLE)
    whole = len(sample) < SAMPLE
    text = sample.decode("utf-8-sig", "replace")
    if not whole:  # the last line may be cut
        text = text[: text.rfind("\n") + 1] or text
    lines = list(io.StringIO(text, newline=""))
    skipped = 0
    while skipped < len(lines) and _passed_over(lines[skipped]):
        skipped += 1
    lines = lines[skipped:]
    delimiter = options.delimiter or _find_delimiter(lines[:20])
    rows, header_lines = _rows(lines, delimiter, whole)
    has_header = bool(rows) and _has_header(rows, options)
    first_line = skipped + (header_lines if has_header else 0)
    layout = _layout(sample, delimiter, has_header, first_line)
    if not rows:
        return layout, _nothing(file, options)
    if has_header:
        return layout, _choose(file, rows[0], rows[1:], options)
    return layout, _choose(file, [str(number) for number in range(len(rows[0]))], rows, options)


def _layout(sample: bytes, delimiter: str, header: bool, first_line: int) -> Layout:
    begin = 3 if sample.startswith(b"\xef\xbb\xbf") else 0
    for _ in range(first_line):
        begin = sample.find(b"\n", begin) + 1 or len(sample)
    plain = sample.count(b"\r") == sample.count(b"\r\n") and sample.find(b'"', begin) < 0
    return Layout(delimiter, header, first_line, begin, b'"' in sample, plain)


def _nothing(file: SourceFile, options: ReadOptions) -> Chosen:
    """The columns of a file without rows, which cannot be told apart from any others."""
    width = len(options.source) if isinstance(options.source, tuple) else 1
    numbers = tuple(range(width))
    names = tuple(str(number) for number in range(2 * width))
    kinds = (pa.int64(),) * width
    return Chosen(file.name, numbers, tuple(n + width for n in numbers), None, kinds, names)


def _passed_over(line: str) -> bool:
    return not line.strip() or line.startswith(COMMENTS)


def _rows(lines: list[str], delimiter: str, whole: bool) -> tuple[list[list[str]], int]:
    """The first rows, and how many lines the first of them takes."""
    reader = csv.reader(lines, delimiter=delimiter)
    rows: list[list[str]] = []
    first = 0
    with suppress(csv.Error):  # a very long cell; what came before it is enough
        for row in reader:
            if len(rows) == ROWS_LOOKED_AT:
                return rows, first
            if row:
                rows.append(row)
                first = first or reader.line_num
    if not whole and len(rows) > 1:
        rows.pop()  # the sample may end within a quoted cell
    return rows, first


def _find_delimiter(lines: Sequence[str]) -> str:
    text = "".join(lines)
    for delimiter in DELIMITERS:
        widths = {len(row) for row in csv.reader(io.StringIO(text), delimiter=delimiter) if row}
        if len(widths) == 1 and widths.pop() > 1:
            return delimiter
    return DELIMITERS[0]


def _has_header(rows: list[list[str]], options: ReadOptions) -> bool:
    if options.header is not None:
        return options.header
    if any(isinstance(column, str) for column in _columns(options)):
        return True
    first = [cell.strip().lower() for cell in rows[0]]
    usual = (pair for pair in USUAL if len(pair[0]) > 1)  # "a" and "b" may well be ids
    if any(one in first and other in first for one, other in usual):
        return True
    below = rows[1:100]
    return bool(below) and any(
        not _is_number(cell) and all(len(row) > at and _is_number(row[at]) for row in below)
        for at, cell in enumerate(rows[0])
    )


def _columns(options: ReadOptions) -> Iterable[object]:
    ends: tuple[Columns | None, ...] = (options.source, options.target, options.weight)
    for end in ends:
        yield from end if isinstance(end, tuple) else (end,)


def _choose(
    file: SourceFile, names: Sequence[str], rows: Sequence[Sequence[str]], options: ReadOptions
) -> Chosen:
    kinds = [_kind([row[at] for row in rows if len(row) > at]) for at in range(len(names))]
    # All ids as text first: which columns they are in must not hang on what they look like.
    as_text = pa.schema([(name, pa.string()) for name in names])
    asked = ReadOptions(source=options.source, target=options.target)
    chosen = choose_columns(file.name, as_text, asked)
    types = []
    for one, other in zip(chosen.source, chosen.target, strict=True):
        both = {kinds[one], kinds[other]} - {pa.null()}
        if options.ids_as_text or pa.string() in both:
            types.append(pa.string())
        elif pa.float64() in both:
            raise InputError(
                f"{file.name}: the ids in column {names[one]} or {names[other]} are written as "
                "floating-point numbers; write them as integers, or read them as text "
                "(ids_as_text=True), where 1 and 1.0 are different ids"
            )
        else:
            types.append(pa.uint64() if pa.uint64() in both else pa.int64())
    weight = None
    if options.weight is not None:
        weight = column_number(file.name, names, options.weight)
        if kinds[weight].equals(pa.string()):
            raise InputError(f"{file.name}: the weights in column {names[weight]} are no numbers")
    return Chosen(file.name, chosen.source, chosen.target, weight, tuple(types), tuple(names))


def _kind(cells: Sequence[str]) -> pa.DataType:
    """What a column holds: int64, uint64, float64, string, or null if there is nothing."""
    if not cells:
        return pa.null()
    if all(_is_integer(cell) for cell in cells):
        low, high = min(map(int, cells)), max(map(int, cells))
        if low >= -(2**63) and high < 2**63:
            return pa.int64()
        return pa.uint64() if low >= 0 and high < 2**64 else pa.string()
    if not all(_is_number(cell) for cell in cells):
        return pa.string()
    # Digits with a zero or a plus before them would not be written so if they were integers.
    plain = (cell.strip().lstrip("+-").isdigit() and not _is_integer(cell) for cell in cells)
    return pa.string() if any(plain) else pa.float64()


def _is_integer(cell: str) -> bool:
    digits = cell.strip().removeprefix("-")
    return digits.isascii() and digits.isdigit() and (digits[0] != "0" or len(digits) == 1)


def _is_number(cell: str) -> bool:
    if "_" in cell:
        return False
    try:
        float(cell)
    except ValueError:
        return False
    return True
