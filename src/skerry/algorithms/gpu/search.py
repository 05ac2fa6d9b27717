"""Breadth-first searches over rows: see ``kernels/gpu/published/search.cu``."""

from __future__ import annotations

from skerry.algorithms.gpu.frontier import Frontier
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.options import bounded_int
from skerry.algorithms.gpu.state import Word

SEARCHES = 8  # the largest component is usually among the first few


def bfs(job: Job, options: dict[str, float]) -> None:
    """Searches from the smallest vertex not reached, ``searches`` times; then from all others.

    Options: ``searches``; rows of ``block_from`` entries have a block; a level of up to
    ``small_level`` vertices is processed by a single block.
    """
    n, parent, state = job.vertices, job.parent, job.state
    frontier = Frontier(job, "search", options)
    frontier.launch("start", n)
    source = -1
    for _ in range(bounded_int(options.get("searches", SEARCHES))):
        job.clear(Word.CHOICE)
        job.launch("search", "search_find_source", n - source - 1, parent, n, state, source + 1)
        frontier.launch("from_source", 1)
        chosen = job.read(Word.CHOICE)
        if not chosen:
            return
        source = n - chosen
        frontier.spread()
    frontier.launch("from_all", n)
    frontier.spread()
    frontier.launch("finish", n)
