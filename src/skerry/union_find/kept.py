"""How a `UnionFind` is kept: from labels, in a file, as a pickle."""

from __future__ import annotations

import os
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.graph.stored_labels import checked_labels
from skerry.result.components import Components
from skerry.result.links import ForestEdges
from skerry.result.previous import canonical_labels
from skerry.union_find.explained import ExplainedSets
from skerry.union_find.forest import team_of
from skerry.union_find.recording_forest import RecordingForest, recorded_of


class KeptSets(ExplainedSets):
    """The part of `UnionFind` that begins with known sets, and writes them."""

    __slots__ = ()
    _public: ClassVar[type[Any] | None] = None
    """The class to create objects of, in place of a class that is chosen by ``ids`` or a device."""

    @classmethod
    def _create(cls, **options: Any) -> Self:
        made: Self = (cls._public or cls)(**options)
        return made

    @classmethod
    def from_labels(
        cls,
        labels: Any,
        *,
        threads: int | None = None,
        dtype: npt.DTypeLike | None = None,
        device: str = "cpu",
    ) -> Self:
        """Disjoint sets that are known already: yesterday's answer, to be added to.

        Parameters
        ----------
        labels
            An array with a label for each vertex, equal exactly within the sets: of any integers,
            ``"min"`` or ``"dense"``. Or a `Components`, whose ids are kept.
        threads, dtype, device
            As of `UnionFind`.

        Returns
        -------
        UnionFind
            With as many vertices as there are labels.

        Raises
        ------
        InputError
            If the labels are not integers in one dimension.

        Examples
        --------
        >>> import skerry
        >>> sets = skerry.UnionFind.from_labels([7, 3, 7])
        >>> sets.labels.tolist(), sets.union(1, 3), sets.labels.tolist()
        ([0, 1, 0], 1, [0, 1, 0, 1])
        """
        if isinstance(labels, Components):
            if labels.ids is not None:
                sets = cls._create(ids="external", threads=threads, dtype=dtype, device=device)
                sets._start(labels._ids.columns, labels._to_host(labels._smallest))
                return sets
            labels = labels._to_host(labels.labels)
        sets = cls._create(threads=threads, dtype=dtype, device=device)
        team = team_of(threads, len(labels)) if hasattr(labels, "__len__") else 1
        sets._start(None, canonical_labels(labels, team))
        return sets

    def _start(self, ids: Any, labels: npt.NDArray[Any]) -> None:
        """Takes over sets, as their canonical labels; the object is new, and the labels are kept.

        ``ids`` are for external ids.
        """
        del ids
        forest = self._forest
        forest.grow(len(labels))  # checks that they fit the type
        forest.parent[:] = labels
        forest.adopt(forest.room[: len(labels)], flat=True)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the sets to a file, which is complete or not there at all.

        The forest of an object with ``forest=True`` is in it too.

        Parameters
        ----------
        path
            A plain file of this machine; one that exists is replaced. docs/incremental.md
            describes its format.

        Raises
        ------
        OutputError
            If it cannot be written.
        UnsupportedError
            If the path is an address, or names a compressed file; or if ids other than integers and
            text need pyarrow, and it is not installed.

        Examples
        --------
        >>> import pathlib, skerry, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "today.sets")
        >>> sets = skerry.UnionFind(4)
        >>> sets.union(1, 3)
        1
        >>> sets.save(path)
        >>> again = skerry.UnionFind.load(path)
        >>> again.union(0, 3), again.labels.tolist()
        (1, [0, 0, 2, 0])
        """
        from skerry.formats.saved_sets import SavedForest, SavedSets, save_sets

        if self._recording:
            state = self._call(self._complete_state)
            edges: ForestEdges = state["edges"]
            forest = SavedForest(edges.source, edges.target, edges.row, edges.weight, state["rows"])
            saved = SavedSets(state["labels"], state["ids"], self._dtype, forest)
        else:
            ids, labels = self._call(self._state)
            saved = SavedSets(labels, ids, self._dtype)
        save_sets(path, saved)

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], *, threads: int | None = None, device: str = "cpu"
    ) -> Self:
        """Sets that were saved.

        The file is read once, to check it. Its labels are mapped, not copied: pages that later
        unions change are copied, and the file stays as it is.

        Parameters
        ----------
        path
            What `save` wrote.
        threads, device
            As of `UnionFind`.

        Returns
        -------
        UnionFind
            Of vertex numbers or of external ids, as it was saved.

        Raises
        ------
        InputError
            If it is not such a file, of another version or byte order, cut short or damaged.
        UnsupportedError
            If its ids need pyarrow, and it is not installed.
        """
        from skerry.formats.saved_sets import load_sets

        saved = load_sets(path)
        kind, forest = "vertices" if saved.ids is None else "external", saved.forest
        options = {"threads": threads, "dtype": saved.dtype, "device": device}
        sets = cls._create(ids=kind, forest=forest is not None, **options)
        if forest is not None:
            edges = ForestEdges(forest.source, forest.target, forest.row, forest.weight)
            sets._start_recorded(saved.ids, saved.labels, edges, forest.rows)
            if not np.array_equal(sets._call(sets._labels), saved.labels):
                raise InputError(f"{path}: its forest is damaged: it does not join its sets")
        elif saved.ids is None and device == "cpu":
            sets._forest.adopt(saved.labels, flat=True)
        else:
            sets._start(saved.ids, saved.labels)
        return sets

    def _state(self) -> tuple[Any, npt.NDArray[Any]]:
        """The ids, or None, and the canonical labels."""
        return None, self._forest.labels()

    def __getstate__(self) -> dict[str, Any]:
        return self._call(self._complete_state)

    def _complete_state(self) -> dict[str, Any]:
        ids, labels = self._state()
        forest = self._forest
        state = {"ids": ids, "labels": labels, "threads": forest.threads, "dtype": forest.dtype}
        if isinstance(forest, RecordingForest):
            state |= {"edges": self._recorded_edges(forest), "rows": forest.rows}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        labels = checked_labels(state["labels"], "invalid state of a UnionFind")
        edges = state.get("edges")
        self.__init__(threads=state["threads"], dtype=state["dtype"], forest=edges is not None)  # type: ignore[misc]
        if edges is None:
            self._start(state["ids"], labels)
            return
        self._start_recorded(state["ids"], labels, edges, state["rows"])

    def _start_recorded(
        self, ids: Any, labels: npt.NDArray[Any], edges: ForestEdges, rows: int
    ) -> None:
        """As `_start`, with the forest of these sets, of which so many edges were added."""
        numbers = self._number_all(ids, len(labels))
        ends = edges._replace(source=numbers[edges.source], target=numbers[edges.target])
        recorded_of(self._forest).restore(ends, rows)

    def _number_all(self, ids: Any, count: int) -> npt.NDArray[Any]:
        """Adds the vertices of an object that is new; returns their numbers."""
        del ids
        self._forest.grow(count)
        return np.arange(count)
