"""One run on a device: its graph, its parent array, its state words and the launches it makes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.algorithms.gpu.state import Word
from skerry.cuda.program import Run
from skerry.cuda.runtime import BLOCK, Runtime, Widths, blocks_of
from skerry.graph.device import DeviceCsr, DeviceEdges

__all__ = ["SAMPLERS", "Job"]

SAMPLERS = 1024  # threads of the one block that samples
RESIDENT = 2048  # threads that a multiprocessor holds at once


class Job:
    """What a pass needs to run."""

    def __init__(
        self,
        runtime: Runtime,
        graph: DeviceEdges | DeviceCsr,
        dtype: npt.DTypeLike,
        counting: bool,
        clear: bool = True,
    ) -> None:
        """``clear``: whether the state words are to be zeros before the first kernel."""
        self.runtime = runtime
        self.graph = graph
        self.dtype = np.dtype(dtype)
        self.counting = counting
        self.vertices = graph.num_vertices
        self.defines = _defines(*_widths(graph, self.dtype), counting)
        self.bytes = self.vertices * self.dtype.itemsize
        self.parent, self.state = runtime.labels_and_state(
            self.vertices, self.dtype, Word.STATE_WORDS, clear
        )
        self.rounds = 0
        self._timing = counting
        self.marks: list[tuple[str, Any]] = [("begin", runtime.mark())]
        self.resident = RESIDENT * runtime.processors

    @property
    def rows(self) -> tuple[int, ...]:
        """The arguments of a kernel that reads rows: offsets, neighbors, vertices, entries."""
        graph, address = self.graph, self.runtime.address
        assert isinstance(graph, DeviceCsr)
        return (
            address(graph.offsets),
            address(graph.neighbors),
            self.vertices,
            graph.num_entries,
        )

    @property
    def edges(self) -> tuple[int, ...]:
        """The arguments of a kernel that reads an edge list: columns, steps, vertices, edges."""
        graph, address = self.graph, self.runtime.address
        assert isinstance(graph, DeviceEdges)
        ends = address(graph.src), address(graph.dst)
        return (*ends, *graph.strides, self.vertices, graph.num_edges)

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
        """Runs a kernel with as many threads as there is work.

        Kernels loop over their work with the stride of the grid, so fewer threads than work are
        right too: where nobody knows how much there is, launch ``resident`` threads. Where it is
        known, a thread each is faster: blocks come in order, and so do their accesses.
        ``arguments`` are arrays and whole numbers.
        """
        blocks = blocks_of(threads, block, self.runtime.most_blocks)
        if blocks:
            self._start(source, kernel, blocks, block, arguments, defines)

    def run(self, run: Run) -> None:
        """Launches all kernels of a program: for the host they are one, unless each is timed.

        It is told the addresses of the graph's two arrays, of the labels, of the state words and
        of the parts of its own memory, then the run's numbers.
        """
        graph, address = self.graph, self.runtime.address
        numbers = [address(array) for array in (*graph.arrays(), self.parent, self.state)]
        # What was launched may still use this when it is freed, but comes before whoever gets it
        # next.
        scratch = self.empty(run.scratch, np.uint8) if run.scratch else None
        base = 0 if scratch is None else address(scratch)
        numbers += [base + part for part in run.parts]
        numbers += run.numbers
        program = run.program
        if not self._timing:
            self.runtime.start(program, self.defines, numbers)
            return
        for step in program.steps:
            blocks = numbers[step.blocks]
            self._start(program.source, step.kernel, blocks, step.block, step.arguments(numbers))

    def _start(
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
            self.marks.append((kernel.replace("_", " "), self.runtime.mark()))

    def finished(self) -> None:
        """Ends the run: of what is launched later, to answer questions, the plan says nothing."""
        self._timing = False
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
        ids, offsets = graph.neighbors.dtype.itemsize, graph.offsets.dtype.itemsize
    else:
        ids, offsets = graph.src.dtype.itemsize, 8
    return labels.itemsize, ids, offsets
