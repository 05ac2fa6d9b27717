"""Finds the bad line of a delimited file: pyarrow's errors name the value, but not the line."""

from __future__ import annotations

import csv
import io
from itertools import islice

from skerry.formats.columns import ColumnChoice
from skerry.formats.readers.integer_cells import BLANKS, is_integer
from skerry.formats.readers.layout import CellType, Layout
from skerry.formats.source import SourceFile

TEXT_INSTEAD = (
    "; if ids are not all integers, read them as text (skerry.io.read_edges): ids_as_text=True"
)
DROP_INSTEAD = '; on_null="drop" leaves such rows out'


def describe_bad_line(file: SourceFile, layout: Layout, choice: ColumnChoice, reason: str) -> str:
    """A sentence that names the file, the line and its error; ``reason`` if no line has one."""
    if not file.repeatable:
        return f"{file.name}: {reason}"  # a pipe cannot be read twice
    with file.open() as stream:
        text = io.TextIOWrapper(
            io.BufferedReader(stream, 1 << 20), "utf-8", "surrogateescape", newline=""
        )
        with text:
            for _ in islice(text, layout.first_line):
                pass
            reader = csv.reader(text, delimiter=layout.delimiter)
            line, error = layout.first_line + 1, ""  # where a row begins: quoted cells have lines
            try:
                for row in reader:
                    error = _row_error(row, choice) if row else ""
                    if error:
                        break
                    line = layout.first_line + reader.line_num + 1
            except csv.Error:
                error = f"a cell is very long; is every quote closed? {reason}"
            if error:
                return f"{file.name}: line {line}: {error}"
    return f"{file.name}: {reason}"


def _row_error(row: list[str], choice: ColumnChoice) -> str:
    if len(row) != len(choice.names):
        shown = ", ".join(map(repr, row[:5])) + (", ..." if len(row) > 5 else "")
        return f"{len(row)} columns instead of {len(choice.names)}: {shown}"
    for end in (choice.source, choice.target):
        for number, kind in zip(end, choice.types, strict=True):
            error = _missing(row[number], "the id", choice) or _id_error(row[number], kind)
            if error:
                return f"column {choice.names[number]}: {error}"
    if choice.weight is not None:
        error = _weight_error(row[choice.weight], choice)
        if error:
            return f"column {choice.names[choice.weight]}: {error}"
    return ""


def _missing(cell: str, what: str, choice: ColumnChoice) -> str:
    return "" if cell or choice.drop_nulls else f"{what} is missing{DROP_INSTEAD}"


def _weight_error(cell: str, choice: ColumnChoice) -> str:
    if not cell:
        return _missing(cell, "the weight", choice)
    try:
        float(cell)
    except ValueError:
        return f"the weight {cell!r} is not a number"
    return ""


def _id_error(cell: str, kind: CellType) -> str:
    if kind == "string":
        damaged = any("\udc80" <= letter <= "\udcff" for letter in cell)
        return "the text is not in UTF-8" if damaged else ""
    if not cell:
        return ""
    if not cell.strip(BLANKS):
        return f"the id is missing: the cell holds {cell!r}"
    if len(cell) > 100:
        return f"'{cell[:60]}...' of {len(cell):,} characters is not an id{TEXT_INSTEAD}"
    low, high = (0, 2**64) if kind == "uint64" else (-(2**63), 2**63)
    if not is_integer(cell):
        digits = cell.strip(BLANKS).lstrip("+-").isdecimal()
        return (
            f"{cell!r} is not {'written as integers are' if digits else 'an integer'}{TEXT_INSTEAD}"
        )
    number = int(cell)
    if not low <= number < high:
        return f"{number} does not fit into {kind}{TEXT_INSTEAD}"
    return ""
