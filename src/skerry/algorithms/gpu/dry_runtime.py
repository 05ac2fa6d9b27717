"""A runtime that executes nothing: it counts what a run allocates, without a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.algorithms.algorithm import Algorithm
from skerry.algorithms.gpu.backend import run
from skerry.cuda.recorded_launches import RecordedLaunches
from skerry.cuda.runtime import EdgeSlot, Lane
from skerry.graph.device import DeviceCsr, DeviceEdges, DeviceGraph


class DryArray:
    """The length and type of an array, without its memory."""

    def __init__(self, count: int, dtype: npt.DTypeLike) -> None:
        self.count = count
        self.dtype = np.dtype(dtype)
        self.itemsize = self.dtype.itemsize
        self.strides = (self.itemsize,)

    @property
    def nbytes(self) -> int:
        """Bytes that the array would have."""
        return self.count * self.itemsize

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, part: slice) -> DryArray:
        return DryArray(len(range(*part.indices(self.count))), self.dtype)

    def __setitem__(self, part: slice, value: Any) -> None:
        pass


def _launch_nothing(grid: Any, block: Any, arguments: Any) -> None:
    del grid, block, arguments


class DryRuntime:
    """Launches nothing and reads zeros, so that iterations end as soon as they can."""

    name = "dry"
    processors = 1
    max_blocks = 2**31 - 1
    executes = False
    xp: Any = None

    def active(self) -> AbstractContextManager[Any]:
        """There is no device to select."""
        return nullcontext()

    def empty(self, count: int, dtype: npt.DTypeLike) -> Any:
        """An array without memory."""
        return DryArray(count, dtype)

    zeros = empty

    def labels_and_state(
        self, count: int, dtype: npt.DTypeLike, words: int, clear: bool
    ) -> tuple[Any, Any]:
        """Two arrays without memory."""
        del clear
        return DryArray(count, dtype), DryArray(words, np.uint64)

    def scratch(self, size: int) -> tuple[Any, int]:
        """Bytes without memory."""
        return DryArray(size, np.uint8), 0

    def upload(self, array: npt.NDArray[Any], dtype: npt.DTypeLike | None = None) -> Any:
        """An array of the same size, without memory."""
        return DryArray(len(array), array.dtype if dtype is None else np.dtype(dtype))

    def edge_slots(self, count: int, capacity: int, dtype: npt.DTypeLike) -> Sequence[EdgeSlot]:
        """None: no edges come."""
        del count, capacity, dtype
        return ()

    def address(self, array: Any) -> int:
        """Nothing has an address."""
        del array
        return 0

    def read(self, array: Any, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """Zeros."""
        return np.zeros(len(array), array.dtype) if out is None else out

    def lane(self) -> Lane:
        """There are no streams."""
        raise NotImplementedError

    def kernel(self, source: str, name: str, defines: tuple[str, ...]) -> Any:
        """A function that does nothing."""
        del source, name, defines
        return _launch_nothing

    def launch_recorded(
        self, recorded: RecordedLaunches, defines: tuple[str, ...], values: list[int]
    ) -> tuple[Any, Any]:
        """Does nothing."""
        del recorded, defines, values
        return None, None

    def record_event(self) -> Any:
        """Nothing happens, so there are no events."""
        return None

    def wait_for(self, event: Any) -> None:
        """Nothing happens."""
        del event

    def copy_after(self, event: Any, array: Any) -> Any:
        """Nothing happens."""
        del event
        return array

    def seconds(self, begin: Any, end: Any) -> float:
        """No time passes."""
        del begin, end
        return 0.0

    def available(self) -> int:
        """More than any run takes."""
        return 2**63


def dry_edges(num_vertices: int, num_edges: int, id_bits: int) -> DeviceEdges:
    """An edge list of this size, without memory."""
    column = DryArray(num_edges, f"u{id_bits // 8}")
    return DeviceEdges(column, column, num_vertices)


def dry_csr(num_vertices: int, num_entries: int, id_bits: int, offset_bits: int) -> DeviceCsr:
    """A symmetric CSR of this size, without memory."""
    offsets = DryArray(num_vertices + 1, f"u{offset_bits // 8}")
    return DeviceCsr(offsets, DryArray(num_entries, f"u{id_bits // 8}"), True)


def bytes_of_run(spec: Algorithm, graph: DeviceGraph, dtype: npt.DTypeLike) -> int:
    """Bytes that a run on a GPU allocates beside the graph, which is in the form ``spec`` reads."""
    n, entries, id_bits = graph.num_vertices, graph.num_entries, 8 * graph.id_dtype.itemsize
    if graph.form == "csr":
        size_only: DeviceGraph = dry_csr(n, entries, id_bits, 8 * graph.offsets.dtype.itemsize)
    else:
        size_only = dry_edges(n, entries, id_bits)
    return run(spec, DryRuntime(), size_only, dtype, False).bytes
