"""Numbers the ids of a graph 0..n-1 and sorts them: the way from external ids to vertices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import skerry._native as _native
from skerry.errors import SkerryError
from skerry.graph.edge_source import IdColumn
from skerry.ids.table_chain import InOrder, Mark, Numbers, TableChain, unknown_number

__all__ = ["InOrder", "Mark", "Numbering", "Numbers", "unknown_number"]

T = TypeVar("T")


class Numbering:
    """Numbers distinct ids 0, 1, 2, ... as they come.

    A column of ids is a NumPy array or list of integers, which needs no pyarrow, or a NumPy array
    of strings, UUIDs or dates. Or it is a pyarrow array of any type that can be compared exactly,
    or a tuple of columns for composite ids. The first column decides the kind of the ids, and all
    later ones must be of the same kind. Integers of all widths are one kind, and so are strings
    with 32-bit and with 64-bit offsets.

    Threads may share a numbering: calls wait for each other.

    Examples
    --------
    >>> import numpy as np
    >>> from skerry.ids.numbering import Numbering
    >>> numbering = Numbering()
    >>> numbering.number(np.array([70, -3, 70]), threads=1)
    array([0, 1, 0], dtype=uint32)
    >>> ids, order = numbering.in_order(threads=1)
    >>> ids.tolist(), order.tolist()
    ([-3, 70], [1, 0])
    """

    def __init__(self) -> None:
        self._tables = TableChain()
        self._lock = _native.Exclusive(SkerryError)  # native tables allow one call at a time

    def _run(self, work: Callable[..., T], *arguments: Any) -> T:
        return self._lock.change(_nothing, work, *arguments)

    @property
    def size(self) -> int:
        """Distinct ids so far."""
        return self._tables.size

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return self._tables.nbytes

    def number(self, column: IdColumn, threads: int) -> Numbers:
        """The number of each id of a column.

        New ids get the next free numbers, in an unspecified order. After an error some may have
        got theirs: `rewind` takes them away.

        Parameters
        ----------
        column
            Ids, or a tuple of columns for composite ids.
        threads
            How many threads to use.

        Returns
        -------
        numpy.ndarray
            A number for each row of the column: of 32 bits while they suffice.

        Raises
        ------
        InputError
            If ids are missing, floats, or of another kind than those before.
        UnsupportedError
            If the ids are not integers and pyarrow is not installed.
        MemoryError
            If the table cannot grow.
        """
        return self._run(self._tables.number, column, threads)

    def mark(self) -> Mark:
        """The state, for `rewind`."""
        return self._tables.mark()

    def rewind(self, mark: Mark, threads: int) -> None:
        """Takes away the ids that came after a mark; may be called again where it failed."""
        self._run(self._tables.rewind, mark, threads)

    def check(self, column: IdColumn) -> None:
        """Raises what `number` would for ids that are missing or of another kind; adds nothing."""
        self._run(self._tables.check, column)

    def find(self, column: IdColumn, threads: int) -> Numbers:
        """As `number`, but adds nothing: `unknown_number` for ids that were not numbered."""
        return self._run(self._tables.find, column, threads)

    def in_order(self, threads: int) -> InOrder:
        """The distinct ids in ascending order, and the number of each.

        Integers and dates are sorted by value, strings by their bytes, composite ids by the first
        column, then the second, and so on. See `InOrder` for the types of the ids.
        """
        return self._run(self._tables.in_order, threads, False)

    def take_in_order(self, threads: int) -> InOrder:
        """As `in_order`, but empties the numbering, and frees its memory as early as possible."""
        tables, self._tables = self._tables, TableChain()
        return self._run(tables.in_order, threads, True)


def _nothing() -> None:
    """Whoever uses a numbering after an error rewinds it."""
