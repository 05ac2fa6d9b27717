"""Algorithms that go level by level: see ``kernels/gpu/published``, search.cu and propagate.cu."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from skerry.algorithms.gpu.job import Job, bounded_int
from skerry.algorithms.gpu.state import Word
from skerry.cuda.runtime import BLOCK

BLOCK_FROM = 353  # entries from which a block processes a row: ECL-CC sect. 3
SMALL_LEVEL = 512  # vertices; one block processes them in about the time of a launch
MAX_LEVELS = 4096  # in a single launch: some 10 ms, so that a run can be interrupted
SEARCHES = 8  # the largest component is usually among the first few


class Frontier:
    """Two lists of vertices used in turn, and the bounds of the present level in them.

    The host's part of ``kernels/gpu/published/spread.h``.
    """

    def __init__(self, job: Job, algorithm: str, options: dict[str, float]) -> None:
        self.job = job
        self.algorithm = algorithm  # name of the source, and prefix of its kernels
        self.block_from = bounded_int(options.get("block_from", BLOCK_FROM))
        self.small_level = bounded_int(options.get("small_level", SMALL_LEVEL))
        self.next, self.here = job.empty(job.vertices), job.empty(job.vertices)
        self.progress = job.empty(3, np.uint64)
        self.begin = self.end = (0, 0)

    def launch(self, kernel: str, threads: int, *more: Any) -> None:
        """Launches a kernel with the parameters common to all searches, and ``more``."""
        job = self.job
        (front, back), (front_end, back_end) = self.begin, self.end
        lists = (self.here, self.next, front, front_end, back, back_end)
        job.launch(
            self.algorithm,
            f"{self.algorithm}_{kernel}",
            threads,
            *(*job.row_arguments, job.parent, job.state, *lists, self.block_from),
            *more,
        )

    def spread(self, more: Callable[[], tuple[Any, ...]] = tuple) -> None:
        """Processes level after level until one is empty; ``more`` returns further arguments."""
        self._turn(self.end, 1)
        while self.end != self.begin:
            front, back = (end - begin for begin, end in zip(self.begin, self.end, strict=True))
            if back == 0 and front <= self.small_level:
                small = (self.small_level, MAX_LEVELS, self.progress)
                self.launch("small_levels", BLOCK, *more(), *small)
                levels, *begin = map(int, self.job.runtime.read(self.progress))
                self._turn((begin[0], begin[1]), levels)
            else:
                levels = 1
                self.launch("level", max(front, back * BLOCK), *more())
                self._turn(self.end, levels)
            self.job.rounds += levels

    def _turn(self, begin: tuple[int, int], levels: int) -> None:
        """Makes the level that begins there, ``levels`` after this one, the present one."""
        job = self.job
        if levels % 2:
            self.here, self.next = self.next, self.here
        front, back = job.runtime.read(job.state[Word.FRONT : Word.BACK + 1])
        self.begin, self.end = begin, (int(front), int(back))


def label_propagation(job: Job, options: dict[str, float]) -> None:
    """Sends labels to neighbors, in rounds, from the vertices whose label has changed.

    Options: rows of ``block_from`` entries have a block; a level of up to ``small_level`` vertices
    is processed by a single block.
    """
    frontier = Frontier(job, "propagate", options)
    listed = job.empty(job.vertices)
    frontier.launch("start", job.vertices, listed)
    frontier.spread(lambda: (listed, job.rounds + 1))


def bfs(job: Job, options: dict[str, float]) -> None:
    """Breadth-first search from the smallest vertex not reached, some times; then from all others.

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
