"""Groute's algorithm: the edge list in segments, each hooked and then flattened, without rounds.

Ben-Nun, Sutton, Pai & Pingali, "Groute: an asynchronous multi-GPU programming model for irregular
computations" (PPoPP 2017), as in Jaiganesh & Burtscher 2018, sect. 2, and Jaiganesh 2017, sect. 2,
Algorithm 6. Its kernels are those of ``hook_edges.cu`` and ``soman.cu``.

Departures: the lock-free hook of ECL-CC stands for Groute's atomic hook, which locks the
representatives. Its finds halve the paths that they walk: an order of edges that builds long paths
within a segment would make all later finds of that segment walk them. Segments are never so many
that a launch costs more than what it hooks.
"""

from __future__ import annotations

from skerry.algorithms.gpu.dry_runtime import parts_to_run
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.options import whole
from skerry.algorithms.gpu.rows import init, jump_of
from skerry.algorithms.gpu.soman import jump_all
from skerry.algorithms.passes import Init
from skerry.graph.device import DeviceEdges

__all__ = ["groute"]

SMALLEST_SEGMENT = 1 << 16  # edges that take a GPU about as long as the two launches of a segment


def groute(job: Job, options: dict[str, float]) -> None:
    """Hooks and flattens ``segments`` parts of the list in turn; 0: twice as many as m / n."""
    assert isinstance(job.graph, DeviceEdges)
    n, m = job.vertices, job.graph.num_edges
    segments = whole(options.get("segments", 0)) or min(2 * m // n, m // SMALLEST_SEGMENT)
    length = -(-m // max(segments, 1))
    init(job, Init("own"))
    for first in parts_to_run(job.runtime, range(0, m, length or 1)):
        count = min(length, m - first)
        hooked = (*job.edges, job.parent, job.state, first, count)
        job.launch("hook_edges", "hook_edges", count, *hooked, defines=jump_of("halving"))
        jump_all(job)
