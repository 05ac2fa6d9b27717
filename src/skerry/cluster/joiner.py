"""Joins the edges of one task as they come: its trees as labels, or as heaps to contract."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.cluster.pairs import Pairs, interleaved, sorted_pairs
from skerry.cluster.state import StateError
from skerry.cuda.devices import find_runtime
from skerry.ids.status_codes import check_status
from skerry.union_find.device_forest import DeviceForest
from skerry.union_find.forest import Forest

ARITY = 8
"""Children of a vertex in a heap: an edge list of a tree has no vertex of more than 9 edges."""
STEP = 1 << 19
"""Words that are numbered at a time."""


_DEVICE: ContextVar[str | None] = ContextVar("skerry_task_device", default=None)


@contextmanager
def joining_on(device: str | None) -> Iterator[None]:
    """Within the block, tasks join on a GPU that their engine has lent them; None: on the CPU."""
    before = _DEVICE.set(device)
    try:
        yield
    finally:
        _DEVICE.reset(before)


class TaskJoiner:
    """The components of edges between 64-bit ids. Keeps no edge: 30 bytes for every id.

    Ids are numbered here; the numbers are joined here or on a GPU, see `joining_on`.
    """

    def __init__(self) -> None:
        self._table = _native.KeyTable()
        device = _DEVICE.get()
        self._forest: Forest | NumbersOnDevice = (
            Forest(0, 1) if device is None else NumbersOnDevice(device)
        )

    @property
    def size(self) -> int:
        """How many ids there are."""
        return int(self._table.size)

    def add(self, edges: Pairs) -> None:
        """Joins the ends of edges; a loop makes its end a vertex."""
        for begin in range(0, len(edges), STEP):
            words = edges[begin : begin + STEP]
            numbers = np.empty(len(words), np.uint32)
            status = self._table.number(words, numbers, 1)
            check_status(status, self._table.size, self._table.nbytes)
            self._forest.grow(self._table.size)
            self._forest.join(numbers[0::2], numbers[1::2], 1)

    def labels(self, values: Pairs | None = None) -> Pairs:
        """For every id the smallest value in its component: sorted pairs.

        ``values`` are pairs of an id and its value, sorted, for all ids and perhaps others, which
        are components of their own; None: ids stand for themselves. Uses up the joiner.
        """
        if values is not None:
            self.add(np.repeat(values[0::2], 2))
            if self._table.size != len(values) // 2:
                raise StateError("an edge of the last round has an end that no round recorded")
        ids = self._ids()
        weights = ids if values is None else self._by_number(values)
        roots = self._forest.release()
        labels = np.empty_like(ids)
        _native.smallest_in_trees(roots, weights, labels)
        return sorted_pairs(interleaved(ids, labels))

    def heaps(self, key: int) -> Pairs:
        """For every id its parent in the heap of its component, or itself: not sorted.

        Parents have smaller ranks under ``key``. Uses up the joiner.
        """
        ids = self._ids()
        self._table = _native.KeyTable()
        heaps = np.empty(2 * len(ids), np.uint64)
        _native.heap_pairs(ids, self._forest.release(), key, ARITY, heaps)
        return heaps

    def _ids(self) -> npt.NDArray[np.uint64]:
        ids = np.empty(self._table.size, np.uint64)
        self._table.keys_by_number(ids, 1)
        return ids

    def _by_number(self, values: Pairs) -> npt.NDArray[np.uint64]:
        numbers = np.empty(len(values) // 2, np.uint32)
        self._table.find(values[0::2], numbers, 1)
        by_number = np.empty(self._table.size, np.uint64)
        by_number[numbers] = values[1::2]
        return by_number


class NumbersOnDevice:
    """What a joiner needs of a `Forest`, on a GPU."""

    def __init__(self, device: str) -> None:
        self._runtime = find_runtime(device)
        with self._runtime.active():
            self._sets = DeviceForest(self._runtime)

    def grow(self, num_vertices: int) -> None:
        """Makes sure that there are that many vertices."""
        with self._runtime.active():
            self._sets.grow(num_vertices)

    def join(self, src: npt.NDArray[Any], dst: npt.NDArray[Any], threads: int) -> None:
        """Joins the ends of edges."""
        del threads
        with self._runtime.active():
            columns = (np.ascontiguousarray(column) for column in (src, dst))
            self._sets.join(*map(self._runtime.upload, columns))

    def release(self) -> npt.NDArray[Any]:
        """The labels, here."""
        with self._runtime.active():
            return np.array(self._runtime.read(self._sets.flat_links()))
