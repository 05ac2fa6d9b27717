"""Rows of ids and keys as edges: all ids with one key are one group, in as many edges as rows.

The first id that comes with a key stands for the group, and the other rows of the key are edges to
it. So the edges are between ids, whatever keys are made of, and there are fewer than rows, where a
join of the table with itself has a pair for any two rows of a key. What is held is a table of the
keys and an id for each. Rows whose key is new name vertices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import ArgumentError, InputError
from skerry.formats.memory import claimed
from skerry.graph.arrow import as_arrow, numpy_view
from skerry.graph.edge_source import (
    Batch,
    EdgeSource,
    GroupedIds,
    IdColumn,
    IdKind,
    InputFacts,
    closed_after,
    length,
    slice_of,
)
from skerry.ids.lookup import take
from skerry.ids.numbering import Numbering
from skerry.ids.status_codes import MAX_IDS
from skerry.inputs.id_columns import column_of
from skerry.optional import require_arrow
from skerry.request import IdChoice

PIECE = 1 << 20  # rows that are taken at a time
BYTES_OF_KEY = 96  # of the table, for each key of a piece that is new

Positions = npt.NDArray[Any]


def edges_of_groups(rows: EdgeSource) -> EdgeSource:
    """The edges of a source whose batches are `GroupedIds`."""

    def open_edges(threads: int) -> Iterator[Batch]:
        representatives = _Representatives(rows.name)
        with closed_after(rows.open(threads)) as batches:
            for batch in batches:
                if not isinstance(batch.src, GroupedIds):
                    yield batch  # without rows
                elif batch.src.within:
                    yield from _edges_of_lists(batch)
                else:
                    yield from representatives.edges(batch, threads)

    return replace(rows, open=open_edges, open_at=None, num_edges=None)


class _Edges(NamedTuple):
    """The edges of a piece of rows, and its vertices that need not have one."""

    named: IdColumn
    """The first ids of keys that are new."""
    src: IdColumn
    dst: IdColumn
    rows: Positions
    """The rows of the piece that are edges, in any order."""


class _Representatives:
    """The keys so far, and the first id of each."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._keys = Numbering()
        self._first: _FirstIntegers | _FirstIds | None = None

    def edges(self, batch: Batch, threads: int) -> Iterator[Batch]:
        """The vertices and the edges of some rows."""
        ids, keys = _plain(batch.src.ids), batch.src.keys
        count = length(ids)
        if length(keys) != count:
            raise InputError(
                f"{self._name}: {count:,} ids and {length(keys):,} keys: a row needs one of each"
            )
        if self._first is None:
            self._first = _FirstIntegers() if _are_wide(ids) else _FirstIds(self._name)
        for begin in range(0, count, PIECE):
            end = min(begin + PIECE, count)
            known = self._keys.size
            numbers = self._number(slice_of(keys, begin, end), batch.location, threads)
            edges = self._first.edges(
                slice_of(ids, begin, end), numbers, known, self._keys.size - known
            )
            if length(edges.named):
                yield Batch(edges.named, edges.named, None, batch.location, only_vertices=True)
            first_row, next_row = _row_of(batch, begin), _row_of(batch, end)
            rows = edges.rows
            yield Batch(
                edges.src,
                edges.dst,
                None,
                batch.location,
                batch.consumed if end == count else 0,
                batch.dropped if end == count else 0,
                rows=rows if batch.rows is None else batch.rows[rows + begin] - first_row,
                num_rows=next_row - first_row,
            )
        if not count:  # nothing but nulls
            yield replace(batch, src=ids, dst=ids, num_rows=batch.dropped)

    def _number(self, keys: IdColumn, location: str, threads: int) -> npt.NDArray[np.uint32]:
        known = self._keys.size
        room = self._keys.nbytes + self._keys.nbytes // 2 + BYTES_OF_KEY * length(keys)
        try:
            with claimed(room, f"{self._name}: {known:,} keys and those of the next rows"):
                numbers = self._keys.number(keys, threads)
        except InputError as error:
            raise InputError(f"{self._name}, {location}: the keys: {error}") from None
        if numbers.dtype != np.uint32:
            raise InputError(f"{self._name}: more than {MAX_IDS:,} distinct keys: split the groups")
        return numbers.astype(np.uint32, copy=False)


