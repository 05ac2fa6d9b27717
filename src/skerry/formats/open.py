"""From whatever names files (a path, several, a pattern, a folder) to one stream of edges."""

from __future__ import annotations

import glob
import logging
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from skerry.errors import InputError
from skerry.formats.options import ReadOptions
from skerry.formats.registry import Format
from skerry.formats.sniff import format_of, known_suffix
from skerry.formats.source import (
    COMPRESSIONS,
    SourceFile,
    is_remote,
    remote_filesystem,
    source_file,
)
from skerry.graph.edge_source import Batch, EdgeSource, InputFacts

_log = logging.getLogger(__name__)

__all__ = ["Inputs", "find_files", "open_edges"]

PathLike: TypeAlias = str | os.PathLike[str]
Inputs: TypeAlias = PathLike | Iterable[PathLike]
"""A path, an address (``s3://...``), a pattern (``part-*.txt``), a folder; or several of these."""


def open_edges(
    inputs: Inputs, options: ReadOptions | None = None, format: str | None = None
) -> EdgeSource:
    """The edges of all files that ``inputs`` names, in one stream.

    ``format`` is the name of a row of `skerry.formats.registry.FORMATS`; without it every file's
    suffix tells, and where that is shared by several formats, its first bytes.
    """
    options = ReadOptions() if options is None else options
    files = find_files(inputs, bare_names=format is not None)
    rows = [format_of(file, format) for file in files]
    _refuse_mixture(files, rows, options)
    source = _chain([_open(file, row, options) for file, row in zip(files, rows, strict=True)])
    _log.info("%s: %s; %s ids", source.name, source.facts, source.id_kind)
    return source


def _open(file: SourceFile, row: Format, options: ReadOptions) -> EdgeSource:
    _log.debug("%s: %s, %s bytes, compression %s", file.name, row.name, file.size, file.compression)
    if file.repeatable:
        if file.size == 0 and file.compression is not None:
            raise InputError(f"{file.name}: the file is empty: no {file.compression} data at all")
        empty = file.size == 0 or (file.compression is not None and not file.head(1))
        if empty and not row.may_be_empty:
            raise InputError(f"{file.name}: the file is empty; a {row.name} file has contents")
        if empty:
            return EdgeSource(
                name=file.name,
                id_kind="external",
                open=lambda _: iter(()),
                num_edges=0,
                num_bytes=0,
                facts=InputFacts(format=row.name),
            )
    source: EdgeSource = row.function("read")(file, options)
    # A reader fills in its columns; it may serve several formats, so the name is added here.
    facts = replace(source.facts, format=row.name, first_id=source.first_id)
    return replace(source, facts=facts)


def find_files(inputs: Inputs, bare_names: bool = False) -> list[SourceFile]:
    """The files that ``inputs`` names, those of a pattern or folder in the order of their names.

    ``bare_names``: of a folder, take files without a suffix too (``part-00000``).
    """
    if isinstance(inputs, str | os.PathLike):
        return _expand(inputs, bare_names)
    files = [file for one in inputs for file in _expand(one, bare_names)]
    if not files:
        raise InputError("the list of files is empty")
    return files


def _expand(one: PathLike, bare_names: bool) -> list[SourceFile]:
    if not isinstance(one, str | os.PathLike):
        raise InputError(f"a file is named by a path, got {type(one).__name__} {one!r}")
    name = os.fspath(one)
    if not name:
        raise InputError("the path is empty")
    if is_remote(name):
        return [source_file(found) for found in _remote_names(name, bare_names)]
    path = Path(name.removeprefix("file://"))
    if path.is_dir():
        return [source_file(found) for found in _in_folder(name, path.iterdir(), bare_names)]
    if not path.exists() and glob.has_magic(name):
        matches = glob.glob(name, recursive=True)  # noqa: PTH207, Path knows no absolute patterns
        names = sorted(one for one in matches if not Path(one).is_dir())
        if not names:
            raise InputError(f"{name}: no file matches this pattern")
        return [source_file(found) for found in names]
    return [source_file(name)]


