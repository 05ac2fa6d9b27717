"""From options to a source of edges: what all commands that read a graph have in common."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from skerry import option_checks
from skerry.cli.errors import UsageError
from skerry.formats.find import find_files
from skerry.formats.options import Column, Columns, OnNull
from skerry.formats.sniff import format_of, readable_file
from skerry.formats.source import (
    STANDARD_INPUT,
    SourceFile,
    is_pipe,
    source_file,
    spooled,
    standard_input,
)
from skerry.graph.threshold import Keep, Threshold
from skerry.io import EdgeSource, read_edges
from skerry.request import IdChoice

DELIMITERS = {"tab": "\t", "\\t": "\t", "space": " ", "comma": ",", "semicolon": ";"}
"""Names of delimiters that are hard to type in a shell."""


@dataclass(frozen=True)
class InputArguments:
    """The arguments of a command that say what to read."""

    inputs: Sequence[str]
    source: Sequence[str] = ()
    target: Sequence[str] = ()
    weight: str | None = None
    threshold: float | None = None
    format: str | None = None
    delimiter: str | None = None
    header: bool | None = None
    ids_as_text: bool = False
    keep: Keep | None = None
    on_null: OnNull = "error"
    groups: Sequence[str] = ()
    lists: bool = False
    again: bool | Literal["counts"] = False
    """Whether the edges are read a second time, so that a pipe must be copied first; "counts": if
    they are vertex numbers, which may have to be counted first."""

    @property
    def title(self) -> str:
        """The inputs in a few words."""
        first = STANDARD_INPUT if self.inputs[0] == "-" else self.inputs[0]
        return first if len(self.inputs) == 1 else f"{first} and {len(self.inputs) - 1} more"

    @property
    def id_width(self) -> int:
        """Number of columns that an id is made of."""
        source = parse_columns(self.source)
        return len(source) if isinstance(source, tuple) else 1

    @property
    def delimiter_character(self) -> str | None:
        """The character that ``--delimiter`` names."""
        return DELIMITERS.get(self.delimiter or "", self.delimiter)

    @property
    def selection(self) -> Threshold | None:
        """Which edges to use by their weights; None: all."""
        return None if self.threshold is None else Threshold(self.threshold, self.keep or "above")

    @cached_property
    def paths(self) -> list[str]:
        """The inputs that are paths."""
        return [path for path in self.inputs if path != "-"]

    @cached_property
    def _opened(self) -> list[Any]:
        """The inputs; pipes are looked at here, once, and so are always the same objects."""
        if list(self.inputs).count("-") > 1:
            raise UsageError("- is standard input, which can be read only once: name it once")
        return [self._looked_at(path) for path in self.inputs]

    def _looked_at(self, path: str) -> Any:
        file = _pipe_of(path)
        if file is None:
            return path
        format = format_of(file, self.format)
        again = self.again is True or (self.again == "counts" and format.id_kind == "vertices")
        return spooled(file) if again else readable_file(file, format)

    @cached_property
    def files(self) -> list[SourceFile]:
        """The files that the inputs name."""
        return find_files(self._opened, bare_names=self.format is not None)

    def open(
        self, ids: IdChoice = "auto", shows_weights: bool = False, cuts: bool = False
    ) -> EdgeSource:
        """The edges of all inputs, with weights only where they are shown or edges are cut by."""
        for option, value in {"--weight": self.weight, "--keep": self.keep}.items():
            shown = cuts or (shows_weights and option == "--weight")
            if value is not None and self.threshold is None and not shown:
                raise UsageError(
                    f"{option} needs --threshold: the bound for the weights of edges to use"
                )
        if self.groups and self.lists:
            raise UsageError("--groups and --lists exclude each other: keys, or lists, make groups")
        if (self.groups or self.lists) and (cuts or self.threshold is not None):
            option = "--max-size" if cuts else "--threshold"
            raise UsageError(f"{option} means nothing for groups, which have no weights")
        weight: Column | None = None
        if self.weight is not None:
            weight = parse_column(self.weight)
        elif cuts or self.threshold is not None:
            weight = "weight"
        return self._open(weight, ids)

    def open_weighted(self) -> EdgeSource:
        """The edges of all inputs, with the weights of ``--weight`` if it is given."""
        return self._open(None if self.weight is None else parse_column(self.weight), "auto")

    def _open(self, weight: Column | None, ids: IdChoice) -> EdgeSource:
        inputs: Any = self._opened[0] if len(self._opened) == 1 else self._opened
        return read_edges(
            inputs,
            source=parse_columns(self.source),
            target=parse_columns(self.target),
            weight=weight,
            ids=ids,
            format=self.format,
            delimiter=self.delimiter_character,
            header=self.header,
            ids_as_text=self.ids_as_text,
            on_null=self.on_null,
            groups=True if self.lists else parse_columns(self.groups),
        )


def _pipe_of(path: str) -> SourceFile | None:
    """Standard input (-), or the pipe at this path; None: it is a path of something else."""
    if path == "-":
        return standard_input()
    return source_file(path) if is_pipe(path) else None


def copied_pipe(path: str, other_inputs: Sequence[str]) -> Any:
    """The path of a file, or a copy of the pipe that is there: for files that are read twice."""
    if path == "-" and "-" in other_inputs:
        raise UsageError("- is standard input, which can be read only once: name it once")
    file = _pipe_of(path)
    return path if file is None else spooled(file)


def parse_columns(texts: Sequence[str]) -> Columns | None:
    """One column, or several: from a repeated option, or from one with commas."""
    names = [part.strip() for text in texts for part in text.split(",")]
    columns = tuple(parse_column(name) for name in names)
    return None if not columns else columns[0] if len(columns) == 1 else columns


def parse_column(text: str) -> Column:
    """A column by its number, if it is written in digits, else by its name."""
    return int(text) if re.fullmatch(r"\d{1,9}", text) else text


def byte_count(text: str | None) -> int | None:
    """The number of bytes of ``--limit-memory``."""
    return option_checks.byte_count("limit", text)
