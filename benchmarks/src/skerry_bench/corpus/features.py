"""What a graph is like, measured exactly: for the record beside the times."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from skerry import Csr
from skerry_bench.corpus.first_trees import share_of_first_trees


def graph_features(graph: Csr, labels: npt.NDArray[np.unsignedinteger]) -> dict[str, float]:
    """Counts, degrees, how near and how small first neighbors are, its components."""
    n = graph.num_vertices
    degrees = np.diff(graph.offsets.astype(np.int64))
    filled = np.flatnonzero(degrees)
    first = graph.neighbors[graph.offsets[filled].astype(np.int64)]
    gap = np.abs(first.astype(np.int64) - filled)
    sizes = np.bincount(labels, minlength=n)
    return {
        "vertices": n,
        "entries": graph.num_entries,
        "degree": graph.num_entries / max(n, 1),
        "max_degree": int(degrees.max(initial=0)),
        "isolated": 1 - len(filled) / max(n, 1),
        "near": float((gap <= n // 64).mean()) if len(filled) else 0.0,
        "smaller": float((first < filled).mean()) if len(filled) else 0.0,
        "first_gap": float(np.median(gap)) if len(filled) else 0.0,
        "components": int(np.count_nonzero(sizes)),
        "largest": int(sizes.max(initial=0)) / max(n, 1),
        "first_trees": share_of_first_trees(graph),
    }
