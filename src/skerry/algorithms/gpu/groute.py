"""Groute's algorithm: the edge list in segments, each hooked and then flattened, without rounds.

Ben-Nun, Sutton, Pai & Pingali, "Groute: an asynchronous multi-GPU programming model for irregular
computations" (PPoPP 2017), as in Jaiganesh & Burtscher 2018, sect. 2, and Jaiganesh 2017, sect. 2,
Algorithm 6. Its kernels are those of ``hook_edges.cu`` and ``soman.cu``.

Departures: the lock-free hook of ECL-CC replaces Groute's atomic hook, which locks the
representatives. Its finds halve the paths that they follow: otherwise an order of edges that builds
long paths within a segment would slow down all later finds of that segment. The number of segments
is limited so that a launch never takes longer than the work in it.
"""

from __future__ import annotations

from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.options import bounded_int
from skerry.algorithms.gpu.rows import init, jump_define
from skerry.algorithms.gpu.soman import jump_all
from skerry.algorithms.passes import Init

__all__ = ["groute"]

SMALLEST_SEGMENT = (
    1 << 16
)  # edges; a GPU hooks them in about the time of the two launches of a segment


def groute(job: Job, options: dict[str, float]) -> None:
    """Hooks and flattens the edges in ``segments`` parts, one after the other; 0: 2m/n of them."""
    n, m = job.vertices, job.graph.num_entries
    segments = bounded_int(options.get("segments", 0)) or min(2 * m // n, m // SMALLEST_SEGMENT)
    length = -(-m // max(segments, 1))
    init(job, Init("own"))
    for first in job.parts(range(0, m, length or 1)):
        count = min(length, m - first)
        arguments = (*job.edge_arguments, job.parent, job.state, first, count)
        job.launch("hook_edges", "hook_edges", count, *arguments, defines=jump_define("halving"))
        jump_all(job)
