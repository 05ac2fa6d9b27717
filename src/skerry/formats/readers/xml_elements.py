"""The elements of an XML file, one by one, in time that is linear in its size.

expat parses a token (a tag, a comment) again from its beginning when more of it arrives, and only
newer versions wait until it has doubled. Here every version is fed so: what it has not parsed is
fed on with as much again. A token, the depth and the text of an element have bounds; entities are
refused, as they can stand for more text than there is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from skerry.errors import InputError, SkerryError
from skerry.formats.decompress import ByteStream

PIECE = 1 << 16
LONGEST_TOKEN = 8 << 20
"""Bytes of a tag with its attributes, or of a comment."""
LONGEST_TEXT = 1_000
"""Characters of an element's text that are kept: more than any number has."""
MOST_VALUES = 1_000
"""Elements that are kept of one that they are in."""
DEEPEST = 1_000
"""Elements within each other."""


@dataclass(slots=True)
class Element:
    """An element that has ended."""

    name: str
    """Without a prefix of a namespace."""
    attributes: dict[str, str]
    line: int
    """Where it begins."""
    text: str = ""
    """The beginning of it."""
    values: list[Element] = field(default_factory=list)
    """The elements in it that `elements` was asked to keep."""

    def attribute(self, file: str, name: str) -> str:
        """An attribute that must be there."""
        value = self.attributes.get(name)
        if value is None:
            shown = str(self.attributes)
            shown = shown if len(shown) <= 200 else f"{shown[:197]}..."
            raise InputError(f"{file}: line {self.line}: <{self.name} {shown}> has no {name}")
        return value

    def wrong_weight(self, file: str, weight: object) -> InputError:
        """The error of an edge whose weight is missing or not a number."""
        ends = " - ".join(str(self.attributes.get(end))[:60] for end in ("source", "target"))
        return InputError(
            f"{file}: line {self.line}: the edge {ends} has no number as its weight {weight}"
        )


def elements(
    name: str, stream: ByteStream, root: str, wanted: tuple[str, ...], kept: tuple[str, ...] = ()
) -> Iterator[Element]:
    """The elements of the file ``name`` with these names, as they end.

    Those in them with a name of ``kept`` are their values, with text, and do not come by
    themselves.
    """
    builder = _Builder(name, root, wanted, kept)
    parser = builder.parser
    fed, size, last = 0, PIECE, False
    while not last:
        data = stream.read_fully(size)
        last = len(data) < size
        wrong: Exception | None = None
        try:
            parser.Parse(data, last)
        except SkerryError as error:
            wrong = error
        except (expat.ExpatError, LookupError, ValueError) as error:  # also bad encodings
            wrong = InputError(f"{name}: not complete, well-formed XML: {error}")
        while builder.ended:  # they come before the error
            yield builder.ended.popleft()
        if wrong is not None:
            raise wrong
        fed += len(data)
        left = fed - max(parser.CurrentByteIndex, 0)
        if left > LONGEST_TOKEN and not last:
            raise InputError(
                f"{name}: line {parser.CurrentLineNumber}: a tag or a comment has more than "
                f"{LONGEST_TOKEN:,} bytes"
            )
        size = max(PIECE, left)


class _Builder:
    """The handlers of a parser; collects elements that have ended."""

    def __init__(
        self, name: str, root: str, wanted: tuple[str, ...], kept: tuple[str, ...]
    ) -> None:
        self.ended: deque[Element] = deque()
        self.parser: Any = expat.ParserCreate()
        self._name = name
        self._root = root
        self._used = frozenset(wanted + kept)
        self._kept = frozenset(kept)
        self._open: list[Element | None] = []
        """The elements around the present place; None: one that is not asked for."""
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        if kept:
            self.parser.CharacterDataHandler = self._text
            self.parser.buffer_text = True  # else there is a call for every line
        self.parser.EntityDeclHandler = self._entity
        if hasattr(self.parser, "SetReparseDeferralEnabled"):  # of expat 2.6, which waits itself
            self.parser.SetReparseDeferralEnabled(False)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        depth = len(self._open)
        if not depth and name != self._root:
            raise InputError(f"{self._name}: not a {self._root} file: its root is <{name[:60]}>")
        if depth == DEEPEST:
            raise InputError(
                f"{self._name}: line {self.parser.CurrentLineNumber}: more than {DEEPEST:,} "
                "elements are within each other"
            )
        used = name in self._used
        line = self.parser.CurrentLineNumber if used else 0
        self._open.append(Element(name, attributes, line) if used else None)

    def _end(self, _: str) -> None:
        element = self._open.pop()
        if element is None:
            return
        if element.name not in self._kept:
            self.ended.append(element)
            return
        around = self._open[-1] if self._open else None
        if around is not None and len(around.values) < MOST_VALUES:
            around.values.append(element)

    def _text(self, text: str) -> None:
        element = self._open[-1]
        if element is not None and element.name in self._kept and len(element.text) < LONGEST_TEXT:
            element.text += text[:LONGEST_TEXT]

    def _entity(self, entity: str, *_: Any) -> None:
        raise InputError(
            f"{self._name}: line {self.parser.CurrentLineNumber}: declares the entity {entity!r}, "
            "and entities are not read"
        )
