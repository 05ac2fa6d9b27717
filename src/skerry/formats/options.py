"""The options of reading files."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, TypeAlias

from skerry.errors import ArgumentError, InputError, UnsupportedError
from skerry.graph.edge_source import InputFacts

Column: TypeAlias = str | int
"""A column by its name in the header, or by its number, counted from 0."""

Columns: TypeAlias = Column | tuple[Column, ...]
"""One column, or several for ids that are made of several."""


OnNull: TypeAlias = Literal["error", "drop"]
"""What an edge with a null is: an error, or left out."""

TEXT_OPTIONS = ("delimiter", "header", "ids_as_text")


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read files; a reader refuses what means nothing to its format."""

    source: Columns | None = None
    """Columns of the ids of one end; by default see `skerry.formats.columns`."""
    target: Columns | None = None
    """Columns of the ids of the other end."""
    weight: Column | None = None
    """Column of the weights; None: do not read them. A format with one weight for each edge in a
    fixed position (Matrix Market, DIMACS, ...) gives that one, whatever its name here."""
    delimiter: str | None = None
    """The character between columns of delimited text; None: detect it."""
    header: bool | None = None
    """Whether the first line of delimited text names the columns; None: detect it."""
    ids_as_text: bool = False
    """Read ids of delimited text as text, even if those in the sample are integers."""
    on_null: OnNull = "error"
    """What becomes of an edge with a null, where a format has nulls: columns, empty cells."""
    groups: Columns | Literal[True] | None = None
    """Columns of keys: rows with equal keys are one group of ids. True: ``source`` is a column of
    lists, or the only column, and every list is a group. None: rows are edges."""
    batch_rows: int = 1 << 20
    """Edges in a batch, about, where a reader can choose."""
    block_bytes: int = 8 << 20
    """Bytes of text that are parsed at a time."""

    def __post_init__(self) -> None:
        ends = {"source": self.source, "target": self.target}
        for name, columns in ends.items():
            if columns is not None:
                _check_columns(name, columns)
        if self.weight is not None:
            _check_column("weight", self.weight)
        if self.groups is not None:
            self._check_groups()
        elif (self.source is None) != (self.target is None):
            name = "source" if self.target is None else "target"
            raise ArgumentError(f"{name}= is given without the other end; give both or neither")
        if self.groups is None and _width(self.source) != _width(self.target):
            raise ArgumentError(
                f"source= and target= must have equally many columns, got {self.source!r} and "
                f"{self.target!r}"
            )
        delimiter: object = self.delimiter
        if delimiter is not None and not (isinstance(delimiter, str) and len(delimiter) == 1):
            raise ArgumentError(f"delimiter must be one character, got {delimiter!r}")
        if isinstance(delimiter, str) and (not delimiter.isascii() or delimiter in '\r\n\0"'):
            raise ArgumentError(
                f"delimiter {delimiter!r} cannot stand between columns: it must be an ASCII "
                "character, no quote and no line end; change it in the file, for instance with sed"
            )
        for name, size in {"batch_rows": self.batch_rows, "block_bytes": self.block_bytes}.items():
            if size < 1:
                raise ArgumentError(f"{name} must be at least 1, got {size!r}")

    def _check_groups(self) -> None:
        if self.groups is not True:
            _check_columns("groups", self.groups)  # type: ignore[arg-type]  # it is not None
        if self.target is not None:
            raise ArgumentError("target= is given with groups=: a row has one id, that of source=")
        if self.weight is not None:
            raise ArgumentError("weight= is given with groups=: groups have no weights")

    def refuse_columns(self, file: str, format_name: str) -> None:
        """Raises if columns were chosen; for formats that have none to choose from."""
        names = ("source", "target", *TEXT_OPTIONS)
        self._refuse(names, f"{format_name} files, whose layout is fixed", file)

    def refuse_text(self, file: str, format_name: str) -> None:
        """Raises if options of delimited text are stated; for tables with names and types."""
        columns = f"{format_name} files, whose columns have names and types"
        self._refuse(TEXT_OPTIONS, columns, file)

    def _refuse(self, names: tuple[str, ...], files: str, file: str) -> None:
        options = [each for each in fields(self) if each.name in names]
        stated = [f"{o.name}=" for o in options if getattr(self, o.name) is not o.default]
        if stated:
            raise UnsupportedError(
                f"{file}: {' and '.join(stated)} mean nothing for {files}; leave them out"
            )

    def fixed_facts(self) -> InputFacts:
        """What is taken from a format whose layout is fixed: at most its weights."""
        return InputFacts(weight=None if self.weight is None else "weight")

    def refuse_weight(self, file: str, format_name: str) -> None:
        """Raises if weights are requested; for formats, or files, that have none."""
        if self.weight is not None:
            raise InputError(
                f"{file}: weight= is given, but this {format_name} file has no weights"
            )


def _width(columns: Columns | None) -> int:
    return len(columns) if isinstance(columns, tuple) else 1


def _check_columns(name: str, columns: Columns) -> None:
    if not isinstance(columns, tuple):
        _check_column(name, columns)
        return
    if not columns:
        raise ArgumentError(f"{name}= is an empty tuple; name at least one column")
    for column in columns:
        _check_column(name, column)


def _check_column(name: str, column: Column) -> None:
    number = isinstance(column, int) and not isinstance(column, bool)
    if not (isinstance(column, str) and column) and not (number and int(column) >= 0):
        raise ArgumentError(
            f"{name}= must be the name of a column or its number from 0, got {column!r}"
        )
