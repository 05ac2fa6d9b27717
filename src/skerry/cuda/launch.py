"""Launches of compiled kernels, by the driver's own functions where the driver is found.

All kernel parameters are 64-bit words. So a launch is a list of integers and needs none of CuPy's
checks and conversions of arguments. A sequence of recorded launches is one call, and one
parameterized CUDA graph for the driver.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import cupy

import skerry._native as _native
from skerry.cuda.events import driver_entries, event_recorder, record_event
from skerry.cuda.recorded_launches import RecordedLaunches

ENTRIES = (
    "cuLaunchKernel",
    "cuGraphCreate",
    "cuGraphAddKernelNode",
    "cuGraphInstantiateWithFlags",
    "cuGraphExecKernelNodeSetParams",
    "cuGraphLaunch",
    "cuGraphDestroy",
    "cuStreamIsCapturing",
    "cuGraphAddDependencies_v2",
)
"""Driver functions for launches, in the order of Driver in ``kernels/driver/launch.h``."""


class DriverKernel:
    """A compiled kernel that is launched through the driver."""

    __slots__ = ("_kept", "function")

    def __init__(self, function: Any) -> None:
        self._kept = function  # keeps the module loaded
        self.function = int(function.ptr)

    def __call__(self, grid: tuple[int], block: tuple[int], arguments: tuple[Any, ...]) -> None:
        """Launches the kernel on the current stream; arguments are arrays and integers."""
        words = (value if type(value) is int else _word(value) for value in arguments)
        launcher = _launcher()
        assert launcher is not None  # otherwise `launchable` makes no DriverKernel
        stream = cupy.cuda.get_current_stream().ptr
        _check(launcher.launch(stream, [self.function, grid[0], block[0], len(arguments), *words]))


class CompiledLaunches:
    """Recorded launches with their compiled kernels; a call launches them on the current stream."""

    __slots__ = ("_kernels", "_launches", "_native")

    def __init__(self, recorded: RecordedLaunches, kernels: Sequence[Any], dependent: bool) -> None:
        """``dependent``: use programmatic dependent launch, so that kernels are set up early."""
        self._launches = recorded.launches
        self._kernels = kernels
        launcher = _launcher()
        self._native = None if launcher is None else self._record(launcher, dependent)

    def __call__(self, values: list[int]) -> tuple[Any, Any]:
        """Returns the events before and after.

        ``values``: pointers, sizes and numbers of blocks of a run.
        """
        recorder = event_recorder()
        if self._native is not None and recorder is not None:
            stream = cupy.cuda.get_current_stream().ptr
            status, begin, end = self._native.launch(stream, values, recorder)
            _check(status)
            return begin, end
        begin = record_event()
        for kernel, launch in zip(self._kernels, self._launches, strict=True):
            kernel((values[launch.grid],), (launch.block,), launch.arguments(values))
        return begin, record_event()

    def _record(self, launcher: _native.Launcher, dependent: bool) -> _native.RecordedLaunches:
        words: list[int] = []
        for kernel, launch in zip(self._kernels, self._launches, strict=True):
            words += (kernel.function, launch.grid, launch.block, len(launch.parameters))
            words += launch.parameters
        return _native.RecordedLaunches(launcher, words, dependent)


def _check(status: int) -> None:
    if status:
        raise cupy.cuda.driver.CUDADriverError(status)


def _word(argument: Any) -> int:
    return int(argument.data.ptr if isinstance(argument, cupy.ndarray) else argument)


def launchable(function: Any) -> Any:
    """What to call to launch a function of a CuPy module."""
    return DriverKernel(function) if _launcher() else function


@cache
def _launcher() -> _native.Launcher | None:
    """None where the driver is not found."""
    addresses = driver_entries(ENTRIES)
    return _native.Launcher(addresses) if addresses[0] else None
