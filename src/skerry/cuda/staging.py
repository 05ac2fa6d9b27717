"""Copies between arrays of the host and of a device, through two page-locked buffers.

One buffer is filled or emptied by several threads while the other is transferred: a single thread
copies slower than the bus. The caller's array is touched once, wherever it lies.
"""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.threads import resolve_threads

TO_HOST = 2  # cudaMemcpyDeviceToHost
STAGING = 32 << 20  # bytes of each of the two buffers
COPIED_BY_ONE = 1 << 18  # values that a thread copies in less time than another takes to start
DOWNLOAD_FROM = 8 << 20  # bytes below which CuPy's own copy takes less time


def upload(array: npt.NDArray[Any], dtype: npt.DTypeLike | None = None) -> Any:
    """A copy of a host array on the device.

    Integers become those of ``dtype`` on their way into a buffer; what does not fit becomes its
    largest.
    """
    kind = array.dtype if dtype is None else np.dtype(dtype)
    target = cupy.empty(array.shape, kind)
    step = max(1, STAGING // max(kind.itemsize, 1))
    stream = cupy.cuda.get_current_stream()
    buffers = [_Pinned(min(step, array.size), kind) for _ in range(2)]
    for number, begin in enumerate(range(0, array.size, step)):
        buffer = buffers[number % 2]
        part = array[begin : begin + step]
        buffer.wait()
        _copy(part, buffer.array[: part.size])
        target[begin : begin + step].set(buffer.array[: part.size], stream=stream)
        buffer.sent(stream)
    for buffer in buffers:
        buffer.wait()
    return target


def download(array: Any, copy: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
    """A copy of a device array on the host, a new one unless it is given; waits for the device."""
    if array.nbytes < DOWNLOAD_FROM or array.ndim != 1 or array.strides[0] != array.itemsize:
        return np.asarray(array.get(out=copy))
    if copy is None:
        copy = np.empty(array.shape, array.dtype)
    step = STAGING // array.itemsize
    stream = cupy.cuda.get_current_stream()
    buffers = [_Pinned(min(step, array.size), array.dtype) for _ in range(2)]
    starts = range(0, array.size, step)
    for number in range(len(starts) + 1):
        if number < len(starts):
            begin, buffer = starts[number], buffers[number % 2]
            part = array[begin : begin + step]
            host = buffer.array.ctypes.data
            cupy.cuda.runtime.memcpyAsync(host, part.data.ptr, part.nbytes, TO_HOST, stream.ptr)
            buffer.sent(stream)
        if number:
            begin, buffer = starts[number - 1], buffers[(number - 1) % 2]
            buffer.wait()
            out = copy[begin : begin + step]
            _copy(buffer.array[: out.size], out)
    return copy


def _copy(source: npt.NDArray[Any], target: npt.NDArray[Any]) -> None:
    """Copies and converts, by several threads where both are integers."""
    if source.dtype == target.dtype and source.itemsize in (4, 8):
        kind = np.dtype(f"u{source.itemsize}")  # whatever the bits mean, they stay
        source, target = source.view(kind), target.view(kind)
    if source.dtype.kind in "iu" and target.dtype.kind == "u" and target.itemsize in (4, 8):
        threads = resolve_threads(None) if source.size > COPIED_BY_ONE else 1
        _native.copy_ids(source, target, threads)
    else:
        np.copyto(target, source, casting="unsafe")


class _Pinned:
    """Page-locked host memory, which a device reads and writes without the host."""

    def __init__(self, count: int, dtype: np.dtype[Any]) -> None:
        self._memory = cupy.cuda.alloc_pinned_memory(max(1, count * dtype.itemsize))
        self.array = np.frombuffer(self._memory, dtype, count)
        self._busy: Any = None

    def sent(self, stream: Any) -> None:
        self._busy = stream.record()

    def wait(self) -> None:
        if self._busy is not None:
            self._busy.synchronize()
            self._busy = None
