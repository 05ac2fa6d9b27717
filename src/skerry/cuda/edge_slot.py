"""Memory on both sides of the bus for some edges: page-locked on the host, and on the device.

While a slot is copied by the stream for copies, the kernels of the caller's current stream read
another. Events keep each from overtaking the other; the host waits only for memory to be free.
"""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

TO_DEVICE = 1  # cudaMemcpyHostToDevice
PINNED = 1  # cudaMemoryTypeHost

Columns = tuple[npt.NDArray[Any], npt.NDArray[Any]]


class CupyEdgeSlot:
    """Room for ``capacity`` edges."""

    def __init__(self, capacity: int, dtype: np.dtype[Any], copies: Any) -> None:
        self._capacity = capacity
        self._dtype = dtype
        self._copies = copies
        self._ids = cupy.empty(2 * capacity, dtype)
        self._host: Columns | None = None
        self._copied = cupy.cuda.Event(disable_timing=True)
        self._used = cupy.cuda.Event(disable_timing=True)
        # The pool may have taken this memory from work that the current stream has still to do.
        self._used.record(cupy.cuda.get_current_stream())

    @property
    def host(self) -> Columns:
        """Sources and targets in page-locked memory, taken when it is first asked for."""
        if self._host is None:
            count = 2 * self._capacity
            memory = cupy.cuda.alloc_pinned_memory(count * self._dtype.itemsize)
            both = np.frombuffer(memory, self._dtype, count)
            self._host = both[: self._capacity], both[self._capacity :]
        return self._host

    def reads(self, array: npt.NDArray[Any]) -> bool:
        """Whether an array of the host can be copied from where it is, as it is."""
        if array.itemsize != self._dtype.itemsize or not array.flags.c_contiguous:
            return False
        attributes = cupy.cuda.runtime.pointerGetAttributes(array.ctypes.data)
        return bool(attributes.type == PINNED)

    def wait(self) -> None:
        """Waits until the memory of the host may be written again."""
        self._copied.synchronize()

    def send(self, count: int) -> tuple[Any, Any]:
        """Copies the first edges of the memory of the host; kernels of this stream may read them.

        ``used`` must follow when those were launched.
        """
        return self.send_from(*(column[:count] for column in self.host))

    def send_from(self, src: npt.NDArray[Any], dst: npt.NDArray[Any]) -> tuple[Any, Any]:
        """The same with edges of other page-locked memory, which must stay as it is meanwhile."""
        count, size = len(src), src.nbytes
        sources, targets = self._ids[:count], self._ids[self._capacity : self._capacity + count]
        copies, copy = self._copies, cupy.cuda.runtime.memcpyAsync
        copies.wait_event(self._used)
        for target, source in ((sources, src), (targets, dst)):
            copy(target.data.ptr, source.ctypes.data, size, TO_DEVICE, copies.ptr)
        self._copied.record(copies)
        cupy.cuda.get_current_stream().wait_event(self._copied)
        return sources, targets

    def used(self) -> None:
        """What was launched so far is all that reads these edges."""
        self._used.record(cupy.cuda.get_current_stream())


def edge_slots(count: int, capacity: int, dtype: npt.DTypeLike) -> list[CupyEdgeSlot]:
    """Some slots, whose copies are made one after the other."""
    copies = cupy.cuda.Stream(non_blocking=True)
    return [CupyEdgeSlot(capacity, np.dtype(dtype), copies) for _ in range(count)]