def _remote_names(name: str, bare_names: bool) -> list[str]:
    if name.startswith(("http:", "https:")):
        return [name]  # no patterns and no folders there; to ask would fetch the whole file
    system, inner = remote_filesystem(name)
    if glob.has_magic(inner):
        found = sorted(system.glob(inner))
        if not found:
            raise InputError(f"{name}: no file matches this pattern")
        return [system.unstrip_protocol(one) for one in found]
    if system.isdir(inner) and not system.isfile(inner):
        listed = (system.unstrip_protocol(one) for one in system.ls(inner, detail=False))
        return [os.fspath(one) for one in _in_folder(name, listed, bare_names)]
    return [name]


def _in_folder(folder: str, entries: Iterable[PathLike], bare_names: bool) -> list[PathLike]:
    """The files of a folder that may be graphs; not marks such as ``_SUCCESS`` or hidden files."""
    found = sorted(one for one in entries if not PurePosixPath(one).name.startswith((".", "_")))  # type: ignore[type-var]
    files = [one for one in found if is_remote(str(one)) or not Path(one).is_dir()]
    suffixes = [_inner_suffix(one) for one in files]
    graphs = [
        one
        for one, suffix in zip(files, suffixes, strict=True)
        if known_suffix(suffix) or (bare_names and not suffix)
    ]
    if graphs:
        return graphs
    if files:
        raise InputError(
            f"{folder}: the folder holds no file of a known format (but, for instance, "
            f"{PurePosixPath(files[0]).name}); name the files themselves, or say format="
        )
    raise InputError(f"{folder}: the folder holds no files")


def _inner_suffix(name: PathLike) -> str:
    path = PurePosixPath(name)
    return (
        PurePosixPath(path.stem) if path.suffix.lower() in COMPRESSIONS else path
    ).suffix.lower()


def _refuse_mixture(files: list[SourceFile], rows: list[Format], options: ReadOptions) -> None:
    first, row = files[0], rows[0]
    for file, other in zip(files, rows, strict=True):
        if other.name != row.name:
            raise InputError(
                f"files of different formats cannot be read as one graph: {first.name} is "
                f"{row.name}, {file.name} is {other.name}"
            )
    filled = [file for file in files if file.size != 0]  # empty parts have no columns to differ in
    if row.schema is None or len(filled) < 2:
        return
    schema_of = row.function("schema")
    first = filled[0]
    schema = schema_of(first, options)
    for file in filled[1:]:
        other_schema = schema_of(file, options)
        if other_schema != schema:
            raise InputError(
                f"files with different columns cannot be read as one graph: {first.name} has "
                f"{schema}, {file.name} has {other_schema}"
            )


def _chain(streams: list[EdgeSource]) -> EdgeSource:
    first = streams[0]
    if len(streams) == 1:
        return first
    for other in streams[1:]:
        _check_fit(first, other)

    def open_all(threads: int) -> Iterator[Batch]:
        for stream in streams:
            batches = stream.open(threads)
            try:
                for batch in batches:
                    place = f"{stream.name}, {batch.place}" if batch.place else stream.name
                    yield replace(batch, place=place)
            finally:
                close = getattr(batches, "close", None)
                if close is not None:
                    close()

    return EdgeSource(
        name=f"{first.name} and {len(streams) - 1} more",
        id_kind=first.id_kind,
        open=open_all,
        num_vertices=first.num_vertices,
        first_id=first.first_id,
        num_edges=_sum([stream.num_edges for stream in streams]),
        num_bytes=_sum([stream.num_bytes for stream in streams]),
        decoded=first.decoded,
        repeatable=all(stream.repeatable for stream in streams),
        # An empty part has no columns; the others have the same ones (see _refuse_mixture).
        facts=next((stream.facts for stream in streams if stream.facts.source), first.facts),
    )


def _check_fit(first: EdgeSource, other: EdgeSource) -> None:
    if (first.id_kind, first.num_vertices, first.first_id) == (
        other.id_kind,
        other.num_vertices,
        other.first_id,
    ):
        return
    raise InputError(
        f"these files cannot be read as one graph: {first.name} has {_told(first)}, {other.name} "
        f"has {_told(other)}"
    )


def _told(stream: EdgeSource) -> str:
    if stream.id_kind == "external":
        return "ids that are names"
    count = "any number of" if stream.num_vertices is None else f"{stream.num_vertices:,}"
    return f"{count} vertices counted from {stream.first_id}"


def _sum(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
