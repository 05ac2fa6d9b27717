"""The merges of single-linkage clustering."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.ids.id_space import IdSpace


class Linkage:
    """The single-linkage dendrogram of a graph, as scipy writes one.

    Immutable; threads may share it. Made by `skerry.single_linkage`, not by hand.
    """

    def __init__(self, matrix: npt.NDArray[np.float64], ids: IdSpace) -> None:
        matrix.setflags(write=False)
        self._matrix = matrix
        self._ids = ids

    @property
    def matrix(self) -> npt.NDArray[np.float64]:
        """A row for each merge, n - 1 of them, read-only: what scipy's functions call Z.

        The columns are two clusters, their distance, and the number of vertices in both. Clusters
        below n are vertices, n + i is what row i makes.
        """
        return self._matrix

    @property
    def ids(self) -> Any:
        """The ids of the vertices, ascending; None where they are 0..n-1.

        In the form of ``ids`` of `Components`. Vertices of ``matrix`` are positions in it.
        """
        return self._ids.columns

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return len(self._ids)

    def __repr__(self) -> str:
        return f"Linkage(vertices={self.num_vertices:,}, merges={len(self.matrix):,})"
