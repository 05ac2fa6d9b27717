"""Launches of compiled kernels, straight through the driver where it can be found.

Our kernels take 64-bit words only, so a launch is a list of numbers and needs none of the checks
and conversions that CuPy makes for arguments of any kind.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

import cupy

from skerry import _native

__all__ = ["compiled"]

DRIVER = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"


class Kernel:
    """A compiled kernel that the driver starts."""

    __slots__ = ("_entry", "_function", "_kept")

    def __init__(self, function: Any, entry: int) -> None:
        self._kept = function  # and with it its module
        self._function = int(function.ptr)
        self._entry = entry

    def __call__(self, grid: tuple[int], block: tuple[int], arguments: tuple[Any, ...]) -> None:
        """Starts the kernel on the current stream; arguments are arrays and whole numbers."""
        words = [one if type(one) is int else _word(one) for one in arguments]
        stream = cupy.cuda.get_current_stream().ptr
        status = _native.launch_kernel(
            self._entry, self._function, grid[0], block[0], stream, words
        )
        if status:
            raise cupy.cuda.driver.CUDADriverError(status)


def _word(argument: Any) -> int:
    return int(argument.data.ptr if isinstance(argument, cupy.ndarray) else argument)


def compiled(function: Any) -> Any:
    """What to call to start a function of one of CuPy's modules."""
    entry = _entry()
    return Kernel(function, entry) if entry else function


@cache
def _entry() -> int:
    """Where the driver's launch is, or 0 where there is no driver by the usual name."""
    try:
        launch = ctypes.CDLL(DRIVER).cuLaunchKernel
    except (OSError, AttributeError):
        return 0
    return ctypes.cast(launch, ctypes.c_void_p).value or 0
