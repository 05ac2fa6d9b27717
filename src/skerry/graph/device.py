"""The two forms of a graph in the memory of a device.

The arrays are those of the device's array module. Nothing here imports that module: NumPy's
functions pass the call on to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from skerry.graph.csr import RowColumns
from skerry.graph.edges import EdgeColumns, vertex_dtype


@dataclass(frozen=True, slots=True, eq=False)
class DeviceEdges(EdgeColumns):
    """Edges as two columns of unsigned ids, 32 or 64 bits, with any stride."""

    src: Any
    dst: Any
    num_vertices: int

    @property
    def device(self) -> str:
        """The GPU: ``"cuda:0"``."""
        return _device_of(self.src)

    @property
    def strides(self) -> tuple[int, int]:
        """Ids from one edge to the next, of each column."""
        return (
            self.src.strides[0] // self.src.itemsize,
            self.dst.strides[0] // self.dst.itemsize,
        )


@dataclass(frozen=True, slots=True, eq=False)
class DeviceCsr(RowColumns):
    """Rows as `skerry.Csr` has them; offsets of 32 or 64 bits."""

    offsets: Any
    neighbors: Any
    symmetric: bool | None = None

    trusted: ClassVar[bool] = False
    """Kernels check offsets and neighbors whenever they read them."""

    @property
    def num_entries(self) -> int:
        """Number of stored neighbors: the length of their array, so the device is not asked."""
        return len(self.neighbors)

    @property
    def device(self) -> str:
        """The GPU: ``"cuda:0"``."""
        return _device_of(self.offsets)

    def batches(self, entries: int) -> Iterator[tuple[Any, Any]]:
        """Row number and neighbor of every entry, at most ``entries`` of them at a time."""
        offsets, total = self.offsets, self.num_entries
        dtype = np.promote_types(self.id_dtype, vertex_dtype(self.num_vertices))
        for begin in range(0, total, entries):
            end = min(begin + entries, total)
            positions = np.arange(begin, end, dtype=offsets.dtype, like=offsets)
            rows = np.searchsorted(offsets, positions, side="right") - 1
            yield rows.astype(dtype), self.neighbors[begin:end]


DeviceGraph = DeviceEdges | DeviceCsr
"""Either form, distinguished by ``graph.form``."""


def _device_of(array: Any) -> str:
    """The name of the GPU that an array is on; without a number where the array has none."""
    number = getattr(getattr(array, "device", None), "id", None)
    return "cuda" if number is None else f"cuda:{number}"
