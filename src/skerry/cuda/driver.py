"""Entry points of the NVIDIA driver, as addresses that native code can call."""

from __future__ import annotations

import ctypes
import sys
from functools import cache

__all__ = ["entries"]

DRIVER = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"


def entries(names: tuple[str, ...]) -> list[int]:
    """Where the functions are; 0 for one that this driver does not have, or that none is for."""
    driver = _driver()
    return [0 if driver is None else _address(driver, name) for name in names]


@cache
def _driver() -> ctypes.CDLL | None:
    """None where there is no driver by the usual name."""
    try:
        return ctypes.CDLL(DRIVER)
    except OSError:
        return None


def _address(driver: ctypes.CDLL, name: str) -> int:
    try:
        return ctypes.cast(getattr(driver, name), ctypes.c_void_p).value or 0
    except AttributeError:
        return 0
