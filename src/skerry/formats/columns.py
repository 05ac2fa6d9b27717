"""Which columns of a table are the ends of the edges, and batches of edges made of them.

Shared by all columnar formats. The rule, unless the caller names the columns: the first of the
pairs in `USUAL_NAMES` of which both are there (in any case of letters); else the columns of a table
that has exactly two; else the first two columns, if they are of one type. Anything else is an error
that lists the columns: a guess must not make a wrong graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.formats.id_types import common_type, is_number
from skerry.formats.options import Column, Columns, ReadOptions
from skerry.graph.arrow import plain_array
from skerry.graph.edge_source import Batch, IdKind, InputFacts
from skerry.optional import require_arrow

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "USUAL_NAMES",
    "VERTICES_KEY",
    "ColumnChoice",
    "choose_columns",
    "choose_ends",
    "column_number",
    "declared_vertices",
    "edges_of",
]

USUAL_NAMES = (
    ("src", "dst"),
    ("source", "target"),
    ("source", "destination"),
    ("from", "to"),
    ("id1", "id2"),
    ("id_1", "id_2"),
    ("id_l", "id_r"),
    ("unique_id_l", "unique_id_r"),
    ("u", "v"),
    ("head", "tail"),
    ("left", "right"),
    ("a", "b"),
)
"""Names that the two ends of an edge usually have."""


VERTICES_KEY = b"n_vertices"
"""Key in the metadata of a schema; its value is the number of vertices 0..n-1 that the ids are."""

PURPOSE = "reading tables"

Ends = tuple[tuple[int, ...], tuple[int, ...]]
"""The numbers of the columns of each end."""


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """The columns to read, and the types that their ids become."""

    file: str
    source: tuple[int, ...]
    """Numbers of columns, as many as in ``target``."""
    target: tuple[int, ...]
    weight: int | None
    types: tuple[Any, ...]
    """The type of the ids in each column of an end: an Arrow type, or for delimited text its name
    (``"int64"``)."""
    names: tuple[str, ...]
    """All columns of the file."""

    @property
    def columns(self) -> list[int]:
        """The numbers of all columns to read, each once, in ascending order."""
        weight = () if self.weight is None else (self.weight,)
        return sorted({*self.source, *self.target, *weight})

    def facts(self, header: bool | None = None, delimiter: str | None = None) -> InputFacts:
        """The columns by their names, for the plan."""
        return InputFacts(
            source=tuple(self.names[number] for number in self.source),
            target=tuple(self.names[number] for number in self.target),
            weight=None if self.weight is None else self.names[self.weight],
            header=header,
            delimiter=delimiter,
        )

    def describe(self) -> str:
        """The ends and their types, which must be the same in files that are read as one."""
        ends = (
            ", ".join(self.names[number] for number in end) for end in (self.source, self.target)
        )
        return f"{' - '.join(ends)} ({', '.join(map(str, self.types))})"


def choose_columns(file: str, schema: pa.Schema, options: ReadOptions) -> ColumnChoice:
    """The columns of an Arrow schema; raises if they are not there or cannot be ids."""
    try:
        names = tuple(schema.names)
    except UnicodeDecodeError:
        raise InputError(
            f"{file}: the name of a column is not valid UTF-8; is the file damaged?"
        ) from None
    source, target = choose_ends(file, names, schema.types, options)
    weight = None if options.weight is None else column_number(file, names, options.weight)
    if weight is not None and not is_number(schema.types[weight]):
        raise InputError(
            f"{file}: the weights must be numbers, but column {names[weight]} is "
            f"{schema.types[weight]}"
        )
    types = tuple(
        common_type(file, names[s], schema.types[s], names[t], schema.types[t])
        for s, t in zip(source, target, strict=True)
    )
    return ColumnChoice(file, source, target, weight, types, names)


def choose_ends(
    file: str, names: Sequence[str], types: Sequence[Any], options: ReadOptions
) -> Ends:
    """The numbers of the columns of both ends: the caller's, or the usual ones."""
    if options.source is not None and options.target is not None:
        return (
            _column_numbers(file, names, options.source),
            _column_numbers(file, names, options.target),
        )
    source, target = _usual_columns(file, names, types)
    return (source,), (target,)


