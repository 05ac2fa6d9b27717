"""``skerry info FILE...``: what is in files, without solving anything."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.text import Text

from skerry.cli.format_numbers import bytes_of, plural
from skerry.cli.input_options import InputArguments
from skerry.cli.logged_progress import progress_display
from skerry.cli.preview import Preview, preview
from skerry.cli.progress import ProgressDisplay
from skerry.cli.result_facts import describe_input
from skerry.cli.run_log import current_log
from skerry.cli.summary import console, labeled_lines
from skerry.cli.terminal import print_json
from skerry.cli.wording import as_options
from skerry.errors import ArgumentError, InputError, SkerryError
from skerry.formats.decompress import DamagedDataError
from skerry.formats.registry import Format
from skerry.formats.sniff import format_of
from skerry.ids.numbering import Numbering
from skerry.io import EdgeSource
from skerry.threads import resolve_threads

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
    source: EdgeSource | None
    """None where it is not clear how to read the files as a graph."""
    bytes: int
    preview: Preview
    counts: Counts | None
    """None where the files were not read."""
    problem: str | None = None
    """Why they are not clear, or could not be counted."""

    @property
    def format(self) -> Format:
        """The format of the first file."""
        first, source = self.arguments.files[0], self.source
        stated = self.arguments.format if source is None else source.facts.format
        return format_of(first, stated)

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        arguments, source, seen = self.arguments, self.source, self.preview
        header = {
            "vertices": source and source.num_vertices,
            "edges": source and source.num_edges,
        }
        return {
            "inputs": list(arguments.inputs),
            "files": len(arguments.files),
            "format": self.format.name,
            "compression": arguments.files[0].compression,
            "bytes": self.bytes,
            "columns": [{"name": name, "type": kind} for name, kind in seen.columns],
            "rows": seen.rows,
            "nulls": {"rows": seen.sampled, "columns": seen.nulls_of()},
            "input": None if source is None else source.facts.as_json(),
            "ids": None if source is None else source.id_kind,
            "header": header,
            "counted": None if self.counts is None else asdict(self.counts),
            "problem": None if self.problem is None else as_options(self.problem),
        }


def show_info(
    arguments: InputArguments, count: bool | None, threads: int | None, as_json: bool
) -> None:
    """Prints what is known about files; whatever is not clear about them is part of that.

    Only files that cannot be read end in an error: after what is known of them, if anything is.
    """
    source, seen, unclear = _look(arguments)
    size = sum(file.size or 0 for file in arguments.files)
    counts, bad = None, None
    if source is not None and (
        count or (count is None and source.repeatable and size <= COUNTED_UP_TO)
    ):
        with progress_display(as_json) as display:
            counts, bad = _try_count(arguments, source, threads, display)
    problem = unclear if bad is None else bad
    info = FileInfo(
        arguments, source, size, seen, counts, None if problem is None else str(problem)
    )
    log = current_log()
    if log is not None:
        log.write("result", **info.as_json())
    if as_json:
        print_json(info.as_json())
    else:
        console().print(labeled_lines(_lines(info)))
    if problem is not None and (bad is not None or isinstance(problem, DamagedDataError)):
        raise problem


def _look(arguments: InputArguments) -> tuple[EdgeSource | None, Preview, InputError | None]:
    """The edges, the beginning of the first file, and why there are no edges where it is unclear.

    The beginning comes before the edges: of a pipe, only that can be looked at.
    """
    source = unclear = None
    try:
        source = arguments.open()
    except ArgumentError:
        raise
    except InputError as error:
        unclear = error
    stated = arguments.format if source is None else source.facts.format
    try:
        first = arguments.files[0]
        seen = preview(first, stated, arguments.header, arguments.delimiter_character)
    except SkerryError:
        if unclear is not None:
            raise unclear from None
        raise
    if unclear is not None and not (seen.columns or seen.rows):
        raise unclear
    return source, seen, unclear


def _try_count(
    arguments: InputArguments, source: EdgeSource, threads: int | None, display: ProgressDisplay
) -> tuple[Counts | None, InputError | None]:
    """The counts without edges that have a null; or why all of it cannot be read."""
    try:
        return _count(display.track(source, "counting", "counting degrees"), threads), None
    except InputError as error:
        bad = error
    if arguments.on_null == "error" and source.repeatable:
        try:
            source = replace(arguments, on_null="drop").open()
            return _count(display.track(source, "counting", "counting degrees"), threads), None
        except SkerryError:  # something else is bad: the first error says what comes first
            pass
    return None, bad


def _lines(info: FileInfo) -> Lines:
    arguments, source = info.arguments, info.source
    first = arguments.files[0]
    files = plural(len(arguments.files), "file", "files")
    packed = "" if first.compression is None else f", compressed with {first.compression}"
    size = f": {files}, {bytes_of(info.bytes)}{packed}"
    lines: Lines = [
        ("graph", Text.assemble((arguments.title, "bold"), size)),
        ("format", f"{info.format.name}: {info.format.summary}"),
    ]
    lines += _seen(info.preview)
    if source is not None:
        if used := describe_input(source.facts):
            lines.append(("input", used))
        lines.append(("ids", _ids(source)))
        lines += _stated(source) if info.counts is None else _counted(info.counts)
        if info.counts is not None and info.counts.dropped and arguments.on_null == "error":
            edges = plural(info.counts.dropped, "edge has", "edges have")
            lines.append(("nulls", f"{edges} a null: an error, unless --on-null drop is given"))
        lines.append(("components", _prospect(source, info.counts)))
    if info.problem is not None and source is None:
        lines.append(("unclear", Text(as_options(info.problem), style="yellow")))
    return lines


def _seen(preview: Preview) -> Lines:
    """Columns, the first rows, and columns with nulls among more rows than are shown."""
    lines: Lines = []
    if preview.columns:
        lines.append(("columns", ", ".join(f"{name} ({kind})" for name, kind in preview.columns)))
    for number, row in enumerate(preview.rows):
        lines.append(("" if number else "rows", ", ".join(row)))
    if nulls := preview.nulls_of():
        counts = ", ".join(f"{count:,} of {name}" for name, count in nulls.items())
        lines.append(("null cells", f"{counts}, in the first {preview.sampled:,} rows"))
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
