"""A runtime that only counts: what a run will allocate is what it does when nothing is run."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.algorithms.algorithm import Algorithm
from skerry.cuda.program import Program
from skerry.cuda.runtime import Runtime
from skerry.graph.device import DeviceCsr, DeviceEdges

__all__ = ["bytes_of_run", "dry_csr", "dry_edges", "parts_to_run"]


class _DryArray:
    """The length and type of an array, without the array."""

    def __init__(self, count: int, dtype: npt.DTypeLike) -> None:
        self.count = count
        self.dtype = np.dtype(dtype)
        self.itemsize = self.dtype.itemsize
        self.strides = (self.itemsize,)

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, part: slice) -> _DryArray:
        return _DryArray(len(range(*part.indices(self.count))), self.dtype)

    def __setitem__(self, part: slice, value: Any) -> None:
        pass


def _launch_nothing(grid: Any, block: Any, arguments: Any) -> None:
    del grid, block, arguments


class _DryRuntime:
    """Launches nothing, and reads zeros: rounds end as soon as they can."""

    name = "dry"
    processors = 1
    most_blocks = 2**31 - 1
    xp: Any = None

    def active(self) -> AbstractContextManager[Any]:
        return nullcontext()

    def empty(self, count: int, dtype: npt.DTypeLike) -> Any:
        return _DryArray(count, dtype)

    zeros = empty

    def labels_and_state(
        self, count: int, dtype: npt.DTypeLike, words: int, clear: bool
    ) -> tuple[Any, Any]:
        del clear
        return _DryArray(count, dtype), _DryArray(words, np.uint64)

    def upload(self, array: npt.NDArray[Any]) -> Any:
        return _DryArray(len(array), array.dtype)

    def address(self, array: Any) -> int:
        del array
        return 0

    def read(self, array: Any) -> npt.NDArray[Any]:
        return np.zeros(len(array), array.dtype)

    def kernel(self, source: str, name: str, defines: tuple[str, ...]) -> Any:
        del source, name, defines
        return _launch_nothing

    def start(self, program: Program, defines: tuple[str, ...], numbers: list[int]) -> None:
        del program, defines, numbers

    def mark(self) -> Any:
        return None

    def seconds(self, begin: Any, end: Any) -> float:
        del begin, end
        return 0.0

    def available(self) -> int:
        return 2**63


def parts_to_run(runtime: Runtime, parts: range) -> range:
    """All parts of an input that is gone through part by part, in memory taken before the first.

    Where nothing is run, the first stands for all: there may be more than anybody would wait for.
    """
    return parts[:1] if isinstance(runtime, _DryRuntime) else parts


def dry_edges(num_vertices: int, num_edges: int, bits: int) -> DeviceEdges:
    """An edge list of that size, without its ids."""
    column = _DryArray(num_edges, f"u{bits // 8}")
    return DeviceEdges(column, column, num_vertices)


def dry_csr(num_vertices: int, num_entries: int, bits: int, offset_bits: int) -> DeviceCsr:
    """Rows of that size, without their entries."""
    offsets = _DryArray(num_vertices + 1, f"u{offset_bits // 8}")
    return DeviceCsr(offsets, _DryArray(num_entries, f"u{bits // 8}"), True)


def bytes_of_run(row: Algorithm, graph: DeviceEdges | DeviceCsr, dtype: npt.DTypeLike) -> int:
    """Bytes that a run on a GPU allocates beside its input, which is in the form the row reads."""
    from skerry.algorithms.gpu.backend import run

    if isinstance(graph, DeviceCsr):
        dry: DeviceEdges | DeviceCsr = dry_csr(
            graph.num_vertices,
            graph.num_entries,
            8 * graph.neighbors.dtype.itemsize,
            8 * graph.offsets.dtype.itemsize,
        )
    else:
        dry = dry_edges(graph.num_vertices, graph.num_edges, 8 * graph.src.dtype.itemsize)
    return run(row, _DryRuntime(), dry, dtype, False).bytes
