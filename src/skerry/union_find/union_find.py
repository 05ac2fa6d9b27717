"""`UnionFind`: components of a graph whose edges come in batches and are not kept.

This file is the face for vertex numbers; ``ids="external"`` makes one of external.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal, NamedTuple, Self, Unpack

import numpy as np
import numpy.typing as npt

from skerry.errors import ArgumentError, InputError
from skerry.graph.edge_source import IdKind
from skerry.graph.edges import unsigned_dtype
from skerry.graph.vertex_ids import (
    MAX_VERTICES,
    as_ids,
    largest_id,
    uneven,
    vertex_count,
    widen,
)
from skerry.keywords import TableKeywords
from skerry.threads import check_threads
from skerry.union_find.added_tables import edges_of_table, is_table
from skerry.union_find.answers import as_vertex
from skerry.union_find.explained import checked_weight
from skerry.union_find.forest import EDGES_FROM, Forest
from skerry.union_find.kept import KeptSets
from skerry.union_find.recording_forest import RecordingForest

ANY_IDS = 'UnionFind(ids="external") takes any 64-bit integers'


class Pairs(NamedTuple):
    """Edges, or pairs of vertices or ids that join what some edges joined."""

    src: Any
    dst: Any


class UnionFind(KeptSets):
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

    __slots__ = ()
    _id_kind: ClassVar[IdKind] = "vertices"
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

    def _settle(self) -> None:
        self._forest.settle()

    def union(
        self, src: Any, dst: Any = None, *, weight: Any = None, **options: Unpack[TableKeywords]
    ) -> int:
        """Joins the ends of edges.

        Loops, repeats and edges between what is joined already do nothing.

        Parameters
        ----------
        src, dst
            Two arrays (or lists, or whatever NumPy reads) with an end of each edge, or two numbers
            for one edge. For external ids: two columns (NumPy, Arrow, a series), lists of ids, two
            tuples of columns for ids of several columns, or two ids. Or only a table, a frame or
            the `pathlib.Path` of a file, whose columns are found as in
            `skerry.connected_components`.
        weight
            With ``forest=True``, a weight to record for each edge: an array, or a number for one
            edge. Of a table, its column of weights.
        **options
            Of a table: ``source``, ``target``, ``threshold``, ``keep`` and ``on_null``, as in
            `skerry.connected_components`.

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
            If there are weights and no ``forest=True``, or options of a table without one.

        Examples
        --------
        >>> import pyarrow, skerry
        >>> pairs = {"id_l": ["kim", "bo"], "id_r": ["lee", "al"], "score": [0.9, 0.2]}
        >>> sets = skerry.UnionFind(ids="external")
        >>> sets.union(pyarrow.table(pairs), weight="score", threshold=0.5), list(sets)
        (1, ['kim', 'lee'])
        """
        if is_table(self.union, src, dst, options):
            edges = edges_of_table(src, self._id_kind, weight, self._recording, options)
            return self.union(edges.src, edges.dst, weight=edges.weight)
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

    def __repr__(self) -> str:
        return f"UnionFind(vertices={self._forest.size:,}, {self._forest.room.dtype})"


def checked_size(ids: npt.NDArray[Any], name: str, threads: int) -> int:
    """The largest id + 1."""
    high = largest_id(ids, name, threads)
    if high >= MAX_VERTICES:
        position = int(np.argmax(ids == high))
        raise InputError(f"{name}[{position}] is {high}: ids must be below 2**59; {ANY_IDS}")
    return high + 1
