"""A graph as a list of its edges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError

LABELS = tuple(map(np.dtype, ("uint32", "uint64", "int32", "int64")))


def vertex_dtype(num_vertices: int) -> np.dtype[Any]:
    """The type of the ids of a new graph: 32 bits while they suffice."""
    return LABELS[0] if num_vertices < 2**32 else LABELS[1]


def label_dtype(dtype: npt.DTypeLike) -> np.dtype[Any]:
    """The type of labels that the caller asks for, if labels can be of it."""
    return _integer_dtype(dtype, LABELS, "uint32, uint64, int32 or int64")


def unsigned_dtype(dtype: npt.DTypeLike) -> np.dtype[Any]:
    """The type of a parent array that the caller asks for, if kernels can read it."""
    return _integer_dtype(dtype, LABELS[:2], "uint32 or uint64")


def _integer_dtype(
    dtype: npt.DTypeLike, allowed: tuple[np.dtype[Any], ...], names: str
) -> np.dtype[Any]:
    try:
        wanted = np.dtype(dtype)
    except TypeError:
        raise InputError(f"dtype must be {names}, got {dtype!r}") from None
    if wanted not in allowed:
        raise InputError(f"dtype must be {names}, got {wanted}")
    return wanted


class EdgeColumns:
    """Edges as two columns of ids, on the host or on a device."""

    __slots__ = ()
    src: Any
    dst: Any

    form: ClassVar[Literal["edges"]] = "edges"
    symmetric: ClassVar[bool | None] = None
    """Not known: an edge may be stored in one direction or in both."""
    trusted: ClassVar[bool] = False
    """Ids are checked whenever the edges are read."""

    @property
    def num_edges(self) -> int:
        """Number of pairs, loops and repeats included."""
        return len(self.src)

    @property
    def num_entries(self) -> int:
        """Number of pairs: `num_edges` by the name that all forms of a graph have."""
        return len(self.src)

    @property
    def id_dtype(self) -> np.dtype[Any]:
        """Type of the ids."""
        dtype: np.dtype[Any] = self.src.dtype
        return dtype

    @property
    def nbytes(self) -> int:
        """Bytes of the ids; a table that they may be columns of is not counted."""
        return int(self.src.nbytes + self.dst.nbytes)

    def arrays(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """``src`` and ``dst``.

        Returns
        -------
        tuple
            The arrays themselves.
        """
        return self.src, self.dst

    def batches(self, entries: int) -> Iterator[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
        """Sources and targets, some at a time; nothing is copied.

        Parameters
        ----------
        entries
            At most so many at a time.

        Yields
        ------
        tuple
            Sources and targets of some edges.
        """
        for begin in range(0, len(self.src), entries):
            end = begin + entries
            yield self.src[begin:end], self.dst[begin:end]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Edges(EdgeColumns):
    """A graph as two columns of vertex ids: edge ``i`` joins ``src[i]`` and ``dst[i]``.

    One direction of each edge is enough; loops, repeats and both directions are harmless. The
    vertices are ``0..num_vertices-1``, so those without an edge are part of the graph. Nothing is
    copied or checked here: `skerry.connected_components` checks what it is given. Threads may
    share it while nothing changes its arrays.

    Parameters
    ----------
    src
        32- or 64-bit integers, one-dimensional, with any step (so a column of a table, too).
    dst
        As ``src``, and of the same width and length.
    num_vertices
        Number of vertices.

    Examples
    --------
    >>> import numpy as np, skerry
    >>> graph = skerry.Edges(np.array([0, 2]), np.array([1, 3]), 5)
    >>> skerry.connected_components(graph).labels
    array([0, 0, 2, 2, 4], dtype=uint32)
    """

    src: npt.NDArray[Any]
    dst: npt.NDArray[Any]
    num_vertices: int

    device: ClassVar[str] = "cpu"

    def __repr__(self) -> str:
        return f"Edges(vertices={self.num_vertices:,}, edges={self.num_edges:,}, {self.src.dtype})"
