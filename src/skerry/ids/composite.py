"""Ids made of several columns.

Each column is numbered by itself. The numbers of the first two columns make a 64-bit key, which is
numbered in turn; its number and that of the third column make the next key, and so on. So keys have
one width whatever the types of the columns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.ids.integers import first_keys
from skerry.ids.lookup import take
from skerry.ids.ranks import ranks_of
from skerry.ids.single import SingleIds, SingleMark
from skerry.ids.status_codes import UNKNOWN, check_status

_HALF = np.uint64(32)
_LOW = np.uint64(2**32 - 1)
Numbers = npt.NDArray[np.uint32]

CompositeMark = tuple[list[SingleMark], list[int]]
"""The states of the columns, and of the tables of pairs."""


class CompositeIds:
    """The distinct ids of several columns and their numbers."""

    def __init__(self, columns: int) -> None:
        if not columns:
            raise InputError("an id needs at least one column")
        self._columns = [SingleIds() for _ in range(columns)]
        self._pairs = [_native.KeyTable() for _ in range(columns - 1)]

    def mark(self) -> CompositeMark:
        """The state, for `rewind`."""
        return [ids.mark() for ids in self._columns], [pairs.size for pairs in self._pairs]

    def rewind(self, mark: CompositeMark, threads: int) -> None:
        """Takes away the ids that came after a mark; may be called again where it failed."""
        for ids, state in zip(self._columns, mark[0], strict=True):
            ids.rewind(state, threads)
        for i, size in enumerate(mark[1]):
            self._pairs[i] = first_keys(self._pairs[i], size, threads)

    @property
    def size(self) -> int:
        """Distinct ids so far."""
        return self._pairs[-1].size if self._pairs else self._columns[0].size

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return sum(ids.nbytes for ids in self._columns) + sum(pairs.nbytes for pairs in self._pairs)

    def number(self, column: Any, threads: int) -> Numbers:
        """The number of each id of a tuple of columns."""
        first, *rest = self._by_column(SingleIds.number, column, threads)
        for pairs, other in zip(self._pairs, rest, strict=True):
            keys = _pair(first, other)
            first = np.empty(len(keys), np.uint32)
            check_status(pairs.number(keys, first, threads), pairs.size, self.nbytes)
        return first

    def check(self, column: Any) -> None:
        """As `SingleIds.check`."""
        self._by_column(_checked_length, column, 1)

    def find(self, column: Any, threads: int) -> Numbers:
        """As `number`, but adds nothing: `UNKNOWN` for ids that are not there."""
        first, *rest = self._by_column(SingleIds.find, column, threads)
        for pairs, other in zip(self._pairs, rest, strict=True):
            unknown = (first == UNKNOWN) | (other == UNKNOWN)
            keys = _pair(first, other)
            first = np.empty(len(keys), np.uint32)
            pairs.find(keys, first, threads)
            first[unknown] = UNKNOWN
        return first

    def _by_column(
        self, work: Callable[[SingleIds, Any, int], Numbers], column: Any, threads: int
    ) -> list[Numbers]:
        if not isinstance(column, tuple) or len(column) != len(self._columns):
            width = len(column) if isinstance(column, tuple) else 1
            raise InputError(f"ids of {width} column(s) after ids of {len(self._columns)}")
        numbers: list[Numbers] = []
        for i, (ids, part) in enumerate(zip(self._columns, column, strict=True)):
            try:
                numbers.append(work(ids, part, threads))
            except InputError as error:
                raise InputError(f"column {i} of the ids: {error}") from None
            if len(numbers[i]) != len(numbers[0]):
                rows, before = len(numbers[i]), len(numbers[0])
                raise InputError(
                    f"column {i} of the ids has {rows:,} rows, those before {before:,}"
                )
        return numbers

    def in_order(self, threads: int, *, consume: bool) -> tuple[tuple[Any, ...], Numbers]:
        """The ids in order of the first column, then the next; and the number of each."""
        columns, orders = zip(
            *(ids.in_order(threads, consume=consume) for ids in self._columns), strict=True
        )
        order = orders[0]
        sorted_pairs = []  # ranks of the pair so far in the upper half, of the next column below
        for i in range(len(self._pairs)):
            pairs = self._pairs[i]
            keys = np.empty(pairs.size, np.uint64)
            pairs.keys_by_number(keys, threads)
            if consume:
                self._pairs[i] = _native.KeyTable()
            keys = _pair(ranks_of(order)[keys >> _HALF], ranks_of(orders[i + 1])[keys & _LOW])
            ranked, order = np.empty_like(keys), np.empty(len(keys), np.uint32)
            _native.sort_keys(keys, 0, ranked, order, threads)
            sorted_pairs.append(ranked)
        return self._columns_in_order(columns, sorted_pairs), order

    @staticmethod
    def _columns_in_order(
        columns: tuple[Any, ...], sorted_pairs: list[npt.NDArray[np.uint64]]
    ) -> tuple[Any, ...]:
        if not sorted_pairs:
            return columns
        ordered = []
        pairs = sorted_pairs[-1]
        for column, before in zip(columns[:0:-1], [*sorted_pairs[-2::-1], None], strict=True):
            ordered.append(take(column, pairs & _LOW))
            upper = pairs >> _HALF
            pairs = upper if before is None else before[upper]
        ordered.append(take(columns[0], pairs))
        return tuple(reversed(ordered))


def _checked_length(ids: SingleIds, column: Any, threads: int) -> Numbers:
    """As many numbers as the column has, after a check."""
    del threads
    ids.check(column)
    return np.broadcast_to(np.uint32(0), len(column))


def _pair(upper: Numbers, lower: Numbers) -> npt.NDArray[np.uint64]:
    pairs = upper.astype(np.uint64)
    pairs <<= _HALF
    pairs |= lower
    return pairs
