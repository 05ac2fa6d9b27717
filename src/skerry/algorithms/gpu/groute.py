"""Groute's algorithm: the edge list in segments, each hooked and then flattened, without rounds.

Ben-Nun, Sutton, Pai & Pingali, "Groute: an asynchronous multi-GPU programming model for irregular
computations" (PPoPP 2017), as in Jaiganesh & Burtscher 2018, sect. 2, and Jaiganesh 2017, sect. 2,
Algorithm 6. Its kernels are in ``kernels/gpu/published/groute.cu``.

The number of segments is that of Groute's program on one GPU: below 8 edges a vertex a single one,
hooked by plain stores first, else segments of n edges. (The papers say 2m/n segments.)

Departure: segments have 65,536 edges at least, so that a launch never takes longer than the work
in it.
"""

from __future__ import annotations

from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.options import bounded_int
from skerry.algorithms.gpu.rows import finish, init
from skerry.algorithms.passes import Init

LOW_DEGREE = 8  # edges a vertex below which there is one segment
SMALLEST_SEGMENT = 1 << 16  # edges, hooked in about the time of the two launches of a segment


def groute(job: Job, options: dict[str, float]) -> None:
    """Hooks and flattens the edges in ``segments`` parts, one after the other; 0: by the degree."""
    n, m = job.vertices, job.graph.num_entries
    segments = bounded_int(options.get("segments", 0))
    single = m // n < LOW_DEGREE
    length = m if single else max(n, SMALLEST_SEGMENT)
    if segments:
        length = -(-m // segments)
    init(job, Init("own"))
    for first in job.parts(range(0, m, length or 1)):
        count = min(length, m - first)
        arguments = (*job.edge_arguments, job.parent, job.state, first, count)
        if single and first == 0:
            job.launch("groute", "hook_once", count, *arguments)
            finish(job)
        job.launch("groute", "hook_segment", count, *arguments)
        finish(job)
