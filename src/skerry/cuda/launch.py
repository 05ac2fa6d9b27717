"""Launches of compiled kernels, straight through the driver where it can be found.

Our kernels take 64-bit words only, so a launch is a list of numbers and needs none of the checks
and conversions that CuPy makes for arguments of any kind. A program of several kernels is one call,
and for the driver one CUDA graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import cupy

from skerry import _native
from skerry.cuda.driver import entries
from skerry.cuda.program import Program

__all__ = ["Ready", "compiled"]

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
"""What a launcher calls of the driver, in the order of Driver in ``kernels/driver/launch.h``."""


class Kernel:
    """A compiled kernel that the driver starts."""

    __slots__ = ("_kept", "function")

    def __init__(self, function: Any) -> None:
        self._kept = function  # and with it its module
        self.function = int(function.ptr)

    def __call__(self, grid: tuple[int], block: tuple[int], arguments: tuple[Any, ...]) -> None:
        """Starts the kernel on the current stream; arguments are arrays and whole numbers."""
        words = (one if type(one) is int else _word(one) for one in arguments)
        launcher = _launcher()
        assert launcher is not None  # else there would be no Kernel
        stream = cupy.cuda.get_current_stream().ptr
        _check(launcher.launch(stream, [self.function, grid[0], block[0], len(arguments), *words]))


class Ready:
    """A program with its compiled kernels; a call starts them on the current stream."""

    __slots__ = ("_kernels", "_native", "_steps")

    def __init__(self, program: Program, kernels: Sequence[Any], early: bool) -> None:
        """``early``: whether kernels may be set up while the one before them still runs."""
        self._steps = program.steps
        self._kernels = kernels
        launcher = _launcher()
        self._native = None if launcher is None else self._written(launcher, early)

    def __call__(self, numbers: list[int]) -> None:
        """``numbers``: those of a run, which the program has the places of."""
        if self._native is not None:
            _check(self._native.start(cupy.cuda.get_current_stream().ptr, numbers))
            return
        for kernel, step in zip(self._kernels, self._steps, strict=True):
            kernel((numbers[step.blocks],), (step.block,), step.arguments(numbers))

    def _written(self, launcher: _native.Launcher, early: bool) -> _native.Program:
        words: list[int] = []
        for kernel, step in zip(self._kernels, self._steps, strict=True):
            words += (kernel.function, step.blocks, step.block, len(step.words), *step.words)
        return _native.Program(launcher, words, early)


def _check(status: int) -> None:
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
    found = entries(ENTRIES)
    return _native.Launcher(found) if found[0] else None
