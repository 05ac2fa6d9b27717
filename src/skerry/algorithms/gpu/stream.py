"""Our algorithm for an edge list: see ``kernels/gpu/stream.cu``. It never waits for the device."""

from __future__ import annotations

import numpy as np

from skerry.algorithms.gpu.job import SAMPLERS, Job
from skerry.algorithms.gpu.options import whole
from skerry.algorithms.gpu.skip import SMALL
from skerry.graph.device import DeviceEdges

__all__ = ["stream"]

EACH = 4  # kEach of own/links.h


def stream(job: Job, options: dict[str, float]) -> None:
    """Links and joins two shares of the edges, then those outside of the largest tree."""
    graph = job.graph
    assert isinstance(graph, DeviceEdges)
    n, m = job.vertices, graph.num_edges
    edges, (links, state) = job.edges, job.forest
    if n + m <= SMALL and not options.get("share"):
        job.launch("small", "label_small_edges", SAMPLERS, *edges, links, state, block=SAMPLERS)
        return
    share = whole(options.get("share", 0), 0, max(m, 1)) or share_of_edges(m / n)
    threads = -(-n // EACH)
    job.launch("stream", "start_links", threads, links, n)
    job.launch("stream", "link_edges", -(-m // share), *edges, links, state, share)
    which = 1 if share > 1 else 0
    job.launch("stream", "join_share", -(-m // share), *edges, links, state, share, which)
    if share > 1:
        members = job.empty(-(-n // 32), np.uint32)
        job.launch("stream", "sample_largest", SAMPLERS, links, n, state, block=SAMPLERS)
        few = min(threads, 4 * job.resident)
        job.launch("stream", "mark_members", few, links, n, state, members)
        job.launch("stream", "join_others", -(-m // 4), *edges, links, state, members)
    job.launch("stream", "label_vertices", threads, links, n, state)


def share_of_edges(edges_per_vertex: float) -> int:
    """One of how many chunks makes a share: enough for n edges, or half of them."""
    return max(2, int(edges_per_vertex))
