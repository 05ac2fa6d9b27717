"""The parent array of a growing set of vertices on a GPU: `Forest` for a device.

A batch goes through the kernels that an edge list goes through (kernels/gpu/own/stream.cu): edges
inside the largest tree are dropped by a bit for each vertex. The bits are made again from time to
time, which flattens the trees too. Beside the parent array, n / 8 bytes are all the memory.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from skerry.algorithms.gpu.job import RESIDENT, SAMPLERS
from skerry.algorithms.gpu.state import Count, InputFault, Word, count_of
from skerry.algorithms.gpu.stream import parts_of_marks
from skerry.cuda.runtime import BLOCK, LANES, Runtime, Widths, blocks_of
from skerry.errors import InputError
from skerry.graph.device import DeviceEdges
from skerry.graph.edges import vertex_dtype
from skerry.inputs.device import edges_on_device, integers_on_device

SLACK = 8  # an array that must grow grows by an eighth at least
EACH = 4  # kEach of grid.h, and the edges that a thread of join_others has in flight
MANY_MERGES = 16  # trees are flattened when one of so many vertices was joined since the last time
FIRST_STAGE = 4  # or when n / 4 edges have come, then when twice as many have, and so on
LEAST_PIECE = 1 << 16  # edges of a large batch that are joined before trees are flattened


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
        self._ready = runtime.record_event()  # when all that nothing has waited for has run
        self._is_flat = True
        self._merges = 0  # since the largest tree was found
        self._edges = 0
        self._next_stage = num_vertices // FIRST_STAGE
        self.grow(num_vertices)

    @property
    def label_dtype(self) -> np.dtype[Any]:
        """Type of the parent array as it is."""
        dtype: np.dtype[Any] = self._room.dtype
        return dtype

    @property
    def _many_threads(self) -> int:
        """Of a launch in which threads that have more than one item are as fast as more threads."""
        return 4 * RESIDENT * self.runtime.processors

    @property
    def nbytes(self) -> int:
        """Bytes on the device."""
        return int(self._room.nbytes + self._members.nbytes + self._state.nbytes)

    def grow(self, num_vertices: int) -> None:
        """Makes sure that there are that many vertices; new ones are alone."""
        old, n = self.size, num_vertices
        if n <= old:
            return
        self._follow()
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
        self._ready = self.runtime.record_event()

    def _follow(self) -> None:
        """What is launched next comes after all that was: the caller's stream may be another."""
        self.runtime.wait_for(self._ready)

    def check_size(self, n: int) -> None:
        """Raises if the type that the caller chose cannot hold so many vertices."""
        if self.dtype is not None and n >= 2 ** (8 * self.dtype.itemsize):
            raise InputError(f"{n:,} vertices do not fit into {self.dtype}")

    def _make_room(self, n: int) -> None:
        self.check_size(n)
        wanted = self.dtype or vertex_dtype(n)
        larger = min(n + n // SLACK, 2 ** (8 * wanted.itemsize) - 1) if self.size else n
        room = self.runtime.empty(larger, wanted)
        room[: self.size] = self._room[: self.size]
        self._room = room

    def join(self, src: Any, dst: Any) -> int:
        """Joins the ends of edges, given as arrays on the device; returns the number of merges.

        Waits for the device. Edges are joined before their ids are known to be below the number of
        vertices. Those that are not are left out. If there are any, the vertices up to the largest
        are added and the batch is joined again, which joins only what is missing. So if an id is no
        vertex at all, which is an error, other edges of the batch have been joined.
        """
        edges = edges_on_device(self.runtime, src, dst, max(self.size, 1))
        merges, fault = self._join(edges) if self.size else (0, edges.num_entries > 0)
        if fault:
            edges = edges_on_device(self.runtime, src, dst, None)
            self.grow(edges.num_vertices)
            merges += self._join(edges)[0]
        self.mark_if_due()
        return merges

    def mark_if_due(self) -> None:
        """Finds the largest tree again where many vertices were joined since the last time."""
        if self._merges * MANY_MERGES >= self.size and self._merges:
            self._flatten()

    def _join(self, edges: DeviceEdges) -> tuple[int, bool]:
        """The number of merges, and whether an id was out of range."""
        if not edges.num_entries:
            return 0, False
        self.begin()
        self.launch_join(edges)
        return self.end()

    def begin(self) -> None:
        """Begins to count merges; faults before are forgotten. Until `end`, one stream is used."""
        self._follow()
        self._launch("batches", "begin_batch", BLOCK, self._state)

    def launch_join(self, edges: DeviceEdges) -> None:
        """Joins edges without waiting for the device, between `begin` and `end`.

        Edges with an id out of range are left out. Trees are flattened, and the largest is found,
        whenever the number of edges has doubled. So this takes a share of the time that does not
        grow, and the first edges of a large batch help with the others.
        """
        width, steps = edges.src.dtype.itemsize, edges.strides
        columns = self.runtime.address(edges.src), self.runtime.address(edges.dst)
        begin, m = 0, edges.num_entries
        while begin < m:
            count = min(m - begin, max(self._next_stage - self._edges, LEAST_PIECE))
            src, dst = (
                column + begin * step * width for column, step in zip(columns, steps, strict=True)
            )
            for first, last in pairwise((*parts_of_marks(self.size), self.size)):
                self._launch(
                    *("stream", "join_others", min(-(-count // EACH), self._many_threads)),
                    *(src, dst, *steps, self.size, count),
                    *(self._room, self._state, self._members, first, last, 0),
                    ids=8 * width,
                    more=("SKERRY_COUNTING_HOOKS",),
                )
            begin += count
            self._edges += count
            self._is_flat = False
            if self._edges >= self._next_stage and self.size:
                self._flatten()
                self._next_stage = max(2 * self._edges, self.size // FIRST_STAGE)

    def end(self) -> tuple[int, bool]:
        """Waits: the number of merges since `begin`, and whether an id was out of range."""
        state = self.runtime.read(self._state)
        merges = count_of(state.tolist(), Count.HOOKS)
        self.count -= merges
        self._merges += merges
        return merges, bool(state[Word.FAULT] != InputFault.NO_FAULT)

    def _flatten(self) -> None:
        """Points every vertex to its root, and marks the members of the largest tree."""
        n, trees = self.size, (self._room, self.size, self._state)
        self._launch("batches", "flatten_links", -(-n // EACH), *trees)
        self._launch("batches", "find_largest_tree", SAMPLERS, *trees, block=SAMPLERS)
        threads = min(-(-n // EACH), self._many_threads)
        self._launch("stream", "mark_members", threads, *trees, self._members)
        self._merges = 0
        self._is_flat = True
        self._ready = self.runtime.record_event()

    def find(self, ids: Any) -> Any:
        """The roots of vertices, as an array on the device; waits for it."""
        runtime = self.runtime
        column = integers_on_device(runtime, ids, "ids")
        roots = runtime.empty(len(column), self._room.dtype)
        if not len(column):
            return roots
        step = column.strides[0] // column.itemsize
        self.begin()
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
        """The root of every vertex, the smallest of its tree: a new array; waits for it."""
        labels = self.flat_links().copy()
        self.runtime.read(self._state[:1])  # any stream may use it
        return labels

    def flat_links(self) -> Any:
        """The same: the array itself, which the next edges change."""
        self._follow()
        if not self._is_flat:
            self._launch(
                *("batches", "flatten_links", -(-self.size // EACH)),
                *(self._room, self.size, self._state),
            )
            self._is_flat = True
            self._ready = self.runtime.record_event()
        return self._room[: self.size]

    def edges(self) -> tuple[Any, Any]:
        """Edges on the device that join what this has joined; a copy."""
        links = self.labels()
        return self.runtime.xp.arange(self.size, dtype=links.dtype), links

    def recount(self) -> None:
        """Counts the trees, after a call that was interrupted."""
        roots, links = self.edges()
        self.count = int((roots == links).sum())

    def _launch(
        self,
        source: str,
        kernel: str,
        threads: int,
        *arguments: Any,
        ids: int = 32,
        more: tuple[str, ...] = (),
        block: int = BLOCK,
    ) -> None:
        widths = Widths(8 * self._room.dtype.itemsize, ids, 64)
        blocks = blocks_of(threads, block, self.runtime.max_blocks)
        self.runtime.kernel(source, kernel, widths.defines + more)((blocks,), (block,), arguments)


def bytes_of_forest(num_vertices: int, dtype: np.dtype[Any]) -> int:
    """Bytes on the device: the parent array, a bit for each vertex, and the state words."""
    return num_vertices * dtype.itemsize + 4 * (num_vertices // LANES + 1) + 8 * Word.STATE_WORDS
