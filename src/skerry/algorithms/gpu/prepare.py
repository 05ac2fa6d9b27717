"""Brings a device graph into the form that an algorithm reads, on the device."""

from __future__ import annotations

from skerry.algorithms.algorithm import Algorithm
from skerry.cuda.runtime import Runtime
from skerry.graph.device import DeviceCsr, DeviceGraph
from skerry.graph.device_build import csr_from_edges, edges_from_csr, is_symmetric, symmetrize


def prepare_device(
    spec: Algorithm, graph: DeviceGraph, runtime: Runtime
) -> tuple[DeviceGraph, tuple[str, ...]]:
    """The graph as ``spec`` reads it, and what was done to it."""
    if graph.form == "edges":
        if not spec.reads_rows("cuda"):
            return graph, ()
        return csr_from_edges(runtime, graph), ("built rows on the device",)
    if spec.form == "edges":
        return (
            edges_from_csr(runtime, graph, bool(graph.symmetric)),
            ("listed the edges of the rows on the device",),
        )
    if spec.form == "symmetric csr" and not graph.symmetric:
        if graph.symmetric is None and is_symmetric(runtime, graph):
            return DeviceCsr(graph.offsets, graph.neighbors, True), ("found to be symmetric",)
        return symmetrize(runtime, graph), ("missing reverses were added on the device",)
    return graph, ()


def bytes_of_prepare(spec: Algorithm, graph: DeviceGraph) -> int:
    """Bytes that `prepare_device` takes at its peak, the graph that it makes included."""
    n = graph.num_vertices
    wide = 4 if n < 2**32 else 8
    if graph.form == "edges":
        entries = 2 * graph.num_entries
        return _bytes_of_sort(n, entries) if spec.reads_rows("cuda") else 0
    if spec.form == "edges":
        return graph.num_entries * 2 * wide
    if spec.form == "symmetric csr" and not graph.symmetric:
        return _bytes_of_sort(n, 2 * graph.num_entries)
    return 0


def _bytes_of_sort(vertices: int, entries: int) -> int:
    """Keys of 8 bytes, or pairs of them, and a copy; then the rows."""
    keys = 16 if vertices < 2**32 else 32
    return keys * entries + 8 * (vertices + 1)
