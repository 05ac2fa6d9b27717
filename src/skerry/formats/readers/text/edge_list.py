"""Edge lists as SNAP publishes them, and GAPBS's .el and .wel: two ids a line.

Ids are external: integers of any sign that fit into 64 bits; only those that occur are vertices.
"""

from __future__ import annotations

from collections.abc import Iterator

from skerry.errors import InputError, UnsupportedError
from skerry.formats.options import Column, ReadOptions
from skerry.formats.readers.text.blocks import Header
from skerry.formats.readers.text.parse import Body, EdgeLines, edge_batches
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import Batch, EdgeSource, InputFacts, ReadPosition

WEIGHT_COLUMN = 2


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The edges of such a file."""
    columns = (
        _number(file.name, "source", options.source, 0),
        _number(file.name, "target", options.target, 1),
        _weight_column(file.name, options.weight),
    )
    _check_delimiter(file.name, options.delimiter)
    if options.ids_as_text:
        raise UnsupportedError(
            f"{file.name}: ids_as_text= means nothing for plain edge lists, whose ids are "
            'integers; format="csv" or "tsv" reads ids as text'
        )
    body = _body(file, options.header)

    def open_at(threads: int, position: ReadPosition) -> Iterator[Batch]:
        parse = EdgeLines(
            delimiter=options.delimiter or "",
            columns=columns,
            weighted=options.weight is not None,
        )
        return edge_batches(body.behind(position.offset), parse, options, threads)

    return EdgeSource(
        name=file.name,
        id_kind="external",
        open=lambda threads: open_at(threads, ReadPosition()),
        open_at=open_at,
        num_bytes=file.size,
        repeatable=file.repeatable,
        facts=InputFacts(
            source=(str(columns[0]),),
            target=(str(columns[1]),),
            weight=None if options.weight is None else str(columns[2]),
            header=bool(options.header),
            delimiter=options.delimiter,
        ),
    )


def _body(file: SourceFile, header: bool | None) -> Body:
    if header:
        with Header(file) as lines:
            while (line := lines.next()) is not None:
                if line.strip() and line.lstrip()[0] not in "#%":
                    return Body(file, lines.bytes, lines.lines)
    return Body(file)


def _number(name: str, role: str, column: Column | tuple[Column, ...] | None, default: int) -> int:
    if column is None:
        return default
    if isinstance(column, int):
        return column
    raise UnsupportedError(
        f"{name}: {role}={column!r}: plain edge lists have columns by number only, one for each "
        'end; format="csv" or "tsv" reads names of columns and ids of several columns'
    )


def _weight_column(name: str, column: Column | None) -> int:
    if column is None or column == "weight":
        return WEIGHT_COLUMN
    return _number(name, "weight", column, WEIGHT_COLUMN)


def _check_delimiter(name: str, delimiter: str | None) -> None:
    if delimiter is not None and (delimiter.isalnum() or delimiter in "+-.#%/"):
        raise InputError(f"{name}: {delimiter!r} cannot stand between numbers")
