"""The ids of a graph whose vertices have names: a number for each, and back."""

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
    """Numbers ids 0, 1, 2, ... as they come, whatever they are.

    A column is a NumPy array of integers, strings, UUIDs or dates, a pyarrow array of any type that
    can be compared exactly, or a tuple of columns where an id is made of several. The first
    settles what an id is; later ones must be of the same kind, where integers of all widths are one
    kind, and so are strings with short and with long offsets.

    >>> import numpy as np
    >>> from skerry.ids import Numbering
    >>> names = Numbering()
    >>> names.number(np.array([70, -3, 70]), threads=1)
    array([0, 1, 0], dtype=uint32)
    >>> ids, order = names.in_order(threads=1)
    >>> ids.tolist(), order.tolist()
    ([-3, 70], [1, 0])
    """

    def __init__(self) -> None:
        self._ids: SingleIds | CompositeIds | None = None
        self._lock = Lock()  # native tables are worked on by one call at a time

    @property
    def size(self) -> int:
        """Distinct ids so far."""
        return 0 if self._ids is None else self._ids.size

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return 0 if self._ids is None else self._ids.nbytes

    def number(self, column: IdColumn, threads: int) -> npt.NDArray[np.uint32]:
        """The number of each id of the column.

        Ids that were not seen before get the next numbers, in no promised order. After an error
        the numbering is not to be used any more.
        """
        with self._lock:
            if self._ids is None:
                several = isinstance(column, tuple)
                self._ids = CompositeIds(len(column)) if several else SingleIds()
            if isinstance(column, tuple) and isinstance(self._ids, SingleIds):
                raise InputError(f"ids of {len(column)} columns after ids of one")
            return self._ids.number(column, threads)

    def in_order(self, threads: int) -> InOrder:
        """The distinct ids ascending in their own order, and the number of each.

        Integers and dates by value, strings by their bytes, ids of several columns by the first,
        then the second, and so on; those come as a tuple of arrays.
        """
        with self._lock:
            ids = SingleIds() if self._ids is None else self._ids
            return ids.in_order(threads, consume=False)

    def take_in_order(self, threads: int) -> InOrder:
        """As `in_order`, but leaves this empty: memory is freed as early as possible."""
        with self._lock:
            ids = SingleIds() if self._ids is None else self._ids
            self._ids = None
            return ids.in_order(threads, consume=True)
