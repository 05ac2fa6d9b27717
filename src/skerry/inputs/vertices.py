"""Ids of vertices with or without an edge: ``vertices=``, as an array, a column or a table."""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import Any, NamedTuple

import numpy as np

from skerry.formats.columns import choose_vertices
from skerry.graph.edge_source import IdColumn
from skerry.ids.lookup import is_column
from skerry.ids.python_objects import column_of_objects
from skerry.inputs.id_columns import column_of, is_arrow
from skerry.inputs.sources import StreamSource
from skerry.inputs.tables import is_table, name_of, table_columns
from skerry.optional import require_arrow

ADVICE = "pass only these, or call the column id"


class FurtherVertices(NamedTuple):
    """Ids that are vertices whether or not they have an edge."""

    ids: IdColumn | None
    dropped: int = 0
    """How many nulls among them were left out."""

    @property
    def notes(self) -> tuple[str, ...]:
        """For the plan."""
        return (f"left out of vertices=: {self.dropped:,} null",) if self.dropped else ()


def further_vertices(source: StreamSource) -> FurtherVertices:
    """The ids that the caller gave beside the edges."""
    vertices, options = source.options.vertices, source.options
    if vertices is None:
        return FurtherVertices(None)
    if isinstance(vertices, FurtherVertices):
        return vertices
    columns = source.facts.source or options.source
    if is_table(vertices):
        width = len(columns) if isinstance(columns, tuple) else 1
        vertices = _columns_of(vertices, width)
    if options.on_null == "error":
        return FurtherVertices(column_of(vertices, "vertices"))
    kept, dropped = _without_nulls(vertices)
    return FurtherVertices(column_of(kept, "vertices"), dropped)


def _columns_of(table: Any, width: int) -> Any:
    """The columns of ids in a table, a single one or a tuple."""
    name = f"vertices= ({name_of(table)})"
    columns = table_columns(table, lambda names: choose_vertices(name, names, width, ADVICE))
    return columns[0] if width == 1 else columns


def _without_nulls(vertices: Any) -> tuple[Any, int]:
    """The rows in which no column is null, and how many others there were."""
    if isinstance(vertices, np.ndarray) and vertices.dtype.kind in "iu":
        return vertices, 0
    pa = require_arrow("leaving out nulls")
    if isinstance(vertices, tuple) and not any(map(is_column, vertices)):
        vertices = list(vertices)
    parts = vertices if isinstance(vertices, tuple) else (vertices,)
    columns = [_chunked(part, pa) for part in parts]
    valid = [column.is_valid().to_numpy() for column in columns]
    if len({len(mask) for mask in valid}) != 1:
        return vertices, 0  # columns of different lengths: refused as they are
    keep = reduce(and_, valid)
    if keep.all():
        return vertices, 0
    rows = pa.array(np.flatnonzero(keep))
    kept = tuple(column.take(rows) for column in columns)
    return (kept if isinstance(vertices, tuple) else kept[0]), len(keep) - len(rows)


def _chunked(column: Any, pa: Any) -> Any:
    """A column whose missing ids are nulls."""
    if is_arrow(column):
        return pa.chunked_array(
            column if hasattr(column, "__arrow_c_stream__") else [pa.array(column)]
        )
    array = np.asarray(column)
    if isinstance(column, list | tuple) or array.dtype.kind == "O":
        array = column_of_objects(column, nulls=True) if len(column) else pa.nulls(0)
    return pa.chunked_array([pa.array(array, from_pandas=True)])
