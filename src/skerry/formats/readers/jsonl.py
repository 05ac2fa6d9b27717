"""JSON Lines: an object with the two ids in each line, or an array of two ids, or of a third value.

The names of columns are those of the first object, or 0, 1 and 2 in arrays, and columns are chosen
as in all tables, see `skerry.formats.columns`. Ids are integers or text; all are of one type.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import islice
from typing import Any, NoReturn

from skerry.errors import InputError, UnsupportedError
from skerry.formats.columns import ColumnChoice, choose_ends, column_number
from skerry.formats.decompress import ByteStream
from skerry.formats.options import ReadOptions
from skerry.formats.readers.listed_edges import Rows, listed_source, text_lines
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import EdgeSource
from skerry.optional import require_arrow

SHOWN = 60
"""Characters of a line in messages."""
MISSING = (None, "")
"""Ids that are none."""
TYPES = {int: "int64", str: "string"}
IN_WORDS = {int: "an integer", str: "text"}


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The edges in the chosen columns."""
    options.refuse_text(file.name, "JSON Lines")
    if options.groups is not None:
        raise UnsupportedError(f"{file.name}: groups= is not for JSON Lines")
    choice = schema(file, options)
    if choice.types == ("string",):
        require_arrow(f"{file.name}: reading text ids")
    lines = _Lines(file, choice, options.on_null == "drop")
    return listed_source(file, options, lines.rows, choice.facts())


def schema(file: SourceFile, options: ReadOptions) -> ColumnChoice:
    """The columns of the first line and their types, which must fit those of the other files."""
    with file.beginning() as stream:
        lines = ((number, text) for number, text in text_lines(file, stream) if text.strip())
        choice = None
        for first in lines if options.on_null == "drop" else islice(lines, 1):
            choice = _choice(file, options, first)
            if choice.types != ("null",):
                break
    if choice is None:
        return ColumnChoice(file.name, (0,), (1,), None, ("null",), ("0", "1"), blank=True)
    return choice


def _choice(file: SourceFile, options: ReadOptions, first: tuple[int, str]) -> ColumnChoice:
    """The columns of a line; their type is null where an id is missing and may be."""
    value = _parsed(file, *first)
    named = isinstance(value, dict)
    names = list(value) if named else [str(number) for number in range(len(value))]
    where = f"{file.name}: line {first[0]}"
    weight = None
    if options.weight is not None:
        third = not named and isinstance(options.weight, str)
        weight = 2 if third and len(names) == 3 else column_number(where, names, options.weight)
    source: tuple[int, ...] = (0,)
    target: tuple[int, ...] = (1,)
    if not named and options.source is None:
        if len(names) not in (2, 3):
            raise InputError(f"{where}: an array of {len(names)} values; an edge has two ids")
    else:
        source, target = choose_ends(where, names, options, weight)
    if len(source) > 1:
        raise UnsupportedError(f"{file.name}: ids of several columns are not read from JSON Lines")
    columns = (source[0], target[0])
    cells = list(value.values()) if named else value
    missing = any(cells[column] in MISSING for column in columns) and options.on_null == "drop"
    for column in columns:
        if not missing and (type(cells[column]) not in TYPES or cells[column] == ""):
            _refuse(where, names[column], cells[column])
    kind = "null" if missing else TYPES[type(cells[columns[0]])]
    return ColumnChoice(file.name, source, target, weight, (kind,), tuple(names), named=named)


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


DECODER = json.JSONDecoder(parse_constant=_no_constant)


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines of a file, with the columns of the first one."""

    file: SourceFile
    choice: ColumnChoice
    drops: bool
    """Whether lines without an id are left out."""

    def rows(self, stream: ByteStream) -> Rows:
        """Both ids and the weight of every line that is not blank."""
        choice = self.choice
        source, target, weight = (  # keys of objects, or numbers in arrays
            None if column is None else choice.names[column] if choice.named else column
            for column in (choice.source[0], choice.target[0], choice.weight)
        )
        kind = next((kind for kind, name in TYPES.items() if choice.types == (name,)), None)
        for number, text in text_lines(self.file, stream):
            if not text.strip():
                continue
            value: Any = _parsed(self.file, number, text)
            if isinstance(value, dict) is not choice.named:
                raise self._wrong(number, text)
            try:
                u, v = value[source], value[target]
                w = 0.0 if weight is None else value[weight]
            except (KeyError, IndexError):
                raise self._wrong(number, text) from None
            if self.drops and (u in MISSING or v in MISSING or w is None):
                yield None
                continue
            if type(u) is not kind or type(v) is not kind or u == "" or v == "":
                at, cell = (source, u) if type(u) is not kind or u == "" else (target, v)
                _refuse(f"{self.file.name}: line {number}", at, cell, kind)
            yield u, v, self._weight(number, w)

    def _weight(self, number: int, value: Any) -> float:
        try:
            if type(value) in (int, float):
                return float(value)
        except OverflowError:  # an integer of hundreds of digits
            pass
        shown = json.dumps(value)[:SHOWN]
        raise InputError(
            f"{self.file.name}: line {number}: the weight {shown} is not a number of 64 bits"
        )

    def _wrong(self, number: int, text: str) -> InputError:
        names = (self.choice.names[column] for column in self.choice.columns)
        what = "an object" if self.choice.named else "an array"
        return InputError(
            f"{self.file.name}: line {number}: expected {what} with {', '.join(names)} as in the "
            f"first line, found {text.strip()[:SHOWN]!r}"
        )


def _parsed(file: SourceFile, number: int, text: str) -> Any:
    """The object or array of a line."""
    try:
        value = DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        shown = text.strip()[:SHOWN]
        raise InputError(
            f"{file.name}: line {number}: not JSON in one line ({error}): {shown!r}"
        ) from None
    if not isinstance(value, dict | list):
        raise InputError(
            f"{file.name}: line {number}: expected an object or an array, found "
            f"{text.strip()[:SHOWN]!r}"
        )
    return value


def _refuse(where: str, column: object, cell: Any, kind: type | None = None) -> NoReturn:
    if cell in MISSING:
        raise InputError(
            f'{where}: the id in column {column} is missing; on_null="drop" leaves such lines out'
        )
    shown = json.dumps(cell)[:SHOWN]
    expected = "an integer or text" if kind is None else f"{IN_WORDS[kind]}, as in the first line"
    raise InputError(f"{where}: the id in column {column} is {shown}; expected {expected}")
