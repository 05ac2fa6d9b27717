"""Finds the line of a delimited file that pyarrow refused: it tells the value, but not where."""

from __future__ import annotations

import csv
import io
from contextlib import suppress
from itertools import islice

import pyarrow as pa

from skerry.formats.columns import Chosen
from skerry.formats.readers.layout import Layout
from skerry.formats.source import SourceFile

__all__ = ["describe_bad_line"]

TEXT_INSTEAD = "; if ids are not all integers, read them as text: ids_as_text=True"


def describe_bad_line(file: SourceFile, layout: Layout, chosen: Chosen, reason: str) -> str:
    """One sentence that names the file, the line and what is wrong with it."""
    if not file.repeatable:
        return f"{file.name}: {reason}"  # a pipe cannot be read twice
    with file.open() as stream:
        text = io.TextIOWrapper(
            io.BufferedReader(stream, 1 << 20), "utf-8-sig", "surrogateescape", newline=""
        )
        with text:
            for _ in islice(text, layout.first_line):
                pass
            reader = csv.reader(text, delimiter=layout.delimiter)
            with suppress(csv.Error):  # a cell that is too long for it
                for row in reader:
                    wrong = _wrong(row, chosen) if row else ""
                    if wrong:
                        return f"{file.name}: line {layout.first_line + reader.line_num}: {wrong}"
    return f"{file.name}: {reason}"


def _wrong(row: list[str], chosen: Chosen) -> str:
    if len(row) != len(chosen.names):
        shown = ", ".join(map(repr, row[:5])) + (", ..." if len(row) > 5 else "")
        return f"{len(row)} columns instead of {len(chosen.names)}: {shown}"
    for end in (chosen.source, chosen.target):
        for number, kind in zip(end, chosen.types, strict=True):
            problem = _wrong_id(row[number], kind)
            if problem:
                return f"column {chosen.names[number]}: {problem}"
    if chosen.weight is not None:
        try:
            float(row[chosen.weight])
        except ValueError:
            return f"column {chosen.names[chosen.weight]}: {row[chosen.weight]!r} is no weight"
    return ""


def _wrong_id(cell: str, kind: pa.DataType) -> str:
    if pa.types.is_string(kind):
        damaged = any("\udc80" <= letter <= "\udcff" for letter in cell)
        return "the text is not in UTF-8" if damaged else ""
    if not cell.strip():
        return "the id is missing"
    low, high = (0, 2**64) if kind.equals(pa.uint64()) else (-(2**63), 2**63)
    try:
        number = int(cell)
    except ValueError:
        return f"{cell!r} is no integer{TEXT_INSTEAD}"
    if not low <= number < high:
        return f"{number} does not fit into {kind}{TEXT_INSTEAD}"
    return ""
