"""The runtime on a real GPU: CuPy's memory pool, current stream, compiler and its cache on disk."""

from __future__ import annotations

import logging
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from skerry.cuda.events import mark, seconds_between
from skerry.cuda.launch import Ready, compiled
from skerry.cuda.program import Program
from skerry.cuda.source import compile_options, source_text

_log = logging.getLogger(__name__)

__all__ = ["CupyRuntime"]

EARLY = 90  # compute capability from which kernels can wait for the one before them themselves
ALIGNED = 512  # bytes that arrays begin at a multiple of, as CuPy's own do
STAGING = 32 << 20  # bytes of each of the two pinned buffers that host arrays go through


class CupyRuntime:
    """One GPU. All work goes to the caller's current stream."""

    xp: Any = cupy
    most_blocks = 2**31 - 1

    def __init__(self, number: int) -> None:
        self.number = number
        self.name = f"cuda:{number}"
        attributes = cupy.cuda.Device(number).attributes
        self.processors: int = attributes["MultiProcessorCount"]
        self._functions: dict[tuple[str, str, tuple[str, ...]], Any] = {}
        self._modules: dict[tuple[str, tuple[str, ...]], Any] = {}
        self._ready: dict[tuple[Program, tuple[str, ...]], Ready] = {}
        self._early = int(cupy.cuda.Device(number).compute_capability) >= EARLY

    def active(self) -> AbstractContextManager[Any]:
        """Makes this device the current one; nothing to do where it is."""
        if cupy.cuda.runtime.getDevice() == self.number:
            return nullcontext()
        device: AbstractContextManager[Any] = cupy.cuda.Device(self.number)
        return device

    def empty(self, count: int, dtype: npt.DTypeLike) -> Any:
        """A new array, not initialized, from CuPy's pool."""
        return cupy.empty(count, dtype)

    def zeros(self, count: int, dtype: npt.DTypeLike) -> Any:
        """A new array of zeros."""
        return cupy.zeros(count, dtype)

    def labels_and_state(
        self, count: int, dtype: npt.DTypeLike, words: int, clear: bool
    ) -> tuple[Any, Any]:
        """Two arrays of one piece of memory: to ask for a piece takes longer than to clear one."""
        kind = np.dtype(dtype)
        size = -(-count * kind.itemsize // ALIGNED) * ALIGNED
        memory = cupy.cuda.alloc(size + 8 * words)
        rest = memory + size
        if clear:
            rest.memset_async(0, 8 * words)
        return cupy.ndarray(count, kind, memory), cupy.ndarray(words, np.uint64, rest)

    def upload(self, array: npt.NDArray[Any]) -> Any:
        """Copies through two pinned buffers, one being filled while the other is sent."""
        source = np.ascontiguousarray(array)
        target = cupy.empty(source.shape, source.dtype)
        step = max(1, STAGING // max(source.itemsize, 1))
        stream = cupy.cuda.get_current_stream()
        buffers = [_Pinned(min(step, source.size), source.dtype) for _ in range(2)]
        for number, begin in enumerate(range(0, source.size, step)):
            buffer = buffers[number % 2]
            part = source[begin : begin + step]
            buffer.wait()
            buffer.array[: part.size] = part
            target[begin : begin + step].set(buffer.array[: part.size], stream=stream)
            buffer.sent(stream)
        for buffer in buffers:
            buffer.wait()
        return target

    def address(self, array: Any) -> int:
        """Where an array begins, as a number."""
        return int(array.data.ptr)

    def read(self, array: Any) -> npt.NDArray[Any]:
        """A copy on the host, once all that was launched before has run."""
        return np.asarray(array.get())

    def kernel(self, source: str, name: str, defines: tuple[str, ...]) -> Any:
        """A compiled kernel; compiled once a machine, CuPy keeps the result on disk."""
        key = (source, name, defines)
        function = self._functions.get(key)
        if function is None:
            module = self._modules.get((source, defines))
            if module is None:
                options = compile_options(defines)
                _log.info("loading kernels %s %s on %s", source, " ".join(defines), self.name)
                module = cupy.RawModule(code=source_text(source), options=options)
                self._modules[source, defines] = module
            function = self._functions[key] = compiled(module.get_function(name).kernel)
        return function

    def start(self, program: Program, defines: tuple[str, ...], numbers: list[int]) -> None:
        """Starts the kernels of a program, without coming back to Python in between."""
        ready = self._ready.get((program, defines))
        if ready is None:
            kernels = [self.kernel(program.source, one.kernel, defines) for one in program.steps]
            ready = self._ready[program, defines] = Ready(program, kernels, self._early)
        ready(numbers)

    def mark(self) -> Any:
        """A moment of the current stream."""
        return mark()

    def seconds(self, begin: Any, end: Any) -> float:
        """Time between two moments; waits for the second."""
        return seconds_between(begin, end)

    def available(self) -> int:
        """Free bytes of the device and of CuPy's pool."""
        free, _ = cupy.cuda.runtime.memGetInfo()
        return int(free) + int(cupy.get_default_memory_pool().free_bytes())


class _Pinned:
    """Page-locked host memory that a device can fetch from by itself."""

    def __init__(self, count: int, dtype: np.dtype[Any]) -> None:
        self._memory = cupy.cuda.alloc_pinned_memory(max(1, count * dtype.itemsize))
        self.array = np.frombuffer(self._memory, dtype, count)
        self._busy: Any = None

    def sent(self, stream: Any) -> None:
        self._busy = stream.record()

    def wait(self) -> None:
        if self._busy is not None:
            self._busy.synchronize()
            self._busy = None
