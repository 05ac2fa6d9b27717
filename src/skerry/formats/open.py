"""From paths (of files and folders, or patterns) to one source of edges."""

from __future__ import annotations

import glob
import logging
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from skerry.errors import InputError, UnsupportedError
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
    paths: Inputs, options: ReadOptions | None = None, format: str | None = None
) -> EdgeSource:
    """The edges of one or several files, as one source that reads them in batches.

    Headers and schemas are read here; edges are read by ``source.open(threads)``.

    Parameters
    ----------
    paths
        A path, an address (``s3://...``), a pattern (``part-*.txt``) or a folder; or several.
        Several files must have one format and the same columns.
    options
        Columns, delimiter and so on; see `ReadOptions`.
    format
        The name of a format of `skerry.formats.registry.FORMATS`. By default the suffix of each
        file decides, and its first bytes where several formats share the suffix.

    Returns
    -------
    EdgeSource
        Its ``facts`` say what was taken from the files: format, columns, header, delimiter.

    Raises
    ------
    InputError
        If a file is missing, damaged, or does not fit the others.
    UnsupportedError
        If there is no such format, it does not have such options, or it needs a package that is
        not installed.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "edges.csv")
    ...     _ = path.write_text("from,to\\n1,2\\n2,5\\n")
    ...     source = open_edges(path)
    ...     edges = [(batch.src.tolist(), batch.dst.tolist()) for batch in source.open(1)]
    >>> edges
    [([1, 2], [2, 5])]
    >>> source.facts.format, source.facts.source, source.facts.target, source.facts.header
    ('csv', ('from',), ('to',), True)
    """
    options = ReadOptions() if options is None else options
    files = find_files(paths, bare_names=format is not None)
    formats = [format_of(file, format) for file in files]
    _refuse_mixture(files, formats, options)
    opened = zip(files, formats, strict=True)
    source = _chain([_open(file, file_format, options) for file, file_format in opened])
    _log.info("%s: %s; %s ids", source.name, source.facts, source.id_kind)
    return source


def _open(file: SourceFile, format: Format, options: ReadOptions) -> EdgeSource:
    _log.debug(
        "%s: %s, %s bytes, compression %s", file.name, format.name, file.size, file.compression
    )
    if options.on_null != "error" and format.schema is None:
        raise UnsupportedError(
            f"{file.name}: on_null= means nothing for {format.name} files, which have no nulls"
        )
    if file.repeatable:
        if file.size == 0 and file.compression is not None:
            raise InputError(f"{file.name}: the file is empty: no {file.compression} data at all")
        empty = file.size == 0 or (file.compression is not None and not file.head(1))
        if empty and not format.may_be_empty:
            raise InputError(f"{file.name}: the file is empty; a {format.name} file has contents")
        if empty:
            return EdgeSource(
                name=file.name,
                id_kind=format.id_kind,
                open=lambda _: iter(()),
                num_edges=0,
                num_bytes=0,
                facts=InputFacts(format=format.name),
            )
    source: EdgeSource = format.function("read")(file, options)
    # A reader fills in its columns; it may serve several formats, so the name is added here.
    facts = replace(source.facts, format=format.name, first_id=source.first_id)
    return replace(source, facts=facts)


def find_files(paths: Inputs, bare_names: bool = False) -> list[SourceFile]:
    """The files of all paths, those of a pattern or folder in the order of their names.

    ``bare_names``: of a folder, take files without a suffix too (``part-00000``).
    """
    if isinstance(paths, str | os.PathLike):
        return _expand(paths, bare_names)
    files = [file for path in paths for file in _expand(path, bare_names)]
    if not files:
        raise InputError("the list of files is empty")
    return files


def _expand(pattern: PathLike, bare_names: bool) -> list[SourceFile]:
    if not isinstance(pattern, str | os.PathLike):
        raise InputError(f"a file is named by a path, got {type(pattern).__name__} {pattern!r}")
    name = os.fspath(pattern)
    if not name:
        raise InputError("the path is empty")
    if is_remote(name):
        return [source_file(address) for address in _remote_names(name, bare_names)]
    path = Path(name.removeprefix("file://"))
    if path.is_dir():
        return [source_file(entry) for entry in _in_folder(name, path.iterdir(), bare_names)]
    if not path.exists() and glob.has_magic(name):
        matches = glob.glob(name, recursive=True)  # noqa: PTH207, Path knows no absolute patterns
        names = sorted(match for match in matches if not Path(match).is_dir())
        if not names:
            raise InputError(f"{name}: no file matches this pattern")
        return [source_file(match) for match in names]
    return [source_file(name)]


