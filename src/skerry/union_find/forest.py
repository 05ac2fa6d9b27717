"""The parent array of a growing set of vertices, and what is joined and looked up in it.

4 bytes a vertex while there are fewer than 2^32, and a bitmap of a megabyte at most. A batch goes
through the same kernel as a whole edge list (kernels/cpu/own/stream.h), which takes any valid
forest, and what is known of a giant component is kept for the next batch.

Nothing here locks: `skerry.UnionFind` does, and an engine has a forest of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.errors import InputError
from skerry.graph.edges import vertex_dtype
from skerry.graph.vertex_ids import CHANGED
from skerry.threads import THREADS_FROM, resolve_threads

__all__ = ["EDGES_FROM", "PIECE", "Forest", "team_of"]

SLACK = 8  # an array that must grow grows by an eighth at least, so that growing often stays cheap
AHEAD = 1 << 10  # vertices that are started early, for ids that come one by one
PIECE = 1 << 20  # vertices that are started, or merged, at a time
EDGES_FROM = 1 << 14  # edges of a batch from which a second thread pays


def team_of(threads: int | None, work: int, pays_from: int = THREADS_FROM) -> int:
    """How many of the threads that a caller allows to use for so much work."""
    return resolve_threads(threads) if work >= pays_from else 1


class Forest:
    """Vertices 0..size-1, each with a parent that is not larger.

    Parameters
    ----------
    num_vertices
        How many vertices to begin with, each alone.
    threads
        How many threads a call may use; None: as many as pay.
    dtype
        Type of the parent array; None: 32 bits until the vertices need more.
    """

    __slots__ = (
        *("_count", "_flat", "_joiner", "_labels", "_ready"),
        *("dtype", "reader", "room", "size", "threads"),
    )

    def __init__(
        self,
        num_vertices: int = 0,
        threads: int | None = None,
        dtype: np.dtype[Any] | None = None,
    ) -> None:
        self.threads = threads
        self.dtype = dtype
        self.room = np.empty(0, dtype or np.uint32)
        """The parent array, and room that it may grow into."""
        self._joiner = _native.BatchJoiner()
        self.reader = _native.OpenForest()
        """Answers about single vertices while others join; closed while the array moves."""
        self._ready = 0  # vertices of the room that are their own parents, if not joined yet
        self.size = 0
        self._flat = True
        self._count: int | None = 0
        self._labels: npt.NDArray[Any] | None = None
        self.grow(num_vertices)

    @property
    def parent(self) -> npt.NDArray[Any]:
        """A view, never kept: the array behind it may move when it grows."""
        return self.room[: self.size]

    def team(self, work: int, pays_from: int = THREADS_FROM) -> int:
        """How many threads to use for so much work."""
        return team_of(self.threads, work, pays_from)

    def grow(self, num_vertices: int) -> None:
        """Makes sure that there are that many vertices; new ones are alone."""
        old = self.size
        if num_vertices <= old:
            return
        if num_vertices > len(self.room):
            self.reader.close()
            try:
                self._make_room(num_vertices)
            finally:
                self.reader.open(self.parent)
        if num_vertices > self._ready:
            self._start(min(num_vertices + AHEAD, len(self.room)))
        self.size = num_vertices
        self.reader.extend(num_vertices)
        self._labels = None
        if self._count is not None:
            self._count += num_vertices - old

    def _make_room(self, n: int) -> None:
        if self.dtype is not None and n >= 2 ** (8 * self.dtype.itemsize):
            raise InputError(f"{n:,} vertices do not fit into {self.dtype}")
        wanted = self.dtype or vertex_dtype(n)
        capacity = len(self.room)
        larger = max(n, capacity + capacity // SLACK)
        larger = min(larger, 2 ** (8 * wanted.itemsize) - 1)  # all of it holds vertices
        try:
            if wanted == self.room.dtype and self.room.flags.owndata:
                # In place where the system can: the pages move, and no copy is held meanwhile.
                self.room.resize(larger, refcheck=False)
            else:
                room = np.empty(larger, wanted)
                room[: self._ready] = self.room[: self._ready]
                self.room = room
        except (MemoryError, ValueError) as error:  # NumPy's, for more than 2^63 bytes
            raise MemoryError(
                f"{error}. {n:,} vertices, the largest id + 1, need this memory; if most ids are "
                "not in use: ids='external'"
            ) from None

    def _start(self, end: int) -> None:
        for begin in range(self._ready, end, PIECE):  # no second array of their number comes to be
            stop = min(begin + PIECE, end)
            self.room[begin:stop] = np.arange(begin, stop, dtype=self.room.dtype)
        self._ready = end

    def join(self, src: npt.NDArray[Any], dst: npt.NDArray[Any], threads: int) -> int:
        """Joins edges whose ids are known to be in range, 32 or 64 bits wide.

        Returns how many of them joined two trees.
        """
        if not len(src):
            return 0
        count = self._count
        self._flat, self._count, self._labels = False, None, None  # also if this is interrupted
        if src.itemsize != dst.itemsize:
            src, dst = src.astype(np.uint64, copy=False), dst.astype(np.uint64, copy=False)
        merges, faulty = self._joiner.join(src, dst, self.parent, threads)
        if faulty:
            raise InputError(CHANGED)
        self._count = None if count is None else count - merges
        return merges

    def try_join(
        self, src: npt.NDArray[Any], dst: npt.NDArray[Any], threads: int
    ) -> tuple[bool, bool]:
        """Joins edges whose ids need not be in range: one pass checks and joins them.

        Returns whether all ids were in range, and whether an edge may be a loop of a vertex that is
        alone. Where an id was not in range, some edges were not joined: all are to be joined again.
        Signed ids are read as unsigned ones.
        """
        count = self._count
        self._flat, self._count, self._labels = False, None, None  # also if this is interrupted
        merges, faulty, looped = self._joiner.try_join(src, dst, self.parent, threads)
        self._count = None if count is None else count - merges
        return not faulty, looped

    def join_pair(self, u: int, v: int) -> int:
        """Joins two vertices: 1, or 0 if they were joined before."""
        u, v = self.root(u), self.root(v)
        if u == v:
            return 0
        self.hook(u, v)
        return 1

    def hook(self, u: int, v: int) -> None:
        """Makes one of two different roots the child of the other, which is smaller."""
        self.room[u if u > v else v] = v if u > v else u
        self._flat, self._labels = False, None
        if self._count is not None:
            self._count -= 1

    def root(self, v: int) -> int:
        """The root of a vertex; a long path is halved."""
        root = self.reader.find(v)
        if root is not None:
            return root
        parent = self.room
        while (up := parent.item(v)) != v:
            parent[v] = top = parent.item(up)
            v = top
        return v

    def find(self, ids: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The root of each of many vertices, which are known to be in range."""
        flat = np.ascontiguousarray(ids.reshape(-1), np.uint64 if ids.itemsize > 4 else np.uint32)
        roots = np.empty(len(flat), self.room.dtype)
        _native.find_roots(flat, self.parent, roots, self.team(len(flat), EDGES_FROM))
        return roots.reshape(ids.shape)

    @property
    def known_count(self) -> int | None:
        """Number of trees; None if an interrupted call left it unknown."""
        return self._count

    def count(self) -> int:
        """Number of trees, which takes a pass only after an interrupted call."""
        if self._count is None:
            self._count = _native.count_components(self.parent, self.team(self.size))
        return self._count

    @property
    def known_labels(self) -> npt.NDArray[Any] | None:
        """The labels, if nothing was joined since they were made."""
        return self._labels

    def labels(self) -> npt.NDArray[Any]:
        """The root of every vertex, which is the smallest of its tree: read-only."""
        if self._labels is None:
            self.flatten()
            labels = self.parent.copy()
            labels.setflags(write=False)
            self._labels = labels
        return self._labels

    def sizes(self) -> npt.NDArray[np.int64]:
        """Size of every tree, in order of the roots."""
        self.flatten()
        counts = np.bincount(self.parent.astype(np.int64), minlength=self.size)
        return counts[counts > 0].astype(np.int64, copy=False)

    def flatten(self) -> None:
        """Makes every vertex point to its root."""
        if not self._flat:
            _native.flatten(self.parent, self.team(self.size))
            self._flat = True

    def merge(self, other: Forest) -> int:
        """Joins what another has joined; returns the number of merges."""
        self.grow(other.size)
        merges = 0
        for begin in range(0, other.size, PIECE):
            parents = other.room[begin : min(begin + PIECE, other.size)]
            own = np.arange(begin, begin + len(parents), dtype=parents.dtype)
            merges += self.join(own, parents, self.team(len(own), EDGES_FROM))
        return merges

    def adopt(self, parent: npt.NDArray[Any], count: int | None = None, flat: bool = False) -> None:
        """Takes over a parent array that is known to be valid, in place of its own."""
        self._joiner.forget()
        self.room, self.size, self._ready = parent, len(parent), len(parent)
        self._flat, self._count, self._labels = flat, count, None
        self.reader.open(self.parent)

    def release(self) -> npt.NDArray[Any]:
        """The labels without a copy; the forest is left without vertices."""
        self.flatten()
        self._joiner.forget()
        self.reader.close()
        room, size = self.room, self.size
        self.room, self.size, self._ready = np.empty(0, room.dtype), 0, 0
        self._count = 0
        self._labels = None
        room.resize(size, refcheck=False)
        return room

    @property
    def nbytes(self) -> int:
        """Bytes of the parent array, and of the bitmap of a giant component: a megabyte at most."""
        return self.room.nbytes + self._joiner.nbytes
