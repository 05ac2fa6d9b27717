"""A graph as compressed sparse rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Csr"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Csr:
    """A graph as rows: ``neighbors[offsets[v]:offsets[v + 1]]`` are the neighbors of ``v``.

    Nothing is copied or checked here: `skerry.connected_components` checks what it is given,
    except for a promise in ``symmetric`` or ``sorted_rows``. Graphs made by `skerry.graph.build`
    have read-only arrays and are not checked again.
    """

    offsets: npt.NDArray[np.uint64]
    """Where each row begins, and at the end the number of entries: one place more than vertices."""
    neighbors: npt.NDArray[Any]
    """Vertex ids, ``uint32`` or ``uint64``, contiguous."""
    symmetric: bool | None = None
    """Whether every entry ``(u, v)`` has its reverse ``(v, u)`` stored too; ``None``: not known."""
    sorted_rows: bool | None = None
    """Whether the neighbors ascend within every row; ``None``: not known."""
    checked: bool = field(default=False, init=False)
    """Whether a builder has found offsets and neighbors to be in range: see `trusted`."""

    @property
    def trusted(self) -> bool:
        """Whether the arrays need no check: found in range before, and read-only since."""
        writeable = self.offsets.flags.writeable or self.neighbors.flags.writeable
        return self.checked and not writeable

    @property
    def num_vertices(self) -> int:
        """Number of rows."""
        return len(self.offsets) - 1

    @property
    def num_entries(self) -> int:
        """Number of stored neighbors: of a symmetric graph without loops, twice its edges."""
        return int(self.offsets[-1])

    @property
    def nbytes(self) -> int:
        """Bytes of both arrays."""
        return int(self.offsets.nbytes + self.neighbors.nbytes)

    def degrees(self) -> npt.NDArray[np.uint64]:
        """Number of entries of every row."""
        return np.diff(self.offsets)

    def __repr__(self) -> str:
        facts = "".join(
            f", {name}"
            for name, known in (
                ("symmetric", self.symmetric),
                ("not symmetric", self.symmetric is False),
                ("sorted rows", self.sorted_rows),
            )
            if known
        )
        return (
            f"Csr(vertices={self.num_vertices:,}, entries={self.num_entries:,}, "
            f"{self.neighbors.dtype}{facts})"
        )
