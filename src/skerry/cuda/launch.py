"""Launches of compiled kernels, straight through the driver where it can be found.

Our kernels take 64-bit words only, so a launch is a list of numbers and needs none of the checks
and conversions that CuPy makes for arguments of any kind. Several launches are one call, and for
the driver one CUDA graph.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable
from functools import cache
from typing import Any

import cupy

from skerry import _native
from skerry.cuda.runtime import Launch

__all__ = ["compiled", "launch_all"]

DRIVER = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
ENTRIES = (
    "cuLaunchKernel",
    "cuGraphCreate",
    "cuGraphAddKernelNode",
    "cuGraphInstantiateWithFlags",
    "cuGraphExecKernelNodeSetParams",
    "cuGraphLaunch",
    "cuGraphDestroy",
    "cuStreamIsCapturing",
)
"""What a launcher calls of the driver, in the order of Driver in ``kernels/cpu/launch.h``."""


class Kernel:
    """A compiled kernel that the driver starts."""

    __slots__ = ("_kept", "function")

    def __init__(self, function: Any) -> None:
        self._kept = function  # and with it its module
        self.function = int(function.ptr)

    def __call__(self, grid: tuple[int], block: tuple[int], arguments: tuple[Any, ...]) -> None:
        """Starts the kernel on the current stream; arguments are arrays and whole numbers."""
        words = (one if type(one) is int else _word(one) for one in arguments)
        _start([self.function, grid[0], block[0], len(arguments), *words])


def launch_all(launches: Iterable[Launch]) -> None:
    """Starts kernels one after the other on the current stream."""
    words: list[int] = []
    for kernel, blocks, threads, arguments in launches:
        if not isinstance(kernel, Kernel):
            kernel((blocks,), (threads,), arguments)  # CuPy's own, so all of them are
            continue
        words += (kernel.function, blocks, threads, len(arguments))
        words += arguments
    if words:
        _start(words)


def _start(words: list[int]) -> None:
    launcher = _launcher()
    assert launcher is not None  # else there would be no Kernel
    status = launcher.launch(cupy.cuda.get_current_stream().ptr, words)
    if status:
        raise cupy.cuda.driver.CUDADriverError(status)


def _word(argument: Any) -> int:
    return int(argument.data.ptr if isinstance(argument, cupy.ndarray) else argument)


def compiled(function: Any) -> Any:
    """What to call to start a function of one of CuPy's modules."""
    return Kernel(function) if _launcher() else function


@cache
def _launcher() -> _native.Launcher | None:
    """None where there is no driver by the usual name."""
    try:
        driver = ctypes.CDLL(DRIVER)
    except OSError:
        return None
    entries = [_address(driver, name) for name in ENTRIES]
    return _native.Launcher(entries) if entries[0] else None


def _address(driver: ctypes.CDLL, name: str) -> int:
    """Where a function is, or 0 where this driver has none by that name."""
    try:
        return ctypes.cast(getattr(driver, name), ctypes.c_void_p).value or 0
    except AttributeError:
        return 0
