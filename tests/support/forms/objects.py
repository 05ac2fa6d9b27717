"""The edges in every kind of object that Python programs hold. One row each."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from support.forms.edges import PAIRS
from support.forms.kinds import Kind


class Given:
    """The edges, or some of them, under the ids of a kind."""

    def __init__(self, kind: Kind, pairs: Sequence[tuple[int, int]] = PAIRS) -> None:
        self.kind = kind
        self.ends = tuple(zip(*pairs, strict=True))

    @cached_property
    def columns(self) -> tuple[Any, Any]:
        """Sources and targets as arrays of Arrow; each a tuple for ids of several columns."""
        src, dst = map(self.kind.column, self.ends)
        return src, dst

    @cached_property
    def lists(self) -> tuple[list[Any], list[Any]]:
        """Sources and targets as lists of Python objects."""
        src, dst = map(self.kind.objects, self.ends)
        return src, dst

    @property
    def pairs(self) -> list[tuple[Any, Any]]:
        """All edges as pairs of objects."""
        return list(zip(*self.lists, strict=True))

    @cached_property
    def table(self) -> pa.Table:
        """A table with a column that is none of the edges'."""
        src, dst = ([end] if not isinstance(end, tuple) else end for end in self.columns)
        columns = {"other": pa.nulls(len(self.ends[0]), pa.string())}
        for name, parts in (("src", src), ("dst", dst)):
            columns |= {f"{name}{i or ''}": part for i, part in enumerate(parts)}
        return pa.table(columns)

    @property
    def named(self) -> dict[str, Any]:
        """The arguments that name the columns of the table."""
        if not isinstance(self.kind.type, tuple):
            return {"source": "src", "target": "dst"}
        return {"source": ("src", "src1"), "target": ("dst", "dst1")}


def _one_column(kind: Kind) -> bool:
    return not isinstance(kind.type, tuple)


class Container(NamedTuple):
    """A kind of object that holds edges."""

    name: str
    make: Callable[[Given], Any]
    is_table: bool = False
    """Whether columns have names; else integers are vertex numbers unless the caller says."""
    repeatable: bool = True
    keeps: str = "rows"
    """What it keeps of the edges: "rows", or their "ends" in another order, or not even these."""
    takes: Callable[[Kind], bool] = _one_column
    package: str = ""
    """What must be installed."""
    arguments: Mapping[str, Any] = MappingProxyType({})

    def given(self, kind: Kind) -> tuple[Any, dict[str, Any]]:
        """A graph and the arguments that go with it."""
        edges = Given(kind)
        return self.make(edges), self.arguments_of(edges)

    def arguments_of(self, edges: Given) -> dict[str, Any]:
        """The arguments that go with a graph."""
        arguments = edges.named if self.is_table else {}
        if not self.is_table and edges.kind.is_integer and "ids" not in self.arguments:
            arguments = {"ids": "external"}
        arguments |= self.arguments
        return {name: value for name, value in arguments.items() if value is not None}


def _any(_: Kind) -> bool:
    return True


def _of(*names: str) -> Callable[[Kind], bool]:
    return lambda kind: kind.name in names


def _but(*names: str) -> Callable[[Kind], bool]:
    return lambda kind: kind.name not in names


def _in_numpy(kind: Kind) -> bool:
    """NumPy has no time zones, and takes days of 64 bits for timestamps."""
    return _one_column(kind) and kind.name not in ("zoned", "zoned nanosecond", "date64")


def _in_polars(kind: Kind) -> bool:
    """Polars has no decimals of 256 bits, and takes days of 64 bits for timestamps."""
    return kind.name not in ("long decimal", "date64")


def _numpy(column: Any) -> Any:
    return column.to_numpy(zero_copy_only=False)


def _objects(values: list[Any]) -> Any:
    array = np.empty(len(values), object)
    array[:] = values
    return array


def _pandas(given: Given, **options: Any) -> Any:
    return given.table.to_pandas(**options)


def _of_arrow(given: Given) -> Any:
    return _pandas(given, types_mapper=importlib.import_module("pandas").ArrowDtype)


def _numbered_columns(given: Given) -> Any:
    """Labels that are integers, of which none is its position."""
    return _pandas(given)[["dst", "other", "src"]].set_axis([2, 0, 1], axis=1)


def _object_frame(given: Given) -> Any:
    pandas = importlib.import_module("pandas")
    columns = {"src": given.lists[0], "dst": given.lists[1]}
    return pandas.DataFrame({name: _objects(ids) for name, ids in columns.items()}, dtype=object)


def _polars(given: Given) -> Any:
    return importlib.import_module("polars").from_arrow(given.table)


def _duckdb(given: Given) -> Any:
    return importlib.import_module("duckdb").from_arrow(given.table)


def _networkx(kind: str) -> Callable[[Given], Any]:
    return lambda given: getattr(importlib.import_module("networkx"), kind)(given.pairs)


