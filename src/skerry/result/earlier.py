"""Earlier answers as callers give them: ``previous=``, `Components.named_after` and others."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from skerry.errors import InputError, UnsupportedError
from skerry.result.answer import Answer
from skerry.result.previous import Previous, of_labels


def read_previous(previous: Any, as_text: bool = False) -> Previous:
    """An earlier answer as a caller gave it: a result, sets, a table, a file, or labels.

    With ``as_text``, ids in a file of delimited text are text even where all look like integers.

    Raises
    ------
    InputError
        If it is none of these, or has no columns of ids and components, or has an id twice.
    """
    if isinstance(previous, Previous):
        return previous
    sets = getattr(previous, "components", None)
    if callable(sets):  # a UnionFind
        previous = sets()
    if isinstance(previous, Answer):
        return previous._as_previous
    is_file = isinstance(previous, str | os.PathLike)
    if is_file or isinstance(previous, Mapping) or is_table(previous):
        # Imported with the first table: it brings the readers of files.
        from skerry.result import earlier_tables

        read = earlier_tables.of_file if is_file else earlier_tables.of_table
        try:
            return read(previous, as_text)
        except (InputError, UnsupportedError) as error:
            raise type(error)(f"previous: {error}") from None
    return of_labels(previous)


def is_table(previous: Any) -> bool:
    """Whether this has columns: a table of Arrow, a frame, a result of a query."""
    arrow = hasattr(previous, "__arrow_c_stream__") or hasattr(previous, "__arrow_c_array__")
    return (arrow or hasattr(previous, "__dataframe__")) and (
        hasattr(previous, "column_names") or hasattr(previous, "columns")
    )
