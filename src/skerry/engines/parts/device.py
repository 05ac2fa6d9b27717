"""A part on a GPU, with a stream and a memory pool of its own: several may be on one GPU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.algorithms.gpu.dry_runtime import bytes_of_run, dry_csr
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.rows import finish, hook_rows, init
from skerry.algorithms.gpu.state import Word
from skerry.algorithms.passes import Hook, Init
from skerry.cuda.runtime import Runtime
from skerry.engines.device import no_room
from skerry.engines.parts import part
from skerry.engines.parts.part import SPEC, Border, PartOfRows, find_border
from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.graph.device import DeviceCsr
from skerry.graph.vertex_ids import CHANGED

HOOK = next(step for step in SPEC.gpu if isinstance(step, Hook))
PURPOSE = "the graph in parts"
SCANNED = 1 << 24  # vertices that are compared at a time: 0.3 GB at most


class DevicePart(PartOfRows):
    """Rows that a GPU joins.

    Rows come in pieces that are not kept. The device holds the parent array, a list of long rows,
    and a piece: its neighbors, and offsets of all vertices.
    """

    def __init__(self, runtime: Runtime, graph: Csr, dtype: np.dtype[Any], sharing: int) -> None:
        """``sharing``: parts on this device, which all need the same."""
        super().__init__(graph)
        self._runtime = runtime
        self._dtype = dtype
        self._needed = sharing * bytes_of_part(graph.num_vertices, graph.num_entries, dtype)
        self._lane = runtime.lane()
        self._job: Job | None = None

    @contextmanager
    def _inside(self) -> Iterator[Job]:
        """Makes device, stream and pool the current ones of this thread; memory has a clear error.

        The job is made by the first call.
        """
        runtime = self._runtime
        with runtime.active(), self._lane.active():
            try:
                if self._job is None:
                    offsets = runtime.zeros(
                        self.graph.num_vertices + 1, _offset_type(self.graph.num_entries)
                    )
                    none = runtime.empty(0, self.graph.neighbors.dtype)
                    rows = DeviceCsr(offsets, none, self.graph.symmetric)
                    self._job = Job(runtime, rows, self._dtype, counting=False)
                yield self._job
                return
            except MemoryError:
                self._job = None
        raise no_room(self._needed, runtime, PURPOSE)

    def start(self) -> None:
        """Takes the memory that stays, and compiles the kernels."""
        runtime = self._runtime
        with runtime.active():
            if self._needed > runtime.available():
                raise no_room(self._needed, runtime, PURPOSE)
        with self._inside() as job:
            init(job, Init("own"))
            self._hook(job, range(0))
            job.read(Word.FAULT)  # waits

    def join(self, rows: range) -> None:
        """Sends rows in pieces, and joins each while the next one is written for its way."""
        with self._inside() as job:
            for piece in self.pieces(rows):
                self._hook(job, piece)
            if job.read(Word.FAULT):
                raise InputError(CHANGED)

    def _hook(self, job: Job, rows: range) -> None:
        runtime, graph = self._runtime, job.graph
        assert graph.form == "csr"
        starts, begin, end = graph.offsets, rows.start, rows.stop
        first, last = (int(self.graph.offsets[row]) for row in (begin, end))
        own = runtime.upload(self.graph.offsets[begin : end + 1], starts.dtype)
        starts[:begin] = 0
        starts[begin : end + 1] = own - own.dtype.type(first)
        starts[end + 1 :] = last - first
        neighbors = runtime.upload(self.graph.neighbors[first:last])
        job.graph = DeviceCsr(starts, neighbors, graph.symmetric)
        hook_rows(job, HOOK)

    def finish(self, rows: Sequence[range], labels: npt.NDArray[Any]) -> Border:
        """Copies the labels of its rows, and finds the border on the device."""
        runtime = self._runtime
        with self._inside() as job:
            finish(job)
            border = find_border(runtime.xp, job.parent, rows, self.one_direction, SCANNED)
            for own in rows:
                runtime.read(job.parent[own.start : own.stop], labels[own.start : own.stop])
            vertices, values = map(runtime.read, border)
        return Border(vertices, values)

    def close(self) -> None:
        """Gives the memory of the pool back to the device."""
        self._job = None
        with self._runtime.active():
            self._lane.close()


def _offset_type(entries: int) -> np.dtype[Any]:
    return np.dtype(np.uint32 if entries < 2**31 else np.uint64)


def bytes_of_part(vertices: int, entries: int, dtype: np.dtype[Any]) -> int:
    """Bytes on a device that a part takes, whatever its rows are."""
    offsets, held = _offset_type(entries).itemsize, min(entries, part.ENTRIES)
    bits = 8 * dtype.itemsize
    run = bytes_of_run(SPEC, dry_csr(vertices, held, bits, 8 * offsets), dtype)
    return run + 2 * offsets * (vertices + 1) + held * dtype.itemsize
