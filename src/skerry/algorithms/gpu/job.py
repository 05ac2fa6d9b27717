"""A run on a device: its graph, its parent array, its state words and the launches it makes."""

from __future__ import annotations

from functools import cache
from math import isnan
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.algorithms.gpu.state import Word
from skerry.cuda.recorded_launches import RecordedRun
from skerry.cuda.runtime import BLOCK, Runtime, Widths, blocks_of
from skerry.graph.device import DeviceGraph

SAMPLERS = 1024  # threads of the single block that samples
RESIDENT = 2048  # threads that a multiprocessor holds at once
ONE_EACH = 1 << 21  # vertices up to which a thread has one in a pass over all of them
TWO_EACH = 1 << 23  # or two; above, four: kEach of grid.h


def threads_over(vertices: int) -> int:
    """Threads of a pass over all vertices: `run_over_vertices` of ``kernels/gpu/grid.h``.

    A thread for each hides the most waiting; several save instructions where memory is the limit.
    """
    each = 1 if vertices <= ONE_EACH else 2 if vertices <= TWO_EACH else 4
    return -(-vertices // each)


class Job:
    """What a pass needs to run."""

    def __init__(
        self,
        runtime: Runtime,
        graph: DeviceGraph,
        dtype: npt.DTypeLike,
        counting: bool,
        recorded: bool = False,
    ) -> None:
        """``recorded``: all launches are recorded, and one of them clears the state words."""
        self.runtime = runtime
        self.graph = graph
        self.dtype = np.dtype(dtype)
        self.counting = counting
        self.vertices = graph.num_vertices
        self.defines = _defines(*_widths(graph, self.dtype), counting)
        self.bytes = self.vertices * self.dtype.itemsize
        self.parent, self.state = runtime.labels_and_state(
            self.vertices, self.dtype, Word.STATE_WORDS, not recorded
        )
        self.rounds = 0
        self._timing = counting
        self._recorded = recorded
        self.events: list[tuple[str, Any]] = []
        if counting or not recorded:
            self.events.append(("begin", runtime.record_event()))
        self.resident = RESIDENT * runtime.processors

    @property
    def row_arguments(self) -> tuple[int, ...]:
        """The first arguments of kernels over rows: offsets, neighbors, vertices, entries."""
        graph, address = self.graph, self.runtime.address
        assert graph.form == "csr"
        return (
            address(graph.offsets),
            address(graph.neighbors),
            self.vertices,
            graph.num_entries,
        )

    @property
    def edge_arguments(self) -> tuple[int, ...]:
        """The first arguments of kernels over edges: columns, strides, vertices, edges."""
        graph, address = self.graph, self.runtime.address
        assert graph.form == "edges"
        columns = address(graph.src), address(graph.dst)
        return (*columns, *graph.strides, self.vertices, graph.num_entries)

    def empty(self, count: int, dtype: npt.DTypeLike | None = None) -> Any:
        """Memory for this run; by default of the labels' type."""
        kind = self.dtype if dtype is None else np.dtype(dtype)
        self.bytes += count * kind.itemsize
        return self.runtime.empty(count, kind)

    def launch(
        self,
        source: str,
        kernel: str,
        threads: int,
        *arguments: Any,
        defines: tuple[str, ...] = (),
        block: int = BLOCK,
    ) -> None:
        """Launches a kernel with as many threads as there are work items.

        Kernels use grid-stride loops, so fewer threads than work items are correct too. Where the
        number of items is not known, launch ``resident`` threads. Where it is known, a thread for
        each is faster: blocks start in order, and so do their accesses. ``arguments`` are arrays
        and integers.
        """
        blocks = blocks_of(threads, block, self.runtime.max_blocks)
        if blocks:
            self._launch(source, kernel, blocks, block, arguments, defines)

    def launch_recorded(self, run: RecordedRun) -> None:
        """Launches a recorded sequence: in one call, unless every kernel is to be timed.

        The values are the addresses of the graph's two arrays, of the labels, of the state words
        and of the parts of the scratch memory, then those of ``run``.
        """
        address = self.runtime.address
        values = [address(array) for array in (*self.graph.arrays(), self.parent, self.state)]
        # The kernels may still use this memory when it is returned to the pool. That is safe: the
        # next owner's work comes later in the same stream.
        _held, base = self.runtime.scratch(run.scratch_bytes) if run.scratch_bytes else (None, 0)
        self.bytes += run.scratch_bytes
        values += [base + offset for offset in run.scratch_offsets]
        values += run.values
        recorded = run.recorded
        if not self._timing:
            begin, end = self.runtime.launch_recorded(recorded, self.defines, values)
            self.events += (("begin", begin), ("end", end))
            return
        for launch in recorded.launches:
            blocks, arguments = values[launch.grid], launch.arguments(values)
            self._launch(recorded.source, launch.kernel, blocks, launch.block, arguments)

    def _launch(
        self,
        source: str,
        kernel: str,
        blocks: int,
        block: int,
        arguments: tuple[Any, ...],
        defines: tuple[str, ...] = (),
    ) -> None:
        function = self.runtime.kernel(source, kernel, self.defines + defines)
        function((blocks,), (block,), arguments)
        if self._timing:
            self.events.append((kernel.replace("_", " "), self.runtime.record_event()))

    def finish(self) -> None:
        """Ends the timed part of the run: later launches, for queries, are not in the plan."""
        if not self._timing and not self._recorded:
            self.events.append(("end", self.runtime.record_event()))
        self._timing = False

    def parts(self, parts: range) -> range:
        """The parts of the input to process in turn, in memory allocated before the first.

        Where nothing is executed, the first part stands for all: there may be very many.
        """
        return parts if self.runtime.executes else parts[:1]

    def read(self, word: Word) -> int:
        """A word of the state; waits for the device."""
        return int(self.runtime.read(self.state[word : word + 1])[0])

    def clear(self, word: Word, last: Word | None = None) -> None:
        """Sets a word of the state to zero, or all up to the last one, in stream order."""
        self.state[word : (word if last is None else last) + 1] = 0

    def changed(self) -> bool:
        """Whether a kernel has changed anything since the last call; waits for the device."""
        self.rounds += 1
        changed = bool(self.read(Word.CHANGED))
        if changed:
            self.clear(Word.CHANGED)
        return changed


@cache
def _defines(labels: int, ids: int, offsets: int, counting: bool) -> tuple[str, ...]:
    widths = Widths(8 * labels, 8 * ids, 8 * offsets)
    return widths.defines + (("SKERRY_COUNTING",) if counting else ())


def _widths(graph: DeviceGraph, labels: np.dtype[Any]) -> tuple[int, int, int]:
    """Bytes of labels, ids and offsets."""
    if graph.form == "csr":
        ids, offsets = graph.neighbors.dtype.itemsize, graph.offsets.dtype.itemsize
    else:
        ids, offsets = graph.src.dtype.itemsize, 8
    return labels.itemsize, ids, offsets


def bounded_int(value: float, minimum: int = 0, maximum: int = 2**62) -> int:
    """A number as an integer between two bounds; NaN becomes the minimum."""
    if isnan(value):
        return minimum
    return int(min(max(value, minimum), maximum))
