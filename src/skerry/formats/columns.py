"""Which columns of a table are the ends of the edges.

Shared by all columnar formats. The rule, unless the caller names the columns: the first of the
pairs in `USUAL_NAMES` of which both are there (in any case of letters). Otherwise the columns of a
table with exactly two; the index of a pandas frame and the column of the weights do not count.
Anything else is an error that lists the columns: a guess must not make a wrong graph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from skerry.errors import InputError, UnsupportedError
from skerry.formats.id_types import common_type, is_number
from skerry.formats.options import Column, Columns, ReadOptions
from skerry.graph.edge_source import InputFacts
from skerry.optional import require_arrow

if TYPE_CHECKING:
    import pyarrow as pa


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


VERTEX_NAMES = ("id", "vertex", "node")
"""Names of the column of a wider table that lists vertices."""

VERTICES_KEY = b"n_vertices"
"""Key in the metadata of a schema; its value is the number of vertices 0..n-1 that the ids are."""

PURPOSE = "reading tables"

INDEX = re.compile(r"__index_level_\d+__")
"""What pandas calls an index without a name in Parquet and Arrow, where it can be any column."""
NAMELESS = re.compile(r"\s*|Unnamed: 0(\.\d+)*")
"""What a first column is called that was such an index: in CSV, and read from CSV by pandas."""

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
    drop_nulls: bool = False
    """Whether edges with a null are left out; otherwise a null is an error."""
    named: bool = True
    """Whether the columns have names of their own, or only numbers."""
    blank: bool = False
    """Whether the file has no rows and no header: it fits any other."""
    keys: int = 0
    """How many of the last columns of an end, which are then the same for both, are keys of
    groups."""
    lists: bool = False
    """Whether the column holds lists, each of which is a group."""

    @property
    def columns(self) -> list[int]:
        """The numbers of all columns to read, each once, in ascending order."""
        weight = () if self.weight is None else (self.weight,)
        return sorted({*self.source, *self.target, *weight})

    def ends(self) -> frozenset[tuple[str, ...]]:
        """The names of the columns of both ends, in any order."""
        return frozenset(
            tuple(self.names[number] for number in end) for end in (self.source, self.target)
        )

    def by_name(self, options: ReadOptions) -> ReadOptions:
        """Options that ask for these columns by name, where they can, unless some are asked for."""
        ends = self.ends()
        unique = all(self.names.count(name) == 1 for end in ends for name in end)
        if options.source is not None or not (self.named and unique):
            return options
        if options.groups is not None:
            ids = self.source[: len(self.source) - self.keys]
            return replace(options, source=tuple(self.names[number] for number in ids))
        source, target = (
            tuple(self.names[number] for number in end) for end in (self.source, self.target)
        )
        return replace(options, source=source, target=target)

    def facts(self, header: bool | None = None, delimiter: str | None = None) -> InputFacts:
        """The columns by their names, for the plan."""
        source, target = (
            tuple(self.names[number] for number in end) for end in (self.source, self.target)
        )
        groups: tuple[str, ...] = ()
        if self.keys or self.lists:
            ids = len(source) - self.keys
            source, target, groups = source[:ids], (), source[ids:] or source
        return InputFacts(
            source=source,
            target=target,
            weight=None if self.weight is None else self.names[self.weight],
            header=header,
            delimiter=delimiter,
            groups=groups,
        )

    def describe(self) -> str:
        """The ends and their types, which must be the same in files of one graph."""
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
    if options.groups is True:
        return _choose_lists(file, schema, names, options)
    weight = weight_number(file, names, options.weight)
    source, target = choose_ends(file, names, options, weight)
    if weight is not None and not is_number(schema.types[weight]):
        raise InputError(
            f"{file}: the weights must be numbers, but column {names[weight]} is "
            f"{schema.types[weight]}"
        )
    types = tuple(
        common_type(file, names[s], schema.types[s], names[t], schema.types[t])
        for s, t in zip(source, target, strict=True)
    )
    drops, keys = options.on_null == "drop", key_width(options)
    return ColumnChoice(file, source, target, weight, types, names, drops, keys=keys)


def key_width(options: ReadOptions) -> int:
    """How many columns the keys of groups have; 0 where rows are edges."""
    if options.groups is None or options.groups is True:
        return 0
    return len(options.groups) if isinstance(options.groups, tuple) else 1


def _choose_lists(
    file: str, schema: pa.Schema, names: tuple[str, ...], options: ReadOptions
) -> ColumnChoice:
    """The column of lists: the caller's, or the only one."""
    candidates = tuple(without_index(names))
    if options.source is not None:
        candidates = column_numbers(file, names, options.source)
    if len(candidates) != 1:
        raise InputError(
            f"{file}: groups=True needs one column of lists; name it: source=; or name the column "
            f"of keys: groups=; there are: {listed(names) or 'none'}"
        )
    name, kind = names[candidates[0]], schema.types[candidates[0]]
    types = require_arrow(PURPOSE, "pyarrow.types")
    if not (types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)):
        raise InputError(
            f"{file}: groups=True needs a column of lists, and {name} is {kind}; for a column of "
            "keys, name it: groups="
        )
    plain = common_type(file, name, kind.value_type, name, kind.value_type)
    drops = options.on_null == "drop"
    return ColumnChoice(file, candidates, candidates, None, (plain,), names, drops, lists=True)


