"""How much device memory a run allocates: counted by the code that allocates it."""

from __future__ import annotations

import numpy.typing as npt

from skerry.algorithms.algorithm import Algorithm
from skerry.algorithms.gpu.backend import run
from skerry.algorithms.gpu.dry_runtime import DryRuntime, dry_csr, dry_edges
from skerry.graph.device import DeviceGraph


def bytes_of_run(spec: Algorithm, graph: DeviceGraph, dtype: npt.DTypeLike) -> int:
    """Bytes that a run on a GPU allocates beside the graph, which is in the form ``spec`` reads."""
    n, entries, id_bits = graph.num_vertices, graph.num_entries, 8 * graph.id_dtype.itemsize
    if graph.form == "csr":
        size_only: DeviceGraph = dry_csr(n, entries, id_bits, 8 * graph.offsets.dtype.itemsize)
    else:
        size_only = dry_edges(n, entries, id_bits)
    return run(spec, DryRuntime(), size_only, dtype, False).bytes
