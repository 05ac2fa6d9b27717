"""Our algorithm for an edge list: see ``kernels/gpu/stream.cu``. It never waits for the device."""

from __future__ import annotations

from skerry.algorithms.gpu.job import SAMPLERS, Job, Step
from skerry.algorithms.gpu.options import whole
from skerry.algorithms.gpu.skip import SMALL
from skerry.cuda.runtime import BLOCK
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
    which = 1 if share > 1 else 0
    steps: list[Step] = [
        ("start_links", threads, BLOCK, (links, n)),
        ("link_edges", -(-m // share), BLOCK, (*edges, links, state, share)),
        ("join_share", -(-m // share), BLOCK, (*edges, links, state, share, which)),
    ]
    if share > 1:
        (members,) = job.scratch(4 * -(-n // 32))
        few = min(threads, 4 * job.resident)
        steps += (
            ("sample_largest", SAMPLERS, SAMPLERS, (links, n, state)),
            ("mark_members", few, BLOCK, (links, n, state, members)),
            ("join_others", -(-m // 4), BLOCK, (*edges, links, state, members)),
        )
    steps.append(("label_vertices", threads, BLOCK, (links, n, state)))
    job.launch_all("stream", steps)


def share_of_edges(edges_per_vertex: float) -> int:
    """One of how many chunks makes a share: enough for n edges, or half of them."""
    return max(2, int(edges_per_vertex))
