"""A graph as compressed sparse rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from skerry.graph.edges import vertex_dtype


class RowColumns:
    """Rows as two arrays, on the host or on a device."""

    __slots__ = ()
    offsets: Any
    neighbors: Any

    form: ClassVar[Literal["csr"]] = "csr"

    @property
    def num_vertices(self) -> int:
        """Number of rows."""
        return len(self.offsets) - 1

    @property
    def id_dtype(self) -> np.dtype[Any]:
        """Type of the neighbors."""
        dtype: np.dtype[Any] = self.neighbors.dtype
        return dtype

    @property
    def nbytes(self) -> int:
        """Bytes of both arrays."""
        return int(self.offsets.nbytes + self.neighbors.nbytes)

    def arrays(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[Any]]:
        """``offsets`` and ``neighbors``.

        Returns
        -------
        tuple
            The arrays themselves.
        """
        return self.offsets, self.neighbors


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Csr(RowColumns):
    """A graph as rows: ``neighbors[offsets[v]:offsets[v + 1]]`` are the neighbors of ``v``.

    Nothing is copied or checked here: `skerry.connected_components` checks what it is given,
    except for a promise in ``symmetric`` or ``sorted_rows``. Graphs that skerry builds itself have
    read-only arrays and are not checked again. Threads may share it while nothing changes its
    arrays.

    Parameters
    ----------
    offsets
        Where each row begins, and at the end the number of entries: one more than vertices.
    neighbors
        Vertex numbers, ``uint32`` or ``uint64``, contiguous.
    symmetric
        Whether every entry ``(u, v)`` has its reverse ``(v, u)`` stored too; ``None``: not known.
    sorted_rows
        Whether the neighbors ascend within every row; ``None``: not known.

    Examples
    --------
    >>> import numpy as np, skerry
    >>> graph = skerry.Csr(np.array([0, 1, 2, 2], np.uint64), np.array([1, 0], np.uint32))
    >>> skerry.connected_components(graph).labels
    array([0, 0, 2], dtype=uint32)
    """

    offsets: npt.NDArray[np.uint64]
    neighbors: npt.NDArray[Any]
    symmetric: bool | None = None
    sorted_rows: bool | None = None
    checked: bool = field(default=False, init=False)
    """Whether a builder has validated offsets and neighbors: see `trusted`."""

    device: ClassVar[str] = "cpu"

    @property
    def trusted(self) -> bool:
        """Whether the arrays need no check: they were validated and are read-only since."""
        return self.checked and not (self.offsets.flags.writeable or self.neighbors.flags.writeable)

    @property
    def num_entries(self) -> int:
        """Number of stored neighbors: of a symmetric graph without loops, twice its edges."""
        return int(self.offsets[-1])

    def batches(self, entries: int) -> Iterator[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
        """Row number and neighbor of every entry, some at a time.

        Parameters
        ----------
        entries
            At most so many at a time.

        Yields
        ------
        tuple
            The rows and the neighbors of some entries.
        """
        dtype = np.promote_types(self.neighbors.dtype, vertex_dtype(self.num_vertices))
        total = self.num_entries
        for begin in range(0, total, entries):
            end = min(begin + entries, total)
            ends = np.array([begin, end - 1], np.uint64)
            first, last = np.searchsorted(self.offsets, ends, side="right")
            bounds = self.offsets[first - 1 : last + 1].clip(begin, end)
            rows = np.arange(first - 1, last, dtype=dtype)
            yield np.repeat(rows, np.diff(bounds).astype(np.intp)), self.neighbors[begin:end]

    def degrees(self) -> npt.NDArray[np.uint64]:
        """Number of entries of every row.

        Returns
        -------
        numpy.ndarray
            As many as vertices.
        """
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
