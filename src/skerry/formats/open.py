"""From paths (of files and folders, or patterns) to one source of edges."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace

from skerry.errors import InputError, UnsupportedError
from skerry.formats.columns import ColumnChoice
from skerry.formats.find import Inputs, find_files
from skerry.formats.id_types import kind_of
from skerry.formats.options import ReadOptions
from skerry.formats.read_positions import identity_of, with_positions
from skerry.formats.registry import Format
from skerry.formats.sniff import format_of, readable_file
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import Batch, EdgeSource, InputFacts, ReadPosition, closed_after

_log = logging.getLogger(__name__)


def open_edges(
    paths: Inputs, options: ReadOptions | None = None, format: str | None = None
) -> EdgeSource:
    """The edges of one or several files, in a source that reads them in batches.

    Headers and schemas are read here; edges are read by ``source.open(threads)``.

    Parameters
    ----------
    paths
        A path, an address (``s3://...``), a pattern (``part-*.txt``) or a folder; or several.
        Folders are read with the folders in them. Several files must have one format and the same
        columns, in any order and of any width.
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
    files = [readable_file(*each) for each in zip(files, formats, strict=True)]
    _refuse_mixture(files, formats)
    options = _with_common_columns(files, formats[0], options)
    opened = zip(files, formats, strict=True)
    sources = [with_positions(_open(file, file_format, options)) for file, file_format in opened]
    identity = identity_of(files, formats[0].name, options)
    chained = _chain(sources)
    facts = replace(chained.facts, files=tuple(file.location for file in files))
    source = replace(chained, identity=identity, facts=facts)
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
    if options.groups is not None and format.schema is None:
        raise UnsupportedError(
            f"{file.name}: groups= needs a table with a column of keys, and {format.name} files "
            "are none; use CSV, TSV, Parquet or Arrow"
        )
    if file.size == 0 and file.compression is not None:
        raise InputError(f"{file.name}: the file is empty: no {file.compression} data at all")
    if not format.reads_empty and _is_empty(file):
        if not format.may_be_empty:
            raise InputError(f"{file.name}: the file is empty; a {format.name} file has contents")
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
    return replace(source, facts=facts, repeatable=file.repeatable)


def _is_empty(file: SourceFile) -> bool:
    known = file.compression is None and file.repeatable
    return file.size == 0 if known else not file.head(1)


def _refuse_mixture(files: list[SourceFile], formats: list[Format]) -> None:
    first, format = files[0], formats[0]
    for file, other in zip(files, formats, strict=True):
        if other.name != format.name:
            raise InputError(
                f"files of different formats cannot be read into one graph: {first.name} is "
                f"{format.name}, {file.name} is {other.name}"
            )


def _with_common_columns(
    files: list[SourceFile], format: Format, options: ReadOptions
) -> ReadOptions:
    """Options with which all files give the same columns; raises where a file does not have them.

    Columns that were not named are chosen in the first file, and found by name in the others.
    """
    filled = [file for file in files if file.size != 0]  # empty parts have no columns to differ in
    if format.schema is None or len(filled) < 2:
        return options
    schema_of = format.function("schema")
    first: ColumnChoice | None = None
    kinds: list[ColumnChoice] = []  # of each part of an id, the first file that shows its kind
    for file in filled:
        try:
            choice = schema_of(file, options)
        except InputError as error:
            if first is None:
                raise
            raise InputError(
                f"files with different columns cannot be read into one graph: {first.file} has "
                f"{first.describe()}, but {error}"
            ) from None
        if choice.blank:
            continue
        if first is None:
            first, kinds = choice, [choice] * len(choice.types)
            options = choice.by_name(options)
        elif choice.ends() != first.ends():
            raise _different(first, choice)
        for part, (known, kind) in enumerate(zip(kinds, choice.types, strict=True)):
            if kind_of(known.types[part]) == "null":
                kinds[part] = choice
            elif kind_of(kind) not in ("null", kind_of(known.types[part])):
                raise _different(known, choice)
    return options


def _different(first: ColumnChoice, other: ColumnChoice) -> InputError:
    return InputError(
        f"files with different columns cannot be read into one graph: {first.file} has "
        f"{first.describe()}, {other.file} has {other.describe()}"
    )


def _chain(sources: list[EdgeSource]) -> EdgeSource:
    first = sources[0]
    if len(sources) == 1:
        return first
    for other in sources[1:]:
        _check_fit(first, other)

    def open_all(threads: int) -> Iterator[Batch]:
        for source in sources:
            for batch, location in _located(source, source.open(threads)):
                yield replace(batch, location=location)

    def open_at(threads: int, position: ReadPosition) -> Iterator[Batch]:
        first, *inner = position.offset or (0,)
        for number, source in enumerate(sources[first:], first):
            assert source.open_at is not None  # see with_positions
            start = ReadPosition(tuple(inner) if number == first else ())
            for batch, location in _located(source, source.open_at(threads, start)):
                offset = None if batch.next_offset is None else (number, *batch.next_offset)
                yield replace(batch, location=location, next_offset=offset)

    return EdgeSource(
        name=f"{first.name} and {len(sources) - 1} more",
        id_kind=first.id_kind,
        open=open_all,
        open_at=open_at,
        num_vertices=first.num_vertices,
        first_id=first.first_id,
        num_edges=_sum([source.num_edges for source in sources]),
        num_bytes=_sum([source.num_bytes for source in sources]),
        decoded=first.decoded,
        repeatable=all(source.repeatable for source in sources),
        # An empty part has no columns; the others have the same ones (see _with_common_columns).
        facts=next((source.facts for source in sources if source.facts.source), first.facts),
    )


def _located(source: EdgeSource, batches: Iterator[Batch]) -> Iterator[tuple[Batch, str]]:
    """The batches of one of several files, and what messages call each."""
    with closed_after(batches):
        for batch in batches:
            yield batch, f"{source.name}, {batch.location}" if batch.location else source.name


def _check_fit(first: EdgeSource, other: EdgeSource) -> None:
    if (first.id_kind, first.num_vertices, first.first_id) == (
        other.id_kind,
        other.num_vertices,
        other.first_id,
    ):
        return
    raise InputError(
        f"these files cannot be read into one graph: {first.name} has {_describe_ids(first)}, "
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
