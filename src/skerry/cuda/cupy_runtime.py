"""The runtime on a real GPU: CuPy's memory pool, current stream, compiler and its cache on disk."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
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
from skerry.cuda.staging import download, upload

_log = logging.getLogger(__name__)


DEPENDENT_LAUNCH_FROM = 90  # compute capability with programmatic dependent launch
CURRENT: AbstractContextManager[Any] = nullcontext()  # may be entered again and by all threads
ALIGNMENT = 512  # bytes; arrays begin at a multiple of it, as CuPy's own do


class CupyLane:
    """A stream and a memory pool, for what runs at the same time as other streams."""

    def __init__(self) -> None:
        self._stream = cupy.cuda.Stream(non_blocking=True)
        self._pool = cupy.cuda.MemoryPool()

    @contextmanager
    def active(self) -> Iterator[None]:
        """Makes them the current ones of this thread."""
        with self._stream, cupy.cuda.using_allocator(self._pool.malloc):
            yield

    def close(self) -> None:
        """Waits for the stream, and gives the memory back that nothing uses."""
        self._stream.synchronize()
        self._pool.free_all_blocks()


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
            return CURRENT
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

    def scratch(self, size: int) -> tuple[Any, int]:
        """Memory without an array around it, which takes as long to make as the memory itself."""
        memory = cupy.cuda.alloc(size)
        return memory, int(memory.ptr)

    def upload(self, array: npt.NDArray[Any], dtype: npt.DTypeLike | None = None) -> Any:
        """Copies through two page-locked buffers: see staging.py."""
        return upload(array, dtype)

    def edge_slots(self, count: int, capacity: int, dtype: npt.DTypeLike) -> Sequence[EdgeSlot]:
        """Some slots, copied by a stream of their own."""
        return edge_slots(count, capacity, dtype)

    def address(self, array: Any) -> int:
        """The device address of an array."""
        return int(array.data.ptr)

    def read(self, array: Any, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """A copy on the host, in ``out`` if given; waits for everything launched before."""
        return download(array, out)

    def lane(self) -> CupyLane:
        """A new stream with a new memory pool."""
        return CupyLane()

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
    ) -> tuple[Any, Any]:
        """Launches recorded kernels in one call, without returning to Python in between."""
        launches = self._recorded.get((recorded, defines))
        if launches is None:
            kernels = [
                self.kernel(recorded.source, launch.kernel, defines) for launch in recorded.launches
            ]
            launches = CompiledLaunches(recorded, kernels, self._dependent)
            self._recorded[recorded, defines] = launches
        return launches(values)

    def record_event(self) -> Any:
        """An event in the current stream."""
        return record_event()

    def wait_for(self, event: Any) -> None:
        """Makes the current stream wait for an event of any stream."""
        wait_for_event(event)

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
