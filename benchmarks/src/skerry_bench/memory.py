"""Peak memory of a call, by the operating system's high-water mark.

The mark is reset before the call and read after it, so it belongs to the call; memory that was
resident before, such as the graph, is not counted. Memory that an allocator kept from an earlier
call would be missing, so allocators return what they can before the call.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

Value = TypeVar("Value")


def with_peak(call: Callable[[], Value]) -> tuple[Value, int | None]:
    """The value of a call, and the growth of resident memory at its peak; None if unknown."""
    _return_free_memory()
    try:
        Path("/proc/self/clear_refs").write_text("5")  # resets the mark
        before = _status("VmRSS")
    except OSError:
        return call(), None
    value = call()
    return value, max(peak_bytes() - before, 0)


def peak_bytes() -> int:
    """The highest resident memory since the start, or since the mark was reset."""
    try:
        return _status("VmHWM")
    except OSError:
        raise RuntimeError("peak memory can be read on Linux only") from None


def _return_free_memory() -> None:
    gc.collect()
    if "pyarrow" in sys.modules:
        sys.modules["pyarrow"].default_memory_pool().release_unused()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # not the GNU C library
            ctypes.CDLL(None).malloc_trim(0)


def _status(name: str) -> int:
    """Bytes of an entry of ``/proc/self/status``."""
    path = Path("/proc/self/status")
    for line in path.read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    raise OSError(f"{path} has no entry {name}")
