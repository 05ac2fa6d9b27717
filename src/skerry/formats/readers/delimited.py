"""CSV, TSV and other delimited text, parsed while it is read.

Files of nothing but integers, two columns or three with a weight, go through the native parser of
edge lists, which is several times as fast and needs no other package. All others go through
pyarrow. `skerry.formats.readers.layout` detects the layout of a file; columns are chosen as in all
tables, see `skerry.formats.columns`. After an error the file is searched again, slowly, so that the
message can name the line and the column.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from time import sleep
from typing import TYPE_CHECKING

from skerry.errors import InputError
from skerry.formats.columns import ColumnChoice
from skerry.formats.memory import claimed, share_of_limit, start_arrow
from skerry.formats.options import ReadOptions
from skerry.formats.prefetch import prefetch
from skerry.formats.readers.integer_cells import BLANKS, integers_of_text, is_integer
from skerry.formats.readers.layout import CellType, Layout, find_layout
from skerry.formats.readers.text.parse import Body, EdgeLines, edge_batches
from skerry.formats.source import SourceFile
from skerry.formats.table_edges import edges_of
from skerry.graph.edge_source import Batch, EdgeSource, GroupedIds, ReadPosition
from skerry.optional import require_arrow

if TYPE_CHECKING:
    import pyarrow as pa


PURPOSE = "reading delimited text with anything but two integer columns and a weight"

IN_PARSING = 8
"""Times the bytes of a block that parsing it takes: the next blocks, the places of cells, cells."""


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The edges in the chosen columns."""
    layout, choice = find_layout(file, options)
    plain = _is_plain(layout, choice)
    if not plain:
        require_arrow(f"{file.name}: {PURPOSE}")

    def open_at(threads: int, position: ReadPosition) -> Iterator[Batch]:
        return _plain_batches(file, options, layout, choice, threads, position)

    def open_batches(threads: int) -> Iterator[Batch]:
        if plain:
            return open_at(threads, ReadPosition())
        return prefetch(lambda: _arrow_batches(file, options, layout, choice, threads))

    return EdgeSource(
        name=file.name,
        id_kind="external",
        open=open_batches,
        open_at=open_at if plain else None,
        num_bytes=file.size,
        repeatable=file.repeatable,
        facts=choice.facts(layout.header, layout.delimiter),
    )


def _is_plain(layout: Layout, choice: ColumnChoice) -> bool:
    """Whether every column is an integer id or the weight, and none has quotes or may be empty.

    An id and a key of groups, of one type, suffice as well: they are read as the ends of an edge.
    """
    integers = all(kind in ("int64", "uint64", "null") for kind in choice.types)
    fits = len(choice.columns) == len(choice.names) and layout.delimiter in ",;|\t"
    plain = layout.plain and not choice.drop_nulls
    pair = len(choice.types) == 1 and choice.source != choice.target
    return plain and integers and fits and (pair or _has_one_key(choice))


def _has_one_key(choice: ColumnChoice) -> bool:
    return choice.keys == 1 and len(choice.types) == 2 and choice.types[0] == choice.types[1]


def _plain_batches(
    file: SourceFile,
    options: ReadOptions,
    layout: Layout,
    choice: ColumnChoice,
    threads: int,
    position: ReadPosition,
) -> Iterator[Batch]:
    grouped = _has_one_key(choice)
    first, second = choice.source if grouped else (choice.source[0], choice.target[0])
    parse = EdgeLines(
        comments="",
        delimiter=layout.delimiter,
        strict=True,
        columns=(first, second, 2 if choice.weight is None else choice.weight),
        weighted=choice.weight is not None,
    )
    body = Body(file, layout.first_byte, layout.first_line)
    try:
        for batch in edge_batches(body.behind(position.offset), parse, options, threads):
            if grouped:
                rows = GroupedIds(batch.src, batch.dst)
                batch = replace(batch, src=rows, dst=rows, weight=None)
            yield batch
    except InputError as error:
        reason = str(error).removeprefix(f"{file.name}: ")
        raise InputError(describe_bad_line(file, layout, choice, reason)) from None


