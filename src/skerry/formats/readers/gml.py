"""GML: the id of a node is its label; if a label is missing or there twice, the ids of all nodes.

Ids are integers if all are, else text. A GML file may name nodes after the edges that need them, so
that it is held in memory, and nothing of it but ids and weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import name2codepoint
from math import inf
from typing import Any

from skerry.errors import InputError
from skerry.formats.decompress import ByteStream
from skerry.formats.options import ReadOptions
from skerry.formats.readers.listed_edges import Rows, listed_source, text_lines
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import EdgeSource

TOKEN = re.compile(r'\s+|#.*|(?P<string>"[^"]*")|(?P<mark>[][])|(?P<word>[^]\s["]+)|(?P<quote>")')
INTEGER = re.compile(r"[+-]?[0-9]{1,40}")
REFERENCE = re.compile(r"&(?:#x([0-9A-Fa-f]{1,6})|#([0-9]{1,7})|([A-Za-z0-9]{1,10}));")
LONGEST_TEXT = 8 << 20
"""Characters of a text with line ends in it."""


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The nodes and the edges of the graph."""
    options.refuse_columns(file.name, "gml")
    weight = None if options.weight is None else str(options.weight)
    return listed_source(file, options, lambda stream: _Graph(file, weight).rows(stream))


@dataclass(slots=True)
class _Graph:
    """The lists ``node`` and ``edge`` of the list ``graph``."""

    file: SourceFile
    weight: str | None
    nodes: dict[Any, Any] = field(default_factory=dict)
    """The labels of nodes by their ids; None: no label."""
    edges: list[tuple[Any, Any, float, int]] = field(default_factory=list)
    """Both ends, the weight, and the line."""
    line: int = 0
    depth: int = 0
    graphs: int = 0
    in_graph: bool = False
    item: dict[str, Any] | None = None
    """The values of the node or edge that is read."""
    is_node: bool = False

    def rows(self, stream: ByteStream) -> Rows:
        self._parse(stream)
        names = self._names()
        for name in names.values():
            yield name, name, inf
        for source, target, weight, line in self.edges:
            for end in (source, target):
                if end not in names:
                    self.line = line
                    raise self._wrong(f"the edge has an end {str(end)[:60]!r} that is no node")
            yield names[source], names[target], weight

    def _parse(self, stream: ByteStream) -> None:
        key: str | None = None
        for kind, value in self._tokens(stream):
            if key is None and kind == "word":
                key = str(value)
            elif key is None and (kind, value) == ("mark", "]") and self.depth:
                self._leave()
            elif key is None or (kind, value) == ("mark", "]"):
                unexpected = f"expected a key, found {str(value)[:40]!r}"
                raise self._wrong(unexpected if key is None else f"{key[:40]} has no value")
            else:
                if kind == "mark":
                    self._enter(key)
                elif self.item is not None and self.depth == 2:
                    self.item.setdefault(key, value if kind == "string" else _number(value))
                key = None
        if key is not None or self.depth:
            raise self._wrong("the file ends within a list; it may be truncated")
        if not self.graphs:
            raise InputError(f"{self.file.name}: there is no graph in it")

    def _enter(self, key: str) -> None:
        self.depth += 1
        if self.depth == 1 and key == "graph":
            self.graphs += 1
            if self.graphs > 1:
                raise self._wrong("a second graph: a file holds one graph")
        if self.depth == 1:
            self.in_graph = key == "graph"
        elif self.depth == 2 and self.in_graph and key in ("node", "edge"):
            self.item, self.is_node = {}, key == "node"

    def _leave(self) -> None:
        if self.depth == 2 and self.item is not None:
            if self.is_node:
                self._node(self.item)
            else:
                self._edge(self.item)
            self.item = None
        self.depth -= 1

    def _node(self, item: dict[str, Any]) -> None:
        node = self._id(item, "id", "node")
        if node in self.nodes:
            raise self._wrong(f"the node {str(node)[:60]} is there twice")
        self.nodes[node] = item.get("label")

    def _edge(self, item: dict[str, Any]) -> None:
        weight = 0.0
        if self.weight is not None:
            value = item.get(self.weight)
            if not isinstance(value, int | float):
                raise self._wrong(f"the edge has no number as its weight {self.weight}")
            weight = float(value)
        source, target = (self._id(item, end, "edge") for end in ("source", "target"))
        self.edges.append((source, target, weight, self.line))

    def _id(self, item: dict[str, Any], key: str, what: str) -> Any:
        value = item.get(key)
        if not isinstance(value, int | str):
            present = "none" if value is None else value
            raise self._wrong(f"the {what} has {present} as its {key}; it is an integer or a text")
        return value

    def _names(self) -> dict[Any, Any]:
        """The id of every node in the result, by its id in the file."""
        labels = list(self.nodes.values())
        texts = {str(label) for label in labels if label is not None}
        names = labels if len(texts) == len(labels) else list(self.nodes)
        if not all(type(name) is int for name in names):
            names = [str(name) for name in names]
            if len(set(names)) < len(names):
                raise InputError(f"{self.file.name}: a number and a text are the same id of a node")
        return dict(zip(self.nodes, names, strict=True))

    def _tokens(self, stream: ByteStream) -> Iterator[tuple[str, str]]:
        """Kind and value of every token; a text may go over several lines."""
        parts: list[str] = []  # of a text that has not ended
        size = begin = 0
        for number, text in text_lines(self.file, stream):
            self.line, at = number, 0
            if parts:
                end = text.find('"')
                parts.append(text if end < 0 else text[:end])
                size += len(text)
                if size > LONGEST_TEXT:
                    raise self._wrong(f"a text has more than {LONGEST_TEXT:,} characters")
                if end < 0:
                    continue
                yield "string", _unescaped("".join(parts))
                parts, size, at = [], 0, end + 1
            for match in TOKEN.finditer(text, at):
                kind, token = match.lastgroup, match[0]
                if kind == "string":
                    yield kind, _unescaped(token[1:-1])
                elif kind == "quote":
                    parts, size, begin = [text[match.end() :]], len(text), number
                    break
                elif kind is not None:
                    yield kind, token
        if parts:
            self.line = begin
            raise self._wrong("a text begins here that does not end: a quote is not closed")

    def _wrong(self, what: str) -> InputError:
        return InputError(f"{self.file.name}: line {self.line}: {what}")


def _number(word: str) -> int | float | str:
    """The number that a word is, or the word."""
    if INTEGER.fullmatch(word):
        return int(word)
    try:
        return float(word)
    except ValueError:
        return word


def _unescaped(text: str) -> str:
    """A text with its references as characters; those that name no character stay."""
    return REFERENCE.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    hexadecimal, decimal, name = match.groups()
    code = int(hexadecimal, 16) if hexadecimal else int(decimal or name2codepoint.get(name, -1))
    return chr(code) if 0 <= code < 0x110000 else match[0]
