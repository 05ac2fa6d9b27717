"""`UnionFind`: components of a graph whose edges come in batches and are not kept.

All it holds is the parent array, 4 bytes a vertex while there are fewer than 2^32. A batch goes
through the same kernel as a whole edge list (kernels/cpu/own/stream.h), which takes any valid
forest: in batches of a million edges that is 1.3 to 1.6 times as fast as hooking edge by edge.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.errors import InputError
from skerry.graph.edges import unsigned_dtype, vertex_dtype
from skerry.graph.vertex_ids import MAX_VERTICES, as_ids, largest_id, vertex_count, widen
from skerry.threads import THREADS_FROM, check_threads, resolve_threads

__all__ = ["UnionFind"]

SLACK = 8  # an array that must grow grows by an eighth at least, so that growing often stays cheap
PIECE = 1 << 20  # vertices that are started, or merged, at a time
EDGES_FROM = 1 << 14  # edges of a batch from which a second thread pays


class UnionFind:
    """Disjoint sets of the vertices 0..n-1, joined by batches of edges.

    Threads may not share it without a lock of their own. Ctrl-C during a call leaves it valid:
    some edges of the batch are joined, and joining them again does no harm.

    Parameters
    ----------
    num_vertices
        How many vertices to begin with; a batch with a larger id adds those up to it.
    threads
        How many threads a call may use; by default as many as pay, up to the available cores.
    dtype
        ``uint32`` or ``uint64``; by default 32 bits until the vertices need more.

    Examples
    --------
    >>> import skerry
    >>> sets = skerry.UnionFind()
    >>> sets.union([0, 2], [1, 3]).union(3, 5)
    UnionFind(vertices=6, uint32)
    >>> sets.count, sets.connected(2, 5), sets.find([1, 5])
    (3, True, array([0, 2], dtype=uint32))
    >>> sets.labels
    array([0, 0, 2, 2, 4, 2], dtype=uint32)
    """

    __slots__ = ("_count", "_fixed", "_flat", "_labels", "_room", "_size", "_threads")

    def __init__(
        self,
        num_vertices: int = 0,
        *,
        threads: int | None = None,
        dtype: npt.DTypeLike | None = None,
    ) -> None:
        self._threads = None if threads is None else check_threads(threads)
        self._fixed = None if dtype is None else unsigned_dtype(dtype)
        self._room = np.empty(0, self._fixed or np.uint32)
        self._size = 0
        self._flat = True
        self._count: int | None = 0
        self._labels: npt.NDArray[Any] | None = None
        self.grow(num_vertices)

    @property
    def _parent(self) -> npt.NDArray[Any]:
        """A view, never kept: the array behind it may move when it grows."""
        return self._room[: self._size]

    def _team(self, work: int, pays_from: int = THREADS_FROM) -> int:
        return resolve_threads(self._threads) if work >= pays_from else 1

    def union(self, src: Any, dst: Any) -> Self:
        """Joins the ends of edges.

        Loops, repeats and edges between what is joined already do nothing.

        Parameters
        ----------
        src, dst
            Two arrays (or lists, or whatever NumPy reads) with an end of each edge, or two numbers
            for one edge.

        Returns
        -------
        UnionFind
            The object itself.

        Raises
        ------
        InputError
            If an id is negative, not an integer or too large, or the lengths differ.
        """
        u, v = _as_vertex(src), _as_vertex(dst)
        if u is not None and v is not None:
            return self._join_one(u, v)
        sources, targets = widen(as_ids(src, "src")), widen(as_ids(dst, "dst"))
        if len(sources) != len(targets):
            raise InputError(
                f"src has {len(sources):,} ids and dst {len(targets):,}: an edge needs one of each"
            )
        if sources.itemsize != targets.itemsize:
            sources = sources.astype(np.uint64, copy=False)
            targets = targets.astype(np.uint64, copy=False)
        team = self._team(len(sources), EDGES_FROM)
        highest = 0
        for ids, name in ((sources, "src"), (targets, "dst")):
            high = largest_id(ids, name, team)
            if high >= MAX_VERTICES:
                position = int(np.argmax(ids == high))
                raise InputError(f"{name}[{position}] is {high}: ids must be below 2**59")
            highest = max(highest, high + 1)
        self.grow(highest)
        self._join(sources, targets, team)
        return self

    def _join(self, src: npt.NDArray[Any], dst: npt.NDArray[Any], threads: int) -> None:
        """Joins edges whose ids are known to be in range, 32 or 64 bits wide, both alike."""
        if len(src):
            self._flat, self._count, self._labels = False, None, None
            _native.stream_edges(src, dst, self._parent, threads, False)

    def _join_one(self, u: int, v: int) -> Self:
        for end, name in ((u, "src"), (v, "dst")):
            if not 0 <= end < MAX_VERTICES:
                raise InputError(f"{name} is {end}: vertices are 0 or more, and below 2**59")
        self.grow(max(u, v) + 1)
        u, v = self._root(u), self._root(v)
        if u != v:
            self._room[max(u, v)] = min(u, v)
            self._flat, self._labels = False, None
            self._count = None if self._count is None else self._count - 1
        return self

    def _root(self, v: int) -> int:
        """The root of one vertex, its path halved: a native call would cost more than the walk."""
        parent = self._room
        while (up := parent.item(v)) != v:
            parent[v] = top = parent.item(up)
            v = top
        return v

    def grow(self, num_vertices: int) -> Self:
        """Makes sure that there are that many vertices; new ones are alone.

        Parameters
        ----------
        num_vertices
            The number of vertices; if there are more already, nothing changes.

        Returns
        -------
        UnionFind
            The object itself.
        """
        n, old = vertex_count(num_vertices), self._size
        if n <= old:
            return self
        self._make_room(n)
        for begin in range(old, n, PIECE):  # no second array of their number comes to be
            end = min(begin + PIECE, n)
            self._room[begin:end] = np.arange(begin, end, dtype=self._room.dtype)
        self._size = n
        self._labels = None
        if self._count is not None:
            self._count += n - old
        return self

    def _make_room(self, n: int) -> None:
        if self._fixed is not None and n >= 2 ** (8 * self._fixed.itemsize):
            raise InputError(f"{n:,} vertices do not fit into {self._fixed}")
        wanted = self._fixed or vertex_dtype(n)
        capacity = len(self._room)
        try:
            if wanted != self._room.dtype:
                room = np.empty(n, wanted)
                room[: self._size] = self._parent
                self._room = room
            elif n > capacity:
                # In place where the system can: the pages move, and no copy is held meanwhile.
                self._room.resize(max(n, capacity + capacity // SLACK), refcheck=False)
        except MemoryError as error:
            raise MemoryError(
                f"{error}. {n:,} vertices, the largest id + 1, need this memory; if most ids are "
                "not in use: skerry.connected_components(..., ids='external')"
            ) from None

    def find(self, v: Any) -> Any:
        """The smallest member of the set of a vertex.

        Parameters
        ----------
        v
            A vertex, or an array of vertices.

        Returns
        -------
        int or numpy.ndarray
            An array where an array was given.

        Raises
        ------
        InputError
            If a vertex is not in ``0..n-1``.
        """
        vertex = _as_vertex(v)
        if vertex is not None and 0 <= vertex < self._size:
            return self._root(vertex)
        ids = np.asarray(v)
        if ids.size and ids.dtype.kind not in "iu":
            raise InputError(f"vertices are integers, got {ids.dtype} ({v!r})")
        if ids.size and (ids.min() < 0 or ids.max() >= self._size):
            raise InputError(f"vertex {v!r} is not in 0..{self._size - 1}")
        flat = np.ascontiguousarray(ids.reshape(-1), np.uint64 if ids.itemsize > 4 else np.uint32)
        roots = np.empty(len(flat), self._room.dtype)
        _native.find_roots(flat, self._parent, roots, self._team(len(flat), EDGES_FROM))
        return roots.reshape(ids.shape)

    def connected(self, u: Any, v: Any) -> Any:
        """Whether ``u`` and ``v`` are in one set.

        Parameters
        ----------
        u, v
            Two vertices, or two arrays of vertices that are compared element by element.

        Returns
        -------
        bool or numpy.ndarray
            An array of booleans where an array was given.

        Raises
        ------
        InputError
            If a vertex is not in ``0..n-1``, or the shapes do not match.
        """
        first, second = self.find(u), self.find(v)
        try:
            same = first == second
            return bool(same) if np.ndim(same) == 0 else same
        except ValueError:
            raise InputError(
                f"u has shape {np.shape(u)} and v {np.shape(v)}: they do not match"
            ) from None

    @property
    def count(self) -> int:
        """Number of sets; a vertex that no edge joined is one."""
        if self._count is None:
            self._count = _native.count_components(self._parent, self._team(self._size))
        return self._count

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The smallest member of the set of each vertex: read-only, the same until the next union.

        Later unions do not change it.
        """
        if self._labels is None:
            self._flatten()
            labels = self._parent.copy()
            labels.setflags(write=False)
            self._labels = labels
        return self._labels

    def sizes(self) -> npt.NDArray[np.int64]:
        """Size of every set, in order of their smallest member.

        Returns
        -------
        numpy.ndarray
            ``count`` integers.
        """
        self._flatten()
        counts = np.bincount(self._parent.astype(np.int64), minlength=self._size)
        return counts[counts > 0].astype(np.int64, copy=False)

    def _release(self) -> npt.NDArray[Any]:
        """The labels without a copy; the object is left without vertices."""
        self._flatten()
        room, size = self._room, self._size
        self._room, self._size, self._count = np.empty(0, room.dtype), 0, 0
        self._labels = None
        room.resize(size, refcheck=False)
        return room

    def _flatten(self) -> None:
        if not self._flat:
            team = self._team(self._size)
            _native.finish(self._parent, _native.FINISH["ordered"], team, False)
            self._flat = True

    def merge(self, other: UnionFind) -> Self:
        """Joins what another has joined, as if the edges of both had been added here.

        Parameters
        ----------
        other
            It stays as it is.

        Returns
        -------
        UnionFind
            The object itself.
        """
        if not isinstance(other, UnionFind):
            raise InputError(f"only a UnionFind can be merged, got {type(other).__qualname__}")
        self.grow(other._size)
        for begin in range(0, other._size, PIECE):
            parents = other._room[begin : min(begin + PIECE, other._size)]
            own = np.arange(begin, begin + len(parents), dtype=parents.dtype)
            self._join(own, parents, self._team(len(own), EDGES_FROM))
        return self

    @property
    def nbytes(self) -> int:
        """Bytes of the parent array."""
        return self._room.nbytes

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"UnionFind(vertices={self._size:,}, {self._room.dtype})"

    def __getstate__(self) -> dict[str, Any]:
        return {"parent": self.labels, "threads": self._threads, "dtype": self._fixed}

    def __setstate__(self, state: dict[str, Any]) -> None:
        parent = state["parent"]
        self.__init__(threads=state["threads"], dtype=state["dtype"])  # type: ignore[misc]
        for begin in range(0, len(parent), PIECE):
            part = parent[begin : begin + PIECE]
            if (part > np.arange(begin, begin + len(part), dtype=parent.dtype)).any():
                raise InputError("invalid state of a UnionFind: a parent is above its vertex")
        self._room = np.array(parent, self._fixed or vertex_dtype(len(parent)))
        self._size = len(parent)
        self._flat, self._count, self._labels = False, None, None


def _as_vertex(value: Any) -> int | None:
    """A single integer, or None for anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, np.integer) else None
