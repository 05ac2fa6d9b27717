"""Events in the current stream: the driver's, or CuPy's where the driver is not found."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

import cupy

import skerry._native as _native

DRIVER = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"


def driver_entries(names: tuple[str, ...]) -> list[int]:
    """Addresses of functions by name; 0 for a function that is missing, or without a driver."""
    driver = _driver()
    return [0 if driver is None else _address(driver, name) for name in names]


@cache
def _driver() -> ctypes.CDLL | None:
    """The driver's library, or None where it is not installed under its usual name."""
    try:
        return ctypes.CDLL(DRIVER)
    except OSError:
        return None


def _address(driver: ctypes.CDLL, name: str) -> int:
    try:
        return ctypes.cast(getattr(driver, name), ctypes.c_void_p).value or 0
    except AttributeError:
        return 0


ENTRIES = (
    "cuEventCreate",
    "cuEventRecord",
    "cuEventSynchronize",
    "cuEventElapsedTime",
    "cuEventDestroy_v2",
)
"""Driver functions for events, in the order of EventDriver in ``kernels/driver/event.h``."""


def record_event() -> Any:
    """An event that completes when the work in the current stream so far has run."""
    recorder = event_recorder()
    if recorder is not None:
        return recorder.record(cupy.cuda.get_current_stream().ptr)
    event = cupy.cuda.Event()
    event.record()
    return event


def wait_for_event(event: Any) -> None:
    """Makes the current stream wait for an event of any stream; the host does not wait."""
    stream = cupy.cuda.get_current_stream().ptr
    if isinstance(event, _native.Event):
        if event.stream == stream:
            return
        handle = event.handle
    else:
        handle = event.ptr
    try:
        cupy.cuda.runtime.streamWaitEvent(stream, handle)
    except cupy.cuda.runtime.CUDARuntimeError:
        # The event was recorded while its stream was captured: it belongs to the captured graph,
        # and whoever launches that graph waits for it.
        return


def seconds_between(begin: Any, end: Any) -> float:
    """Time between two events; waits for the second."""
    if isinstance(end, _native.Event):
        return end.seconds_since(begin)
    end.synchronize()
    return float(cupy.cuda.get_elapsed_time(begin, end)) / 1e3


@cache
def event_recorder() -> _native.EventRecorder | None:
    """Records the driver's events; None where the driver is not found."""
    addresses = driver_entries(ENTRIES)
    return _native.EventRecorder(addresses) if all(addresses) else None
