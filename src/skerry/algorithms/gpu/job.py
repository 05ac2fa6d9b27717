"""One run on a device: its graph, its parent array, its state words and the launches it makes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.algorithms.gpu.state import Word
from skerry.cuda.runtime import BLOCK, Runtime, Widths
from skerry.graph.device import DeviceCsr, DeviceEdges

__all__ = ["SAMPLERS", "Job", "Step"]

SAMPLERS = 1024  # threads of the one block that samples
ALIGNED = 256  # bytes that a part of scratch memory begins at a multiple of
RESIDENT = 2048  # threads that a multiprocessor holds at once


Step = tuple[str, int, int, tuple[int, ...]]
"""A kernel to be launched with others of its source: its name, as many threads as there is work or
fewer (see `Job.launch`), the threads of a block, and arguments."""


class Job:
    """What a pass needs to run."""

    def __init__(
        self,
        runtime: Runtime,
        graph: DeviceEdges | DeviceCsr,
        dtype: npt.DTypeLike,
        counting: bool,
    ) -> None:
        self.runtime = runtime
        self.graph = graph
        self.dtype = np.dtype(dtype)
        self.counting = counting
        self.vertices = graph.num_vertices
        self.defines = _defines(*_widths(graph, self.dtype), counting)
        self.bytes = self.vertices * self.dtype.itemsize
        self.parent, self.state = runtime.labels_and_state(
            self.vertices, self.dtype, Word.STATE_WORDS
        )
        self.rounds = 0
        self._kept: list[Any] = []
        self._timing = counting
        self.marks: list[tuple[str, Any]] = [("begin", runtime.mark())]
        self.resident = RESIDENT * runtime.processors

    @property
    def forest(self) -> tuple[int, int]:
        """Where the parents and the state words are: made once for many launches."""
        return self.runtime.address(self.parent), self.runtime.address(self.state)

    @property
    def rows(self) -> tuple[int, ...]:
        """The arguments of a kernel that reads rows: offsets, neighbours, vertices, entries."""
        graph, address = self.graph, self.runtime.address
        assert isinstance(graph, DeviceCsr)
        return (
            address(graph.offsets),
            address(graph.neighbours),
            self.vertices,
            graph.num_entries,
        )

    @property
    def edges(self) -> tuple[int, ...]:
        """The arguments of a kernel that reads an edge list: columns, steps, vertices, edges."""
        graph, address = self.graph, self.runtime.address
        assert isinstance(graph, DeviceEdges)
        ends = address(graph.src), address(graph.dst)
        return (*ends, *graph.steps, self.vertices, graph.num_edges)

    def empty(self, count: int, dtype: npt.DTypeLike | None = None) -> Any:
        """Memory for this run; by default of the labels' type."""
        kind = self.dtype if dtype is None else np.dtype(dtype)
        self.bytes += count * kind.itemsize
        return self.runtime.empty(count, kind)

    def scratch(self, *sizes: int) -> list[int]:
        """Addresses of parts of so many bytes each, of one piece of memory: one call for all."""
        starts = [0]
        for size in sizes:
            starts.append(starts[-1] + -(-size // ALIGNED) * ALIGNED)
        memory = self.empty(starts[-1], np.uint8)
        self._kept.append(memory)
        base = self.runtime.address(memory)
        return [base + start for start in starts[:-1]]

    def launch(
        self,
        source: str,
        kernel: str,
        threads: int,
        *arguments: Any,
        defines: tuple[str, ...] = (),
        block: int = BLOCK,
    ) -> None:
        """Runs a kernel with as many threads as there is work.

        Kernels loop over their work with the stride of the grid, so fewer threads than work are
        right too: where nobody knows how much there is, launch ``resident`` threads. Where it is
        known, a thread each is faster: blocks come in order, and so do their accesses.
        ``arguments`` are arrays and whole numbers.
        """
        blocks = min(-(-threads // block), self.runtime.most_blocks)
        if not blocks:
            return
        function = self.runtime.kernel(source, kernel, self.defines + defines)
        function((blocks,), (block,), arguments)
        if self._timing:
            self.marks.append((kernel.replace("_", " "), self.runtime.mark()))

    def launch_all(self, source: str, steps: Sequence[Step]) -> None:
        """Runs kernels one after the other: as `launch` does, but for the host they are one."""
        if self._timing:
            for kernel, threads, block, arguments in steps:
                self.launch(source, kernel, threads, *arguments, block=block)
            return
        kernel_of, defines, most = self.runtime.kernel, self.defines, self.runtime.most_blocks
        self.runtime.launch_all(
            [
                (kernel_of(source, kernel, defines), min(-(-threads // block), most), block, words)
                for kernel, threads, block, words in steps
                if threads
            ]
        )

    def finished(self) -> None:
        """Ends the run: of what is launched later, to answer questions, the plan says nothing."""
        self._timing = False
        # What was launched may still use it, but comes before whoever gets this memory next.
        self._kept.clear()
        if not self.counting:
            self.marks.append(("end", self.runtime.mark()))

    def read(self, word: Word) -> int:
        """A word of the state; waits for the device."""
        return int(self.runtime.read(self.state[word : word + 1])[0])

    def clear(self, word: Word) -> None:
        """Sets a word of the state to zero, in the order of launches."""
        self.state[word : word + 1] = 0

    def changed(self) -> bool:
        """Whether a kernel has said that it changed anything since the last question."""
        self.rounds += 1
        changed = bool(self.read(Word.CHANGED))
        if changed:
            self.clear(Word.CHANGED)
        return changed


@cache
def _defines(labels: int, ids: int, offsets: int, counting: bool) -> tuple[str, ...]:
    widths = Widths(8 * labels, 8 * ids, 8 * offsets)
    return widths.defines + (("SKERRY_COUNTING",) if counting else ())


def _widths(graph: DeviceEdges | DeviceCsr, labels: np.dtype[Any]) -> tuple[int, int, int]:
    """Bytes of labels, ids and offsets."""
    if isinstance(graph, DeviceCsr):
        ids, offsets = graph.neighbours.dtype.itemsize, graph.offsets.dtype.itemsize
    else:
        ids, offsets = graph.src.dtype.itemsize, 8
    return labels.itemsize, ids, offsets
