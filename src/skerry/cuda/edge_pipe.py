"""Moves edges of the host to a device in chunks, which are joined there while the next ones come.

The ids are written into page-locked memory by several threads, as narrow as they can be; where the
caller's memory is page-locked and has that width, they are copied from there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.cuda.runtime import EdgeSlot, Runtime

SLOTS = 3  # one is filled, one copied and one joined
FILLED_BY_ONE = 1 << 16  # ids that a thread copies in less time than another takes to start


class EdgePipe:
    """Chunks of edges on their way to a device.

    Parameters
    ----------
    runtime
        The device.
    capacity
        Edges of a chunk.
    dtype
        Type of the ids on the device; those that do not fit become its maximum.
    consume
        Launches what reads a chunk, in the current stream.
    """

    def __init__(
        self,
        runtime: Runtime,
        capacity: int,
        dtype: npt.DTypeLike,
        consume: Callable[[Any, Any], None],
    ) -> None:
        self.dtype = np.dtype(dtype)
        self._capacity = capacity
        self._slots = runtime.edge_slots(SLOTS, capacity, self.dtype)
        self._consume = consume
        self._next = 0
        self._filled = 0
        self.nbytes = 2 * SLOTS * capacity * self.dtype.itemsize

    def send(self, src: npt.NDArray[Any], dst: npt.NDArray[Any], threads: int) -> bool:
        """Sends edges; returns whether the caller's memory is read until `flush` has returned."""
        if not len(src):
            return False
        slot = self._slots[self._next]
        if slot.reads(src) and slot.reads(dst):
            self._send_in_place(src, dst)
            return True
        begin, count = 0, len(src)
        while begin < count:
            if not self._filled:
                self._slots[self._next].wait()
            end = min(count, begin + self._capacity - self._filled)
            self._fill(src[begin:end], dst[begin:end], threads)
            begin = end
            if self._filled == self._capacity:
                self._send_filled()
        return False

    def _fill(self, src: npt.NDArray[Any], dst: npt.NDArray[Any], threads: int) -> None:
        first, count = self._filled, len(src)
        team = threads if count > FILLED_BY_ONE else 1
        sources, targets = (ends[first : first + count] for ends in self._slots[self._next].host)
        if src.dtype == dst.dtype:
            _native.copy_edges(src, dst, sources, targets, team)
        else:
            _native.copy_ids(src, sources, team)
            _native.copy_ids(dst, targets, team)
        self._filled += count

    def _send_in_place(self, src: npt.NDArray[Any], dst: npt.NDArray[Any]) -> None:
        self._send_filled()
        for begin in range(0, len(src), self._capacity):
            part = slice(begin, begin + self._capacity)
            slot = self._take()
            self._consume(*slot.send_from(src[part], dst[part]))
            slot.used()

    def _send_filled(self) -> None:
        count, self._filled = self._filled, 0
        if count:
            slot = self._take()
            self._consume(*slot.send(count))
            slot.used()

    def _take(self) -> EdgeSlot:
        slot = self._slots[self._next]
        self._next = (self._next + 1) % SLOTS
        return slot

    def flush(self) -> None:
        """Sends what is left, and waits until all memory of the host has been read."""
        self._send_filled()
        for slot in self._slots:
            slot.wait()
