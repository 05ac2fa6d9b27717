"""How much memory a call takes at its peak, by the operating system's high-water mark.

The mark is forgotten before the call and read after it, so it is of this call; what was resident
before, the graph above all, is not counted. Memory that an earlier call has given back to its
allocator but not to the system is missing from it: what can be handed back is, before.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

__all__ = ["available_bytes", "installed_bytes", "peak_bytes", "with_peak"]

Value = TypeVar("Value")


def with_peak(call: Callable[[], Value]) -> tuple[Value, int | None]:
    """What the call gives, and by how much memory grew for it at most; None where none tells."""
    _hand_back()
    try:
        Path("/proc/self/clear_refs").write_text("5")  # forgets the peak so far
        before = _status("VmRSS")
    except OSError:
        return call(), None
    value = call()
    return value, max(peak_bytes() - before, 0)


def peak_bytes() -> int:
    """The most memory that was resident since the start, or since the peak was forgotten."""
    try:
        return _status("VmHWM")
    except OSError:
        raise RuntimeError("peak memory can be read on Linux only") from None


def installed_bytes() -> int:
    """The memory of this machine; 0 where none tells."""
    return _meminfo("MemTotal")


def available_bytes() -> int:
    """What could be taken now without swapping; 0 where none tells."""
    return _meminfo("MemAvailable")


def _hand_back() -> None:
    gc.collect()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library than GNU's
            ctypes.CDLL(None).malloc_trim(0)


def _status(name: str) -> int:
    return _kilobytes(Path("/proc/self/status"), name)


def _meminfo(name: str) -> int:
    try:
        return _kilobytes(Path("/proc/meminfo"), name)
    except OSError:
        return 0


def _kilobytes(path: Path, name: str) -> int:
    for line in path.read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    raise OSError(f"{path} does not tell {name}")
