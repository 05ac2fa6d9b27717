"""Which columns of a table are the ends of the edges, and batches of edges made of them.

Shared by all columnar formats. The rule, where the caller does not say: the first of the pairs in
`USUAL` whose two names are both there (in any case of letters); else, of a table with exactly two
columns, these; else the first two columns, if they are of one type. Anything else is an error that
lists what there is: a guess must not make a wrong graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from skerry.errors import InputError
from skerry.formats.id_types import common_type, is_number
from skerry.formats.options import Column, Columns, ReadOptions
from skerry.graph.edge_source import Batch, IdKind, InputFacts

__all__ = [
    "USUAL",
    "VERTICES_KEY",
    "Chosen",
    "choose_columns",
    "column_number",
    "edges_of",
    "vertices_said",
]

USUAL = (
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
"""Metadata of a schema whose ids are the numbers of so many vertices."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The columns to read, and what their ids become."""

    file: str
    source: tuple[int, ...]
    """Numbers of columns, as many as in ``target``."""
    target: tuple[int, ...]
    weight: int | None
    types: tuple[pa.DataType, ...]
    """What the ids of both ends become: a type for each column of an end."""
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

    def told(self) -> str:
        """The ends and their types, as they are compared among files that are read as one."""
        ends = (
            ", ".join(self.names[number] for number in end) for end in (self.source, self.target)
        )
        return f"{' - '.join(ends)} ({', '.join(map(str, self.types))})"


def choose_columns(file: str, schema: pa.Schema, options: ReadOptions) -> Chosen:
    """The caller's columns, or the usual ones; raises if they are not there or cannot be ids."""
    try:
        names = tuple(schema.names)
    except UnicodeDecodeError:
        raise InputError(f"{file}: a column has a name that is no text; is it damaged?") from None
    if options.source is not None and options.target is not None:
        source = _numbers(file, names, options.source)
        target = _numbers(file, names, options.target)
    else:
        first, second = _usual(file, schema)
        source, target = (first,), (second,)
    weight = None if options.weight is None else column_number(file, names, options.weight)
    if weight is not None and not is_number(schema.types[weight]):
        raise InputError(
            f"{file}: the weights must be numbers, but column {names[weight]} is "
            f"{schema.types[weight]}"
        )
    types = tuple(
        common_type(file, names[one], schema.types[one], names[other], schema.types[other])
        for one, other in zip(source, target, strict=True)
    )
    return Chosen(file, source, target, weight, types, names)


def edges_of(
    chosen: Chosen, batch: pa.RecordBatch, place: str, consumed: int, id_kind: IdKind = "external"
) -> Batch:
    """The edges of a batch that holds `Chosen.columns`, in that order."""
    position = {number: at for at, number in enumerate(chosen.columns)}
    ends = [
        tuple(
            _ids(chosen, batch.column(position[number]), number, kind, place)
            for number, kind in zip(end, chosen.types, strict=True)
        )
        for end in (chosen.source, chosen.target)
    ]
    src, dst = (end[0] if len(end) == 1 else end for end in ends)
    if id_kind == "vertices":
        src, dst = (np.asarray(end) for end in (src, dst))
    weight = None
    if chosen.weight is not None:
        weight = _weights(chosen, batch.column(position[chosen.weight]), place)
    return Batch(src, dst, weight, place, consumed)


def vertices_said(chosen: Chosen, schema: pa.Schema) -> int | None:
    """How many vertices the metadata of a table promises, if its ids can be their numbers."""
    told = (schema.metadata or {}).get(VERTICES_KEY, b"").decode("ascii", "replace").strip()
    numbers = len(chosen.types) == 1 and pa.types.is_integer(chosen.types[0])
    return int(told) if numbers and told.isdigit() else None


def _numbers(file: str, names: Sequence[str], columns: Columns) -> tuple[int, ...]:
    wanted = columns if isinstance(columns, tuple) else (columns,)
    return tuple(column_number(file, names, one) for one in wanted)


def column_number(file: str, names: Sequence[str], column: Column) -> int:
    """The number of a column that the caller gave by name or number."""
    if isinstance(column, int):
        if column >= len(names):
            raise InputError(
                f"{file}: there is no column {column}: the file has {len(names)}, counted from 0: "
                f"{_listed(names)}"
            )
        return column
    found = [number for number, name in enumerate(names) if name == column]
    if len(found) > 1:
        raise InputError(
            f"{file}: {len(found)} columns are called {column}; name them by number, from 0: "
            f"{', '.join(map(str, found))}"
        )
    if not found:
        raise InputError(f"{file}: there is no column {column}; there are: {_listed(names)}")
    return found[0]


def _listed(names: Sequence[str], most: int = 30) -> str:
    told = ", ".join(names[:most])
    return f"{told} and {len(names) - most} more" if len(names) > most else told


def _usual(file: str, schema: pa.Schema) -> tuple[int, int]:
    names = [name.lower() for name in schema.names]
    for pair in USUAL:
        if all(names.count(name) == 1 for name in pair):
            return names.index(pair[0]), names.index(pair[1])
    say = f'say which columns to take: source="...", target="..."; there are: {_listed(names)}'
    if len(names) < 2:
        raise InputError(
            f"{file}: an edge needs two columns; there are: {_listed(names) or 'none'}"
        )
    if len(names) > 2 and not schema.types[0].equals(schema.types[1]):
        raise InputError(
            f"{file}: no two columns have the usual names of the ends of an edge, and the first "
            f"two are of different types ({schema.types[0]} and {schema.types[1]}); {say}"
        )
    return 0, 1


def _ids(chosen: Chosen, array: Any, number: int, kind: pa.DataType, place: str) -> Any:
    """A column as ids: without nulls, dictionaries and extensions, in the common type."""
    if array.null_count:
        row = int(pc.index(pc.is_null(array), pa.scalar(True)).as_py())
        raise InputError(
            f"{chosen.file}: {place}: column {chosen.names[number]} is null in row {row:,} of it; "
            "an edge needs both ends: drop such rows first"
        )
    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    try:
        if pa.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        return array if array.type.equals(kind) else array.cast(kind)
    except pa.ArrowIndexError as error:
        raise InputError(f"{chosen.file}: {place}: the file is damaged: {error}") from None
    except pa.ArrowInvalid as error:
        raise InputError(
            f"{chosen.file}: {place}: column {chosen.names[number]} does not fit the type of the "
            f"other end, {kind}: {error}"
        ) from None


def _weights(chosen: Chosen, array: Any, place: str) -> npt.NDArray[Any]:
    if array.null_count:
        row = int(pc.index(pc.is_null(array), pa.scalar(True)).as_py())
        raise InputError(
            f"{chosen.file}: {place}: the weight {chosen.names[chosen.weight or 0]} is null in row "
            f"{row:,} of it; fill it or drop the row first"
        )
    if pa.types.is_decimal(array.type):
        array = array.cast(pa.float64())
    weights: npt.NDArray[Any] = array.to_numpy(zero_copy_only=False)
    return weights