def choose_ends(
    file: str, names: Sequence[str], options: ReadOptions, weight: int | None = None
) -> Ends:
    """The numbers of the columns of both ends: the caller's, or those that are clear."""
    if options.groups is not None:
        columns = _choose_grouped(file, names, options)
        return columns, columns
    if options.source is not None and options.target is not None:
        return (
            column_numbers(file, names, options.source),
            column_numbers(file, names, options.target),
        )
    lower = [name.lower() for name in names]
    for source, target in USUAL_NAMES:
        if lower.count(source) == 1 and lower.count(target) == 1:
            return (lower.index(source),), (lower.index(target),)
    candidates = [number for number in without_index(names) if number != weight]
    if len(candidates) == 2:
        return (candidates[0],), (candidates[1],)
    problem = (
        "an edge needs two columns"
        if len(candidates) < 2
        else "which columns are the ends of an edge is not clear"
    )
    raise InputError(
        f"{file}: {problem}; name them, or give their numbers from 0: source= and target=; there "
        f"are: {listed(names) or 'none'}"
    )


def _choose_grouped(file: str, names: Sequence[str], options: ReadOptions) -> tuple[int, ...]:
    """The numbers of the columns of ids, and then of those of keys."""
    if options.groups is None or options.groups is True:
        raise UnsupportedError(
            f"{file}: groups=True is for columns of lists, which this format has not; name the "
            "column of keys: groups="
        )
    keys = column_numbers(file, names, options.groups)
    if options.source is not None:
        ids = column_numbers(file, names, options.source)
    else:
        others = [number for number in without_index(names) if number not in keys]
        advice = "name them: source="
        chosen = choose_vertices(file, [names[number] for number in others], 1, advice)
        ids = tuple(others[number] for number in chosen)
    if set(ids) & set(keys):
        raise InputError(f"{file}: column {names[ids[0]]} cannot be both the id and its group")
    return (*ids, *keys)


def choose_vertices(file: str, names: Sequence[str], width: int, advice: str) -> tuple[int, ...]:
    """The numbers of the columns that list vertices, whose ids have so many columns."""
    candidates = without_index(names)
    if len(candidates) == width:
        return tuple(candidates)
    called = [number for number in candidates if names[number].lower() in VERTEX_NAMES]
    if width == 1 and len(called) == 1:
        return tuple(called)
    columns = "the column" if width == 1 else f"the {width} columns"
    raise InputError(
        f"{file}: which are {columns} of ids is not clear; {advice}; there are: "
        f"{listed(names) or 'none'}"
    )


def without_index(names: Sequence[str]) -> list[int]:
    """The numbers of the columns that are not the index of a pandas frame.

    >>> without_index(["", "Unnamed: 0", "x", "y"]), without_index(["x", "", "__index_level_0__"])
    ([2, 3], [0, 1])
    """
    first = 0
    while first < len(names) and NAMELESS.fullmatch(names[first]):
        first += 1
    return [at for at in range(first, len(names)) if not INDEX.fullmatch(names[at])]


def declared_vertices(choice: ColumnChoice, schema: pa.Schema) -> int | None:
    """The number of vertices in the metadata of a table, if its ids can be vertex numbers."""
    types = require_arrow(PURPOSE, "pyarrow.types")
    value = (schema.metadata or {}).get(VERTICES_KEY, b"").decode("ascii", "replace").strip()
    kind = choice.types[0]
    integers = len(choice.types) == 1 and (types.is_integer(kind) or types.is_null(kind))
    return int(value) if integers and value.isdigit() else None


def column_numbers(file: str, names: Sequence[str], columns: Columns) -> tuple[int, ...]:
    """The numbers of one column or of several."""
    requested = columns if isinstance(columns, tuple) else (columns,)
    return tuple(column_number(file, names, column) for column in requested)


def column_number(file: str, names: Sequence[str], column: Column) -> int:
    """The number of a column that the caller gave by name or number."""
    if isinstance(column, int):
        if column >= len(names):
            raise InputError(
                f"{file}: there is no column {column}: the file has {len(names)}, counted from 0: "
                f"{listed(names)}"
            )
        return column
    numbers = [number for number, name in enumerate(names) if name == column]
    if len(numbers) > 1:
        raise InputError(
            f"{file}: {len(numbers)} columns are called {column}; name them by number, from 0: "
            f"{', '.join(map(str, numbers))}"
        )
    if not numbers:
        raise InputError(
            f"{file}: there is no column {column}{_partition(file, column)}; there are: "
            f"{listed(names)}"
        )
    return numbers[0]


def weight_number(file: str, names: Sequence[str], column: Column | None) -> int | None:
    """The number of the column of weights, if one is asked for: by default that called weight."""
    try:
        return None if column is None else column_number(file, names, column)
    except InputError as error:
        raise InputError(f"{error}; weight= names the column of weights") from None


def _partition(file: str, key: str) -> str:
    """A remark where folders have this name and a value: such a key is in no file."""
    folders = PurePosixPath(file).parts[:-1]
    if not any(folder.startswith(f"{key}=") for folder in folders):
        return ""
    return f": {key} is a key of the folders, which are not read as columns"


def listed(names: Sequence[str], limit: int = 30) -> str:
    """The names of columns, for messages."""
    shown = ", ".join(name if name.strip() else f"{name!r}" for name in names[:limit])
    return f"{shown} and {len(names) - limit} more" if len(names) > limit else shown
