"""`UnionFind`: components of a graph whose edges come in batches and are not kept.

All it holds is the parent array, 4 bytes a vertex while there are fewer than 2^32. A batch goes
through the same kernel as a whole edge list (kernels/cpu/own/stream.h), which takes any valid
forest: in batches of a million edges that is 1.3 to 1.6 times as fast as hooking edge by edge.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, Self, TypeVar

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.errors import InputError, SkerryError
from skerry.graph.edges import unsigned_dtype, vertex_dtype
from skerry.graph.vertex_ids import (
    CHANGED,
    MAX_VERTICES,
    as_ids,
    largest_id,
    vertex_count,
    widen,
)
from skerry.threads import THREADS_FROM, check_threads, resolve_threads

__all__ = ["UnionFind"]

SLACK = 8  # an array that must grow grows by an eighth at least, so that growing often stays cheap
PIECE = 1 << 20  # vertices that are started, or merged, at a time
EDGES_FROM = 1 << 14  # edges of a batch from which a second thread pays

SHORT_PATH = 8  # steps that a path may have to be left as it is

T = TypeVar("T")


class UnionFind:
    """Disjoint sets of the vertices 0..n-1, joined by batches of edges.

    Threads may share it: every call holds its lock, so calls from several threads take effect one
    after the other, and each may use several threads of its own. Ctrl-C during a call leaves it
    valid: some edges of the batch are joined, and joining them again does no harm. A signal handler
    that uses the object whose call it interrupted gets an error.

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

    __slots__ = (
        *("_busy", "_count", "_fixed", "_flat", "_labels", "_lock", "_room", "_size", "_threads"),
    )

    def __init__(
        self,
        num_vertices: int = 0,
        *,
        threads: int | None = None,
        dtype: npt.DTypeLike | None = None,
    ) -> None:
        self._threads = check_threads(threads)
        self._lock = RLock()
        self._busy = False
        self._fixed = None if dtype is None else unsigned_dtype(dtype)
        self._room = np.empty(0, self._fixed or np.uint32)
        self._size = 0
        self._flat = True
        self._count: int | None = 0
        self._labels: npt.NDArray[Any] | None = None
        self._grow(vertex_count(num_vertices))

    def _exclusively(self, work: Callable[..., T], *arguments: Any) -> T:
        """Calls ``work`` while no other call uses this object.

        Native code lets other threads run, and it lets signal handlers run, on this very thread:
        of these the lock knows nothing, hence the flag. Methods with an underscore do not lock.
        """
        with self._lock:
            self._check_idle()
            self._busy = True
            try:
                return work(*arguments)
            finally:
                self._busy = False

    def _check_idle(self) -> None:
        if self._busy:
            raise SkerryError("this UnionFind is in use by the call that a signal interrupted")

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
        return self._exclusively(self._join_batch, sources, targets, highest, team)

    def _join_batch(
        self, src: npt.NDArray[Any], dst: npt.NDArray[Any], num_vertices: int, threads: int
    ) -> Self:
        self._grow(num_vertices)
        self._join(src, dst, threads)
        return self

    def _join(self, src: npt.NDArray[Any], dst: npt.NDArray[Any], threads: int) -> None:
        """Joins edges whose ids are known to be in range, 32 or 64 bits wide, both alike."""
        if len(src):
            self._flat, self._count, self._labels = False, None, None
            if _native.stream_edges(src, dst, self._parent, threads, False, False)[3]:
                raise InputError(CHANGED)

    def _join_one(self, u: int, v: int) -> Self:
        for end, name in ((u, "src"), (v, "dst")):
            if not 0 <= end < MAX_VERTICES:
                raise InputError(f"{name} is {end}: vertices are 0 or more, and below 2**59")
        with self._lock:  # as _exclusively, without the cost of its call
            if self._busy:
                self._check_idle()
            self._busy = True
            try:
                if u >= self._size or v >= self._size:
                    self._grow(max(u, v) + 1)
                u, v = self._root(u), self._root(v)
                if u != v:
                    self._room[max(u, v)] = min(u, v)
                    self._flat, self._labels = False, None
                    self._count = None if self._count is None else self._count - 1
            finally:
                self._busy = False
        return self

    def _root(self, v: int) -> int:
        """The root of one vertex, its path halved: a native call would cost more than the walk."""
        parent = self._room
        while (up := parent.item(v)) != v:
            parent[v] = top = parent.item(up)
            v = top
        return v

    def _seen_root(self, v: int) -> int:
        """The root of one vertex without the lock: nothing is written, as others may be writing.

        A parent that is read here is an ancestor, whatever other threads do at the same time. A
        long path is walked under the lock instead, and halved.
        """
        parent = self._room
        steps = 0
        while (up := parent.item(v)) != v:
            v = up
            steps += 1
            if steps == SHORT_PATH:
                return self._exclusively(self._root, v)
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
        self._exclusively(self._grow, vertex_count(num_vertices))
        return self

    def _grow(self, n: int) -> None:
        old = self._size
        if n <= old:
            return
        self._make_room(n)
        for begin in range(old, n, PIECE):  # no second array of their number comes to be
            end = min(begin + PIECE, n)
            self._room[begin:end] = np.arange(begin, end, dtype=self._room.dtype)
        self._size = n
        self._labels = None
        if self._count is not None:
            self._count += n - old

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
            return self._seen_root(vertex)
        return self._exclusively(self._find, self._as_vertices(v))

    def _as_vertices(self, v: Any) -> npt.NDArray[Any]:
        ids = np.asarray(v)
        if ids.size and ids.dtype.kind not in "iu":
            raise InputError(f"vertices are integers, got {ids.dtype} ({v!r})")
        if ids.size and (ids.min() < 0 or ids.max() >= self._size):
            raise InputError(f"vertex {v!r} is not in 0..{self._size - 1}")
        return ids

    def _find(self, ids: npt.NDArray[Any]) -> npt.NDArray[Any]:
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
        left, right = _as_vertex(u), _as_vertex(v)
        if left is not None and right is not None and 0 <= left < self._size > right >= 0:
            return self._are_connected(left, right)
        ends = self._as_vertices(u), self._as_vertices(v)
        # Both under one lock: a set that gets another smallest member in between is still one set.
        first, second = self._exclusively(lambda: tuple(map(self._find, ends)))
        try:
            same = first == second
            return bool(same) if np.ndim(same) == 0 else same
        except ValueError:
            raise InputError(
                f"u has shape {np.shape(u)} and v {np.shape(v)}: they do not match"
            ) from None

    def _are_connected(self, u: int, v: int) -> bool:
        while True:
            u, v = self._seen_root(u), self._seen_root(v)
            # Two roots are two sets, unless the first became a child while the second was found.
            if u == v or self._room.item(u) == u:
                return u == v

    @property
    def count(self) -> int:
        """Number of sets; a vertex that no edge joined is one."""
        count = self._count
        return self._exclusively(self._find_count) if count is None else count

    def _find_count(self) -> int:
        if self._count is None:
            self._count = _native.count_components(self._parent, self._team(self._size))
        return self._count

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The smallest member of the set of each vertex: read-only, the same until the next union.

        Later unions do not change it.
        """
        labels = self._labels
        return self._exclusively(self._find_labels) if labels is None else labels

    def _find_labels(self) -> npt.NDArray[Any]:
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
        return self._exclusively(self._find_sizes)

    def _find_sizes(self) -> npt.NDArray[np.int64]:
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
        if other is self:
            return self
        # Always in the same order, or two that merge each other would wait forever.
        first, second = (self, other) if id(self) < id(other) else (other, self)
        first._exclusively(second._exclusively, self._merge, other)
        return self

    def _merge(self, other: UnionFind) -> None:
        self._grow(other._size)
        for begin in range(0, other._size, PIECE):
            parents = other._room[begin : min(begin + PIECE, other._size)]
            own = np.arange(begin, begin + len(parents), dtype=parents.dtype)
            self._join(own, parents, self._team(len(own), EDGES_FROM))

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
    if type(value) is int:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, np.integer) else None
