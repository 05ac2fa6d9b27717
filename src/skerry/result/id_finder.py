"""From the ids of edges to positions among a result's ids, by tables of the checker's own.

Nothing here uses the tables that number ids: those are what a check of external ids checks. Only
the reading of a column (`skerry.ids.columns`), which both need, is shared.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import UnsupportedError
from skerry.graph.edge_source import IdColumn
from skerry.ids.chunks import Chunk, DictionaryChunk, IntegerChunk, TextChunk
from skerry.ids.columns import read_column
from skerry.ids.id_space import IdSpace

UNKNOWN = np.uint32(2**32 - 1)
"""The position of an id that is not among those of the result."""

MAX_IDS = 2**32 - 1
"""Positions have 32 bits; tests make it small."""

Located = npt.NDArray[np.uint32]
_KEY_RANGE = 2**62  # the codes of several columns make one 64-bit key, which must not overflow


class IdFinder(Protocol):
    """The positions of ids in a column, or several, of distinct ids."""

    @property
    def repeated(self) -> int | None:
        """The position of an id that is there twice."""
        ...

    def find(self, column: IdColumn, threads: int) -> Located:
        """The position of each id, `UNKNOWN` for those that are not there."""
        ...


def id_finder(ids: IdSpace, threads: int) -> IdFinder:
    """A finder for the ids of a result."""
    if len(ids) >= MAX_IDS:
        raise UnsupportedError(
            f"{len(ids):,} external ids: edges can be read again, for a check or for bridges, "
            f"where there are fewer than {MAX_IDS:,}"
        )
    columns = ids.columns
    if isinstance(columns, tuple) and len(columns) > 1:
        return _CompositeFinder(columns, threads)
    column = columns[0] if isinstance(columns, tuple) else columns
    if isinstance(column, list):  # Python objects
        return SpaceFinder(ids)
    return _SingleFinder(column, ids, threads)


class SpaceFinder:
    """Asks the ids themselves: for objects, and for ids of another type than those of the result.

    It is slow, and says what is wrong with types that do not fit.
    """

    repeated = None

    def __init__(self, ids: IdSpace) -> None:
        self._ids = ids

    def find(self, column: IdColumn, threads: int) -> Located:
        """The position of each id."""
        del threads
        positions = self._ids.positions(column)
        return np.where(positions < 0, UNKNOWN, positions).astype(np.uint32)


class _SingleFinder:
    """Ids of one column: integers or strings of bytes."""

    def __init__(self, column: Any, ids: IdSpace | None, threads: int) -> None:
        self._ids = ids
        chunks = list(read_column(_plain(column)))
        chunk = chunks[0] if chunks else IntegerChunk(np.empty(0, np.int64))
        assert len(chunks) < 2 and not isinstance(chunk, DictionaryChunk)
        self._chunk: IntegerChunk | TextChunk = chunk
        self._table: _native.IntegerLookup | _native.TextLookup
        if isinstance(chunk, IntegerChunk):
            self._table = _native.IntegerLookup(np.ascontiguousarray(chunk.values), threads)
        else:
            self._table = _native.TextLookup(
                chunk.data, chunk.offsets, chunk.width, len(chunk), threads
            )

    @property
    def repeated(self) -> int | None:
        """The position of an id that is there twice."""
        return self._table.repeated

    def find(self, column: IdColumn, threads: int) -> Located:
        """The position of each id."""
        if isinstance(column, tuple) and len(column) == 1:
            column = column[0]
        if isinstance(column, tuple):
            return self._find_by_ids(column, threads)
        parts = []
        for chunk in read_column(column):
            part = self._find(chunk, threads)
            if part is None:
                return self._find_by_ids(column, threads)
            parts.append(part)
        if len(parts) == 1:
            return parts[0]
        return np.concatenate(parts) if parts else np.empty(0, np.uint32)

    def _find_by_ids(self, column: IdColumn, threads: int) -> Located:
        """For ids of another type: converts them, or raises an error that says why it cannot."""
        if self._ids is None:
            return np.full(len(column), UNKNOWN)
        return SpaceFinder(self._ids).find(column, threads)

    def _find(self, chunk: Chunk, threads: int) -> Located | None:
        """The positions of a chunk; None if it is of another type."""
        if isinstance(chunk, DictionaryChunk):
            positions: Located = self.find(chunk.values, threads)[chunk.indices]
            return positions
        own = self._chunk
        positions = np.empty(len(chunk), np.uint32)
        if isinstance(chunk, IntegerChunk) and isinstance(own, IntegerChunk):
            if chunk.logical != own.logical:
                return None
            other_sign = chunk.values.dtype.kind != own.values.dtype.kind
            self._table.find(chunk.values, other_sign, positions, threads)  # type: ignore[call-arg, arg-type]
            return positions
        if isinstance(chunk, TextChunk) and isinstance(own, TextChunk) and chunk.kind == own.kind:
            self._table.find(chunk.data, chunk.offsets, chunk.width, positions, threads)  # type: ignore[call-arg, arg-type]
            return positions
        return None


class _CompositeFinder:
    """Ids of several columns: a position in each column's values makes a part of a key."""

    def __init__(self, columns: tuple[Any, ...], threads: int) -> None:
        self._columns = [_DistinctValues(column, threads) for column in columns]
        self._shrinks: list[_SingleFinder | None] = []
        keys = np.zeros(len(columns[0]), np.int64)
        key_range = 1
        for values, column in zip(self._columns, columns, strict=True):
            shrink = None
            if key_range * (values.size + 1) > _KEY_RANGE:
                dense = np.unique(keys)
                shrink = _SingleFinder(dense, None, threads)
                keys = shrink.find(keys, threads).astype(np.int64)
                key_range = len(dense) + 1
            self._shrinks.append(shrink)
            keys = keys * (values.size + 1) + values.find(column, threads)
            key_range *= values.size + 1
        self._finder = _SingleFinder(keys, None, threads)

    @property
    def repeated(self) -> int | None:
        """The position of an id that is there twice."""
        return self._finder.repeated

    def find(self, column: IdColumn, threads: int) -> Located:
        """The position of each id."""
        keys = np.zeros(len(column[0]), np.int64)
        unknown = np.zeros(len(keys), np.bool_)
        for values, part, shrink in zip(self._columns, column, self._shrinks, strict=True):
            if shrink is not None:
                positions = shrink.find(keys, threads)
                unknown |= positions == UNKNOWN
                keys = positions.astype(np.int64)
            codes = values.find(part, threads)
            unknown |= codes == UNKNOWN
            keys = keys * (values.size + 1) + codes
        positions = self._finder.find(keys, threads)
        positions[unknown] = UNKNOWN
        return positions


class _DistinctValues:
    """The different values of one of several columns."""

    def __init__(self, column: Any, threads: int) -> None:
        column = _plain(column)
        values = np.unique(column) if isinstance(column, np.ndarray) else column.unique()
        self.size = len(values)
        self._finder = _SingleFinder(values, None, threads)

    def find(self, column: Any, threads: int) -> Located:
        """The position of each value."""
        return self._finder.find(column, threads)


def _plain(column: Any) -> Any:
    """A column of values without a dictionary, in one piece."""
    if isinstance(column, np.ndarray):
        return column
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column, pa.DictionaryArray):
        column = column.dictionary_decode()
    return column
