"""The parent array of a growing set of vertices on a GPU: `Forest` for a device.

A batch goes through the kernels that an edge list goes through (kernels/gpu/own/stream.cu): edges
inside the largest tree are dropped by a bit for each vertex. The bits are made again from time to
time, which flattens the trees too. Beside the parent array, n / 8 bytes are all the memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from skerry.algorithms.gpu.job import RESIDENT, SAMPLERS
from skerry.algorithms.gpu.state import Count, InputFault, Word, count_of
from skerry.cuda.runtime import BLOCK, LANES, Runtime, Widths, blocks_of
from skerry.errors import InputError
from skerry.graph.device import DeviceEdges
from skerry.graph.edges import vertex_dtype
from skerry.inputs.device import edges_on_device, integers_on_device

__all__ = ["DeviceForest"]

SLACK = 8  # an array that must grow grows by an eighth at least
EACH = 4  # kEach of own/links.h, and the edges that a thread of join_others has in flight
MANY_MERGES = 16  # trees are flattened when one of so many vertices was joined since the last time
FIRST_STAGE = 4  # or when n / 4 edges have come, then when twice as many have, and so on


class DeviceForest:
    """Vertices 0..size-1 on a device, each with a parent that is not larger.

    Parameters
    ----------
    runtime
        The device.
    num_vertices
        How many vertices to begin with, each alone.
    dtype
        Type of the parent array; None: 32 bits until the vertices need more.
    """

    def __init__(
        self, runtime: Runtime, num_vertices: int = 0, dtype: np.dtype[Any] | None = None
    ) -> None:
        self.runtime = runtime
        self.dtype = dtype
        self.size = 0
        self.count = 0
        self._room = runtime.empty(0, dtype or np.uint32)
        self._members = runtime.zeros(0, np.uint32)
        self._state = runtime.zeros(Word.STATE_WORDS, np.uint64)
        self._merges = 0  # since the trees were flattened
        self._edges = 0
        self._next_stage = 0
        self.grow(num_vertices)

    @property
    def label_dtype(self) -> np.dtype[Any]:
        """Type of the parent array as it is."""
        dtype: np.dtype[Any] = self._room.dtype
        return dtype

    @property
    def nbytes(self) -> int:
        """Bytes on the device."""
        return int(self._room.nbytes + self._members.nbytes + self._state.nbytes)

    def grow(self, num_vertices: int) -> None:
        """Makes sure that there are that many vertices; new ones are alone."""
        old, n = self.size, num_vertices
        if n <= old:
            return
        if n > len(self._room) or vertex_dtype(n).itemsize > self._room.dtype.itemsize:
            self._make_room(n)
        self._launch("batches", "extend_links", n - old, self._room, old, n)
        words = -(-n // LANES)
        if words > len(self._members):  # none of the new ones is a member
            members = self.runtime.zeros(max(words, len(self._room) // LANES + 1), np.uint32)
            members[: len(self._members)] = self._members
            self._members = members
        self.size = n
        self.count += n - old

    def _make_room(self, n: int) -> None:
        if self.dtype is not None and n >= 2 ** (8 * self.dtype.itemsize):
            raise InputError(f"{n:,} vertices do not fit into {self.dtype}")
        wanted = self.dtype or vertex_dtype(n)
        larger = min(n + n // SLACK, 2 ** (8 * wanted.itemsize) - 1) if self.size else n
        room = self.runtime.empty(larger, wanted)
        room[: self.size] = self._room[: self.size]
        self._room = room

    def join(self, src: Any, dst: Any) -> int:
        """Joins the ends of edges, given as arrays on the device; returns the number of merges.

        Waits for the device. Edges are joined before their ids are known to be below the number of
        vertices: those that are not are left out, and if there are any, the vertices up to the
        largest are added and the batch is joined again, which joins only what is missing. So where
        an id is no vertex at all, which is an error, other edges of the batch have been joined.
        """
        edges = edges_on_device(self.runtime, src, dst, max(self.size, 1))
        merges, fault = self._join(edges) if self.size else (0, edges.num_entries > 0)
        if fault:
            edges = edges_on_device(self.runtime, src, dst, None)
            self.grow(edges.num_vertices)
            merges += self._join(edges)[0]
        self._edges += edges.num_entries
        if self._merges and (
            self._edges >= self._next_stage or self._merges * MANY_MERGES >= self.size
        ):
            self._flatten()
            self._next_stage = max(2 * self._edges, self.size // FIRST_STAGE)
        return merges

    def _join(self, edges: DeviceEdges) -> tuple[int, bool]:
        """The number of merges, and whether an id was out of range."""
        runtime, m = self.runtime, edges.num_entries
        if not m:
            return 0, False
        columns = runtime.address(edges.src), runtime.address(edges.dst)
        ids = 8 * edges.src.dtype.itemsize
        self._launch("batches", "begin_batch", BLOCK, self._state)
        self._launch(
            *("stream", "join_others", -(-m // EACH), *columns, *edges.strides, self.size, m),
            *(self._room, self._state, self._members),
            ids=ids,
            counting=True,
        )
        state = [int(word) for word in runtime.read(self._state)]
        merges = count_of(state, Count.HOOKS)
        self.count -= merges
        self._merges += merges
        return merges, state[Word.FAULT] != InputFault.NO_FAULT

    def _flatten(self) -> None:
        """Points every vertex to its root, and marks the members of the largest tree."""
        n, trees = self.size, (self._room, self.size, self._state)
        self._state[:] = 0  # there may be no largest tree any more that a sample finds
        self._launch("stream", "label_vertices", -(-n // EACH), *trees)
        self._launch("labels", "find_largest_component", SAMPLERS, *trees, block=SAMPLERS)
        threads = min(-(-n // EACH), 4 * RESIDENT * self.runtime.processors)
        self._launch("stream", "mark_members", threads, *trees, self._members)
        self._merges = 0

    def find(self, ids: Any) -> Any:
        """The roots of vertices, as an array on the device; waits for it."""
        runtime = self.runtime
        column = integers_on_device(runtime, ids, "ids")
        roots = runtime.empty(len(column), self._room.dtype)
        if not len(column):
            return roots
        step = column.strides[0] // column.itemsize
        self._launch("batches", "begin_batch", BLOCK, self._state)
        self._launch(
            *("batches", "find_roots", len(column), self._room, self.size),
            *(runtime.address(column), step, len(column), roots, self._state),
            ids=8 * column.itemsize,
        )
        fault, position = (int(word) for word in runtime.read(self._state[: Word.CHANGED]))
        if fault:
            (value,) = runtime.read(column[position : position + 1].view(f"i{column.itemsize}"))
            raise InputError(f"vertex {value} is not in 0..{self.size - 1}")
        return roots

    def labels(self) -> Any:
        """The root of every vertex, the smallest of its tree: a new array."""
        if self._merges:
            self._flatten()
        return self._room[: self.size].copy()

    def merge(self, other: DeviceForest) -> int:
        """Joins what another on the same device has joined; returns the number of merges."""
        self.grow(other.size)
        own = self.runtime.xp.arange(other.size, dtype=other._room.dtype)
        return self.join(own, other._room[: other.size])

    def _launch(
        self,
        source: str,
        kernel: str,
        threads: int,
        *arguments: Any,
        ids: int = 32,
        counting: bool = False,
        block: int = BLOCK,
    ) -> None:
        widths = Widths(8 * self._room.dtype.itemsize, ids, 64)
        defines = widths.defines + (("SKERRY_COUNTING",) if counting else ())
        blocks = blocks_of(threads, block, self.runtime.max_blocks)
        self.runtime.kernel(source, kernel, defines)((blocks,), (block,), arguments)
