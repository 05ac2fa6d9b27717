"""Ids made of several columns.

Each column is numbered by itself. The numbers of the first two columns make a 64-bit key, which is
numbered in turn; its number and that of the third column make the next key, and so on. So keys have
one width whatever the types of the columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.errors import InputError
from skerry.ids.lookup import take
from skerry.ids.single import SingleIds
from skerry.ids.status_codes import check_status

__all__ = ["CompositeIds"]

_HALF = np.uint64(32)
_LOW = np.uint64(2**32 - 1)
Numbers = npt.NDArray[np.uint32]


class CompositeIds:
    """The distinct ids of several columns and their numbers."""

    def __init__(self, columns: int) -> None:
        if not columns:
            raise InputError("an id needs at least one column")
        self._columns = [SingleIds() for _ in range(columns)]
        self._pairs = [_native.KeyTable() for _ in range(columns - 1)]

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
        if not isinstance(column, tuple) or len(column) != len(self._columns):
            width = len(column) if isinstance(column, tuple) else 1
            raise InputError(f"ids of {width} column(s) after ids of {len(self._columns)}")
        first, *rest = self._number_columns(column, threads)
        for i, (pairs, other) in enumerate(zip(self._pairs, rest, strict=True), 1):
            if len(other) != len(first):
                raise InputError(
                    f"column {i} of the ids has {len(other):,} rows, those before {len(first):,}"
                )
            keys = _pair(first, other)
            first = np.empty(len(keys), np.uint32)
            check_status(pairs.number(keys, first, threads), pairs.size, self.nbytes)
        return first

    def _number_columns(self, columns: tuple[Any, ...], threads: int) -> list[Numbers]:
        numbers = []
        for i, (ids, column) in enumerate(zip(self._columns, columns, strict=True)):
            try:
                numbers.append(ids.number(column, threads))
            except InputError as error:
                raise InputError(f"column {i} of the ids: {error}") from None
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
            keys = _pair(_ranks(order)[keys >> _HALF], _ranks(orders[i + 1])[keys & _LOW])
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


def _pair(upper: Numbers, lower: Numbers) -> npt.NDArray[np.uint64]:
    pairs = upper.astype(np.uint64)
    pairs <<= _HALF
    pairs |= lower
    return pairs


def _ranks(order: Numbers) -> Numbers:
    """The rank of each number; the inverse of the order."""
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order), dtype=np.uint32)
    return ranks
