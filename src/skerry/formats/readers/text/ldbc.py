"""Graphs of LDBC Graphalytics (arXiv 2011.15028, section 2.2.2): a file of vertices, one of edges.

``graph.v`` has an id a line and names every vertex, those without an edge included. ``graph.e`` has
the two ends of an edge a line, and behind them its properties, of which the weight is usually the
only one. ``graph.properties`` names the two and states their counts, which are checked. Ids are any
64-bit integers. An edge of a directed graph joins its ends as any other does: these are the weakly
connected components.

The vertices come first, as loops that are not counted as edges. With weights, these loops have an
infinite one, so that no threshold removes them. An end of an edge that is no vertex is an error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf
from pathlib import PurePosixPath

import numpy as np

from skerry.errors import InputError, UnsupportedError
from skerry.formats.options import Column, ReadOptions
from skerry.formats.readers.text.blocks import Header
from skerry.formats.readers.text.parse import Body, EdgeLines, parse_body
from skerry.formats.source import COMPRESSIONS, SourceFile, source_file
from skerry.graph.edge_source import Batch, EdgeSource, InputFacts
from skerry.ids.single import SingleIds
from skerry.ids.status_codes import UNKNOWN

WEIGHT_COLUMN = 2


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The graph of an ``.e`` file and its ``.v`` file, or of a ``.properties`` file."""
    options.refuse_columns(file.name, "ldbc")
    if file.pipe is not None:
        raise UnsupportedError(
            f"{file.name}: an ldbc graph has two files, which a pipe does not name; pass the path "
            'of the .e or .properties file, or read the edges alone with format="snap"'
        )
    if file.suffix == ".properties":
        stated = read_properties(file)
        vertices, edges = (_beside(file, name) for name in (stated.vertex_file, stated.edge_file))
    else:
        name = f"{PurePosixPath(file.stem).stem}.v"
        stated = GraphProperties(name, file.name, None, None, None)
        vertices, edges = _beside(file, name), file
    return _source(file.name, vertices, edges, stated, options)


def read_pair(vertices: str | os.PathLike[str], edges: str | os.PathLike[str]) -> EdgeSource:
    """The graph of a file of vertices and a file of edges, whatever their names are."""
    named, joined = (replace(source_file(path), text=True) for path in (vertices, edges))
    names = GraphProperties(named.name, joined.name, None, None, None)
    source = _source(joined.name, named, joined, names, ReadOptions())
    return replace(source, facts=replace(source.facts, format="ldbc"))


def _source(
    name: str,
    vertices: SourceFile,
    edges: SourceFile,
    stated: GraphProperties,
    options: ReadOptions,
) -> EdgeSource:
    weight = None if options.weight is None else _weight_column(name, stated, options.weight)

    def open_batches(threads: int) -> Iterator[Batch]:
        known = SingleIds()
        for batch in _vertices(vertices, stated.vertices, options, threads):
            known.number(batch.src, threads)
            yield batch
        for batch in _edges(edges, stated.edges, weight, options, threads):
            _refuse_unknown(known, vertices, batch, threads)
            yield batch

    sizes = [part.size for part in (vertices, edges)]
    return EdgeSource(
        name=name,
        id_kind="external",
        open=open_batches,
        num_bytes=None if None in sizes else sum(size or 0 for size in sizes),
        facts=InputFacts(weight=None if options.weight is None else str(options.weight)),
    )


def _refuse_unknown(known: SingleIds, file: SourceFile, batch: Batch, threads: int) -> None:
    """Raises if an end of an edge is no vertex of the file of vertices."""
    for ends in (batch.src, batch.dst):
        unknown = known.find(ends, threads) == UNKNOWN
        if unknown.any():
            raise InputError(
                f"{batch.location}: the id {ends[int(np.argmax(unknown))]} is no vertex of "
                f"{file.name}; is that file complete, and of the same graph?"
            )


def _beside(file: SourceFile, name: str) -> SourceFile:
    """A file of the same folder, compressed or not."""
    folder = file.name[: -len(PurePosixPath(file.name.replace(os.sep, "/")).name)]
    reasons = []
    for suffix in ("", *COMPRESSIONS):
        try:
            return replace(source_file(f"{folder}{name}{suffix}"), text=True)
        except InputError as error:
            reasons.append(str(error))
    raise InputError(
        f"{reasons[0]}; {file.name} needs it: an ldbc graph is a file of vertices (.v) and one of "
        'edges (.e). format="snap" reads edges alone'
    )


def _weight_column(file: str, stated: GraphProperties, weight: Column) -> int:
    """The number of the column of weights, by its name in the properties, or by its number."""
    if isinstance(weight, int):
        return weight
    names = stated.weights
    if names is None:
        return WEIGHT_COLUMN
    if weight not in names:
        there_are = f"there are: {', '.join(names)}" if names else "there are none"
        raise InputError(f"{file}: edges have no property {weight!r}; {there_are}")
    return WEIGHT_COLUMN + names.index(weight)


def _vertices(
    file: SourceFile, stated: int | None, options: ReadOptions, threads: int
) -> Iterator[Batch]:
    """Every vertex as a loop."""
    count = 0
    for line, block in parse_body(Body(file), EdgeLines("", columns=(0, 0, 2)), options, threads):
        weight = None if options.weight is None else np.full(len(block.src), inf)
        location = f"{file.name}, from line {line} on"
        yield Batch(block.src, block.src, weight, location, block.consumed, only_vertices=True)
        count += len(block.src)
    _check_count(file, count, stated, "vertices")


def _edges(
    file: SourceFile, stated: int | None, weight: int | None, options: ReadOptions, threads: int
) -> Iterator[Batch]:
    columns = (0, 1, WEIGHT_COLUMN if weight is None else weight)
    lines = EdgeLines("", columns=columns, weighted=weight is not None)
    count = 0
    for line, block in parse_body(Body(file), lines, options, threads):
        location = f"{file.name}, from line {line} on"
        yield Batch(block.src, block.dst, block.weight, location, block.consumed)
        count += len(block.src)
    _check_count(file, count, stated, "edges")


def _check_count(file: SourceFile, count: int, stated: int | None, what: str) -> None:
    if stated is not None and count != stated:
        raise InputError(
            f"{file.name}: the properties say {stated:,} {what}, but {count:,} are there; the file "
            "may be truncated"
        )


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
