"""Edges between numbered vertices: straight into the forest, each id checked against the range."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.engines.streaming.columns import alike, as_integers
from skerry.engines.streaming.memory_limit import Limit
from skerry.errors import InputError
from skerry.graph.edge_source import IdColumn
from skerry.inputs.ids import MAX_VERTICES
from skerry.phase_timer import PhaseTimer
from skerry.union_find import UnionFind

__all__ = ["VertexFold"]


class VertexFold:
    """Joins vertices 0..n-1; without a number of vertices it is the largest id + 1."""

    def __init__(
        self, num_vertices: int | None, first_id: int, threads: int, limit: Limit, timer: PhaseTimer
    ) -> None:
        self._most = num_vertices
        self._first = first_id
        self.threads = threads  # for the next batch; whoever folds may change it between two
        self._limit = limit
        self._timer = timer
        limit.check(4 * (num_vertices or 0), f"{num_vertices or 0:,} vertices")
        self.forest = UnionFind(num_vertices or 0, threads=threads)

    def add(self, src: IdColumn, dst: IdColumn, place: str) -> None:
        """Joins the ends of some edges."""
        with self._timer.phase("join edges"):
            sources, targets = (self._checked(column, place) for column in (src, dst))
            highest = max(sources[1], targets[1])
            if highest >= len(self.forest):
                self._limit.check(4 * (highest + 1), f"{highest + 1:,} vertices")
                self.forest.grow(highest + 1)
            u, v = alike(sources[0], targets[0])
            self.forest._join(u, v, self.threads)

    def add_ids(self, column: IdColumn, place: str) -> None:
        """Makes sure that these vertices are there."""
        highest = self._checked(column, place)[1]
        self._limit.check(4 * (highest + 1), f"{highest + 1:,} vertices")
        self.forest.grow(highest + 1)

    def _checked(self, column: IdColumn, place: str) -> tuple[npt.NDArray[Any], int]:
        ids = as_integers(column, place)
        if ids is None:
            raise InputError(
                f"{place}: the number of a vertex is an integer, got {_type_of(column)}; "
                'with ids="external", any ids will do'
            )
        if not len(ids):
            return ids, -1
        low, high = _native.bounds(ids, self.threads if len(ids) > 1 << 16 else 1)
        most = MAX_VERTICES if self._most is None else self._most
        if low < 0 or high >= most:
            bad = int(np.argmax((ids < 0) | (ids >= most)))
            first = self._first
            raise InputError(
                f"{place}: edge {bad} has the vertex {int(ids[bad]) + first}, which is not in "
                f"{first}..{most - 1 + first}"
                + ("" if self._most is not None else '; with ids="external", any ids will do')
            )
        return ids, int(high)

    def finish(self) -> tuple[None, npt.NDArray[Any]]:
        """No ids, and the smallest member of every vertex' component."""
        with self._timer.phase("flatten"):
            return None, self.forest.release()


def _type_of(column: IdColumn) -> str:
    if isinstance(column, tuple):
        return f"{len(column)} columns"
    return str(column.dtype if isinstance(column, np.ndarray) else column.type)
