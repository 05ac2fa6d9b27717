"""Addresses of the functions of the NVIDIA driver, for native code to call."""

from __future__ import annotations

import ctypes
import sys
from functools import cache

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
