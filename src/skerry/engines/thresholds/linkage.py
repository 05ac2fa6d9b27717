"""The single-linkage dendrogram: the merges of a minimum spanning forest, in order of distance.

Gower & Ross, "Minimum Spanning Trees and Single Linkage Cluster Analysis" (1969).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.engines.thresholds.collect import Collected, Keys, collect
from skerry.engines.thresholds.ordered_forest import Forest
from skerry.errors import UnsupportedError
from skerry.inputs.sources import AdjacencySource, HostSource, Source, StreamSource
from skerry.request import Progress
from skerry.result.linkage import Linkage
from skerry.threads import resolve_threads


def link(source: Source, threads: int | None = None, progress: Progress | None = None) -> Linkage:
    """Reads a source once; its weights are distances."""
    read, team = host_or_stream(source, "single linkage"), resolve_threads(threads)

    def key(weights: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], None]:
        return weights.astype(np.float64), None

    collected = collect(read, Keys(key, keeps_loops=True), team, progress)
    count = collected.size
    forest = _as_tree(collected)
    left, right, sizes = merges_of(forest, count)
    ids = collected.id_space(read, count)
    return Linkage(np.column_stack([left, right, forest.keys, sizes]).astype(np.float64), ids)


def merges_of(
    forest: Forest, vertices: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The two clusters that each edge of a forest joins, and the vertices of both, as scipy does.

    Clusters 0..n-1 are the vertices, n + i is what edge i makes.
    """
    left, right, sizes = (np.empty(len(forest.src), np.int64) for _ in range(3))
    if len(forest.src):
        _native.merge_clusters(forest.src, forest.dst, vertices, left, right, sizes)
    return left, right, sizes


def _as_tree(collected: Collected) -> Forest:
    """The forest with its trees joined at an infinite distance, in order of smallest members."""
    src, dst, keys = collected.forest
    labels = np.arange(collected.size, dtype=src.dtype)
    if len(src):
        _native.stream_edges(src, dst, labels, 1, False, False)
        _native.finish(labels, _native.FINISH["ordered"], 1, False)
    roots = np.flatnonzero(labels == np.arange(len(labels), dtype=labels.dtype)).astype(src.dtype)
    first = np.broadcast_to(roots[:1], max(len(roots) - 1, 0))
    return Forest(
        np.concatenate([src, first]),
        np.concatenate([dst, roots[1:]]),
        np.concatenate([keys.astype(np.float64), np.full(len(first), np.inf)]),
    )


def host_or_stream(source: Source, purpose: str) -> HostSource | StreamSource:
    """A source in host memory, or of batches; Python objects become arrays."""
    if isinstance(source, AdjacencySource):
        # Imported for such graphs only, as by dispatch.
        from skerry.inputs.adjacency import as_edges

        return as_edges(source)
    if isinstance(source, HostSource | StreamSource):
        return source
    raise UnsupportedError(f"{purpose} runs on a CPU: copy the arrays to the host first")
