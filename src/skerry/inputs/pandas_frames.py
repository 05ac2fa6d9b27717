"""Frames of pandas, column by column: their labels may be numbers, and their cells any objects.

Arrow's own conversion takes all columns, and guesses the type of objects.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from skerry.errors import InputError
from skerry.formats.columns import choose_ends, column_numbers, listed
from skerry.formats.options import ReadOptions
from skerry.graph.unchanged import AGAIN
from skerry.ids.python_objects import column_of_objects
from skerry.inputs.queries import Query
from skerry.optional import require_arrow


def is_frame(table: Any) -> bool:
    """Whether this is a pandas frame, or of a class derived from it."""
    return any(
        base.__name__ == "DataFrame" and base.__module__.partition(".")[0] == "pandas"
        for base in type(table).__mro__
    )


def labels_as_numbers(frame: Any, options: ReadOptions, name: str) -> ReadOptions:
    """Options in which integers are numbers of columns, where the frame has integers as labels."""
    labels = list(frame.columns)
    if not any(map(_is_integer, labels)):
        return options

    def number(column: Any) -> Any:
        if isinstance(column, tuple):
            return tuple(map(number, column))
        if not _is_integer(column):
            return column
        numbers = [at for at, label in enumerate(labels) if _is_integer(label) and label == column]
        if len(numbers) == 1:
            return numbers[0]
        problem = f"{len(numbers)} columns are" if numbers else "no column is"
        raise InputError(
            f"{name}: {problem} labeled {column}; there are: {listed(list(map(repr, labels)))}"
        )

    return replace(
        options,
        source=number(options.source),
        target=number(options.target),
        weight=number(options.weight),
        groups=number(options.groups),
    )


def _is_integer(label: object) -> bool:
    return hasattr(label, "__index__") and not isinstance(label, bool)


def query_of_frame(frame: Any, options: ReadOptions, name: str) -> Query:
    """The columns that are asked for, converted; of others the schema has the names only."""
    pa = require_arrow("reading tables")
    columns = _columns_of(frame)
    names = [column for column, _ in columns]

    def convert(number: int, is_id: bool) -> Any:
        try:
            return _converted(columns[number][1], is_id)
        except InputError as error:
            raise InputError(f"{name}: column {names[number]}: {error}") from None

    ids, others = _wanted(name, names, options)
    ready = {number: convert(number, True) for number in ids}
    ready |= {number: convert(number, False) for number in others}
    types = {number: column.type for number, column in ready.items()}
    fields = [(column, types.get(number, pa.null())) for number, column in enumerate(names)]

    def run(numbers: list[int]) -> Any:
        now = [column for column, _ in _columns_of(frame)]
        if now != names:
            raise InputError(AGAIN.format(f"its columns are {now} now"))
        arrays = [
            ready.pop(number) if number in ready else convert(number, number not in others)
            for number in numbers
        ]
        read = pa.Table.from_arrays(arrays, [names[number] for number in numbers])
        return read.to_batches() or [pa.RecordBatch.from_pylist([], read.schema)]

    return Query(pa.schema(fields), run)


def _columns_of(frame: Any) -> list[tuple[str, Any]]:
    """The names and values of all columns, as Arrow has them.

    Behind them stand those of an index that is no count of rows.
    """
    columns = [(str(label), frame.iloc[:, at]) for at, label in enumerate(frame.columns)]
    if not columns and not len(frame):
        nothing = frame.index[:0].to_series().astype(object)
        return [("source", nothing), ("target", nothing)]
    if type(frame.index).__name__ != "RangeIndex":
        for level, label in enumerate(frame.index.names):
            named = label is not None and str(label) not in [name for name, _ in columns]
            values = frame.index.get_level_values(level).to_series()
            columns.append((str(label) if named else f"__index_level_{level}__", values))
    return columns


def _wanted(
    name: str, names: list[str], options: ReadOptions
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of the columns of ids, and of others that are read.

    None if the options do not fit these columns, which `choose_columns` reports.
    """
    try:
        if options.groups is True:
            lists = options.source
            return (), tuple(range(len(names))) if lists is None else column_numbers(
                name, names, lists
            )
        weight = () if options.weight is None else column_numbers(name, names, options.weight)
        source, target = choose_ends(name, names, options, weight[0] if weight else None)
    except InputError:
        return (), ()
    return tuple({*source, *target}), tuple({*weight} - {*source, *target})


def _converted(series: Any, is_id: bool) -> Any:
    """A column as Arrow's. The type of one without rows says nothing: pandas gives it some."""
    pa = require_arrow("reading tables")
    objects = str(series.dtype) == "object"
    if is_id and not len(series) and (objects or series.dtype == float):
        return pa.nulls(0)
    if is_id and objects:
        return pa.array(column_of_objects(series.to_numpy(), nulls=True))
    return pa.Table.from_pandas(series.to_frame("column"), preserve_index=False).column(0)
