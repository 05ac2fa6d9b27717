"""What every form of a graph has in common, so that callers need not ask for its class.

The planner, estimates, plans and checks read these members only. Code that reads the arrays of one
form tests ``graph.form``: type checkers narrow a union of graphs by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, Protocol

import numpy as np

GraphForm = Literal["edges", "csr", "grid"]
"""``"edges"``: two columns of ids. ``"csr"``: offsets and neighbors. ``"grid"``: cells."""


class Graph(Protocol):
    """A graph in the memory of the host or of a device. Never modified after construction."""

    @property
    def form(self) -> GraphForm:
        """Which arrays the graph consists of: a constant of the class."""

    @property
    def num_vertices(self) -> int:
        """Number of vertices, those without an edge included."""

    @property
    def num_entries(self) -> int:
        """Edges of an edge list, stored entries of a CSR."""

    @property
    def id_dtype(self) -> np.dtype[Any]:
        """Type of the stored vertex numbers."""

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""

    @property
    def device(self) -> str:
        """Where the arrays are: ``"cpu"`` or ``"cuda:0"``."""

    @property
    def symmetric(self) -> bool | None:
        """Whether every entry has its reverse stored too; None where it is not known."""

    @property
    def trusted(self) -> bool:
        """Whether the arrays have been validated and are read-only since."""

    def arrays(self) -> tuple[Any, ...]:
        """The arrays in the order in which kernels are bound to them."""

    def batches(self, entries: int) -> Iterator[tuple[Any, Any]]:
        """Sources and targets of all entries, at most ``entries`` of them at a time."""
