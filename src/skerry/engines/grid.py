"""The engine for images: runs of pixels are joined, and no edge is stored.

What needs edges (a forest, an algorithm by name, counts, a GPU) gets them in arrays, and another
engine solves these.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from skerry.algorithms.cpu.grid import label_into, threads_of_image
from skerry.engines.arrays import engine_for_arrays
from skerry.engines.engine import GraphSize
from skerry.engines.label_input import in_order, read_labels
from skerry.engines.memory import MEMORY, label_type
from skerry.errors import InputError
from skerry.graph.edge_source import Batch
from skerry.graph.edges import vertex_dtype
from skerry.graph.grid import Grid
from skerry.ids.id_space import Positions
from skerry.inputs.arrays import agree
from skerry.inputs.sources import GridSource, HostSource
from skerry.request import SolveOptions
from skerry.result.components import Components
from skerry.result.estimate import Estimate
from skerry.result.forest import EdgeBatch
from skerry.result.plan import PassTime, Plan
from skerry.result.verify import AS_IS, Shown, Verification
from skerry.result.verify_source import BatchCheck, certify_batches

ALGORITHM = "runs"
PIXELS = 1 << 20  # whose neighbors are looked at together, to check and to list edges
WORD = 64  # pixels that have two words of bits and a label together


class GridEngine:
    """Solves `Grid` on the cores."""

    name: ClassVar[str] = "grid"
    source: ClassVar[type] = GridSource
    honors: ClassVar[frozenset[str]] = MEMORY.honors - {"previous"}

    def refusal(self, source: GridSource, options: SolveOptions) -> str | None:
        """Takes all sources; with a forest, what the engine that records it takes."""
        del source
        return MEMORY.refusal(None, options) if options.forest else None

    def estimate(self, size: GraphSize, options: SolveOptions) -> Estimate:
        """Bytes of the pixels, of labels, and of what is kept of 64 pixels of a row."""
        n = size.num_vertices
        if _needs_edges(options):
            stored = size._replace(form="edges", id_dtype=vertex_dtype(n))
            return engine_for_arrays(options).estimate(stored, options)
        label = label_type(options.dtype, n).itemsize
        kept = -(-n // WORD) * (2 * WORD // 8 + label)
        return Estimate(ALGORITHM, "cpu", n * size.id_dtype.itemsize, n * label + kept, 0)

    def solve(self, source: GridSource, options: SolveOptions) -> Components:
        """Joins the runs, or makes edges of all pairs."""
        grid = source.graph
        n = agree(source.options.num_vertices, grid.num_vertices)
        if _needs_edges(options):
            graph = HostSource(
                grid.edges(),
                source.options,
                source.facts,
                notes=("edges of a grid, stored",),
                edges=partial(_edges, grid),
            )
            return engine_for_arrays(options).solve(graph, options)
        begin = perf_counter()
        threads = threads_of_image(n, options.threads)
        labels = np.empty(n, np.uint32 if n < 2**31 else np.uint64)
        label_into(grid.image, 0, grid.rule, labels, threads, smallest=True)
        labels = labels.astype(label_type(options.dtype, n), copy=False)
        plan = Plan(
            algorithm=ALGORITHM,
            device="cpu",
            threads=threads,
            reason="neighbors in an image need no stored edges",
            form=grid.form,
            vertices=n,
            edges=grid.num_entries,
            passes=(PassTime("join runs", perf_counter() - begin),),
            bytes=labels.nbytes,
            least_bytes=grid.nbytes + labels.nbytes,
            engine=self.name,
            input=source.facts,
        )
        return Components(
            labels,
            Positions(n),
            options.labels,
            lambda: plan,
            lambda labels: certify_grid(grid, labels, threads),
            threads,
            options.dtype,
            partial(_edges, grid),
        )

    def verify(self, source: GridSource, labels: Any, threads: int) -> Verification:
        """Checks the labels by all joined pairs of neighbors, some at a time."""
        labeled = read_labels(labels, 1)
        values = in_order(labeled, None)
        if isinstance(values, Verification):
            return values
        return certify_grid(source.graph, values, threads, Shown(label=labeled.label))


GRID = GridEngine()


def _needs_edges(options: SolveOptions) -> bool:
    """Whether another engine solves the edges."""
    return options.algorithm != "auto" or options.on_gpu or options.statistics or options.forest


def certify_grid(grid: Grid, labels: Any, threads: int, shown: Shown = AS_IS) -> Verification:
    """Checks labels by all joined pairs of neighbors of an image on the host."""
    n = grid.num_vertices
    if len(labels) != n:
        raise InputError(f"the graph has {n:,} vertices, but labels has {len(labels):,}")
    batches = (Batch(*ends) for ends in grid.batches(PIXELS))
    return certify_batches(batches, Positions(n), labels, BatchCheck(threads, threads, shown=shown))


def _edges(grid: Grid) -> Iterator[EdgeBatch]:
    first = 0
    for src, dst in grid.batches(PIXELS):
        yield EdgeBatch(src, dst, first, len(src))
        first += len(src)
