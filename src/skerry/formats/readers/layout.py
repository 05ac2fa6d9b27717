"""The layout of a file of delimited text, detected from its first megabyte.

Comments (lines that begin with # or %) and blank lines at the head are skipped. The delimiter is
the caller's, or the first of `DELIMITERS` that cuts each of the first lines into equally many
cells. There is a header if the caller says so or names a column, or if the first line holds two of
the usual names. There is one, too, if a cell of it is not a number and the cells below it all are,
and none if the first line holds a number. Text over text tells nothing, and is an error. Ids are
64-bit integers if all in the sample are, otherwise text: also those with leading zeros, which
integers would lose. Empty cells are nulls, and have no part in this.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from skerry.errors import InputError
from skerry.formats.columns import (
    USUAL_NAMES,
    ColumnChoice,
    choose_ends,
    key_width,
    weight_number,
)
from skerry.formats.options import Columns, ReadOptions
from skerry.formats.readers.integer_cells import BLANKS, is_integer
from skerry.formats.source import SourceFile

SAMPLE_BYTES = 1 << 20
SAMPLE_ROWS = 10_000
DELIMITERS = ",\t;| "
COMMENTS = ("#", "%")
INTEGER_DIGITS = 20
"""Digits of the longest integer of 64 bits."""
SURELY_INT64 = 18
"""Integers of so many characters are below 2**63, whatever their digits."""

CellType = Literal["null", "int64", "uint64", "double", "string"]
"""What a column holds, by the names that Arrow has for these types; null: only empty cells."""


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
    """Whether the sample has quotes, so that a line break may be part of a cell."""
    plain: bool
    """Whether the data in the sample has neither quotes nor bare carriage returns: lines are
    rows."""


def find_layout(file: SourceFile, options: ReadOptions) -> tuple[Layout, ColumnChoice]:
    """The layout of a file, and the columns of the edges with their types."""
    sample = file.head(SAMPLE_BYTES)
    complete = len(sample) < SAMPLE_BYTES
    text = sample.decode("utf-8", "replace")
    if not complete:  # the last line may be cut
        text = text[: max(text.rfind("\n"), text.rfind("\r")) + 1] or text
    lines = list(io.StringIO(text, newline=""))
    skipped = 0
    while skipped < len(lines) and _is_skipped(lines[skipped]):
        skipped += 1
    lines = lines[skipped:]
    delimiter = options.delimiter or _find_delimiter(lines[:20])
    rows, header_lines = _sample_rows(lines, delimiter, complete)
    if lines and not rows:
        raise InputError(
            f"{file.name}: line {skipped + 1}: a cell has more than {csv.field_size_limit():,} "
            "characters; is this delimited text, and is every quote closed?"
        )
    has_header = bool(rows) and _has_header(f"{file.name}: line {skipped + 1}", rows, options)
    first_line = skipped + (header_lines if has_header else 0)
    layout = _layout(sample, delimiter, has_header, first_line)
    if not rows:
        return layout, _choice_without_rows(file, options)
    if has_header:
        return layout, _choose(file, rows[0], rows[1:], options)
    numbers = [str(number) for number in range(len(rows[0]))]
    return layout, replace(_choose(file, numbers, rows, options), named=False)


def _layout(sample: bytes, delimiter: str, header: bool, first_line: int) -> Layout:
    begin = 0
    for _ in range(first_line):
        begin = sample.find(b"\n", begin) + 1 or len(sample)
    plain = sample.count(b"\r") == sample.count(b"\r\n") and sample.find(b'"', begin) < 0
    return Layout(delimiter, header, first_line, begin, b'"' in sample, plain)


def _choice_without_rows(file: SourceFile, options: ReadOptions) -> ColumnChoice:
    """Columns for a file without rows, in which there is nothing to choose from."""
    width = len(options.source) if isinstance(options.source, tuple) else 1
    source = tuple(range(width))
    target = tuple(number + width for number in source)
    names = tuple(str(number) for number in range(2 * width))
    nothing = ("null",) * width
    return ColumnChoice(file.name, source, target, None, nothing, names, named=False, blank=True)


def _is_skipped(line: str) -> bool:
    return not line.strip() or line.startswith(COMMENTS)


def _sample_rows(lines: list[str], delimiter: str, complete: bool) -> tuple[list[list[str]], int]:
    """The first rows, and how many lines the first of them takes."""
    reader = csv.reader(lines, delimiter=delimiter)
    rows: list[list[str]] = []
    first_row_lines = 0
    with suppress(csv.Error):  # a very long cell; the rows before it are enough
        for row in reader:
            if len(rows) == SAMPLE_ROWS:
                return rows, first_row_lines
            if row:
                rows.append(row)
                first_row_lines = first_row_lines or reader.line_num
    if not complete and len(rows) > 1:
        rows.pop()  # the sample may end within a quoted cell
    return rows, first_row_lines


def _find_delimiter(lines: Sequence[str]) -> str:
    for delimiter in DELIMITERS:
        widths: set[int] = set()
        with suppress(csv.Error):  # a very long cell: the lines before it tell
            widths.update(len(row) for row in csv.reader(lines, delimiter=delimiter) if row)
        if len(widths) == 1 and widths.pop() > 1:
            return delimiter
    return DELIMITERS[0]


def _has_header(first_line: str, rows: list[list[str]], options: ReadOptions) -> bool:
    if options.header is not None:
        return options.header
    if any(isinstance(column, str) for column in _requested_columns(options)):
        return True
    first = [cell.strip().lower() for cell in rows[0]]
    usual = (pair for pair in USUAL_NAMES if len(pair[0]) > 1)  # "a" and "b" may well be ids
    if any(source in first and target in first for source, target in usual):
        return True
    if any(_is_name_over_numbers(cell, at, rows[1:100]) for at, cell in enumerate(first)):
        return True
    if any(_is_number(cell) and any(map(str.isdigit, cell)) for cell in first):
        return False
    shown = ", ".join(repr(cell if len(cell) <= 40 else f"{cell[:37]}...") for cell in rows[0][:5])
    raise InputError(
        f"{first_line}: {shown}: are these names of columns, or the first ids? Where ids are text, "
        "the file does not tell; say it (skerry.io.read_edges): header=True or header=False"
    )


def _is_name_over_numbers(name: str, at: int, rows: list[list[str]]) -> bool:
    cells = [row[at] for row in rows if len(row) > at and row[at].strip(BLANKS)]
    return bool(name and cells) and not _is_number(name) and all(map(_is_number, cells))


def _requested_columns(options: ReadOptions) -> Iterable[object]:
    groups = None if options.groups is True else options.groups
    ends: tuple[Columns | None, ...] = (options.source, options.target, options.weight, groups)
    for end in ends:
        yield from end if isinstance(end, tuple) else (end,)


def _choose(
    file: SourceFile, names: Sequence[str], rows: Sequence[Sequence[str]], options: ReadOptions
) -> ColumnChoice:
    cells = [_cell_type([row[at] for row in rows if len(row) > at]) for at in range(len(names))]
    weight = weight_number(file.name, names, options.weight)
    if weight is not None and cells[weight] == "string":
        raise InputError(f"{file.name}: the weights in column {names[weight]} are not numbers")
    source, target = choose_ends(file.name, names, options, weight)
    types: list[CellType] = []
    for s, t in zip(source, target, strict=True):
        both = {cells[s], cells[t]}
        if options.ids_as_text or "string" in both:
            types.append("string")
        elif "double" in both:
            raise InputError(
                f"{file.name}: the ids in column {names[s]} or {names[t]} are written as "
                "floating-point numbers; write them as integers, or read them as text, "
                "ids_as_text=True (skerry.io.read_edges): then 1 and 1.0 are different ids"
            )
        else:
            types.append(next(kind for kind in ("uint64", "int64", "null") if kind in both))
    drops, keys = options.on_null == "drop", key_width(options)
    kinds, columns = tuple(types), tuple(names)
    return ColumnChoice(file.name, source, target, weight, kinds, columns, drops, keys=keys)


def _cell_type(cells: Sequence[str]) -> CellType:
    """The narrowest type that holds all cells of a column; empty ones are of any type."""
    integers = all(map(is_integer, cells))
    if integers and cells and max(map(len, cells)) <= SURELY_INT64:
        return "int64"
    cells = [cell for cell in cells if cell.strip(BLANKS)]
    if not cells:
        return "null"
    if integers or all(map(is_integer, cells)):
        if max(len(cell.strip(BLANKS)) for cell in cells) > INTEGER_DIGITS:
            return "string"
        low, high = min(map(int, cells)), max(map(int, cells))
        if low >= -(2**63) and high < 2**63:
            return "int64"
        return "uint64" if low >= 0 and high < 2**64 else "string"
    if not all(_is_number(cell) for cell in cells):
        return "string"
    # Digits with a zero or a plus sign before them are codes, such as postal codes.
    codes = (cell.strip().lstrip("+-").isdigit() and not is_integer(cell) for cell in cells)
    return "string" if any(codes) else "double"


def _is_number(cell: str) -> bool:
    if "_" in cell:
        return False
    try:
        float(cell)
    except ValueError:
        return False
    return True
