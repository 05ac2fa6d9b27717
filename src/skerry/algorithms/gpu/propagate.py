"""Label propagation over rows: see ``kernels/gpu/published/propagate.cu``."""

from __future__ import annotations

from skerry.algorithms.gpu.frontier import Frontier
from skerry.algorithms.gpu.job import Job

__all__ = ["label_propagation"]


def label_propagation(job: Job, options: dict[str, float]) -> None:
    """Offers labels to neighbors, round after round, from the vertices that took a smaller one.

    Options: ``block_from`` entries give a row a block; ``small_level`` vertices are left to one.
    """
    frontier = Frontier(job, "propagate", options)
    listed = job.empty(job.vertices)
    frontier.launch("start", job.vertices, listed)
    frontier.spread(lambda: (listed, job.rounds + 1))
