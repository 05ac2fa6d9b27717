"""``skerry info FILE...``: what is in files, without solving anything."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import typer
from rich.text import Text

from skerry.cli.columns import typed_columns
from skerry.cli.format_numbers import bytes_of, many
from skerry.cli.input_options import SPOKEN, Reading
from skerry.cli.progress import Watch
from skerry.cli.summary import console, rows
from skerry.formats.registry import format_named
from skerry.formats.sniff import format_of
from skerry.graph.edge_source import EdgeSource
from skerry.ids.numbering import Numbering
from skerry.threads import resolve_threads

__all__ = ["show_info"]

COUNTED_UP_TO = 64 << 20
"""Bytes of files that are read through without being asked for: a second or so."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What reading all of it told."""

    vertices: int
    edges: int
    loops: int
    isolated: int
    """Vertices without an edge, loops not counted."""
    max_degree: int
    mean_degree: float
    bytes_of_ids: int
    """What ids that are names take while they are numbered."""


def show_info(reading: Reading, count: bool | None, threads: int | None, as_json: bool) -> None:
    """Prints what there is to know about some files that are one graph."""
    stream = reading.open()
    sizes = [file.size for file in reading.files]
    size = sum(one or 0 for one in sizes)
    if count is None:
        count = stream.repeatable and size <= COUNTED_UP_TO
    counted = None
    if count:
        with Watch(as_json) as watch:
            counted = _count(watch.of(stream, "counting", "counting degrees"), threads)
    delimiter = SPOKEN.get(reading.delimiter or "", reading.delimiter)
    first = reading.files[0]
    typed = typed_columns(first, reading.format_name, header=reading.header, delimiter=delimiter)
    if as_json:
        typer.echo(json.dumps(_as_json(reading, stream, size, typed, counted)))
        return
    console().print(rows(_said(reading, stream, size, typed, counted)))


def _as_json(
    reading: Reading,
    stream: EdgeSource,
    size: int,
    typed: list[tuple[str, str]],
    counted: Counted | None,
) -> dict[str, Any]:
    return {
        "inputs": list(reading.inputs),
        "files": len(reading.files),
        "format": reading.format_name,
        "compression": reading.files[0].compression,
        "bytes": size,
        "columns": [{"name": name, "type": kind} for name, kind in typed],
        "ids": stream.id_kind,
        "header": {"vertices": stream.num_vertices, "edges": stream.num_edges},
        "counted": None if counted is None else asdict(counted),
    }


def _said(
    reading: Reading,
    stream: EdgeSource,
    size: int,
    typed: list[tuple[str, str]],
    counted: Counted | None,
) -> list[tuple[str, str | Text]]:
    first = reading.files[0]
    row = format_named(format_of(first, reading.format_name).name)
    files = many(len(reading.files), "file", "files")
    packed = "" if first.compression is None else f", compressed with {first.compression}"
    said: list[tuple[str, str | Text]] = [
        ("graph", Text.assemble((reading.title, "bold"), f": {files}, {bytes_of(size)}{packed}")),
        ("format", f"{row.name}: {row.summary}"),
    ]
    if typed:
        said.append(("columns", ", ".join(f"{name} ({kind})" for name, kind in typed)))
    said.append(("ids", _ids(stream)))
    if counted is None:
        said += _by_header(stream)
    else:
        said += _by_count(counted)
    said.append(("components", _would(stream, counted)))
    return said


def _ids(stream: EdgeSource) -> str:
    if stream.id_kind == "external":
        return "names: the vertices are those that occur"
    last = None if stream.num_vertices is None else stream.num_vertices - 1 + stream.first_id
    until = "the largest" if last is None else f"{last:,}"
    return f"numbers of vertices, {stream.first_id} to {until}"


def _by_header(stream: EdgeSource) -> list[tuple[str, str | Text]]:
    said = []
    if stream.num_vertices is not None:
        said.append(f"{stream.num_vertices:,} vertices")
    if stream.num_edges is not None:
        said.append(f"{stream.num_edges:,} edges")
    unknown = "not said by the file; --count reads it through"
    return [("header", ", ".join(said) or unknown)]


def _by_count(counted: Counted) -> list[tuple[str, str | Text]]:
    loops = f", {many(counted.loops, 'loop', 'loops')} among them" if counted.loops else ""
    alone = f", {counted.isolated:,} without an edge" if counted.isolated else ""
    degrees = f"{counted.mean_degree:.3g} on average, {counted.max_degree:,} at most"
    return [
        ("vertices", f"{counted.vertices:,}{alone}"),
        ("edges", f"{counted.edges:,}{loops}, as they are stored"),
        ("degrees", degrees),
    ]


def _would(stream: EdgeSource, counted: Counted | None) -> str:
    """What finding the components would do, and take."""
    how = "joins edges as they are read"
    if stream.id_kind == "external":
        how += ", numbering ids that are not small integers"
    n = counted.vertices if counted is not None else stream.num_vertices
    if n is None:
        return f"{how}; memory: 4 bytes a vertex{_names_too(stream)}"
    taken = 4 * n + (0 if counted is None else counted.bytes_of_ids)
    return f"{how}; memory: about {bytes_of(taken)}, and a few batches of edges"


def _names_too(stream: EdgeSource) -> str:
    return " and the ids themselves" if stream.id_kind == "external" else ""


def _count(stream: EdgeSource, threads: int | None) -> Counted:
    team = resolve_threads(threads)
    numbering = Numbering() if stream.id_kind == "external" else None
    degrees = np.zeros(stream.num_vertices or 0, np.int64)
    edges = loops = 0
    for batch in stream.open(team):
        src, dst = (_numbers(end, numbering, team) for end in (batch.src, batch.dst))
        edges += len(src)
        proper = src != dst
        loops += len(src) - int(np.count_nonzero(proper))
        for end in (src, dst):
            degrees = _added(degrees, end, proper)
    n = len(degrees) if stream.num_vertices is None else stream.num_vertices
    return Counted(
        vertices=n,
        edges=edges,
        loops=loops,
        isolated=int(np.count_nonzero(degrees == 0)),
        max_degree=int(degrees.max(initial=0)),
        mean_degree=float(degrees.sum() / n) if n else 0.0,
        bytes_of_ids=0 if numbering is None else numbering.nbytes,
    )


def _numbers(column: Any, numbering: Numbering | None, threads: int) -> npt.NDArray[Any]:
    return np.asarray(column) if numbering is None else numbering.number(column, threads)


def _added(
    degrees: npt.NDArray[np.int64], ends: npt.NDArray[Any], proper: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int64]:
    if not len(ends):
        return degrees
    size = max(len(degrees), int(ends.max()) + 1)
    counts = np.bincount(ends[proper].astype(np.int64, copy=False), minlength=size)
    counts[: len(degrees)] += degrees
    return counts