def _neighbors(given: Given) -> Any:
    rows: dict[Any, list[Any]] = {}
    for u, v in given.pairs:
        rows.setdefault(u, []).append(v)
    return rows


def _chunks(given: Given) -> pa.Table:
    table = given.table
    return pa.concat_tables([table.slice(0, 0), table.slice(0, 5), table.slice(5)])


def _records(given: Given) -> Any:
    src, dst = map(_numpy, given.columns)
    records = np.zeros(len(src), [("dst", dst.dtype), ("gap", "i1"), ("src", src.dtype)])
    records["src"], records["dst"] = src, dst
    return records


class _Stream(NamedTuple):
    table: pa.Table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


def _parts(columns: tuple[Any, Any]) -> list[tuple[Any, Any]]:
    return [(columns[0][i : i + 4], columns[1][i : i + 4]) for i in range(0, len(columns[0]), 4)]


NODES: dict[str, Any] = {
    "package": "networkx",
    "takes": _but("composite date"),  # no table can hold such tuples
    "arguments": {"ids": None},
}

CONTAINERS = (
    Container("pair of Arrow arrays", lambda g: g.columns),
    Container(
        "pair of slices", lambda g: tuple(pa.concat_arrays([c[:1], c])[1:] for c in g.columns)
    ),
    Container("pair of chunked arrays", lambda g: (g.table["src"], g.table["dst"])),
    Container("pair of lists", lambda g: g.lists),
    Container("pair of object arrays", lambda g: tuple(map(_objects, g.lists))),
    Container("pair of NumPy arrays", lambda g: tuple(map(_numpy, g.columns)), takes=_in_numpy),
    Container("list of pairs", lambda g: g.pairs),
    Container("list of lists", lambda g: list(map(list, g.pairs))),
    Container("generator of pairs", lambda g: iter(g.pairs), repeatable=False),
    Container("batches of arrays", lambda g: _parts(g.columns)),
    Container("batches of lists", lambda g: iter(_parts(g.lists)), repeatable=False),
    Container("array of objects", lambda g: np.column_stack(list(map(_objects, g.lists)))),
    Container(
        "NumPy text", lambda g: np.array(g.pairs), takes=_of("text", "hard text", "long text")
    ),
    Container(
        "NumPy strings",
        lambda g: tuple(np.array(ids, np.dtypes.StringDType()) for ids in g.lists),
        takes=_of("text", "hard text", "long text"),
    ),
    Container("structured array", _records, True, takes=_in_numpy),
    Container("table", lambda g: g.table, True, takes=_any),
    Container("chunked table", _chunks, True, takes=_any),
    Container("record batch", lambda g: g.table.combine_chunks().to_batches()[0], True, takes=_any),
    Container("reader", lambda g: _chunks(g).to_reader(), True, repeatable=False, takes=_any),
    Container("Arrow stream", lambda g: _Stream(g.table), True, takes=_any),
    Container("list of batches", lambda g: g.table.to_batches(max_chunksize=3), True, takes=_any),
    Container(
        "generator of tables",
        lambda g: (g.table.slice(i, 1) for i in range(len(g.ends[0]))),
        True,
        repeatable=False,
        takes=_any,
    ),
    Container("pandas", _pandas, True, package="pandas", takes=_any),
    Container("pandas of Arrow", _of_arrow, True, package="pandas", takes=_any),
    Container("pandas of objects", _object_frame, True, package="pandas"),
    Container(
        "pandas with numbered columns",
        _numbered_columns,
        True,
        package="pandas",
        arguments={"source": 1, "target": 2},
    ),
    Container(
        "pair of pandas series",
        lambda g: tuple(_pandas(g)[end] for end in ("src", "dst")),
        package="pandas",
    ),
    Container(
        "pair of pandas indexes",
        lambda g: tuple(
            importlib.import_module("pandas").Index(_pandas(g)[end]) for end in ("src", "dst")
        ),
        package="pandas",
    ),
    Container("polars", _polars, True, package="polars", takes=_in_polars),
    Container("lazy polars", lambda g: _polars(g).lazy(), True, package="polars", takes=_in_polars),
    Container(
        "pair of polars series",
        lambda g: tuple(_polars(g)[end] for end in ("src", "dst")),
        package="polars",
        takes=lambda kind: _one_column(kind) and _in_polars(kind),
    ),
    Container(
        "DuckDB",
        _duckdb,
        True,
        package="duckdb",
        takes=_but("duration", "short duration", "long decimal", "uuid"),
    ),
    Container("networkx", _networkx("Graph"), keeps="", **NODES),
    Container("networkx DiGraph", _networkx("DiGraph"), keeps="ends", **NODES),
    Container("networkx MultiDiGraph", _networkx("MultiDiGraph"), keeps="ends", **NODES),
    Container("dict of neighbors", _neighbors, keeps="ends", **NODES),
)
"""Of edges under any ids."""
