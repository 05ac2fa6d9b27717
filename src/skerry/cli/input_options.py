"""From options to a stream of edges: what all commands that read a graph have in common."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from skerry.errors import InputError
from skerry.formats.open import find_files, open_edges
from skerry.formats.options import Column, Columns, ReadOptions
from skerry.formats.sniff import format_of
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import EdgeSource

__all__ = ["Reading", "byte_count", "column", "columns"]

STANDARD_INPUT = "/dev/stdin"
SPOKEN = {"tab": "\t", "\\t": "\t", "space": " ", "comma": ",", "semicolon": ";"}
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


@dataclass(frozen=True)
class Reading:
    """What to read, as the options say."""

    inputs: Sequence[str]
    source: Sequence[str] = ()
    target: Sequence[str] = ()
    weight: str | None = None
    threshold: float | None = None
    format: str | None = None
    delimiter: str | None = None
    header: bool | None = None

    @property
    def title(self) -> str:
        """What to call it in a line."""
        first = self.inputs[0]
        return first if len(self.inputs) == 1 else f"{first} and {len(self.inputs) - 1} more"

    @cached_property
    def options(self) -> ReadOptions:
        """The same for the readers."""
        if self.weight is not None and self.threshold is None:
            raise InputError("--weight is given without --threshold: which edges are to be used?")
        weight = None
        if self.threshold is not None:
            weight = column(self.weight) if self.weight else "weight"
        return self.reading_weight(weight)

    def reading_weight(self, weight: Column | None) -> ReadOptions:
        """The options of readers, with this column of weights."""
        delimiter = SPOKEN.get(self.delimiter or "", self.delimiter)
        return ReadOptions(
            columns(self.source), columns(self.target), weight, delimiter, self.header
        )

    @cached_property
    def paths(self) -> list[str]:
        """The inputs, with - as the path of standard input."""
        return [STANDARD_INPUT if one == "-" else one for one in self.inputs]

    @property
    def _format(self) -> str | None:
        return "snap" if self.format is None and "-" in self.inputs else self.format

    @cached_property
    def files(self) -> list[SourceFile]:
        """The files that the inputs name."""
        return find_files(self.paths, bare_names=self._format is not None)

    @cached_property
    def format_name(self) -> str:
        """The format of the first of them; `open` sees to it that all have the same."""
        return format_of(self.files[0], self._format).name

    def open(self, options: ReadOptions | None = None) -> EdgeSource:
        """The edges of all inputs."""
        inputs: Any = self.paths[0] if len(self.paths) == 1 else self.paths
        stream = open_edges(inputs, options or self.options, self._format)
        named = "standard input" if self.paths == [STANDARD_INPUT] else stream.name
        return replace(stream, name=named)


def columns(given: Sequence[str]) -> Columns | None:
    """One column, or several: of repeated options, or of one with commas."""
    names = [part.strip() for one in given for part in one.split(",")]
    found = tuple(column(name) for name in names)
    return None if not found else found[0] if len(found) == 1 else found


def column(name: str) -> Column:
    """A column by its number, if it is written in digits, else by its name."""
    return int(name) if re.fullmatch(r"\d+", name) else name


def byte_count(text: str | None) -> int | None:
    """A number of bytes: 4G, 500M, 1.5GiB, 1000000."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d*)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if found is None or not float(found[1]):
        raise InputError(f"a limit of memory is a size such as 4G or 500M, got {text!r}")
    return int(float(found[1]) * UNITS[found[2].upper()])
