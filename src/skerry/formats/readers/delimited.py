"""CSV, TSV and other delimited text, parsed as it is read.

Files of nothing but integers, two columns or three with a weight, go through our own parser of edge
lists, which is several times as fast; all others through pyarrow. How a file is laid out is found
out from its first megabyte, see `skerry.formats.readers.layout`; columns are chosen as in all tables, see
`skerry.formats.columns`. What is refused is looked for again, slowly, so that the error can name
the line and the column.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa
import pyarrow.csv as pacsv

from skerry.errors import InputError
from skerry.formats.columns import Chosen, edges_of
from skerry.formats.options import ReadOptions
from skerry.formats.prefetch import prefetch
from skerry.formats.readers.bad_line import describe_bad_line
from skerry.formats.readers.layout import Layout, find_layout
from skerry.formats.readers.text.parse import Body, EdgeLines, parse_body
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import Batch, EdgeSource

__all__ = ["read", "read_tsv", "schema", "schema_tsv"]


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The edges in the chosen columns."""
    layout, chosen = find_layout(file, options)
    return EdgeSource(
        name=file.name,
        id_kind="external",
        open=lambda threads: _open(file, options, layout, chosen, threads),
        num_bytes=file.size,
        repeatable=file.repeatable,
        facts=chosen.facts(layout.header, layout.delimiter),
    )


def _open(
    file: SourceFile, options: ReadOptions, layout: Layout, chosen: Chosen, threads: int
) -> Iterator[Batch]:
    if _is_plain(layout, chosen):
        return _plain_batches(file, options, layout, chosen, threads)
    return prefetch(lambda: _batches(file, options, layout, chosen, threads))


def _is_plain(layout: Layout, chosen: Chosen) -> bool:
    """Whether every column is an integer id or the weight, and none has quotes."""
    integers = len(chosen.types) == 1 and pa.types.is_integer(chosen.types[0])
    fits = len(chosen.columns) == len(chosen.names) and layout.delimiter in ",;|\t"
    return layout.plain and integers and fits and chosen.source != chosen.target


def _plain_batches(
    file: SourceFile, options: ReadOptions, layout: Layout, chosen: Chosen, threads: int
) -> Iterator[Batch]:
    parse = EdgeLines(
        comments="",
        delimiter=layout.delimiter,
        strict=True,
        columns=(chosen.source[0], chosen.target[0], 2 if chosen.weight is None else chosen.weight),
        weighted=chosen.weight is not None,
    )
    body = Body(file, layout.first_byte, layout.first_line)
    try:
        for line, block in parse_body(body, parse, options, threads):
            yield Batch(block.src, block.dst, block.weight, f"from line {line} on", block.consumed)
    except InputError as error:
        reason = str(error).removeprefix(f"{file.name}: ")
        raise InputError(describe_bad_line(file, layout, chosen, reason)) from None


def read_tsv(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The same, with tabs unless another delimiter is given."""
    return read(file, _with_tabs(options))


def schema(file: SourceFile, options: ReadOptions) -> str:
    """The chosen columns and their types, which must be the same in all files of a graph."""
    return find_layout(file, options)[1].told()


def schema_tsv(file: SourceFile, options: ReadOptions) -> str:
    """The same, with tabs unless another delimiter is given."""
    return schema(file, _with_tabs(options))


def _with_tabs(options: ReadOptions) -> ReadOptions:
    return options if options.delimiter is not None else replace(options, delimiter="\t")


def _batches(
    file: SourceFile, options: ReadOptions, layout: Layout, chosen: Chosen, threads: int
) -> Iterator[Batch]:
    done = told = 0
    with file.open() as stream:
        try:
            for batch in _record_batches(stream, options, layout, chosen, threads):
                place = f"rows {done + 1:,} to {done + len(batch):,}"
                yield edges_of(chosen, batch, place, stream.consumed - told)
                done += len(batch)
                told = stream.consumed
        except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
            raise InputError(describe_bad_line(file, layout, chosen, str(error))) from None


def _record_batches(
    stream: object, options: ReadOptions, layout: Layout, chosen: Chosen, threads: int
) -> Iterator[pa.RecordBatch]:
    # The columns are named by number here: names of a header need not be different.
    names = [str(number) for number in range(len(chosen.names))]
    kinds = {
        names[number]: kind
        for end in (chosen.source, chosen.target)
        for number, kind in zip(end, chosen.types, strict=True)
    }
    if chosen.weight is not None:
        kinds[names[chosen.weight]] = pa.float64()
    reader = pacsv.open_csv(
        stream,
        read_options=pacsv.ReadOptions(
            use_threads=threads > 1,
            block_size=options.block_bytes,
            skip_rows=layout.first_line,
            column_names=names,
        ),
        parse_options=pacsv.ParseOptions(
            delimiter=layout.delimiter, newlines_in_values=layout.quoted
        ),
        convert_options=pacsv.ConvertOptions(
            column_types=kinds,
            include_columns=[names[number] for number in chosen.columns],
            null_values=[],  # an empty cell is no id, and "NA" may be one
            strings_can_be_null=False,
        ),
    )
    with reader:
        yield from reader
