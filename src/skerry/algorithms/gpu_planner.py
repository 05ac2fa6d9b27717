"""What "auto" runs on a GPU, and why.

The form and the size of the graph decide here, so that nothing waits for the device. A sample of
its rows decides on the device, by the rule that `gpu_reason` states too (selected_strategy in
``kernels/gpu/own/sample.h``). The numbers come from the tuning half of the corpus on an H200,
2026-11-16 (docs/benchmarks.md).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from skerry.algorithms.catalog import Algorithm, algorithm
from skerry.graph.device import DeviceGraph
from skerry.graph.graph import GraphForm

__all__ = [
    "RowSample",
    "choose_for_gpu",
    "few_entries",
    "fits_one_block",
    "gpu_reason",
    "reads_directly",
    "tiles_fit",
]

GPU_ALGORITHMS: dict[GraphForm, str] = {"edges": "stream", "csr": "skip"}
ONE_BLOCK = 1 << 11
"""Vertices and entries together that one block labels in less time than several launches take."""
DIRECT_ENTRIES, DIRECT_SHORT_ENTRIES = 1 << 16, 1 << 18
"""Entries up to which all rows are read, without a sample; the second if rows are short."""
SHORT_ROWS = 5
"""Entries a vertex up to which rows are short."""
SHORTEST_ROWS, SHORTEST_VERTICES = 3.25, 1 << 22
"""Entries a vertex up to which too few trees grow together for one to be worth looking for; and
vertices up to which the copy of the links stays in the cache."""
TILE_DEGREE = 4.5
"""Entries a vertex up to which tiles may be faster: they keep two neighbors of each vertex."""


class RowSample(NamedTuple):
    """What kernels have counted in a sample of the rows; all 0 where no sample was taken."""

    rows: int
    near: int
    """Rows with a neighbor whose id is near their own."""
    adjacent: int
    """Rows with a neighbor whose id is next to their own."""
    long: int
    """Rows with more entries than tiles look at."""
    linked: int
    """Rows with a smaller neighbor among their first entries."""
    hubs: int
    """Rows whose first neighbor has very many entries."""


@cache
def choose_for_gpu(form: GraphForm) -> Algorithm:
    """What "auto" runs on a GPU."""
    return algorithm(GPU_ALGORITHMS[form])


def fits_one_block(num_vertices: int, num_entries: int) -> bool:
    """Whether "auto" labels a graph of this size on a GPU in a single launch of one block."""
    return num_vertices + num_entries <= ONE_BLOCK


def few_entries(num_vertices: int, num_entries: int) -> int:
    """Whether rows are short: 1 if they are, 2 if all of them are read even if ids are far."""
    shortest = num_entries <= SHORTEST_ROWS * num_vertices
    if shortest and num_vertices <= SHORTEST_VERTICES:
        return 2
    return int(num_entries <= SHORT_ROWS * num_vertices)


def reads_directly(num_vertices: int, num_entries: int) -> bool:
    """Whether all rows are read at once: a sample would take longer than what it saves."""
    short = few_entries(num_vertices, num_entries)
    return num_entries <= (DIRECT_SHORT_ENTRIES if short else DIRECT_ENTRIES)


def tiles_fit(num_vertices: int, num_entries: int, symmetric: bool) -> bool:
    """Whether the device may select tiles. They look at one direction of an edge."""
    return symmetric and num_entries <= TILE_DEGREE * num_vertices


def gpu_reason(graph: DeviceGraph, sample: RowSample) -> str:
    """Why "auto" ran as it did on a GPU."""
    n, entries = graph.num_vertices, graph.num_entries
    if fits_one_block(n, entries):
        return "small: one launch does it all"
    if graph.form == "edges":
        return "an edge list: a sample finds the largest component, then each edge is read once"
    symmetric = bool(graph.symmetric)
    if not sample.rows:
        shape = "too few for a sample to pay: all rows are read"
    elif tiles_fit(n, entries, symmetric) and _has_stretches(sample):
        shape = f"{sample.adjacent / sample.rows:.0%} of sampled rows have an adjacent id: tiles"
    elif 8 * sample.near > 5 * sample.rows:
        near = f"{sample.near / sample.rows:.0%} of sampled rows have a near neighbor"
        shape = f"{near}: all rows are read"
    elif few_entries(n, entries) and 16 * sample.linked > 15 * sample.rows:
        linked = f"{sample.linked / sample.rows:.0%} of sampled rows have a smaller neighbor"
        shape = f"{linked}: all rows are read"
    elif 4 * sample.hubs > sample.rows:
        shape = f"{sample.hubs / sample.rows:.0%} of sampled rows begin with a hub: a small sample"
    elif few_entries(n, entries) == 2:
        shape = "short rows of far ids: all rows are read"
    else:
        shape = "neighbors have far ids"
    known = "symmetric" if symmetric else "not known to be symmetric"
    return f"CSR, {known}, {entries / max(n, 1):.1f} entries a vertex; {shape}"


def _has_stretches(sample: RowSample) -> bool:
    """Whether most vertices have short rows and are joined with the next ones."""
    return 16 * sample.long < sample.rows and 2 * sample.adjacent > sample.rows