def _remote_names(name: str, bare_names: bool) -> list[str]:
    if name.startswith(("http:", "https:")):
        return [name]  # there are no patterns or folders; a request would fetch the file
    system, inner = remote_filesystem(name)
    if glob.has_magic(inner):
        matches = sorted(system.glob(inner))
        if not matches:
            raise InputError(f"{name}: no file matches this pattern")
        return [system.unstrip_protocol(match) for match in matches]
    if system.isdir(inner) and not system.isfile(inner):
        entries = (system.unstrip_protocol(entry) for entry in system.ls(inner, detail=False))
        return [os.fspath(entry) for entry in _in_folder(name, entries, bare_names)]
    return [name]


def _in_folder(folder: str, entries: Iterable[PathLike], bare_names: bool) -> list[PathLike]:
    """The files of a folder that may be graphs: not hidden ones and not ``_SUCCESS``."""
    visible = (entry for entry in entries if PurePosixPath(entry).name[:1] not in ("", ".", "_"))
    files = [
        entry
        for entry in sorted(visible)  # type: ignore[type-var]
        if is_remote(str(entry)) or not Path(entry).is_dir()
    ]
    graphs = [
        file
        for file, suffix in zip(files, map(_inner_suffix, files), strict=True)
        if known_suffix(suffix) or (bare_names and not suffix)
    ]
    if graphs:
        return graphs
    if files:
        raise InputError(
            f"{folder}: the folder holds no file of a known format (but, for instance, "
            f"{PurePosixPath(files[0]).name}); name the files themselves, or the format: format="
        )
    raise InputError(f"{folder}: the folder holds no files")


def _inner_suffix(name: PathLike) -> str:
    path = PurePosixPath(name)
    return (
        PurePosixPath(path.stem) if path.suffix.lower() in COMPRESSIONS else path
    ).suffix.lower()


def _refuse_mixture(files: list[SourceFile], formats: list[Format], options: ReadOptions) -> None:
    first, format = files[0], formats[0]
    for file, other in zip(files, formats, strict=True):
        if other.name != format.name:
            raise InputError(
                f"files of different formats cannot be read as one graph: {first.name} is "
                f"{format.name}, {file.name} is {other.name}"
            )
    filled = [file for file in files if file.size != 0]  # empty parts have no columns to differ in
    if format.schema is None or len(filled) < 2:
        return
    schema_of = format.function("schema")
    first = filled[0]
    schema = schema_of(first, options)
    for file in filled[1:]:
        other_schema = schema_of(file, options)
        if other_schema != schema:
            raise InputError(
                f"files with different columns cannot be read as one graph: {first.name} has "
                f"{schema}, {file.name} has {other_schema}"
            )


def _chain(sources: list[EdgeSource]) -> EdgeSource:
    first = sources[0]
    if len(sources) == 1:
        return first
    for other in sources[1:]:
        _check_fit(first, other)

    def open_all(threads: int) -> Iterator[Batch]:
        for source in sources:
            batches = source.open(threads)
            try:
                for batch in batches:
                    location = f"{source.name}, {batch.location}" if batch.location else source.name
                    yield replace(batch, location=location)
            finally:
                close = getattr(batches, "close", None)
                if close is not None:
                    close()

    return EdgeSource(
        name=f"{first.name} and {len(sources) - 1} more",
        id_kind=first.id_kind,
        open=open_all,
        num_vertices=first.num_vertices,
        first_id=first.first_id,
        num_edges=_sum([source.num_edges for source in sources]),
        num_bytes=_sum([source.num_bytes for source in sources]),
        decoded=first.decoded,
        repeatable=all(source.repeatable for source in sources),
        # An empty part has no columns; the others have the same ones (see _refuse_mixture).
        facts=next((source.facts for source in sources if source.facts.source), first.facts),
    )


def _check_fit(first: EdgeSource, other: EdgeSource) -> None:
    if (first.id_kind, first.num_vertices, first.first_id) == (
        other.id_kind,
        other.num_vertices,
        other.first_id,
    ):
        return
    raise InputError(
        f"these files cannot be read as one graph: {first.name} has {_describe_ids(first)}, "
        f"{other.name} has {_describe_ids(other)}"
    )


def _describe_ids(source: EdgeSource) -> str:
    if source.id_kind == "external":
        return "external ids"
    count = "any number of" if source.num_vertices is None else f"{source.num_vertices:,}"
    return f"{count} vertices counted from {source.first_id}"


def _sum(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
