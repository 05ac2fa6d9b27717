"""Ids of one column, of any type: the first chunk decides which table keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.graph.arrow import arrow_view
from skerry.ids.chunks import Chunk, DictionaryChunk, IntegerChunk, TextChunk
from skerry.ids.columns import array_of_chunk, chunk_of_array, read_column
from skerry.ids.exact_types import cast_known, common_type
from skerry.ids.integers import IntegerIds
from skerry.ids.ranks import ranks_of
from skerry.ids.status_codes import UNKNOWN
from skerry.ids.texts import TextIds

if TYPE_CHECKING:
    import pyarrow


SingleMark = tuple[IntegerIds | TextIds, tuple[int, Any]] | None
"""The table, which is another one after ids of a wider type, and how far it was filled; None where
there are no ids."""


class SingleIds:
    """The distinct ids of one column and their numbers."""

    def __init__(self) -> None:
        self._ids: IntegerIds | TextIds | None = None

    def mark(self) -> SingleMark:
        """The state, for `rewind`."""
        return None if self._ids is None or not self._ids.size else (self._ids, self._ids.mark())

    def rewind(self, mark: SingleMark, threads: int) -> None:
        """Takes away the ids that came after a mark; may be called again where it failed."""
        if mark is None:
            self._ids = None
            return
        self._ids, filled = mark
        self._ids.rewind(filled, threads)

    @property
    def size(self) -> int:
        """Distinct ids so far."""
        return 0 if self._ids is None else self._ids.size

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return 0 if self._ids is None else self._ids.nbytes

    def number(self, column: Any, threads: int) -> npt.NDArray[np.uint32]:
        """The number of each id of the column."""
        parts = [self._number(chunk, threads) for chunk in read_column(column)]
        if len(parts) == 1:
            return parts[0]
        return np.concatenate(parts) if parts else np.empty(0, np.uint32)

    def _number(self, chunk: Chunk, threads: int) -> npt.NDArray[np.uint32]:
        if isinstance(chunk, DictionaryChunk):
            numbers: npt.NDArray[np.uint32] = self.number(chunk.values, threads)[chunk.indices]
            return numbers
        if self._ids is None:
            self._ids = _new_table(chunk)
        else:
            self._ids, chunk = _of_one_type(self._ids, chunk)
        numbers = np.empty(len(chunk), np.uint32)
        self._ids.number(chunk, numbers, threads)
        return numbers

    def check(self, column: Any) -> None:
        """Raises what `number` would for ids that are missing or of another kind; adds nothing."""
        for chunk in read_column(column):
            if isinstance(chunk, DictionaryChunk):
                self.check(chunk.values)
            elif self._ids is not None:
                ids, fitting = _of_one_type(self._ids, chunk)
                ids.check(fitting)

    def find(self, column: Any, threads: int) -> npt.NDArray[np.uint32]:
        """As `number`, but adds nothing: `UNKNOWN` for ids that are not there."""
        parts = [self._find(chunk, threads) for chunk in read_column(column)]
        return np.concatenate(parts) if parts else np.empty(0, np.uint32)

    def _find(self, chunk: Chunk, threads: int) -> npt.NDArray[np.uint32]:
        if isinstance(chunk, DictionaryChunk):
            numbers: npt.NDArray[np.uint32] = self.find(chunk.values, threads)[chunk.indices]
            return numbers
        numbers = np.full(len(chunk), UNKNOWN, np.uint32)
        if self._ids is None:
            return numbers
        cast = None
        if _common_type(self._ids, chunk) is not None:
            # In the type of the table: what that cannot hold is none of its ids.
            cast = cast_known(array_of_chunk(chunk), self._ids.type)
        if cast is None:
            self._ids.find(chunk, numbers, threads)
            return numbers
        known = cast.is_valid().to_numpy(zero_copy_only=False)
        positions = np.empty(int(known.sum()), np.uint32)
        self._ids.find(chunk_of_array(cast.drop_null()), positions, threads)
        numbers[known] = positions
        return numbers

    def in_order(
        self, threads: int, *, consume: bool
    ) -> tuple[npt.NDArray[Any] | pyarrow.Array, npt.NDArray[np.uint32]]:
        """The ids ascending and the number of each; ``consume`` frees the table on the way."""
        if self._ids is not None:
            return self._ids.in_order(threads, consume=consume)
        return np.empty(0, np.int64), np.empty(0, np.uint32)


def _new_table(chunk: IntegerChunk | TextChunk) -> IntegerIds | TextIds:
    return IntegerIds(chunk) if isinstance(chunk, IntegerChunk) else TextIds(chunk)


def _common_type(ids: IntegerIds | TextIds, chunk: IntegerChunk | TextChunk) -> Any:
    """The type of two that differ and hold one kind of ids: times, or decimals of two scales.

    None if nothing is to be converted, or there is no such type.
    """
    mine = ids.type
    other = chunk.logical if isinstance(chunk, IntegerChunk) else chunk.type
    if mine is None or other is None or mine == other:
        return None
    if isinstance(chunk, TextChunk) and chunk.kind == getattr(ids, "kind", None):
        return None  # of the same bytes
    return common_type(mine, other)


def _of_one_type(
    ids: IntegerIds | TextIds, chunk: IntegerChunk | TextChunk
) -> tuple[IntegerIds | TextIds, IntegerChunk | TextChunk]:
    """A table and a chunk in the type that holds the ids of both; the table keeps its numbers.

    Neither is changed: a table of another type is a new one.
    """
    common = _common_type(ids, chunk)
    if common is None:
        return ids, chunk
    import pyarrow as pa

    try:
        if chunk.type_name != str(common):
            chunk = chunk_of_array(array_of_chunk(chunk).cast(common))
        if ids.type == common:
            return ids, chunk
        values, order = ids.in_order(1, consume=False)
        values = pa.array(values) if isinstance(values, np.ndarray) else values
        in_numbers = chunk_of_array(values.take(arrow_view(ranks_of(order))).cast(common))
    except pa.ArrowInvalid as error:
        raise InputError(
            f"ids of type {chunk.type_name} and of type {ids.type}: {common} does not hold all of "
            f"them: {error}"
        ) from None
    wider = _new_table(in_numbers)
    wider.number(
        in_numbers, np.empty(len(in_numbers), np.uint32), 1
    )  # by one thread: in their order
    return wider, chunk
