"""Ids as callers give them: single ones, lists, arrays, Arrow columns, tuples of those."""

from __future__ import annotations

from typing import Any

import numpy as np

from skerry.errors import InputError
from skerry.ids.lookup import is_column
from skerry.ids.python_objects import python_value
from skerry.optional import arrow_if_installed
from skerry.union_find.object_ids import kind_of

TABLE_FROM = 1 << 14  # ids of a list from which a table is faster than a dict


def is_many(ids: Any) -> bool:
    """Whether these are many ids: a column, or a tuple of columns."""
    return is_column(ids) or (isinstance(ids, tuple) and bool(ids) and all(map(is_column, ids)))


def is_plain(value: Any) -> bool:
    """Whether this is a single id of the usual kinds."""
    return type(value) is str or type(value) is int


def plain(value: Any) -> Any:
    """A single id as a Python object."""
    if type(value) is str or type(value) is int:
        return value
    return python_value(value)


def id_columns(ids: Any) -> Any:
    """Many ids as a list of Python objects, an array, or a tuple of arrays."""
    if isinstance(ids, tuple):
        return tuple(map(_as_array, ids))
    return [plain(value) for value in ids] if isinstance(ids, list | range) else _as_array(ids)


def _as_array(column: Any) -> Any:
    if isinstance(column, np.ndarray | list):
        return column
    readable = hasattr(column, "__arrow_c_array__") or hasattr(column, "__arrow_c_stream__")
    return column if readable else np.asarray(column)


def as_table_column(column: Any) -> Any:
    """A column that tables can number: of a list of tuples, a tuple of lists."""
    if isinstance(column, list) and column:
        if isinstance(column[0], tuple):
            widths = {len(row) if isinstance(row, tuple) else 0 for row in column}
            if len(widths) != 1:
                raise InputError("ids of several columns are tuples of one length")
            return tuple(map(as_table_column, map(list, zip(*column, strict=True))))
        if kind_of(column[0]) is None:
            values = np.empty(len(column), object)
            values[:] = column
            return values
    return column


def rows(column: Any) -> list[Any]:
    """The ids of a column, or of a tuple of columns, as Python objects."""
    if isinstance(column, tuple):
        return list(zip(*map(rows, column), strict=True))
    if isinstance(column, np.ndarray) and column.dtype.kind not in "mM":
        values: list[Any] = column.tolist()
        return values
    return [python_value(value) for value in column]


def copied_ids(ids: Any, name: str) -> Any:
    """Many ids that the caller may change from now on."""
    if not is_many(ids):
        raise InputError(f"{name} must hold the ids of a batch: a column, or a list")
    columns = id_columns(ids)
    if isinstance(columns, tuple):
        return tuple(part.copy() if isinstance(part, np.ndarray) else part for part in columns)
    return columns.copy() if isinstance(columns, np.ndarray) else columns


def takes_list(column: Any) -> bool:
    """Whether a dict numbers this column: a short list, or one that only Arrow could number."""
    if not isinstance(column, list):
        return False
    if any(kind_of(value) is None for value in column):
        return not column or any(value is None for value in column)
    small = len(column) < TABLE_FROM
    return small or (kind_of(column[0]) is not int and arrow_if_installed() is None)
