"""An emulated GPU whose arrays end where memory ends: a kernel that reads beyond them crashes."""

from __future__ import annotations

import ctypes
import mmap

import numpy as np

from support.emulator import EmulatedRuntime

PAGE = mmap.PAGESIZE
NO_ACCESS = 0


def guarded(count, dtype):
    """A new array between two pages that nobody may touch, up against the second."""
    size = count * np.dtype(dtype).itemsize
    pages = -(-size // PAGE) * PAGE
    memory = mmap.mmap(-1, pages + 2 * PAGE)
    begin = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for fence in (begin, begin + PAGE + pages):
        failed = ctypes.CDLL(None).mprotect(ctypes.c_void_p(fence), PAGE, NO_ACCESS)
        assert not failed, "mprotect does not work here"
    first = PAGE + pages - size
    return np.ndarray(count, dtype, memory, first)


class GuardedRuntime(EmulatedRuntime):
    """The emulated runtime, all of whose arrays are guarded."""

    def empty(self, count, dtype):
        made = guarded(count, dtype)
        made.view(np.uint8)[:] = 0xA5
        return made

    def zeros(self, count, dtype):
        return guarded(count, dtype)

    def upload(self, array):
        made = guarded(len(array), array.dtype)
        made[:] = array
        return made
