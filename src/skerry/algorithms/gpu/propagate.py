"""Label propagation over rows: see ``kernels/gpu/published/propagate.cu``."""

from __future__ import annotations

from skerry.algorithms.gpu.frontier import Frontier
from skerry.algorithms.gpu.job import Job


def label_propagation(job: Job, options: dict[str, float]) -> None:
    """Sends labels to neighbors, in rounds, from the vertices whose label has changed.

    Options: rows of ``block_from`` entries have a block; a level of up to ``small_level`` vertices
    is processed by a single block.
    """
    frontier = Frontier(job, "propagate", options)
    listed = job.empty(job.vertices)
    frontier.launch("start", job.vertices, listed)
    frontier.spread(lambda: (listed, job.rounds + 1))
