"""One component as a graph of its own, with vertices numbered from 0."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError, UnsupportedError
from skerry.result.forest import CHANGED_SINCE, EdgeBatch


class Subgraph:
    """The vertices and edges of one component; vertices are numbered from 0, in their order.

    Made by ``result.subgraph``. Its arrays are the caller's; threads that only read may share it.
    """

    __slots__ = ("dst", "ids", "rows", "src", "vertices")

    src: npt.NDArray[Any]
    """One end of each edge of the component, in the order of the input, by its new number."""
    dst: npt.NDArray[Any]
    """The other end."""
    rows: npt.NDArray[np.int64]
    """Where each edge stands in the input: ``weights[subgraph.rows]`` are their weights."""
    vertices: npt.NDArray[Any]
    """For each new number the vertex: its number, or its position in ``result.ids``."""
    ids: Any
    """For each new number the id; the same as ``vertices`` where these have no others."""

    def __init__(
        self,
        src: npt.NDArray[Any],
        dst: npt.NDArray[Any],
        rows: npt.NDArray[np.int64],
        vertices: npt.NDArray[Any],
        ids: Any,
    ) -> None:
        self.src, self.dst, self.rows = src, dst, rows
        self.vertices, self.ids = vertices, ids

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return len(self.vertices)

    def matrix(self, values: Any = None) -> Any:
        """The adjacency matrix, with an entry for each edge as the input states it.

        Parameters
        ----------
        values
            A value for every row of the input, such as its weights; 1 for each edge by default.
            Values of repeated edges are added up.

        Returns
        -------
        scipy.sparse.csr_array
            ``num_vertices`` rows and columns.

        Raises
        ------
        InputError
            If there are fewer values than rows in the input.
        UnsupportedError
            If scipy is not installed.

        Examples
        --------
        >>> import skerry
        >>> part = skerry.connected_components([(7, 9), (1, 2), (9, 8)]).subgraph()
        >>> part.matrix(values=[0.5, 0.1, 0.25]).toarray()
        array([[0.  , 0.  , 0.5 ],
               [0.  , 0.  , 0.  ],
               [0.  , 0.25, 0.  ]])
        """
        try:
            from scipy.sparse import coo_array
        except ImportError:
            raise UnsupportedError("matrix() needs scipy: pip install 'skerry[scipy]'") from None
        if values is None:
            data = np.ones(len(self.rows))
        else:
            column = np.asarray(values)
            if column.ndim != 1 or (len(self.rows) and len(column) <= int(self.rows.max())):
                raise InputError(
                    f"values has shape {column.shape}, but the input has at least "
                    f"{int(self.rows.max(initial=-1)) + 1:,} rows"
                )
            data = column[self.rows]
        ends = (self.src.astype(np.int64), self.dst.astype(np.int64))
        return coo_array((data, ends), shape=(self.num_vertices,) * 2).tocsr()

    def __repr__(self) -> str:
        return f"Subgraph(vertices={self.num_vertices:,}, edges={len(self.src):,})"


def edges_within(
    batches: Iterable[EdgeBatch], vertices: npt.NDArray[Any], num_vertices: int
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.int64]]:
    """The edges between some vertices, whose ends are either all among them or not: src, dst, rows.

    Ends are positions in ``vertices``, which are ascending.
    """
    outside = len(vertices)
    kind = np.uint32 if outside < 2**32 - 1 else np.uint64
    number = np.full(num_vertices, outside, kind)
    number[vertices] = np.arange(outside, dtype=kind)
    parts: list[tuple[npt.NDArray[Any], ...]] = []
    for batch in batches:
        try:
            src, dst = number[batch.src], number[batch.dst]
        except IndexError:
            raise InputError(CHANGED_SINCE) from None
        inside = src < outside
        if ((dst < outside) != inside).any():
            raise InputError(CHANGED_SINCE)
        rows = np.flatnonzero(inside)
        names = rows if batch.rows is None else batch.rows[rows]
        parts.append((src[rows], dst[rows], names.astype(np.int64) + batch.first))
    if not parts:
        return np.empty(0, kind), np.empty(0, kind), np.empty(0, np.int64)
    src, dst, rows = (np.concatenate(column) for column in zip(*parts, strict=True))
    return src, dst, rows
