"""A forest on a device for edges of the host, which are read once: only the parent array stays.

The same methods as `Forest`, for what joins edges in batches. Nothing waits for the device but the
memory that chunks of edges go through, so copies and joins overlap.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.cuda.edge_pipe import SLOTS, EdgePipe
from skerry.cuda.runtime import Runtime
from skerry.errors import DeviceMemoryError, InputError
from skerry.graph.device import DeviceEdges
from skerry.graph.edges import vertex_dtype
from skerry.graph.vertex_ids import CHANGED
from skerry.union_find.device_forest import DeviceForest, bytes_of_forest

CHUNK = 1 << 22
"""Edges that are copied at once: 32 MB, which take 0.6 ms, many times what a launch takes."""


class StreamedForest:
    """Vertices 0..size-1 on a device, and the way of edges there.

    Parameters
    ----------
    runtime
        The device.
    num_vertices
        How many vertices to begin with, each alone.
    dtype
        Type of the parent array; None: 32 bits until the vertices need more.
    ids
        Type that ids are copied in; None: as narrow as the number of vertices allows.
    chunk
        Edges that are copied at once.
    forest
        To continue with, instead of a new one.
    """

    def __init__(
        self,
        runtime: Runtime,
        num_vertices: int = 0,
        *,
        dtype: np.dtype[Any] | None = None,
        ids: np.dtype[Any] | None = None,
        chunk: int | None = None,
        forest: DeviceForest | None = None,
    ) -> None:
        self._runtime = runtime
        self._chunk = CHUNK if chunk is None else chunk
        self._ids = ids
        self._dtype = dtype
        self._pipe: EdgePipe | None = None
        self.merges = 0  # until `end` was called
        with runtime.active(), self._room_for(num_vertices):
            self.forest = forest or DeviceForest(runtime, num_vertices, dtype)
            self.forest.begin()

    @property
    def name(self) -> str:
        """The device, as the user writes it."""
        return self._runtime.name

    @property
    def size(self) -> int:
        """Number of vertices."""
        return self.forest.size

    @property
    def nbytes(self) -> int:
        """Bytes on the device."""
        return self.forest.nbytes + (0 if self._pipe is None else self._pipe.nbytes)

    def grow(self, num_vertices: int) -> None:
        """Makes sure that there are that many vertices; new ones are alone."""
        if num_vertices > self.size:
            with self._runtime.active(), self._room_for(num_vertices):
                self.forest.grow(num_vertices)

    def join(self, src: npt.NDArray[Any], dst: npt.NDArray[Any], threads: int) -> None:
        """Joins the ends of edges some time before `end` or `release` returns.

        Ids that are no vertices are left out, which `end` reports. The arrays may be changed when
        this returns.
        """
        with self._runtime.active():
            if self._pipe_of(vertex_dtype(self.size)).send(src, dst, threads):
                self.flush()

    def join_all(self, src: npt.NDArray[Any], dst: npt.NDArray[Any], threads: int) -> None:
        """The same with arrays that stay as they are until `end` or `release` returns."""
        with self._runtime.active():
            self._pipe_of(vertex_dtype(self.size)).send(src, dst, threads)

    def _pipe_of(self, narrow: np.dtype[Any]) -> EdgePipe:
        dtype = narrow if self._ids is None else self._ids
        if self._pipe is None or self._pipe.dtype != dtype:
            self.flush()
            self._pipe = None  # its memory is free before that of the next is taken
            with self._room_for(self.size):
                self._pipe = EdgePipe(self._runtime, self._chunk, dtype, self._launch)
        return self._pipe

    @contextmanager
    def _room_for(self, num_vertices: int) -> Iterator[None]:
        """Says what is missing where a device has too little memory."""
        try:
            yield
        except MemoryError:
            pass  # so that what was allocated is free again when its size is reported
        else:
            return
        needed = bytes_of_stream(num_vertices, self._chunk, self._dtype)
        free = self._runtime.available()
        raise DeviceMemoryError(
            f"{num_vertices:,} vertices and the edges on their way need {needed / 1e9:,.3f} GB on "
            f"{self._runtime.name}, where {free / 1e9:,.3f} GB are free: free some, or use "
            'device="cpu"'
        )

    def _launch(self, src: Any, dst: Any) -> None:
        self.forest.launch_join(DeviceEdges(src, dst, self.size))

    def flush(self) -> None:
        """Waits until the memory of all edges so far may be changed."""
        if self._pipe is not None:
            self._pipe.flush()

    def end(self) -> bool:
        """Waits until all edges are joined; returns whether all of their ids were vertices."""
        with self._runtime.active():
            self.flush()
            self._pipe = None
            merges, fault = self.forest.end()
            self.merges += merges
            self.forest.begin()
        return not fault

    def labels(self) -> npt.NDArray[Any]:
        """The root of every vertex, the smallest of its tree, on the host."""
        with self._runtime.active():
            return self._runtime.read(self.forest.flat_links())

    def release(self) -> npt.NDArray[Any]:
        """The labels, of edges whose ids were checked before they came here."""
        if not self.end():
            raise InputError(CHANGED)
        return self.labels()


def bytes_of_stream(
    num_vertices: int, chunk: int = CHUNK, dtype: np.dtype[Any] | None = None
) -> int:
    """Bytes on the device that a stream of edges takes; ``dtype`` is of the parent array."""
    narrow = vertex_dtype(num_vertices)
    return bytes_of_forest(num_vertices, dtype or narrow) + 2 * SLOTS * chunk * narrow.itemsize
