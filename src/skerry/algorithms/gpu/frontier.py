"""The host side of ``kernels/gpu/published/spread.h``: bounds of a level, step to the next one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.options import whole
from skerry.algorithms.gpu.state import Word
from skerry.cuda.runtime import BLOCK

__all__ = ["BLOCK_FROM", "SMALL_LEVEL", "Frontier"]

BLOCK_FROM = 353  # entries from which a row has a block of its own: ECL-CC sect. 3
SMALL_LEVEL = 512  # vertices that one block does about as fast as the host asks for the next level
MOST_LEVELS = 4096  # that a launch does by itself: some 10 ms, so that a run can be stopped


class Frontier:
    """Two lists of vertices that take turns, and the counts between which each was listed."""

    def __init__(self, job: Job, algorithm: str, options: dict[str, float]) -> None:
        self.job = job
        self.algorithm = algorithm  # the source's name, which its kernels' names begin with
        self.block_from = whole(options.get("block_from", BLOCK_FROM))
        self.small_level = whole(options.get("small_level", SMALL_LEVEL))
        self.next, self.here = job.empty(job.vertices), job.empty(job.vertices)
        self.progress = job.empty(3, np.uint64)
        self.begin = self.end = (0, 0)

    def launch(self, kernel: str, threads: int, *more: Any) -> None:
        """Runs a kernel that has the parameters of all that spread, and ``more``."""
        job = self.job
        (front, back), (front_end, back_end) = self.begin, self.end
        lists = (self.here, self.next, front, front_end, back, back_end)
        job.launch(
            self.algorithm,
            f"{self.algorithm}_{kernel}",
            threads,
            *(*job.rows, job.parent, job.state, *lists, self.block_from),
            *more,
        )

    def spread(self, more: Callable[[], tuple[Any, ...]] = tuple) -> None:
        """Goes on from what was listed last, until nothing is; ``more`` gives further arguments."""
        self._turn(self.end, 1)
        while self.end != self.begin:
            front, back = (end - begin for begin, end in zip(self.begin, self.end, strict=True))
            if back == 0 and front <= self.small_level:
                small = (self.small_level, MOST_LEVELS, self.progress)
                self.launch("small_levels", BLOCK, *more(), *small)
                levels, *begin = map(int, self.job.runtime.read(self.progress))
                self._turn((begin[0], begin[1]), levels)
            else:
                levels = 1
                self.launch("level", max(front, back * BLOCK), *more())
                self._turn(self.end, levels)
            self.job.rounds += levels

    def _turn(self, begin: tuple[int, int], levels: int) -> None:
        """Makes the level that begins there, so many after this one, the present one."""
        job = self.job
        if levels % 2:
            self.here, self.next = self.next, self.here
        front, back = job.runtime.read(job.state[Word.FRONT : Word.BACK + 1])
        self.begin, self.end = begin, (int(front), int(back))
