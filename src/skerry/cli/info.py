"""``skerry info FILE...``: what is in files, without solving anything."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.text import Text

from skerry.cli.columns import typed_columns
from skerry.cli.format_numbers import bytes_of, plural
from skerry.cli.input_options import InputArguments
from skerry.cli.progress import ProgressDisplay
from skerry.cli.result_facts import describe_input
from skerry.cli.summary import console, labeled_lines
from skerry.cli.terminal import print_json
from skerry.formats.registry import format_named
from skerry.ids.numbering import Numbering
from skerry.io import EdgeSource
from skerry.threads import resolve_threads

__all__ = ["show_info"]

COUNTED_UP_TO = 64 << 20
"""Bytes of files that are counted without ``--count``: it takes about a second."""

Lines = list[tuple[str, str | Text]]


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of all edges."""

    vertices: int
    edges: int
    loops: int
    isolated: int
    """Vertices without an edge, loops not counted."""
    max_degree: int
    mean_degree: float
    bytes_of_ids: int
    """Memory of external ids while they are numbered."""
    dropped: int = 0
    """Edges with a null, which were left out."""


@dataclass(frozen=True, slots=True)
class FileInfo:
    """What is known about files that are one graph."""

    arguments: InputArguments
    source: EdgeSource
    bytes: int
    columns: list[tuple[str, str]]
    """Names and types."""
    counts: Counts | None
    """None where the files were not read."""

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        arguments, source = self.arguments, self.source
        return {
            "inputs": list(arguments.inputs),
            "files": len(arguments.files),
            "format": source.facts.format,
            "compression": arguments.files[0].compression,
            "bytes": self.bytes,
            "columns": [{"name": name, "type": kind} for name, kind in self.columns],
            "input": asdict(source.facts),
            "ids": source.id_kind,
            "header": {"vertices": source.num_vertices, "edges": source.num_edges},
            "counted": None if self.counts is None else asdict(self.counts),
        }


def show_info(
    arguments: InputArguments, count: bool | None, threads: int | None, as_json: bool
) -> None:
    """Prints what is known about files that are one graph."""
    source = arguments.open()
    size = sum(file.size or 0 for file in arguments.files)
    if count is None:
        count = source.repeatable and size <= COUNTED_UP_TO
    # Before anything is read: of a pipe, only the beginning can be looked at.
    columns = typed_columns(
        arguments.files[0],
        source.facts.format,
        header=arguments.header,
        delimiter=arguments.delimiter_character,
    )
    counts = None
    if count:
        with ProgressDisplay(as_json) as display:
            counts = _count(display.track(source, "counting", "counting degrees"), threads)
    info = FileInfo(arguments, source, size, columns, counts)
    if as_json:
        print_json(info.as_json())
        return
    console().print(labeled_lines(_lines(info)))


def _lines(info: FileInfo) -> Lines:
    arguments, source = info.arguments, info.source
    first = arguments.files[0]
    file_format = format_named(source.facts.format)
    files = plural(len(arguments.files), "file", "files")
    packed = "" if first.compression is None else f", compressed with {first.compression}"
    size = f": {files}, {bytes_of(info.bytes)}{packed}"
    lines: Lines = [
        ("graph", Text.assemble((arguments.title, "bold"), size)),
        ("format", f"{file_format.name}: {file_format.summary}"),
    ]
    if info.columns:
        lines.append(("columns", ", ".join(f"{name} ({kind})" for name, kind in info.columns)))
    if used := describe_input(source.facts):
        lines.append(("input", used))
    lines.append(("ids", _ids(source)))
    lines += _stated(source) if info.counts is None else _counted(info.counts)
    lines.append(("components", _prospect(source, info.counts)))
    return lines


def _ids(source: EdgeSource) -> str:
    if source.id_kind == "external":
        return "external: the vertices are the ids that occur"
    last = None if source.num_vertices is None else source.num_vertices - 1 + source.first_id
    until = "the largest" if last is None else f"{last:,}"
    return f"vertex numbers, {source.first_id} to {until}"


def _stated(source: EdgeSource) -> Lines:
    """What the file's header says."""
    parts = []
    if source.num_vertices is not None:
        parts.append(f"{source.num_vertices:,} vertices")
    if source.num_edges is not None:
        parts.append(f"{source.num_edges:,} edges")
    unknown = "the file has no counts; --count reads all of it"
    return [("header", ", ".join(parts) or unknown)]


def _counted(counts: Counts) -> Lines:
    loops = f", {plural(counts.loops, 'loop', 'loops')} among them" if counts.loops else ""
    dropped = f"; left out: {counts.dropped:,} with a null" if counts.dropped else ""
    isolated = f", {counts.isolated:,} without an edge" if counts.isolated else ""
    return [
        ("vertices", f"{counts.vertices:,}{isolated}"),
        ("edges", f"{counts.edges:,}{loops}, as stored{dropped}"),
        ("degrees", f"{counts.mean_degree:.3g} on average, {counts.max_degree:,} at most"),
    ]


def _prospect(source: EdgeSource, counts: Counts | None) -> str:
    """What ``skerry components`` would do, and the memory it would need."""
    text = "joins edges as they are read"
    if source.id_kind == "external":
        text += ", numbering ids that are not small integers"
    n = counts.vertices if counts is not None else source.num_vertices
    if n is None:
        ids = " and the ids themselves" if source.id_kind == "external" else ""
        return f"{text}; memory: 4 bytes a vertex{ids}"
    memory = 4 * n + (0 if counts is None else counts.bytes_of_ids)
    return f"{text}; memory: about {bytes_of(memory)}, and a few batches of edges"


def _count(source: EdgeSource, threads: int | None) -> Counts:
    team = resolve_threads(threads)
    numbering = Numbering() if source.id_kind == "external" else None
    degrees = np.zeros(source.num_vertices or 0, np.int64)
    edges = loops = dropped = 0
    for batch in source.open(team):
        src, dst = (_numbers(end, numbering, team) for end in (batch.src, batch.dst))
        dropped += batch.dropped
        proper = src != dst
        if not batch.only_vertices:
            edges += len(src)
            loops += len(src) - int(np.count_nonzero(proper))
        for end in (src, dst):
            degrees = _add_degrees(degrees, end, proper)
    n = len(degrees) if source.num_vertices is None else source.num_vertices
    return Counts(
        vertices=n,
        edges=edges,
        loops=loops,
        isolated=int(np.count_nonzero(degrees == 0)),
        max_degree=int(degrees.max(initial=0)),
        mean_degree=float(degrees.sum() / n) if n else 0.0,
        bytes_of_ids=0 if numbering is None else numbering.nbytes,
        dropped=dropped,
    )


def _numbers(column: Any, numbering: Numbering | None, threads: int) -> npt.NDArray[Any]:
    return np.asarray(column) if numbering is None else numbering.number(column, threads)


def _add_degrees(
    degrees: npt.NDArray[np.int64], ends: npt.NDArray[Any], proper: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int64]:
    if not len(ends):
        return degrees
    size = max(len(degrees), int(ends.max()) + 1)
    counts = np.bincount(ends[proper].astype(np.int64, copy=False), minlength=size)
    counts[: len(degrees)] += degrees
    return counts