def edges_of(
    choice: ColumnChoice,
    batch: pa.RecordBatch,
    location: str,
    consumed: int,
    id_kind: IdKind = "external",
) -> Batch:
    """The edges of a record batch that holds `ColumnChoice.columns`, in that order."""
    position = {number: at for at, number in enumerate(choice.columns)}
    ends = [
        tuple(
            _ids(choice, batch.column(position[number]), number, kind, location)
            for number, kind in zip(end, choice.types, strict=True)
        )
        for end in (choice.source, choice.target)
    ]
    src, dst = (end[0] if len(end) == 1 else end for end in ends)
    if id_kind == "vertices":
        src, dst = (np.asarray(end) for end in (src, dst))
    weight = None
    if choice.weight is not None:
        weight = _weights(choice, batch.column(position[choice.weight]), location)
    return Batch(src, dst, weight, location, consumed)


def declared_vertices(choice: ColumnChoice, schema: pa.Schema) -> int | None:
    """The number of vertices in the metadata of a table, if its ids can be vertex numbers."""
    types = require_arrow(PURPOSE, "pyarrow.types")
    value = (schema.metadata or {}).get(VERTICES_KEY, b"").decode("ascii", "replace").strip()
    integers = len(choice.types) == 1 and types.is_integer(choice.types[0])
    return int(value) if integers and value.isdigit() else None


def _column_numbers(file: str, names: Sequence[str], columns: Columns) -> tuple[int, ...]:
    requested = columns if isinstance(columns, tuple) else (columns,)
    return tuple(column_number(file, names, column) for column in requested)


def column_number(file: str, names: Sequence[str], column: Column) -> int:
    """The number of a column that the caller gave by name or number."""
    if isinstance(column, int):
        if column >= len(names):
            raise InputError(
                f"{file}: there is no column {column}: the file has {len(names)}, counted from 0: "
                f"{_listed(names)}"
            )
        return column
    numbers = [number for number, name in enumerate(names) if name == column]
    if len(numbers) > 1:
        raise InputError(
            f"{file}: {len(numbers)} columns are called {column}; name them by number, from 0: "
            f"{', '.join(map(str, numbers))}"
        )
    if not numbers:
        raise InputError(f"{file}: there is no column {column}; there are: {_listed(names)}")
    return numbers[0]


def _listed(names: Sequence[str], limit: int = 30) -> str:
    shown = ", ".join(names[:limit])
    return f"{shown} and {len(names) - limit} more" if len(names) > limit else shown


def _usual_columns(file: str, names: Sequence[str], types: Sequence[Any]) -> tuple[int, int]:
    names = [name.lower() for name in names]
    for source, target in USUAL_NAMES:
        if names.count(source) == 1 and names.count(target) == 1:
            return names.index(source), names.index(target)
    if len(names) < 2:
        raise InputError(
            f"{file}: an edge needs two columns; there are: {_listed(names) or 'none'}"
        )
    if len(names) > 2 and types[0] != types[1]:
        raise InputError(
            f"{file}: no two columns have the usual names of the ends of an edge, and the first "
            f"two are of different types ({types[0]} and {types[1]}); say which columns to take: "
            f'source="...", target="..."; there are: {_listed(names)}'
        )
    return 0, 1


def _ids(choice: ColumnChoice, array: Any, number: int, kind: pa.DataType, location: str) -> Any:
    """A column as ids: without nulls, dictionaries, views and extensions, in the common type."""
    pa = require_arrow(PURPOSE)
    if array.null_count:
        raise InputError(
            f"{choice.file}: {location}: column {choice.names[number]} is null in row "
            f"{_first_null(array):,} of it; an edge needs both ends: drop such rows first"
        )
    try:
        array = plain_array(array)
        return array if array.type.equals(kind) else array.cast(kind)
    except pa.ArrowIndexError as error:
        raise InputError(f"{choice.file}: {location}: the file is damaged: {error}") from None
    except pa.ArrowInvalid as error:
        raise InputError(
            f"{choice.file}: {location}: column {choice.names[number]} does not fit the type of "
            f"the other end, {kind}: {error}"
        ) from None


def _weights(choice: ColumnChoice, array: Any, location: str) -> npt.NDArray[Any]:
    pa = require_arrow(PURPOSE)
    if array.null_count:
        raise InputError(
            f"{choice.file}: {location}: the weight {choice.names[choice.weight or 0]} is null in "
            f"row {_first_null(array):,} of it; fill it or drop the row first"
        )
    if pa.types.is_decimal(array.type):
        array = array.cast(pa.float64())
    weights: npt.NDArray[Any] = array.to_numpy(zero_copy_only=False)
    return weights


def _first_null(array: Any) -> int:
    pc = require_arrow(PURPOSE, "pyarrow.compute")
    return int(pc.index(pc.is_null(array), True).as_py())
