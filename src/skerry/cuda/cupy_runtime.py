"""The runtime on a real GPU: CuPy's memory pool, current stream, compiler and its cache on disk."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import pairwise
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from skerry.cuda.edge_slot import edge_slots
from skerry.cuda.events import record_event, seconds_between, wait_for_event
from skerry.cuda.launch import CompiledLaunches, launchable
from skerry.cuda.recorded_launches import RecordedLaunches
from skerry.cuda.runtime import EdgeSlot
from skerry.cuda.source import compile_options, source_text
from skerry.threads import resolve_threads

_log = logging.getLogger(__name__)

__all__ = ["CupyRuntime"]

DEPENDENT_LAUNCH_FROM = 90  # compute capability with programmatic dependent launch
ALIGNMENT = 512  # bytes; arrays begin at a multiple of it, as CuPy's own do
STAGING = 32 << 20  # bytes of each of the two pinned buffers that uploads go through
FILLERS = 8  # threads that fill them at most: more do not make the memory of a host faster
FILLED_BY_ONE = 1 << 20  # values that a thread fills in less time than another takes to start


class CupyRuntime:
    """One GPU. All work goes to the caller's current stream."""

    xp: Any = cupy
    max_blocks = 2**31 - 1
    executes = True

    def __init__(self, number: int) -> None:
        self.number = number
        self.name = f"cuda:{number}"
        attributes = cupy.cuda.Device(number).attributes
        self.processors: int = attributes["MultiProcessorCount"]
        self._functions: dict[tuple[str, str, tuple[str, ...]], Any] = {}
        self._modules: dict[tuple[str, tuple[str, ...]], Any] = {}
        self._recorded: dict[tuple[RecordedLaunches, tuple[str, ...]], CompiledLaunches] = {}
        capability = int(cupy.cuda.Device(number).compute_capability)
        self._dependent = capability >= DEPENDENT_LAUNCH_FROM

    def active(self) -> AbstractContextManager[Any]:
        """Makes this device the current one, unless it is."""
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
        """Two arrays in one allocation: an allocation takes longer than clearing the state."""
        kind = np.dtype(dtype)
        size = -(-count * kind.itemsize // ALIGNMENT) * ALIGNMENT
        memory = cupy.cuda.alloc(size + 8 * words)
        state = memory + size
        if clear:
            state.memset_async(0, 8 * words)
        return cupy.ndarray(count, kind, memory), cupy.ndarray(words, np.uint64, state)

    def upload(self, array: npt.NDArray[Any], dtype: npt.DTypeLike | None = None) -> Any:
        """Copies through two pinned buffers: one is filled while the other is transferred.

        The caller's array is read once, wherever it lies and whatever its type: values become those
        of ``dtype`` on their way into the buffer, by several threads.
        """
        kind = array.dtype if dtype is None else np.dtype(dtype)
        target = cupy.empty(array.shape, kind)
        step = max(1, STAGING // max(kind.itemsize, 1))
        stream = cupy.cuda.get_current_stream()
        buffers = [_Pinned(min(step, array.size), kind) for _ in range(2)]
        with _fillers(array.size) as fill:
            for number, begin in enumerate(range(0, array.size, step)):
                buffer = buffers[number % 2]
                part = array[begin : begin + step]
                buffer.wait()
                fill(buffer.array[: part.size], part)
                target[begin : begin + step].set(buffer.array[: part.size], stream=stream)
                buffer.sent(stream)
        for buffer in buffers:
            buffer.wait()
        return target

    def edge_slots(self, count: int, capacity: int, dtype: npt.DTypeLike) -> Sequence[EdgeSlot]:
        """Some slots, copied by a stream of their own."""
        return edge_slots(count, capacity, dtype)

    def address(self, array: Any) -> int:
        """The device address of an array."""
        return int(array.data.ptr)

    def read(self, array: Any) -> npt.NDArray[Any]:
        """A copy on the host; waits for everything launched before."""
        return np.asarray(array.get())

    def kernel(self, source: str, name: str, defines: tuple[str, ...]) -> Any:
        """A compiled kernel. It is compiled once on a machine: CuPy keeps the result on disk."""
        key = (source, name, defines)
        function = self._functions.get(key)
        if function is None:
            module = self._modules.get((source, defines))
            if module is None:
                options = compile_options(defines)
                _log.info("loading kernels %s %s on %s", source, " ".join(defines), self.name)
                module = cupy.RawModule(code=source_text(source), options=options)
                self._modules[source, defines] = module
            function = self._functions[key] = launchable(module.get_function(name).kernel)
        return function

    def launch_recorded(
        self, recorded: RecordedLaunches, defines: tuple[str, ...], values: list[int]
    ) -> None:
        """Launches recorded kernels in one call, without returning to Python in between."""
        launches = self._recorded.get((recorded, defines))
        if launches is None:
            kernels = [
                self.kernel(recorded.source, launch.kernel, defines) for launch in recorded.launches
            ]
            launches = CompiledLaunches(recorded, kernels, self._dependent)
            self._recorded[recorded, defines] = launches
        launches(values)

    def record_event(self) -> Any:
        """An event in the current stream."""
        return record_event()

    def copy_after(self, event: Any, array: Any) -> Any:
        """A copy made in the current stream, once an event of any stream has completed."""
        wait_for_event(event)
        memory = cupy.cuda.alloc(array.nbytes)  # a third of the time of array.copy()
        memory.copy_from_device_async(array.data, array.nbytes)
        return cupy.ndarray(array.shape, array.dtype, memory)

    def seconds(self, begin: Any, end: Any) -> float:
        """Time between two events; waits for the second."""
        return seconds_between(begin, end)

    def available(self) -> int:
        """Free bytes of the device and of CuPy's pool."""
        free, _ = cupy.cuda.runtime.memGetInfo()
        pool = cupy.get_default_memory_pool()
        left = int(free) + int(pool.free_bytes())
        limit = int(pool.get_limit())  # 0: none
        return min(left, max(limit - int(pool.used_bytes()), 0)) if limit else left


Fill = Callable[[npt.NDArray[Any], npt.NDArray[Any]], None]


@contextmanager
def _fillers(count: int) -> Iterator[Fill]:
    """A function that copies and converts an array into a buffer; NumPy frees the GIL meanwhile."""
    threads = min(FILLERS, resolve_threads(None), -(-count // FILLED_BY_ONE))
    if threads <= 1:
        yield _fill
        return
    with ThreadPoolExecutor(threads) as pool:

        def fill(buffer: npt.NDArray[Any], part: npt.NDArray[Any]) -> None:
            ends = [number * part.size // threads for number in range(threads + 1)]
            pieces = [slice(begin, end) for begin, end in pairwise(ends)]
            for done in [pool.submit(_fill, buffer[piece], part[piece]) for piece in pieces]:
                done.result()

        yield fill


def _fill(buffer: npt.NDArray[Any], part: npt.NDArray[Any]) -> None:
    np.copyto(buffer, part, casting="unsafe")


class _Pinned:
    """Page-locked host memory, which a device reads without the host."""

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
