"""The union of two columns of ascending ids, and where each id stands in it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.graph.arrow import arrow_view
from skerry.ids.chunks import Chunk, IntegerChunk, TextChunk
from skerry.ids.columns import read_column
from skerry.ids.numbering import Numbering
from skerry.ids.ranks import ranks_of

Places = npt.NDArray[np.int64]

SHORT_BYTES = 2**31 - 1
"""Bytes of text that offsets of 32 bits can address."""


class MergedIds(NamedTuple):
    """The distinct ids of two columns."""

    columns: Any
    """Ascending, as `External.columns`; one of the two itself where that has all ids."""
    of_first: Places
    """Where each id of the first column stands."""
    of_second: Places


def merge_ids(first: Any, second: Any, threads: int) -> MergedIds:
    """The union of two columns of ascending ids, or of two tuples of columns.

    Columns of one type are merged; others are numbered together, which finds their common type.

    Raises
    ------
    InputError
        If there is no type that holds the ids of both.
    """
    none, firsts, seconds = np.empty(0, np.int64), _length(first), _length(second)
    if not firsts:  # of any type
        return MergedIds(second, none, np.arange(seconds))
    if not seconds:
        return MergedIds(first, np.arange(firsts), none)
    placed = merged_places(first, second, threads)
    if placed is None:
        return _merge_numbered(first, second, threads)
    of_first, of_second, total = placed
    if total == len(first):
        return MergedIds(first, of_first, of_second)
    if total == len(second):
        return MergedIds(second, of_first, of_second)
    if isinstance(first, np.ndarray):
        columns = np.empty(total, first.dtype)
        columns[of_first], columns[of_second] = first, second
        return MergedIds(columns, of_first, of_second)
    order = np.empty(total, np.int64)
    order[of_second] = len(first) + np.arange(len(second))
    order[of_first] = np.arange(len(first))
    return MergedIds(_joined(first, second).take(arrow_view(order)), of_first, of_second)


def merged_places(first: Any, second: Any, threads: int) -> tuple[Places, Places, int] | None:
    """Where the ids of two ascending columns stand in their union, and how many there are.

    None where the columns are not of one type, or ids have several columns.
    """
    if isinstance(first, tuple) or isinstance(second, tuple):
        return None
    left, right = _chunk(first), _chunk(second)
    places = np.empty(len(first), np.int64), np.empty(len(second), np.int64)
    if isinstance(left, IntegerChunk) and isinstance(right, IntegerChunk):
        if left.logical != right.logical or left.values.dtype != right.values.dtype:
            return None
        total = _native.merge_keys(left.values, right.values, *places, threads)
    elif isinstance(left, TextChunk) and isinstance(right, TextChunk):
        if first.type != second.type:
            return None
        total = _native.merge_texts(
            *(left.data, left.offsets, right.data, right.offsets, left.width, *places, threads)
        )
    else:
        return None
    return *places, total


def _length(column: Any) -> int:
    return len(column[0]) if isinstance(column, tuple) else len(column)


def _chunk(column: Any) -> Chunk | None:
    chunks = list(read_column(column))
    return chunks[0] if len(chunks) == 1 else None


def _joined(first: Any, second: Any) -> Any:
    """Two Arrow arrays of one type, one after the other."""
    import pyarrow as pa

    kind = str(first.type)
    if kind in ("string", "binary") and first.nbytes + second.nbytes > SHORT_BYTES:
        first, second = first.cast(f"large_{kind}"), second.cast(f"large_{kind}")
    return pa.concat_arrays([first, second])


def _merge_numbered(first: Any, second: Any, threads: int) -> MergedIds:
    """As `merge_ids`, of columns of any types."""
    numbering = Numbering()
    numbers = [numbering.number(column, threads) for column in (first, second)]
    ids, order = numbering.take_in_order(threads)
    ranks = ranks_of(order)
    return MergedIds(ids, *(ranks[each].astype(np.int64) for each in numbers))
