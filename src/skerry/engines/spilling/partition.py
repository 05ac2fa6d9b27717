"""The first pass over external ids: they go to disk, sorted by a hash into buckets.

Edges are taken in chunks. The ids of a chunk, all sources and then all targets, are written side by
side, those of one bucket together; a byte for each id, its route, says which bucket that is. So a
bucket is one slice of every chunk, and what is computed for its ids is written to slices at the
same places of another file. Reading a chunk of that file and of the routes gives the edges back.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.formats.spill_file import SpillFile, SpillFolder


class Chunk:
    """Where the ids of some edges are."""

    __slots__ = ("begin", "counts", "edges", "starts")

    def __init__(self, begin: int, edges: int, counts: npt.NDArray[np.uint64]) -> None:
        self.begin = begin
        """The position of its first id in the file."""
        self.edges = edges
        self.counts = counts
        """Ids of each bucket."""
        self.starts = np.zeros(len(counts) + 1, np.int64)
        """Where each bucket begins, and the last ends, counted from ``begin``."""
        np.cumsum(counts, out=self.starts[1:], dtype=np.int64)

    def slice_of(self, bucket: int) -> tuple[int, int]:
        """Positions in the file."""
        return self.begin + int(self.starts[bucket]), self.begin + int(self.starts[bucket + 1])


class PartitionedIds:
    """The ids of all edges on disk."""

    def __init__(self, words: SpillFile, routes: SpillFile, chunks: list[Chunk], bits: int) -> None:
        self.words = words
        """Ids as 64-bit patterns."""
        self.routes = routes
        """The bucket of each id, in the order of the edges."""
        self.chunks = chunks
        self.buckets = 1 << bits


class Partitioner:
    """Takes edges between ids and writes them in chunks."""

    def __init__(self, folder: SpillFolder, chunk: int, bits: int, threads: int) -> None:
        self._bits = bits
        self._threads = threads
        self._seed = int.from_bytes(np.random.default_rng().bytes(8), "little")
        self._size = chunk
        # Filled, so that readers see that this memory is in use.
        self._ends = np.full((2, chunk), 0, np.uint64)
        self._routes = np.full(2 * chunk, 0, np.uint8)
        self._scattered = np.full(2 * chunk, 0, np.uint64)
        self._held = 0
        self._ids = PartitionedIds(folder.file(np.uint64), folder.file(np.uint8), [], bits)

    def add(self, src: npt.NDArray[Any], dst: npt.NDArray[Any]) -> None:
        """Takes edges; ids are integers of any type."""
        for begin in range(0, len(src), self._size):
            self._add(src[begin : begin + self._size], dst[begin : begin + self._size])

    def _add(self, src: npt.NDArray[Any], dst: npt.NDArray[Any]) -> None:
        taken = min(len(src), self._size - self._held)
        for first, last in ((0, taken), (taken, len(src))):
            if first == last:
                continue
            room = slice(self._held, self._held + last - first)
            # A negative id becomes the same pattern of bits.
            for row, end in zip(self._ends, (src, dst), strict=True):
                np.copyto(row[room], end[first:last], casting="unsafe")
            self._held += last - first
            if self._held == self._size:
                self._flush()

    def _flush(self) -> None:
        edges, ids = self._held, self._ids
        if not edges:
            return
        if edges < self._size:  # the last chunk: sources and targets side by side
            ends = np.ascontiguousarray(self._ends[:, :edges]).reshape(-1)
        else:
            ends = self._ends.reshape(-1)
        routes, scattered = self._routes[: 2 * edges], self._scattered[: 2 * edges]
        counts = np.empty(ids.buckets, np.uint64)
        _native.scatter_ids(ends, self._seed, self._bits, routes, scattered, counts, self._threads)
        ids.chunks.append(Chunk(ids.words.size, edges, counts))
        ids.words.append(scattered)
        ids.routes.append(routes)
        self._held = 0

    def finish(self) -> PartitionedIds:
        """Everything that was added; the buffers are given back."""
        self._flush()
        self._ends = np.empty((2, 0), np.uint64)
        self._routes, self._scattered = np.empty(0, np.uint8), np.empty(0, np.uint64)
        return self._ids
