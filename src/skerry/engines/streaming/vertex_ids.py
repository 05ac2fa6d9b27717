"""Edges between vertex numbers: joined directly, each id checked against the range."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.engines.streaming.joined_sets import Sets
from skerry.engines.streaming.known_ids import KnownIds
from skerry.engines.streaming.recorder import Recorder
from skerry.errors import InputError
from skerry.formats.memory import claimed, reserve
from skerry.graph.batch_columns import as_integers, same_width
from skerry.graph.edge_source import IdColumn
from skerry.graph.vertex_ids import MAX_VERTICES, NUMBER_FIRST
from skerry.result.plan import PhaseTimer
from skerry.union_find.forest import Forest

if TYPE_CHECKING:
    from skerry.union_find.streamed_forest import StreamedForest


class VertexJoiner:
    """Joins vertices 0..n-1; without a number of vertices it is the largest id + 1."""

    def __init__(
        self,
        num_vertices: int | None,
        first_id: int,
        threads: int,
        timer: PhaseTimer,
        forest: Recorder | StreamedForest | None = None,
    ) -> None:
        self._num_vertices = num_vertices
        self._first = first_id
        self.threads = threads  # for the next batch; may be changed between two batches
        self._timer = timer
        self._known = KnownIds()
        reserve(4 * (num_vertices or 0), f"{num_vertices or 0:,} vertices")
        self.forest: Forest | Recorder | StreamedForest
        if forest is None:
            self.forest = Forest(num_vertices or 0, threads=threads)
        else:
            self.forest = forest
            forest.grow(num_vertices or 0)

    def add(self, src: IdColumn, dst: IdColumn, name: str) -> None:
        """Joins the ends of some edges."""
        with self._timer.phase("join edges"):
            if self._joined_as_known(src, dst, name):
                return
            sources, targets = (self._checked(column, name) for column in (src, dst))
            highest = max(sources[1], targets[1])
            if highest >= self.forest.size:
                with claimed(4 * (highest + 1), f"{highest + 1:,} vertices"):
                    self.forest.grow(highest + 1)
            u, v = same_width(sources[0], targets[0])
            self.forest.join(u, v, self.threads)

    def _joined_as_known(self, src: IdColumn, dst: IdColumn, name: str) -> bool:
        """Joins edges in one pass if all ids are below the number of vertices so far."""
        forest, ends = self.forest, (as_integers(src, name), as_integers(dst, name))
        if not isinstance(forest, Forest) or ends[0] is None or ends[1] is None:
            return False
        return self._known.join(forest, ends[0], ends[1], self.threads)[0]

    def add_ids(self, column: IdColumn, name: str) -> None:
        """Makes sure that these vertices are there."""
        highest = self._checked(column, name)[1]
        reserve(4 * (highest + 1), f"{highest + 1:,} vertices")
        self.forest.grow(highest + 1)

    def _checked(self, column: IdColumn, name: str) -> tuple[npt.NDArray[Any], int]:
        return checked_vertices(column, name, self._num_vertices, self._first, self.threads)

    @property
    def nbytes(self) -> int:
        """Bytes of the parent array."""
        return self.forest.nbytes

    def sets(self) -> Sets:
        """What was joined so far."""
        assert isinstance(self.forest, Forest)
        self.forest.flatten()
        return Sets(self.forest.parent)

    def restore(self, sets: Sets) -> None:
        """Takes over what was joined before."""
        assert isinstance(self.forest, Forest)
        if sets.ids is not None or len(sets.labels) < self.forest.size:
            raise InputError("the checkpoint is damaged: it is not of this graph")
        reserve(sets.labels.nbytes, f"{len(sets.labels):,} vertices")
        self.forest.adopt(sets.labels.copy(), flat=True)

    def finish(self) -> tuple[None, npt.NDArray[Any]]:
        """No ids, and the smallest member of the component of every vertex."""
        with self._timer.phase("flatten"):
            return None, self.forest.release()


def checked_vertices(
    column: IdColumn, name: str, num_vertices: int | None, first_id: int, threads: int
) -> tuple[npt.NDArray[Any], int]:
    """A column of vertex numbers as integers of NumPy, and the largest of them, or -1.

    ``first_id`` is what the source calls vertex 0, for messages.
    """
    ids = as_integers(column, name)
    if ids is None:
        raise InputError(
            f"{name}: vertex numbers are integers, got {_type_of(column)}; "
            f"{NUMBER_FIRST}, and leave out num_vertices="
        )
    if not len(ids):
        return ids, -1
    low, high = _native.bounds(ids, threads if len(ids) > 1 << 16 else 1)
    bound = MAX_VERTICES if num_vertices is None else num_vertices
    if low < 0 or high >= bound:
        row = int(np.argmax((ids < 0) | (ids >= bound)))
        raise InputError(
            f"{name}: edge {row} has the vertex {int(ids[row]) + first_id}, which is not in "
            f"{first_id}..{bound - 1 + first_id}"
            + ("" if num_vertices is not None else f"; {NUMBER_FIRST}")
        )
    return ids, int(high)


def _type_of(column: IdColumn) -> str:
    if isinstance(column, tuple):
        return f"{len(column)} columns"
    return str(column.dtype if isinstance(column, np.ndarray) else column.type)