def read_tsv(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The same, with tabs unless the caller names another delimiter."""
    return read(file, _with_tabs(options))


def schema(file: SourceFile, options: ReadOptions) -> ColumnChoice:
    """The chosen columns and their types, which must fit those of the other files of a graph."""
    return find_layout(file, options)[1]


def schema_tsv(file: SourceFile, options: ReadOptions) -> ColumnChoice:
    """The same, with tabs unless the caller names another delimiter."""
    return schema(file, _with_tabs(options))


def _with_tabs(options: ReadOptions) -> ReadOptions:
    return options if options.delimiter is not None else replace(options, delimiter="\t")


def _arrow_batches(
    file: SourceFile, options: ReadOptions, layout: Layout, choice: ColumnChoice, threads: int
) -> Iterator[Batch]:
    pa = require_arrow(PURPOSE)
    # Where all cells of the sample are empty, integers are as likely as anything.
    untyped = "null" in choice.types
    names = ("int64" if name == "null" else name for name in choice.types)
    choice = replace(choice, types=tuple(map(pa.type_for_alias, names)))
    # Blocks wait before and behind the parser, and take several times their size as ids.
    block_bytes = share_of_limit(options.block_bytes, 1 << 16, 96)
    done = parsed = consumed = 0
    failure: InputError | None = None
    with file.open() as stream:
        references = partial(sys.getrefcount, stream)
        own = references()
        try:
            parallel = threads > 1 and block_bytes == options.block_bytes
            for batch in _record_batches(stream, block_bytes, layout, choice, parallel):
                location = f"rows {done + 1:,} to {done + len(batch):,}"
                batch = _with_integers(batch, choice)
                # Arrow reads far ahead, perhaps all of the file: what it has parsed counts.
                parsed = min(parsed + block_bytes, stream.produced)
                stored = max(consumed, stream.consumed * parsed // max(stream.produced, 1))
                edges = edges_of(choice, batch, location, stored - consumed)
                yield _without_types(edges) if untyped else edges
                done += len(batch)
                consumed = stored
        except (pa.ArrowInvalid, pa.ArrowKeyError, InputError) as error:
            types = tuple(map(str, choice.types))
            reason = str(error).removeprefix(f"{file.name}: ")
            described = describe_bad_line(file, layout, replace(choice, types=types), reason)
            # Raised below: pyarrow's error refers to frames that refer to the stream.
            failure = InputError(described)
        finally:
            _wait_for_arrow(references, own)
        if failure is not None:
            raise failure


def _wait_for_arrow(references: Callable[[], int], own: int) -> None:
    """Returns when no thread of Arrow holds the stream, or after a second.

    One that still holds a Python object when the interpreter ends aborts the process, or hangs.
    """
    for _ in range(1000):
        if references() <= own:
            return
        sleep(0.001)


def _with_integers(batch: pa.RecordBatch, choice: ColumnChoice) -> pa.RecordBatch:
    """The same rows; ids that are integers were read as text."""
    pa = require_arrow(PURPOSE)
    kinds = dict(zip(choice.source + choice.target, choice.types * 2, strict=True))
    columns = [
        integers_of_text(column, kinds[number])
        if pa.types.is_integer(kinds.get(number, pa.null()))
        else column
        for number, column in zip(choice.columns, batch.columns, strict=True)
    ]
    return pa.record_batch(columns, batch.schema.names)


def _without_types(batch: Batch) -> Batch:
    """The same batch; if it is empty, its ids are of no type, so that any other may follow."""
    several = isinstance(batch.src, tuple)
    if len(batch.src[0] if several else batch.src):
        return batch
    nothing = require_arrow(PURPOSE).nulls(0)
    ids = (nothing,) * len(batch.src) if several else nothing
    return replace(batch, src=ids, dst=ids)


def _record_batches(
    stream: object, block_bytes: int, layout: Layout, choice: ColumnChoice, parallel: bool
) -> Iterator[pa.RecordBatch]:
    pacsv = require_arrow(PURPOSE, "pyarrow.csv")
    # The columns are called by number here: the names of a header may repeat.
    names = [str(number) for number in range(len(choice.names))]
    # Integers are read as text: Arrow makes 7 of 007.
    types = {names[number]: "string" for number in (*choice.source, *choice.target)}
    if choice.weight is not None:
        types[names[choice.weight]] = "float64"
    start_arrow()
    reader = pacsv.open_csv(
        stream,
        read_options=pacsv.ReadOptions(
            use_threads=parallel,
            block_size=block_bytes,
            skip_rows=layout.first_line,
            column_names=names,
        ),
        parse_options=pacsv.ParseOptions(
            delimiter=layout.delimiter, newlines_in_values=layout.quoted
        ),
        convert_options=pacsv.ConvertOptions(
            column_types=types,
            include_columns=[names[number] for number in choice.columns],
            null_values=[""],  # "NA" may be an id
            strings_can_be_null=True,
        ),
    )
    with reader:
        while True:
            with claimed(IN_PARSING * block_bytes, "the cells of a block of text"):
                batch = next(reader, None)
            if batch is None:
                return
            yield batch


TEXT_INSTEAD = (
    "; if ids are not all integers, read them as text (skerry.io.read_edges): ids_as_text=True"
)
DROP_INSTEAD = '; on_null="drop" leaves such rows out'


def describe_bad_line(file: SourceFile, layout: Layout, choice: ColumnChoice, reason: str) -> str:
    """A sentence that names the file, the line and its error; ``reason`` if no line has one."""
    if not file.repeatable:
        return f"{file.name}: {reason}"  # a pipe cannot be read twice
    with file.open() as stream:
        text = io.TextIOWrapper(
            io.BufferedReader(stream, 1 << 20), "utf-8", "surrogateescape", newline=""
        )
        with text:
            for _ in islice(text, layout.first_line):
                pass
            reader = csv.reader(text, delimiter=layout.delimiter)
            line, error = layout.first_line + 1, ""  # where a row begins: quoted cells have lines
            try:
                for row in reader:
                    error = _row_error(row, choice) if row else ""
                    if error:
                        break
                    line = layout.first_line + reader.line_num + 1
            except csv.Error:
                error = f"a cell is very long; is every quote closed? {reason}"
            if error:
                return f"{file.name}: line {line}: {error}"
    return f"{file.name}: {reason}"


def _row_error(row: list[str], choice: ColumnChoice) -> str:
    if len(row) != len(choice.names):
        shown = ", ".join(map(repr, row[:5])) + (", ..." if len(row) > 5 else "")
        return f"{len(row)} columns instead of {len(choice.names)}: {shown}"
    for end in (choice.source, choice.target):
        for number, kind in zip(end, choice.types, strict=True):
            error = _missing(row[number], "the id", choice) or _id_error(row[number], kind)
            if error:
                return f"column {choice.names[number]}: {error}"
    if choice.weight is not None:
        error = _weight_error(row[choice.weight], choice)
        if error:
            return f"column {choice.names[choice.weight]}: {error}"
    return ""


def _missing(cell: str, what: str, choice: ColumnChoice) -> str:
    return "" if cell or choice.drop_nulls else f"{what} is missing{DROP_INSTEAD}"


def _weight_error(cell: str, choice: ColumnChoice) -> str:
    if not cell:
        return _missing(cell, "the weight", choice)
    try:
        float(cell)
    except ValueError:
        return f"the weight {cell!r} is not a number"
    return ""


def _id_error(cell: str, kind: CellType) -> str:
    if kind == "string":
        damaged = any("\udc80" <= letter <= "\udcff" for letter in cell)
        return "the text is not in UTF-8" if damaged else ""
    if not cell:
        return ""
    if not cell.strip(BLANKS):
        return f"the id is missing: the cell holds {cell!r}"
    if len(cell) > 100:
        return f"'{cell[:60]}...' of {len(cell):,} characters is not an id{TEXT_INSTEAD}"
    low, high = (0, 2**64) if kind == "uint64" else (-(2**63), 2**63)
    if not is_integer(cell):
        digits = cell.strip(BLANKS).lstrip("+-").isdecimal()
        return (
            f"{cell!r} is not {'written as integers are' if digits else 'an integer'}{TEXT_INSTEAD}"
        )
    number = int(cell)
    if not low <= number < high:
        return f"{number} does not fit into {kind}{TEXT_INSTEAD}"
    return ""
