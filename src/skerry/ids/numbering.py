"""Numbers the ids of a graph 0..n-1 and sorts them: the way from external ids to vertices."""

from __future__ import annotations

from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.graph.edge_source import IdColumn
from skerry.ids.composite import CompositeIds
from skerry.ids.single import SingleIds

__all__ = ["InOrder", "Numbering"]

InOrder = tuple[Any, npt.NDArray[np.uint32]]
"""The distinct ids ascending, and the number of each: ``order[rank]`` is a number.

The ids are a NumPy array for integers, otherwise an Arrow array; a tuple of those for ids of
several columns.
"""


class Numbering:
    """Numbers distinct ids 0, 1, 2, ... as they come.

    A column of ids is a NumPy array or list of integers, which needs no pyarrow; a NumPy array of
    strings, UUIDs or dates; a pyarrow array of any type that can be compared exactly; or a tuple of
    columns for composite ids. The first column decides the kind of the ids, and all later ones must
    be of the same kind. Integers of all widths are one kind, and so are strings with 32-bit and
    with 64-bit offsets.

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
        self._ids: SingleIds | CompositeIds | None = None
        self._lock = Lock()  # native tables allow one call at a time

    @property
    def size(self) -> int:
        """Distinct ids so far."""
        return 0 if self._ids is None else self._ids.size

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return 0 if self._ids is None else self._ids.nbytes

    def number(self, column: IdColumn, threads: int) -> npt.NDArray[np.uint32]:
        """The number of each id of a column.

        New ids get the next free numbers, in an unspecified order. The numbering must not be used
        after an error.

        Parameters
        ----------
        column
            Ids, or a tuple of columns for composite ids.
        threads
            How many threads to use.

        Returns
        -------
        numpy.ndarray
            A number for each row of the column.

        Raises
        ------
        InputError
            If ids are missing, floats, or of another kind than those before.
        UnsupportedError
            If the ids are not integers and pyarrow is not installed.
        MemoryError
            If the table cannot grow.
        """
        with self._lock:
            if self._ids is None:
                composite = isinstance(column, tuple)
                self._ids = CompositeIds(len(column)) if composite else SingleIds()
            if isinstance(column, tuple) and isinstance(self._ids, SingleIds):
                raise InputError(f"ids of {len(column)} columns after ids of one")
            return self._ids.number(column, threads)

    def check(self, column: IdColumn) -> None:
        """Raises what `number` would for ids that are missing or of another kind; adds nothing."""
        with self._lock:
            ids = self._ids
            if isinstance(column, tuple) and isinstance(ids, SingleIds):
                raise InputError(f"ids of {len(column)} columns after ids of one")
            if ids is None:
                ids = CompositeIds(len(column)) if isinstance(column, tuple) else SingleIds()
            ids.check(column)

    def find(self, column: IdColumn, threads: int) -> npt.NDArray[np.uint32]:
        """As `number`, but adds nothing: `UNKNOWN` (2^32 - 1) for ids that were not numbered."""
        with self._lock:
            if isinstance(column, tuple) and isinstance(self._ids, SingleIds):
                raise InputError(f"ids of {len(column)} columns after ids of one")
            if self._ids is None:
                first = column[0] if isinstance(column, tuple) else column
                return SingleIds().find(first, threads)
            return self._ids.find(column, threads)

    def in_order(self, threads: int) -> InOrder:
        """The distinct ids in ascending order, and the number of each.

        Integers and dates are sorted by value, strings by their bytes, composite ids by the first
        column, then the second, and so on. See `InOrder` for the types of the ids.
        """
        with self._lock:
            ids = SingleIds() if self._ids is None else self._ids
            return ids.in_order(threads, consume=False)

    def take_in_order(self, threads: int) -> InOrder:
        """As `in_order`, but empties the numbering, and frees its memory as early as possible."""
        with self._lock:
            ids = SingleIds() if self._ids is None else self._ids
            self._ids = None
            return ids.in_order(threads, consume=True)
