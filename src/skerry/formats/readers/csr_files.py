"""From the rows of a CSR file to batches of edges; shared by all binary graph formats.

Offsets, neighbors and weights are each read in pieces, in step; a batch covers some rows, or part
of one long row. Every offset and every neighbor is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.formats.options import ReadOptions
from skerry.formats.prefetch import prefetch
from skerry.formats.readers.array_sections import ArrayReader
from skerry.graph.edge_source import Batch, EdgeSource
from skerry.graph.edges import vertex_dtype

Opener = Callable[[], AbstractContextManager[ArrayReader]]

ROWS = 1 << 18
"""Rows whose offsets are held at a time."""


@dataclass(frozen=True, slots=True)
class CsrFile:
    """How to open the arrays of a graph, and the counts of its header."""

    name: str
    num_vertices: int
    num_entries: int
    offsets: Opener
    neighbors: Opener
    """Integers, or records whose field ``v`` is the neighbor and ``w`` the weight."""
    weights: Opener | None = None
    ends_only: bool = False
    """Whether the offsets are the ends of the rows (Galois), without a 0 for the first."""
    num_bytes: int | None = None
    transposed: bool = False
    """Whether the rows are the targets of edges (CSC)."""


def csr_source(graph: CsrFile, options: ReadOptions) -> EdgeSource:
    """The entries of all rows as edges."""
    if graph.num_vertices < 0 or graph.num_entries < 0:
        raise InputError(
            f"{graph.name}: the header says {graph.num_vertices} vertices and "
            f"{graph.num_entries} entries: counts cannot be negative"
        )
    return EdgeSource(
        name=graph.name,
        id_kind="vertices",
        open=lambda _: prefetch(lambda: _batches(graph, options)),
        num_vertices=graph.num_vertices,
        num_edges=graph.num_entries,
        num_bytes=graph.num_bytes,
        facts=options.fixed_facts(),
    )


def _batches(graph: CsrFile, options: ReadOptions) -> Iterator[Batch]:
    wanted = options.weight is not None
    dtype = vertex_dtype(graph.num_vertices)
    with ExitStack() as stack:
        neighbors = stack.enter_context(graph.neighbors())
        weights = (
            stack.enter_context(graph.weights()) if wanted and graph.weights is not None else None
        )
        reported = 0
        for first, starts in _row_blocks(graph, stack.enter_context(graph.offsets())):
            rows = np.arange(first, first + len(starts) - 1, dtype=dtype)
            for begin in range(int(starts[0]), int(starts[-1]), options.batch_rows):
                end = min(begin + options.batch_rows, int(starts[-1]))
                entries = neighbors.next(end - begin)
                weight = weights.next(end - begin) if weights is not None else None
                if entries.dtype.names:
                    weight = entries["w"] if wanted else None
                    entries = entries["v"]
                cut = np.clip(starts, begin, end)
                src = np.repeat(rows, cut[1:] - cut[:-1])
                dst = _checked(entries, src, begin, graph, dtype)
                done = _share(graph, end)
                location = f"entries {begin:,} to {end - 1:,}"
                if graph.transposed:
                    src, dst = dst, src
                yield Batch(src, dst, weight, location, done - reported)
                reported = done


def _row_blocks(
    graph: CsrFile, offsets: ArrayReader
) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
    """The first row of each block, and the offsets of its rows with the end of the last."""
    n, m = graph.num_vertices, graph.num_entries
    last = 0 if graph.ends_only else _first_offset(graph, offsets)
    for first in range(0, n, ROWS):
        ends = offsets.next(min(ROWS, n - first))
        starts = np.empty(len(ends) + 1, np.int64)
        starts[0] = last
        starts[1:] = ends
        falls = starts[1:] < starts[:-1]  # their differences may be over 2^63
        if falls.any() or starts[0] < 0:
            row = int(np.argmax(falls))
            raise InputError(
                f"{graph.name}: the offsets fall from {starts[row]} to {starts[row + 1]} at vertex "
                f"{first + row}"
            )
        last = int(starts[-1])
        if last > m:
            row = int(np.argmax(starts > m)) - 1
            raise InputError(
                f"{graph.name}: the row of vertex {first + row} ends at entry {starts[row + 1]:,}, "
                f"but the header says {m:,} entries"
            )
        yield first, starts
    if last != m:
        raise InputError(
            f"{graph.name}: the offsets end at {last:,}, but the header says {m:,} entries"
        )


def _first_offset(graph: CsrFile, offsets: ArrayReader) -> int:
    first = int(offsets.next(1)[0])
    if first != 0:
        raise InputError(f"{graph.name}: the first offset is {first}; it must be 0")
    return first


def _checked(
    entries: npt.NDArray[Any],
    src: npt.NDArray[Any],
    begin: int,
    graph: CsrFile,
    dtype: np.dtype[Any],
) -> npt.NDArray[Any]:
    """The neighbors as vertex ids, all of them in range."""
    unsigned = entries.view(f"u{entries.itemsize}") if entries.dtype.kind == "i" else entries
    if len(unsigned) and unsigned.max() >= graph.num_vertices:
        at = int(np.argmax(unsigned >= graph.num_vertices))
        raise InputError(
            f"{graph.name}: entry {begin + at:,}, of vertex {src[at]}, is "
            f"{entries[at]}, but the graph has {graph.num_vertices:,} vertices "
            f"(0..{graph.num_vertices - 1})"
        )
    return np.ascontiguousarray(unsigned, dtype)


def _share(graph: CsrFile, entries: int) -> int:
    """The share of so many entries in the bytes of the file."""
    return (graph.num_bytes or 0) * entries // graph.num_entries
