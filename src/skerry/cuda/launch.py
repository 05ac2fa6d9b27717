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
from skerry.cuda.program import At, Program
from skerry.cuda.runtime import blocks_of

__all__ = ["Started", "compiled"]

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
        launcher = _launcher()
        assert launcher is not None  # else there would be no Kernel
        stream = cupy.cuda.get_current_stream().ptr
        _check(launcher.launch(stream, [self.function, grid[0], block[0], len(arguments), *words]))


class Started:
    """A program with its compiled kernels; a call starts them on the current stream."""

    __slots__ = ("_kernels", "_native", "_program", "_sizes")

    def __init__(
        self, program: Program, kernels: Sequence[Any], most_blocks: int, early: bool
    ) -> None:
        """``early``: whether kernels may be set up while the one before them still runs."""
        self._program = program
        self._kernels = kernels
        self._sizes = [
            (blocks_of(step.threads, step.block, most_blocks), step.block) for step in program.steps
        ]
        launcher = _launcher()
        self._native = None if launcher is None else self._written(launcher, early)

    def __call__(self, arrays: list[int]) -> None:
        """``arrays``: where those are that the program's addresses are counted from."""
        if self._native is not None:
            _check(self._native.start(cupy.cuda.get_current_stream().ptr, arrays))
            return
        together = zip(self._kernels, self._sizes, self._program.steps, strict=True)
        for kernel, (blocks, block), step in together:
            kernel((blocks,), (block,), step.arguments(arrays))

    def _written(self, launcher: _native.Launcher, early: bool) -> _native.Program:
        words: list[int] = []
        slots: list[int] = []
        together = zip(self._kernels, self._sizes, self._program.steps, strict=True)
        for number, (kernel, (blocks, block), step) in enumerate(together):
            words += (kernel.function, blocks, block, len(step.words))
            for place, word in enumerate(step.words):
                words.append(0 if isinstance(word, At) else word)
                if isinstance(word, At):
                    slots += (number, place, word.array, word.offset)
        return _native.Program(launcher, words, slots, early)


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
