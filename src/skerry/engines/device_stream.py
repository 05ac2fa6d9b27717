"""Host graphs on a GPU in chunks of edges, which are copied there and joined as they come.

For graphs that do not fit into the memory of the device, and for large edge lists in general, since
the kernels run while the next chunk is copied. The device holds the parent array, a bit for each
vertex, and a few chunks.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.cuda.devices import find_runtime
from skerry.cuda.runtime import Runtime
from skerry.engines.memory import label_type
from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges, vertex_dtype
from skerry.graph.vertex_ids import CHANGED
from skerry.inputs.host import has_columns, load
from skerry.inputs.sources import HostSource
from skerry.request import SolveOptions
from skerry.result.plan import PassTime, Plan
from skerry.union_find.streamed_forest import CHUNK, StreamedForest, bytes_of_stream

STREAM_FROM = 1 << 23  # edges: two chunks, of which one can be copied while the other is joined
LEAST_CHUNK = 1 << 14  # edges, where a device has little memory left
SLACK = 16  # of what is free, a share is left: allocations are rounded up
ENTRIES = 1 << 22  # of a CSR at a time: their rows are written out

Streamed = tuple[npt.NDArray[Any], Plan]


def can_stream(source: HostSource, options: SolveOptions) -> bool:
    """Whether a host graph is a list of edges, to be joined by no algorithm in particular."""
    return options.algorithm == "auto" and not options.statistics and has_columns(source.graph)


def streams(graph: Edges | Csr) -> bool:
    """Whether the copy of an edge list takes long enough for something to run beside it."""
    return graph.form == "edges" and graph.num_entries >= STREAM_FROM


def forest_on(device: str) -> StreamedForest:
    """An empty forest on a device."""
    return StreamedForest(find_runtime(device))


def stream_to_device(
    graph: Edges | Csr,
    source: HostSource,
    options: SolveOptions,
    runtime: Runtime,
    threads: int,
    notes: tuple[str, ...],
) -> Streamed:
    """Labels on the host, and the plan.

    The ids of edges need not have been checked: the device does. Where one is no vertex, loading
    the source again says which.
    """
    n, m = graph.num_vertices, graph.num_entries
    dtype = label_type(options.dtype, n)
    chunk = _chunk(n, m, dtype, runtime)
    begin = perf_counter()
    forest = StreamedForest(runtime, n, dtype=dtype, chunk=chunk)
    try:
        if graph.form == "edges":
            forest.join_all(graph.src, graph.dst, threads)
        else:
            for src, dst in graph.batches(ENTRIES):
                forest.join(src, dst, threads)
    finally:
        size = forest.nbytes
        valid = forest.end()
    if not valid:
        load(source, threads)  # says what is wrong
        raise InputError(CHANGED)
    joined = perf_counter()
    labels = forest.labels()
    times = (
        PassTime("copy and join edges", joined - begin),
        PassTime("copy labels", perf_counter() - joined),
    )
    moved = 2 * m * vertex_dtype(n).itemsize
    notes = (*notes, f"passed by {runtime.name}, {moved:,} bytes in chunks of {chunk:,} edges")
    plan = Plan(
        algorithm="stream",
        device=runtime.name,
        threads=0,
        reason="edges are joined as they are read, and not kept",
        form=graph.form,
        vertices=n,
        edges=m,
        passes=(*source.passes, *times),
        notes=notes,
        bytes=size,
        least_bytes=graph.nbytes + labels.nbytes,
        input=source.facts,
    )
    return labels, plan


def _chunk(n: int, m: int, dtype: np.dtype[Any], runtime: Runtime) -> int:
    """Edges of a chunk: fewer where there are no more, or where memory is short."""
    forest = bytes_of_stream(n, 0, dtype)
    room = (runtime.available() - forest) // (bytes_of_stream(n, 1, dtype) - forest)
    return max(1, min(CHUNK, m, max(room - room // SLACK, LEAST_CHUNK)))
