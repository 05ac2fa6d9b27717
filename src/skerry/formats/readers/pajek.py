"""Pajek: ``*Vertices`` with labels, then ``*Arcs``, ``*Edges``, lists of neighbors, or a matrix.

The id of a vertex is its label, as text, or its number where it has none. Lines of ``*Arcslist``
and ``*Edgeslist`` join the first vertex to all others of the line. A section may carry the number
and the name of a relation (``*Edges :2 "kin"``): all relations are read. ``%`` begins a remark.
A weight is the third number of an arc or an edge, or a cell of the matrix.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf

from skerry.errors import InputError
from skerry.formats.decompress import ByteStream
from skerry.formats.options import ReadOptions
from skerry.formats.readers.listed_edges import Rows, listed_source, text_lines
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import EdgeSource
from skerry.optional import require_arrow

WORD = re.compile(r'"([^"]*)"|(\S+)')
PAIRS, LISTS = ("*arcs", "*edges"), ("*arcslist", "*edgeslist")
KNOWN = ("*network", "*vertices", *PAIRS, *LISTS, "*matrix")
FREE_VERTICES = 1 << 20
"""Vertices that a file may have without a byte for each: those without a label need no line."""


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The edges and the vertices of a network."""
    options.refuse_columns(file.name, "pajek")
    require_arrow(f"{file.name}: reading text ids")
    weighted = options.weight is not None
    return listed_source(file, options, lambda stream: _Network(file, weighted).rows(stream))


@dataclass(slots=True)
class _Network:
    """A network while it is read."""

    file: SourceFile
    weighted: bool
    count: int = -1
    """How many vertices there are; -1 before it is known."""
    first_mode: int = 0
    """How many of them are the rows of a matrix: all, but in networks of two modes."""
    labels: dict[int, str] = field(default_factory=dict)
    """Of the vertices that have one, by their numbers."""
    line: int = 0
    matrix_row: int = 0
    named: bool = False
    """Whether the vertices were given as rows: not before the first edge."""

    def rows(self, stream: ByteStream) -> Rows:
        section = ""
        for number, text in text_lines(self.file, stream):
            self.line = number
            words = [quoted or plain for quoted, plain in WORD.findall(text)]
            if not words or words[0].startswith("%"):
                continue
            if text.lstrip().startswith("*"):
                section = self._begin(words)
                continue
            if section not in ("*network", "*vertices", ""):
                yield from self._vertices()
            if section == "*vertices":
                self._label(words)
            elif section == "*matrix":
                yield from self._matrix(words)
            elif section in LISTS:
                first = self._id(words[0])
                yield from ((first, self._id(word), self._no_weight()) for word in words[1:])
            elif section in PAIRS:
                yield self._pair(words)
            elif section == "":
                raise self._wrong("expected a section, such as *Vertices, at the beginning")
        if self.count < 0:
            raise InputError(f"{self.file.name}: there is no section *Vertices in it")
        if self.matrix_row not in (0, self.first_mode):
            raise InputError(
                f"{self.file.name}: the matrix has {self.matrix_row:,} rows instead of "
                f"{self.first_mode:,}; the file may be truncated"
            )
        yield from self._vertices()

    def _begin(self, words: list[str]) -> str:
        section = words[0].lower()
        if section not in KNOWN:
            raise self._wrong(
                f"sections {words[0][:40]} are not read; there are: {' '.join(KNOWN)}"
            )
        if section == "*vertices":
            self._count(words[1:])
        elif section != "*network" and self.count < 0:
            raise self._wrong(f"{words[0]} comes before *Vertices")
        if section == "*matrix":
            self.matrix_row = 0
        return section

    def _count(self, words: list[str]) -> None:
        if self.count >= 0:
            raise self._wrong("a second section *Vertices: a file holds one network")
        counts = [int(word) for word in words if _is_number(word)]
        if not 1 <= len(counts) == len(words) <= 2:
            raise self._wrong('expected "*Vertices <number>"')
        self.count, self.first_mode = counts[0], counts[-1]
        if self.first_mode > self.count:
            raise self._wrong("the first mode has more vertices than there are")
        largest = self.file.largest_contents
        if largest is not None and self.count > FREE_VERTICES + largest:
            raise self._wrong(
                f"{self.count:,} vertices in a file of {self.file.size:,} bytes: is it damaged?"
            )

    def _label(self, words: list[str]) -> None:
        number = self._number(words[0])
        if number in self.labels:
            raise self._wrong(f"vertex {number} is there twice")
        if len(words) > 1 and words[1]:
            self.labels[number] = words[1]

    def _vertices(self) -> Rows:
        """Every vertex as a loop, once; raises if two have the same id."""
        if self.named:
            return
        self.named = True
        numbers: dict[str, int] = {}
        for number, label in self.labels.items():
            other = numbers.setdefault(label, number)
            if other == number:
                other = self._unlabeled(label) or number
            if other != number:
                raise InputError(
                    f"{self.file.name}: the vertices {other} and {number} are both called "
                    f"{label[:60]!r}, and ids are these labels; give them different ones, or "
                    "remove all labels: then ids are the numbers"
                )
        numbers.clear()
        for number in range(1, self.count + 1):
            label = self.labels.get(number, str(number))
            yield label, label, inf

    def _unlabeled(self, label: str) -> int:
        """The vertex without a label that has this number for a name; or 0."""
        number = int(label) if _is_number(label) else 0
        known = number in self.labels or number > self.count or str(number) != label
        return 0 if known else number

    def _pair(self, words: list[str]) -> tuple[str, str, float]:
        if len(words) < 2:
            raise self._wrong("expected the numbers of two vertices")
        weight = 0.0
        if self.weighted:
            weight = self._weight(words[2] if len(words) > 2 else "")
        return self._id(words[0]), self._id(words[1]), weight

    def _matrix(self, words: list[str]) -> Iterator[tuple[str, str, float]]:
        self.matrix_row += 1
        two = self.first_mode != self.count
        columns = self.count - self.first_mode if two else self.count
        if self.matrix_row > self.first_mode or len(words) != columns:
            raise self._wrong(
                f"row {self.matrix_row:,} of the matrix has {len(words):,} cells; there are "
                f"{self.first_mode:,} rows of {columns:,}"
            )
        source = self._id(str(self.matrix_row))
        for column, word in enumerate(words, self.first_mode + 1 if two else 1):
            weight = self._weight(word)
            if weight:
                yield source, self._id(str(column)), weight

    def _id(self, word: str) -> str:
        number = self._number(word)
        return self.labels.get(number, str(number))

    def _number(self, word: str) -> int:
        if not _is_number(word):
            raise self._wrong(f"{word[:40]!r} is not the number of a vertex")
        number = int(word)
        if not 1 <= number <= self.count:
            raise self._wrong(f"there is no vertex {number}: there are {self.count:,}, from 1 on")
        return number

    def _weight(self, word: str) -> float:
        try:
            return float(word)
        except ValueError:
            raise self._wrong(f"the weight {word[:40]!r} is not a number") from None

    def _no_weight(self) -> float:
        if self.weighted:
            raise self._wrong("weight= is given, but lists of neighbors have no weights")
        return 0.0

    def _wrong(self, what: str) -> InputError:
        return InputError(f"{self.file.name}: line {self.line}: {what}")


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 20
