"""The share of trees that a GPU's first links leave, counted on the host.

As ``kernels/gpu/own/links.h`` links: so a record has what selects the strategy, whichever one ran.
"""

from __future__ import annotations

import numpy as np

from skerry import Csr
from skerry.algorithms.gpu_planner import links_over

LOOKED_AT = 4  # kLookedAt of own/links.h


def share_of_first_trees(graph: Csr) -> float:
    """Of the vertices with entries."""
    offsets = graph.offsets.astype(np.int64)
    filled = np.flatnonzero(np.diff(offsets))
    begin, end = offsets[filled], offsets[filled + 1]
    linked = np.zeros(len(filled), bool)
    for i in range(LOOKED_AT):
        linked |= graph.neighbors[np.minimum(begin + i, end - 1)] < filled
    if links_over(graph.num_vertices, graph.num_entries):
        first = graph.neighbors[begin].astype(np.int64)
        over = graph.neighbors[np.minimum(offsets[first], len(graph.neighbors) - 1)]
        linked |= (over < filled) & (offsets[first] < offsets[first + 1])
    return 1 - float(linked.mean()) if len(filled) else 0.0
