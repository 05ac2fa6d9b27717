"""The ``.properties`` file of an LDBC Graphalytics graph: which files it has, and its counts.

It is one of Java's: a line is a key, ``=`` or ``:``, and a value; ``#`` and ``!`` begin comments.
The keys of the graph NAME begin with ``graph.NAME.``:

    graph.example.vertex-file = example.v
    graph.example.edge-file = example.e
    graph.example.meta.vertices = 10
    graph.example.meta.edges = 17
    graph.example.directed = true
    graph.example.edge-properties.names = weight
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from skerry.errors import InputError
from skerry.formats.readers.text.blocks import Header
from skerry.formats.source import SourceFile

LINE = re.compile(r"\s*([^\s=:#!][^\s=:]*)\s*[=:]?\s*(.*?)\s*$")
MOST_LINES = 10_000
"""LDBC's have fifty; a file with more is another kind of file."""


@dataclass(frozen=True, slots=True)
class GraphProperties:
    """What such a file says about a graph, as far as components need it."""

    vertex_file: str
    """Name of the file of vertices, relative to the folder of the properties."""
    edge_file: str
    vertices: int | None
    """How many vertices there are, where it is stated."""
    edges: int | None
    weights: tuple[str, ...] | None
    """Names of the columns behind the two ends of an edge; None where it is not stated."""


def read_properties(file: SourceFile) -> GraphProperties:
    """The properties in a file; raises if it is not such a file."""
    values = _values(file)
    names = {key[: -len(".edge-file")] for key in values if key.endswith(".edge-file")}
    names = {name for name in names if name.startswith("graph.")}
    if len(names) != 1:
        count = f"{len(names)} graphs" if names else "no graph"
        raise InputError(
            f"{file.name}: names {count}; the properties of an LDBC graph have one key "
            "graph.NAME.edge-file"
        )
    (prefix,) = names
    files = []
    for key in ("vertex-file", "edge-file"):
        value = values.get(f"{prefix}.{key}", "")
        if not value:
            raise InputError(f"{file.name}: {prefix}.{key} is missing")
        files.append(value)
    if files[0] == files[1]:
        raise InputError(
            f"{file.name}: {files[0]} is both {prefix}.vertex-file and {prefix}.edge-file; mend "
            "it, or read the .e file, which finds its .v file by its name"
        )
    columns = values.get(f"{prefix}.edge-properties.names")
    return GraphProperties(
        vertex_file=files[0],
        edge_file=files[1],
        vertices=_count(file, values, f"{prefix}.meta.vertices"),
        edges=_count(file, values, f"{prefix}.meta.edges"),
        weights=None if columns is None else tuple(columns.replace(",", " ").split()),
    )


def _values(file: SourceFile) -> dict[str, str]:
    values = {}
    with Header(file) as lines:
        while (line := lines.next()) is not None:
            if lines.lines > MOST_LINES:
                raise lines.wrong("there are too many lines for the properties of a graph")
            matched = LINE.match(line)
            if matched is not None:
                values[matched[1]] = matched[2]
    return values


def _count(file: SourceFile, values: dict[str, str], key: str) -> int | None:
    text = values.get(key)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit()):
        raise InputError(f"{file.name}: {key} must be a number, got {text!r}")
    return int(text)
