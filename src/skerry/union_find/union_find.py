"""`UnionFind`: components of a graph whose edges come in batches and are not kept.

This file is the face for vertex numbers; ``ids="external"`` makes one of external.py.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from skerry._native import OpenForest
from skerry.errors import ArgumentError, InputError, UnsupportedError
from skerry.graph.edges import unsigned_dtype
from skerry.graph.stored_labels import checked_labels
from skerry.graph.vertex_ids import (
    MAX_VERTICES,
    as_ids,
    largest_id,
    uneven,
    vertex_count,
    widen,
)
from skerry.result.components import Components
from skerry.result.previous import canonical_labels
from skerry.threads import check_threads
from skerry.union_find.answers import as_vertex
from skerry.union_find.explained import ExplainedSets, checked_weight
from skerry.union_find.forest import EDGES_FROM, Forest, team_of
from skerry.union_find.recording_forest import RecordingForest, recorded_of

ANY_IDS = 'UnionFind(ids="external") takes any 64-bit integers'


class Pairs(NamedTuple):
    """Edges, or pairs of vertices or ids that join what some edges joined."""

    src: Any
    dst: Any


class UnionFind(ExplainedSets):
    """Disjoint sets of vertices 0..n-1, or of any ids, joined by batches of edges.

    Threads may share it: calls that change it take effect one after the other, and each may use
    several threads of its own; `connected` of two vertices does not wait. A call that is refused or
    interrupted by Ctrl-C has changed nothing, or all that it was to change: then the next call
    first joins what was left. A signal handler that uses the object whose call it interrupted gets
    an error.

    Parameters
    ----------
    num_vertices
        How many vertices to begin with; a batch with a larger id adds those up to it.
    ids
        ``"vertices"``: vertex numbers. ``"external"``: any ids (text, 64-bit integers, dates,
        tuples), of which those that occur are the vertices. See docs/incremental.md.
    threads
        How many threads a call may use; by default as many as pay, up to the available cores.
    dtype
        ``uint32`` or ``uint64``; by default 32 bits until the vertices need more.
    device
        ``"cpu"``, or ``"cuda"`` (``"cuda:1"``) for sets of vertex numbers on a GPU.
    forest
        Record the edges that join two sets, for `why` and `spanning_forest`. Takes 16 bytes for
        each of them, 8 more with weights.

    Examples
    --------
    >>> import skerry
    >>> sets = skerry.UnionFind()
    >>> sets.union([0, 2], [1, 3]), sets.union(3, 5), sets.union(5, 2)
    (2, 1, 0)
    >>> sets.count, sets.connected(2, 5), sets.find([1, 5])
    (3, True, array([0, 2], dtype=uint32))
    >>> sets.labels
    array([0, 0, 2, 2, 4, 2], dtype=uint32)

    External ids, as a dict of sets written by hand:

    >>> people = skerry.UnionFind(ids="external")
    >>> people.union("bo", "kim"), people.union(["al", "kim"], ["lee", "lee"])
    (1, 2)
    >>> people["kim"], "jo" in people, people.connected("al", "bo"), list(people)
    ('al', False, True, ['al', 'bo', 'kim', 'lee'])
    """

    __slots__ = ("_reader", "_sets")
    _reader: OpenForest
    _sets: Any
    _external_face: ClassVar[Callable[[], type[Any]]]
    _device_face: ClassVar[Callable[[], type[Any]]]
    """Load the subclasses for external ids and for a GPU: see faces.py."""

    def __new__(
        cls,
        num_vertices: int = 0,
        *,
        ids: Literal["vertices", "external"] = "vertices",
        threads: int | None = None,
        dtype: npt.DTypeLike | None = None,
        device: str = "cpu",
        forest: bool = False,
    ) -> Self:
        """An object of this class, or of a subclass for external ids or a GPU."""
        del num_vertices, threads, dtype, forest
        face: Any = cls
        if cls is UnionFind and device != "cpu":
            face = cls._device_face()
        elif cls is UnionFind and ids == "external":
            face = cls._external_face()
        made: Self = object.__new__(face)
        return made

    def __init__(
        self,
        num_vertices: int = 0,
        *,
        ids: Literal["vertices", "external"] = "vertices",
        threads: int | None = None,
        dtype: npt.DTypeLike | None = None,
        device: str = "cpu",
        forest: bool = False,
    ) -> None:
        del device  # another one is that of a subclass
        if ids not in ("vertices", "external"):
            raise ArgumentError(f'ids must be "vertices" or "external", got {ids!r}')
        if ids == "external" and not isinstance(self, UnionFind._external_face()):
            raise ArgumentError('a class derived from UnionFind has vertex numbers: ids="vertices"')
        kind = None if dtype is None else unsigned_dtype(dtype)
        if not isinstance(forest, bool):
            raise ArgumentError(f"forest must be True or False, got {forest!r}")
        self._recording = forest
        if num_vertices and ids == "external":
            raise ArgumentError(
                "num_vertices= is for vertex numbers: external ids are added by add() and union()"
            )
        self._make_lock()
        made = RecordingForest if forest else Forest
        self._take(made(vertex_count(num_vertices), check_threads(threads), kind))

    def _take(self, forest: Forest) -> None:
        """Sets the forest of an object that is new."""
        self._sets = forest
        self._reader = forest.reader

    @property
    def _forest(self) -> Forest:
        forest: Forest = self._sets
        return forest

    def _settle(self) -> None:
        self._forest.settle()

    def _state_of(self) -> tuple[Any, int]:
        """What answers are kept with: they hold while it is the same."""
        return self._sets, self._forest.version

    @classmethod
    def from_labels(
        cls,
        labels: Any,
        *,
        threads: int | None = None,
        dtype: npt.DTypeLike | None = None,
        device: str = "cpu",
    ) -> UnionFind:
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
                sets = UnionFind(ids="external", threads=threads, dtype=dtype, device=device)
                sets._start(labels._ids.columns, labels._to_host(labels._smallest))
                return sets
            labels = labels._to_host(labels.labels)
        sets = UnionFind(threads=threads, dtype=dtype, device=device)
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

    def union(self, src: Any, dst: Any, *, weight: Any = None) -> int:
        """Joins the ends of edges.

        Loops, repeats and edges between what is joined already do nothing.

        Parameters
        ----------
        src, dst
            Two arrays (or lists, or whatever NumPy reads) with an end of each edge, or two numbers
            for one edge. For external ids: two columns (NumPy, Arrow, a series), lists of ids, two
            tuples of columns for ids of several columns, or two ids.
        weight
            With ``forest=True``, a weight to record for each edge: an array, or a number for one
            edge.

        Returns
        -------
        int
            The number of merges: how many sets fewer there are because of these edges, those that
            are new in them counted as sets of their own before. For one edge 0 or 1.

        Raises
        ------
        InputError
            If an id is negative, not an integer or too large, or the lengths differ; for external
            ids, if one is missing, a float, or of another kind than those before.
        ArgumentError
            If there are weights and no ``forest=True``.
        """
        u, v = as_vertex(src), as_vertex(dst)
        if u is not None and v is not None:
            for end, name in ((u, "src"), (v, "dst")):
                if not 0 <= end < MAX_VERTICES:
                    raise InputError(
                        f"{name} is {end}: vertices are 0 or more, and below 2**59; {ANY_IDS}"
                    )
            weight = checked_weight(weight, None, self._recording)
            return self._change(self._forest.add_edge, u, v, weight, max(u, v) + 1)
        sources, targets = widen(as_ids(src, "src")), widen(as_ids(dst, "dst"))
        if len(sources) != len(targets):
            raise uneven(len(sources), len(targets))
        team = self._forest.team(len(sources), EDGES_FROM)
        size = max(checked_size(sources, "src", team), checked_size(targets, "dst", team))
        weight = checked_weight(weight, len(sources), self._recording)
        return self._change(self._forest.add_edges, sources, targets, weight, size)

    def _copied_edges(self, src: Any, dst: Any) -> Pairs:
        """The ends of edges, which the caller may change from now on."""
        return Pairs(as_ids(src, "src").copy(), as_ids(dst, "dst").copy())

    def _join_and_contract(self, batches: list[Pairs]) -> list[Pairs]:
        """Joins batches one after the other; returns pairs that join what each of them added.

        Each pair is a root that is none any more, and its new one. Only roots of the ends of edges
        can stop being roots, so nothing else is looked at. For `SlidingWindow`; it does not lock.
        """
        added = []
        for src, dst in batches:
            roots = np.unique(np.concatenate([self.find(src), self.find(dst)]))
            self.union(src, dst)
            after = self.find(roots)
            merged = roots != after
            added.append(Pairs(roots[merged], after[merged]))
        return added

    def add(self, ids: Any) -> int:
        """Makes sure that vertices are there; new ones are alone.

        Parameters
        ----------
        ids
            A vertex, or an array of vertices: those up to the largest are added. For external ids,
            an id or a column of ids.

        Returns
        -------
        int
            How many were added.

        Raises
        ------
        InputError
            As `union`.
        """
        vertex = as_vertex(ids)
        column = as_ids([vertex] if vertex is not None else ids, "ids")
        size = checked_size(widen(column), "ids", 1)
        return self._change(self._grow, size)

    def grow(self, num_vertices: int) -> int:
        """Makes sure that there are that many vertices, for vertex numbers; new ones are alone.

        Parameters
        ----------
        num_vertices
            The number of vertices; if there are more already, nothing changes.

        Returns
        -------
        int
            How many were added.
        """
        return self._change(self._grow, vertex_count(num_vertices))

    def _grow(self, num_vertices: int) -> int:
        before = self._forest.size
        self._forest.grow(num_vertices)
        return self._forest.size - before

    def find(self, v: Any) -> Any:
        """The smallest member of the set of a vertex, or of each of many.

        Parameters
        ----------
        v
            A vertex, or an array of vertices; ids where they are external.

        Returns
        -------
        int or numpy.ndarray
            An array where an array was given. For external ids, an id or a column of ids: NumPy
            for integers, otherwise Arrow.

        Raises
        ------
        InputError
            If a vertex is not in ``0..n-1``, or an id was never added.
        """
        root = self._reader.find(v)
        if root is not None:
            return root
        vertex = as_vertex(v)
        if vertex is not None and 0 <= vertex < self._forest.size:
            return self._call(self._forest.root, vertex)
        return self._call(self._forest.find, self._as_vertices(v))

    def _as_vertices(self, v: Any) -> npt.NDArray[Any]:
        ids = np.asarray(v)
        if ids.size and ids.dtype.kind not in "iu":
            raise InputError(f"vertices are integers, got {ids.dtype} ({v!r})")
        size = self._forest.size
        if ids.size and (ids.min() < 0 or ids.max() >= size):
            raise InputError(f"vertex {v!r} is not in 0..{size - 1}")
        return ids

    def connected(self, u: Any, v: Any) -> Any:
        """Whether ``u`` and ``v`` are in one set.

        Parameters
        ----------
        u, v
            Two vertices, or two arrays of vertices that are compared element by element; ids where
            they are external.

        Returns
        -------
        bool or numpy.ndarray
            An array of booleans where an array was given.

        Raises
        ------
        InputError
            If a vertex is not in ``0..n-1``, an id was never added, or the shapes do not match.
        """
        known = self._reader.connected(u, v)
        if known is not None:
            return known
        return self._compare(self._as_vertices(u), self._as_vertices(v))

    def _compare(self, u: npt.NDArray[Any], v: npt.NDArray[Any]) -> Any:
        # Both under one lock: a set that gets another smallest member in between is still one set.
        first, second = self._call(self._find_both, u, v)
        try:
            same = first == second
            return bool(same) if np.ndim(same) == 0 else same
        except ValueError:
            raise InputError(
                f"u has shape {np.shape(u)} and v {np.shape(v)}: they do not match"
            ) from None

    def _find_both(
        self, u: npt.NDArray[Any], v: npt.NDArray[Any]
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        return self._forest.find(u), self._forest.find(v)

    def merge(self, other: UnionFind) -> int:
        """Joins what another has joined, as if the edges of both had been added here.

        Parameters
        ----------
        other
            It stays as it is. Ids of both must be vertex numbers, or external and of one kind.

        Returns
        -------
        int
            The number of merges, as of `union`.

        Raises
        ------
        InputError
            If the ids do not match, or this one records its forest and the other does not.
        """
        if not isinstance(other, UnionFind):
            raise InputError(f"only a UnionFind can be merged, got {type(other).__qualname__}")
        if type(other) is not type(self):
            raise InputError(
                f"{self!r} and {other!r} do not merge: both must have vertex numbers, or external "
                "ids, and both be on a CPU or a GPU"
            )
        if other is self:
            return 0
        # Always in the same order, or two that merge each other would wait forever.
        outer, inner = (self._change, other._call)
        if id(self) > id(other):
            outer, inner = inner, outer
        merges: int = outer(inner, self._merge, other)
        return merges

    def _merge(self, other: Self) -> int:
        return self._forest.merge(other._forest)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the sets to a file, which is complete or not there at all.

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
            If the path is an address, or names a compressed file; if ids other than integers and
            text need pyarrow, and it is not installed; or of an object with ``forest=True``.

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
        from skerry.formats.saved_sets import SavedSets, save_sets

        if self._recording:
            raise UnsupportedError(
                "a file of sets holds no edges: pickle an object that records its forest, or save "
                "UnionFind.from_labels(sets.components())"
            )
        ids, labels = self._call(self._state)
        save_sets(path, SavedSets(labels, ids, self._dtype))

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], *, threads: int | None = None, device: str = "cpu"
    ) -> UnionFind:
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
        kind: Literal["vertices", "external"] = "vertices" if saved.ids is None else "external"
        sets = UnionFind(ids=kind, threads=threads, dtype=saved.dtype, device=device)
        if saved.ids is None and device == "cpu":
            sets._forest.adopt(saved.labels, flat=True)
        else:
            sets._start(saved.ids, saved.labels)
        return sets

    def _state(self) -> tuple[Any, npt.NDArray[Any]]:
        """The ids, or None, and the canonical labels."""
        return None, self._forest.labels()

    def __repr__(self) -> str:
        return f"UnionFind(vertices={self._forest.size:,}, {self._forest.room.dtype})"

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
        numbers = self._number_all(state["ids"], len(labels))
        ends = edges._replace(source=numbers[edges.source], target=numbers[edges.target])
        recorded_of(self._forest).restore(ends, state["rows"])

    def _number_all(self, ids: Any, count: int) -> npt.NDArray[Any]:
        """Adds the vertices of an object that is new; returns their numbers."""
        del ids
        self._forest.grow(count)
        return np.arange(count)


def checked_size(ids: npt.NDArray[Any], name: str, threads: int) -> int:
    """The largest id + 1."""
    high = largest_id(ids, name, threads)
    if high >= MAX_VERTICES:
        position = int(np.argmax(ids == high))
        raise InputError(f"{name}[{position}] is {high}: ids must be below 2**59; {ANY_IDS}")
    return high + 1
