"""The parent array of a growing set of vertices, and what is joined and looked up in it.

4 bytes a vertex while there are fewer than 2^32, and a bitmap of a megabyte at most. A batch goes
through the same kernel as a whole edge list (kernels/cpu/own/stream.h), which takes any valid
forest, and what is known of a giant component is kept for the next batch.

What is joined, and the number of vertices, change in single native calls: `unite`, `commit` and
`grow` happen as a whole or not at all, whatever Ctrl-C interrupts. All else here is capacity, which
may be too large, and answers that are kept with the version that they belong to.

Nothing here locks: `skerry.UnionFind` does, and an engine has a forest of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.graph.edges import vertex_dtype
from skerry.graph.vertex_ids import CHANGED
from skerry.threads import THREADS_FROM, resolve_threads

SLACK = 24  # an array that must grow grows by a 24th at least: often is cheap, and 4% are unused
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

    __slots__ = ("_flat", "_labels", "_ready", "dtype", "reader", "room", "threads")

    def __init__(
        self,
        num_vertices: int = 0,
        threads: int | None = None,
        dtype: np.dtype[Any] | None = None,
    ) -> None:
        self.threads = threads
        self.dtype = dtype
        self.room = np.empty(0, dtype or np.uint32)
        """The parent array, and capacity that it may grow into."""
        self.reader = _native.OpenForest()
        """The number of vertices, and changes; answers about single vertices while others join."""
        self._ready = 0  # vertices of the capacity that are their own parents, if not joined yet
        self._flat: int | None = None  # the version in which every vertex points to its root
        self._labels: tuple[int, npt.NDArray[Any]] | None = None
        self.grow(num_vertices)

    @property
    def size(self) -> int:
        """Number of vertices."""
        return self.reader.size

    @property
    def version(self) -> int:
        """Changes whenever the sets do."""
        return self.reader.version

    @property
    def parent(self) -> npt.NDArray[Any]:
        """A view, never kept: the array behind it may move when it grows."""
        return self.room[: self.size]

    def team(self, work: int, pays_from: int = THREADS_FROM) -> int:
        """How many threads to use for so much work."""
        return team_of(self.threads, work, pays_from)

    def settle(self) -> None:
        """Completes what was interrupted: called before anything else after a call that raised."""
        if self._ready < self.size or self._ready > len(self.room):
            self._ready = self.size  # `reserve` starts the others again
        self.reader.open(self.room[: self._ready])
        self.reader.finish(self.team(self.size))

    def reserve(self, num_vertices: int) -> None:
        """Makes sure that `grow` and joins can take that many vertices."""
        if num_vertices <= self._ready:
            return
        self.reader.close()
        try:
            if num_vertices > len(self.room):
                self._make_room(num_vertices)
            self._start(min(num_vertices + AHEAD, len(self.room)))
        finally:
            self.reader.open(self.room[: self._ready])

    def grow(self, num_vertices: int) -> None:
        """Makes sure that there are that many vertices; new ones are alone."""
        self.reserve(num_vertices)
        self.reader.grow(num_vertices)

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

        Returns how many of them joined two trees. What Ctrl-C leaves of them is not joined.
        """
        return self._join(src, dst, self.size, threads, atomic=False)

    def add_edges(
        self, src: npt.NDArray[Any], dst: npt.NDArray[Any], weight: Any, size: int
    ) -> int:
        """As `join`, of so many vertices; all of it or nothing. Weights are for `RecordingForest`.

        After Ctrl-C the edges that are left are kept, and joined by `settle`.
        """
        del weight
        self.reserve(size)
        return self._join(src, dst, size, self.team(len(src), EDGES_FROM), atomic=True)

    def add_edge(self, u: int, v: int, weight: Any, size: int) -> int:
        """Joins two of so many vertices: 1, or 0 if they were."""
        del weight
        self.reserve(size)
        return self.reader.unite(u, v, size)

    def _join(
        self,
        src: npt.NDArray[Any],
        dst: npt.NDArray[Any],
        size: int,
        threads: int,
        *,
        atomic: bool,
    ) -> int:
        if src.itemsize != dst.itemsize:
            src, dst = src.astype(np.uint64, copy=False), dst.astype(np.uint64, copy=False)
        merges, faulty, _ = self.reader.join(src, dst, size, threads, atomic, False)
        if faulty:
            raise InputError(CHANGED)
        return merges

    def try_join(
        self, src: npt.NDArray[Any], dst: npt.NDArray[Any], threads: int
    ) -> tuple[bool, bool]:
        """Joins edges whose ids need not be in range: one pass checks and joins them.

        Returns whether all ids were in range, and whether an edge may be a loop of a vertex that is
        alone. Where an id was not in range, some edges were not joined: all are to be joined again.
        Signed ids are read as unsigned ones.
        """
        _, faulty, looped = self.reader.join(src, dst, self.size, threads, False, True)
        return not faulty, looped

    def root(self, v: int) -> int:
        """The root of a vertex, whose path is halved; of what is no vertex yet, itself."""
        return self.reader.root(v)

    def find(self, ids: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The root of each of many vertices."""
        flat = np.ascontiguousarray(ids.reshape(-1), np.uint64 if ids.itemsize > 4 else np.uint32)
        roots = np.empty(len(flat), self.room.dtype)
        if not _native.find_roots(flat, self.parent, roots, self.team(len(flat), EDGES_FROM)):
            raise InputError(CHANGED)
        return roots.reshape(ids.shape)

    @property
    def known_count(self) -> int | None:
        """Number of trees; None if it is not known without a pass."""
        merges = self.reader.merges
        return None if merges is None else self.size - merges

    def count(self) -> int:
        """Number of trees, which takes a pass the first time for a parent array taken over."""
        count = self.known_count
        if count is None:
            count = _native.count_components(self.parent, self.team(self.size))
            self.reader.count(self.size - count)
        return count

    @property
    def known_labels(self) -> npt.NDArray[Any] | None:
        """The labels, if nothing was joined since they were made."""
        kept = self._labels
        return None if kept is None or kept[0] != self.version else kept[1]

    def labels(self) -> npt.NDArray[Any]:
        """The root of every vertex, which is the smallest of its tree: read-only."""
        labels = self.known_labels
        if labels is None:
            self.flatten()
            labels = self.parent.copy()
            labels.setflags(write=False)
            self._labels = self.version, labels
        return labels

    def flatten(self) -> None:
        """Makes every vertex point to its root."""
        if self._flat != self.version:
            _native.flatten(self.parent, self.team(self.size))
            self._flat = self.version

    def merge(self, other: Forest) -> int:
        """Joins what another has joined; returns the number of merges."""
        own = np.arange(other.size, dtype=other.room.dtype)
        return self.add_edges(own, other.parent, None, max(self.size, other.size))

    def adopt(self, parent: npt.NDArray[Any], count: int | None = None, flat: bool = False) -> None:
        """Takes over a parent array that is known to be valid, in place of its own."""
        self.reader.reset(len(parent), None if count is None else len(parent) - count)
        self.room, self._ready = parent, len(parent)
        self._flat = self.version if flat else None
        self.reader.open(parent)

    def release(self) -> npt.NDArray[Any]:
        """The labels without a copy; the forest is left without vertices."""
        self.flatten()
        room, size = self.room, self.size
        self.reader.reset(0, 0)
        self.room, self._ready = np.empty(0, room.dtype), 0
        room.resize(size, refcheck=False)
        return room

    @property
    def nbytes(self) -> int:
        """Bytes of the parent array, and of the bitmap of a giant component: a megabyte at most."""
        return self.room.nbytes + self.reader.nbytes
