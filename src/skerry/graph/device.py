"""The two forms of a graph in the memory of a device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["DeviceCsr", "DeviceEdges"]


@dataclass(frozen=True, slots=True, eq=False)
class DeviceEdges:
    """Edges as two columns of unsigned ids, 32 or 64 bits, of any step."""

    src: Any
    dst: Any
    num_vertices: int

    @property
    def num_edges(self) -> int:
        """Number of pairs, loops and repeats included."""
        return len(self.src)

    @property
    def ends(self) -> tuple[Any, Any]:
        """Both columns."""
        return self.src, self.dst

    @property
    def steps(self) -> tuple[int, int]:
        """Places from one id to the next, of each column."""
        return (
            self.src.strides[0] // self.src.itemsize,
            self.dst.strides[0] // self.dst.itemsize,
        )


@dataclass(frozen=True, slots=True, eq=False)
class DeviceCsr:
    """Rows as `skerry.Csr` has them; offsets of 32 or 64 bits."""

    offsets: Any
    neighbors: Any
    symmetric: bool | None = None

    @property
    def num_vertices(self) -> int:
        """Number of rows."""
        return len(self.offsets) - 1

    @property
    def num_entries(self) -> int:
        """Number of stored neighbors: the length of their array, so the device is not asked."""
        return len(self.neighbors)