class _FirstIntegers:
    """The first ids of keys, by the number of the key: integers of 32 or 64 bits."""

    def __init__(self) -> None:
        self._ids: npt.NDArray[Any] | None = None

    def edges(
        self, ids: npt.NDArray[Any], keys: npt.NDArray[np.uint32], known: int, fresh: int
    ) -> _Edges:
        """The edges of rows of ids and keys, of which those from ``known`` on are new."""
        first = np.empty(0, ids.dtype) if self._ids is None else self._ids
        if first.dtype != ids.dtype:
            first, ids = _of_one_type(first[:known], ids)
        if known + fresh > len(first):
            longer = np.empty(known + max(fresh, known // 2), first.dtype)
            longer[:known] = first[:known]
            first = longer
        self._ids = first
        src, dst = np.empty(len(ids), ids.dtype), np.empty(len(ids), ids.dtype)
        rows, seen = np.empty(len(ids), np.int64), np.zeros(fresh, np.uint8)
        known_and_new = first[: known + fresh]
        count = _native.group_edges(keys, ids, known, known_and_new, seen, src, dst, rows)
        return _Edges(first[known : known + fresh].copy(), src[:count], dst[:count], rows[:count])


class _FirstIds:
    """The first ids of keys, by the number of the key: of any type."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._parts: list[IdColumn] = []
        """Merged so that they stay few: there is one most often."""

    def edges(self, ids: IdColumn, keys: npt.NDArray[np.uint32], known: int, fresh: int) -> _Edges:
        """The edges of rows of ids and keys, of which those from ``known`` on are new."""
        new, others = np.empty(fresh, np.int64), np.empty(len(keys), np.int64)
        others = others[: _native.first_rows(keys, known, new, others)]
        named = take(ids, new)
        if fresh:
            self._add(named)
        rows, targets = self._targets(others, keys[others])
        return _Edges(named, take(ids, rows), targets, rows)

    def _add(self, ids: IdColumn) -> None:
        self._parts.append(ids)
        while len(self._parts) > 1 and length(self._parts[-2]) < 2 * length(self._parts[-1]):
            last = self._parts.pop()
            self._parts[-1] = _joined([self._parts[-1], last], self._name)

    def _targets(self, rows: Positions, keys: npt.NDArray[np.uint32]) -> tuple[Positions, IdColumn]:
        """The rows by the part that has the first id of their key, and these first ids."""
        if len(self._parts) == 1:
            return rows, take(self._parts[0], keys)
        targets, ordered, begin = [], [], 0
        for part in self._parts:
            end = begin + length(part)
            inside = (keys >= begin) & (keys < end)
            targets.append(take(part, keys[inside] - np.uint32(begin)))
            ordered.append(rows[inside])
            begin = end
        return np.concatenate(ordered), _joined(targets, self._name)


def _row_of(batch: Batch, position: int) -> int:
    """The row of the source of an edge of a batch; of the position behind the last, their end."""
    if position == length(batch.src.ids):
        return position + batch.dropped
    return position if batch.rows is None or not position else int(batch.rows[position])


def _edges_of_lists(batch: Batch) -> Iterator[Batch]:
    """Neighbors in a list are edges; what is alone in one is a vertex."""
    ids, lists, _ = batch.src
    follows = lists[1:] == lists[:-1]
    joined = np.zeros(len(lists), np.bool_)
    joined[1:] |= follows
    joined[:-1] |= follows
    alone = take(ids, np.flatnonzero(~joined))
    if length(alone):
        yield Batch(alone, alone, None, batch.location, only_vertices=True)
    at = np.flatnonzero(follows)
    yield replace(batch, src=take(ids, at), dst=take(ids, at + 1), rows=lists[at])


def _plain(column: IdColumn) -> IdColumn:
    """Arrow's integers as NumPy's, which are quicker to choose from."""
    if isinstance(column, tuple):
        return tuple(map(_plain, column))
    if isinstance(column, np.ndarray):
        return column
    types = require_arrow("groups of ids", "pyarrow.types")
    return numpy_view(column) if types.is_integer(column.type) else column


def _joined(columns: list[IdColumn], name: str) -> IdColumn:
    """Columns one after the other, in a type that holds all of them."""
    if len(columns) == 1:
        return columns[0]
    if isinstance(columns[0], tuple):
        return tuple(_joined(list(parts), name) for parts in zip(*columns, strict=True))
    if all(isinstance(column, np.ndarray) for column in columns):
        return _joined_integers(columns)
    pa = require_arrow("groups of ids that are not integers")
    columns = list(map(as_arrow, columns))
    if all(pa.types.is_integer(column.type) for column in columns):
        return _joined_integers([numpy_view(column) for column in columns])
    kinds = {column.type for column in columns}
    try:
        if len(kinds) > 1:  # 32-bit and 64-bit offsets
            text = kinds == {pa.string(), pa.large_string()}
            wide = pa.large_string() if text else pa.large_binary()
            columns = [column.cast(wide) for column in columns]
        return pa.concat_arrays(columns)
    except pa.ArrowException:
        raise InputError(
            f"{name}: ids must be of one type, got {' and '.join(sorted(map(str, kinds)))}"
        ) from None


def _joined_integers(columns: list[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    return np.concatenate(_of_one_type(*columns))


def _of_one_type(*columns: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    """Integers in a type that holds all of them."""
    dtype = np.result_type(*columns)
    if dtype.kind == "f":  # of int64 and uint64: one of them holds all, or numbering them fails
        signed = any(len(column) and column.min() < 0 for column in columns)
        dtype = np.dtype(np.int64 if signed else np.uint64)
    return [column.astype(dtype, copy=False) for column in columns]


def _are_wide(ids: IdColumn) -> bool:
    return isinstance(ids, np.ndarray) and ids.itemsize >= 4 and ids.dtype.isnative


def groups_of_arrays(graph: Any, groups: Any, ids: IdChoice) -> EdgeSource:
    """Groups that are a pair ``(ids, keys)`` of columns, or a list of collections of ids."""
    if groups is not True:
        raise ArgumentError(
            "groups= names a column of a table; for arrays pass (ids, keys) and groups=True"
        )
    grouped = _pair(graph) if isinstance(graph, tuple) and len(graph) == 2 else _collections(graph)
    id_kind: IdKind = "external"
    if ids == "vertices" or (ids == "auto" and _are_integers(grouped.ids)):
        id_kind = "vertices"

    def open_rows(threads: int) -> Iterator[Batch]:
        del threads
        yield Batch(grouped, grouped, location="rows")

    facts = InputFacts("arrays", groups=("keys",))
    return edges_of_groups(EdgeSource("groups", id_kind, open_rows, facts=facts))


def _pair(graph: tuple[Any, Any]) -> GroupedIds:
    return GroupedIds(column_of(graph[0], "ids"), column_of(graph[1], "keys"))


def _collections(graph: Any) -> GroupedIds:
    """The ids of lists, tuples or sets, and the number of the group of each."""
    if not isinstance(graph, list) or not all(map(_is_collection, graph)):
        raise InputError(
            "groups=True takes a pair (ids, keys) of arrays, or a list of lists, tuples or sets of "
            f"ids, got {type(graph).__qualname__}"
        )
    lists = np.repeat(np.arange(len(graph)), [len(group) for group in graph])
    ids = [id for group in graph for id in group]
    return GroupedIds(column_of(ids, "groups"), lists, within=True)


def _is_collection(group: Any) -> bool:
    return isinstance(group, list | tuple | set | frozenset | np.ndarray)


def _are_integers(ids: IdColumn) -> bool:
    if isinstance(ids, np.ndarray):
        return ids.dtype.kind in "iu"
    types = require_arrow("reading ids", "pyarrow.types")
    return not isinstance(ids, tuple) and bool(types.is_integer(ids.type))
