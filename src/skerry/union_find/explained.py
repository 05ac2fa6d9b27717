"""Why two vertices are in one set: what a `UnionFind` that records its forest answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import ArgumentError, InputError, UnsupportedError
from skerry.result.components import Components
from skerry.result.forest import RecordedForest
from skerry.result.links import ForestEdges, Links
from skerry.union_find.answers import SetAnswers, components_of
from skerry.union_find.recording_forest import RecordingForest


class ExplainedSets(SetAnswers):
    """The part of `UnionFind` that answers by the edges that were recorded."""

    __slots__ = ("_recording",)
    _recording: bool

    def why(self, u: Any, v: Any) -> Links:
        """A path of edges that joins two vertices; needs ``forest=True``.

        Parameters
        ----------
        u, v
            Two vertices; ids where they are external.

        Returns
        -------
        Links
            The edges from ``u`` to ``v``, as ``why`` of `Components`. The row of an edge is its
            place among all edges that were added, counted from 0.

        Raises
        ------
        InputError
            If no path joins them, or one was never added.
        UnsupportedError
            If the sets were not made with ``forest=True``.

        Examples
        --------
        >>> import skerry
        >>> people = skerry.UnionFind(ids="external", forest=True)
        >>> people.union("kim", "lee", weight=0.9), people.union("lee", "bo", weight=0.8)
        (1, 1)
        >>> for link in people.why("bo", "kim"):
        ...     print(link)
        Link(source='bo', target='lee', weight=0.8, row=1)
        Link(source='lee', target='kim', weight=0.9, row=0)
        """
        return self._explained("why").why(u, v)

    def spanning_forest(self) -> Links:
        """The edges that made the sets: a spanning tree of each; needs ``forest=True``.

        Returns
        -------
        Links
            In the order in which they were added: an edge is left out only if edges before it join
            its ends.

        Raises
        ------
        UnsupportedError
            If the sets were not made with ``forest=True``.
        """
        return self._explained("spanning_forest").spanning_forest()

    def components(self) -> Components:
        """See `SetAnswers`; with the forest, where it is recorded."""
        return self._explained("components") if self._recording else super().components()

    def _explained(self, purpose: str) -> Components:
        if not self._recording:
            raise UnsupportedError(
                f"{purpose}() needs the edges that joined the sets: UnionFind(forest=True)"
            )
        return self._call(self._make_explained)

    def _make_explained(self) -> Components:
        labels, ids = self._snapshot()
        forest = self._forest
        assert isinstance(forest, RecordingForest)
        kept = forest.answer
        if kept is None or kept[0] != forest.version:
            edges, n = self._recorded_edges(forest), len(labels)
            recorded = RecordedForest(lambda: edges, n)
            kept = forest.version, components_of(labels, ids, self._threads, recorded)
            forest.answer = kept
        answer: Components = kept[1]
        return answer

    def _recorded_edges(self, forest: RecordingForest) -> ForestEdges:
        """The edges that were recorded, by positions of the ids in ascending order."""
        return forest.edges()


def checked_weight(weight: Any, rows: int | None, recording: bool) -> Any:
    """The weights of a batch, or the weight of an edge where ``rows`` is None: numbers, no NaN."""
    if weight is None:
        return None
    if not recording:
        raise ArgumentError("weight= is recorded with UnionFind(forest=True), and not used without")
    weights: npt.NDArray[Any] = np.asarray(weight)
    shape = () if rows is None else (rows,)
    if weights.dtype.kind not in "iufb" or weights.shape != shape:
        wanted = "a number" if rows is None else f"{rows:,} numbers, one for each edge"
        raise InputError(f"weight must be {wanted}, got {weights.dtype} of shape {weights.shape}")
    if weights.dtype.kind == "f" and np.isnan(weights).any():
        raise InputError(f"weight of edge {int(np.argmax(np.isnan(weights)))} is NaN")
    return weights.copy() if rows is not None else weights.item()
