"""Ids of one column, of any type: the first chunk decides which table keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from skerry.ids.chunks import Chunk, DictionaryChunk, IntegerChunk
from skerry.ids.columns import read_column
from skerry.ids.integers import IntegerIds
from skerry.ids.status_codes import UNKNOWN
from skerry.ids.texts import TextIds

if TYPE_CHECKING:
    import pyarrow

__all__ = ["SingleIds", "SingleMark"]

SingleMark = tuple[int, Any] | None
"""The number of ids and their type; None where there are none."""


class SingleIds:
    """The distinct ids of one column and their numbers."""

    def __init__(self) -> None:
        self._ids: IntegerIds | TextIds | None = None

    def mark(self) -> SingleMark:
        """The state, for `rewind`."""
        return None if self._ids is None or not self._ids.size else self._ids.mark()

    def rewind(self, mark: SingleMark, threads: int) -> None:
        """Takes away the ids that came after a mark; may be called again where it failed."""
        if mark is None:
            self._ids = None
        elif self._ids is not None:
            self._ids.rewind(mark, threads)

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
            self._ids = IntegerIds(chunk) if isinstance(chunk, IntegerChunk) else TextIds(chunk)
        numbers = np.empty(len(chunk), np.uint32)
        self._ids.number(chunk, numbers, threads)
        return numbers

    def check(self, column: Any) -> None:
        """Raises what `number` would for ids that are missing or of another kind; adds nothing."""
        for chunk in read_column(column):
            if isinstance(chunk, DictionaryChunk):
                self.check(chunk.values)
            elif self._ids is not None:
                self._ids.check(chunk)

    def find(self, column: Any, threads: int) -> npt.NDArray[np.uint32]:
        """As `number`, but adds nothing: `UNKNOWN` for ids that are not there."""
        parts = [self._find(chunk, threads) for chunk in read_column(column)]
        return np.concatenate(parts) if parts else np.empty(0, np.uint32)

    def _find(self, chunk: Chunk, threads: int) -> npt.NDArray[np.uint32]:
        if isinstance(chunk, DictionaryChunk):
            numbers: npt.NDArray[np.uint32] = self.find(chunk.values, threads)[chunk.indices]
            return numbers
        numbers = np.full(len(chunk), UNKNOWN, np.uint32)
        if self._ids is not None:
            self._ids.find(chunk, numbers, threads)
        return numbers

    def in_order(
        self, threads: int, *, consume: bool
    ) -> tuple[npt.NDArray[Any] | pyarrow.Array, npt.NDArray[np.uint32]]:
        """The ids ascending and the number of each; ``consume`` frees the table on the way."""
        if self._ids is not None:
            return self._ids.in_order(threads, consume=consume)
        return np.empty(0, np.int64), np.empty(0, np.uint32)
