"""Moments of the current stream: events of the driver's, or CuPy's where it cannot be found."""

from __future__ import annotations

from functools import cache
from typing import Any

import cupy

from skerry import _native
from skerry.cuda.driver import entries

__all__ = ["mark", "seconds_between"]

ENTRIES = (
    "cuEventCreate",
    "cuEventRecord",
    "cuEventSynchronize",
    "cuEventElapsedTime",
    "cuEventDestroy_v2",
)
"""What a moment calls of the driver, in the order of EventDriver in ``kernels/driver/event.h``."""


def mark() -> Any:
    """When all that was given to the current stream before will have run."""
    clock = _clock()
    if clock is not None:
        return clock.mark(cupy.cuda.get_current_stream().ptr)
    event = cupy.cuda.Event()
    event.record()
    return event


def seconds_between(begin: Any, end: Any) -> float:
    """From one moment to another, for which it waits."""
    if isinstance(end, _native.Moment):
        return end.seconds_since(begin)
    end.synchronize()
    return float(cupy.cuda.get_elapsed_time(begin, end)) / 1e3


@cache
def _clock() -> _native.Clock | None:
    found = entries(ENTRIES)
    return _native.Clock(found) if all(found) else None
