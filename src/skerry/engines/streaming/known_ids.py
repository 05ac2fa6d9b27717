"""Joining batches whose ids are all known: one pass checks and joins them.

Where the pass meets an id that is new, the batch is joined again, after the forest has grown. So it
is tried only where that is unlikely: not where the first or the last edge has a new id, as in files
whose ids ascend, and after a failure not for some batches.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from skerry.union_find.forest import Forest

LONGEST_PAUSE = 64
"""Batches for which nothing is tried after many failures."""


class KnownIds:
    """Tries to join batches in one pass."""

    def __init__(self) -> None:
        self._left = 0  # batches for which nothing is tried
        self._pause = 1

    def join(
        self, forest: Forest, src: npt.NDArray[Any], dst: npt.NDArray[Any], threads: int
    ) -> tuple[bool, bool]:
        """Joins edges if all of their ids are vertices of the forest.

        Returns whether it did, and whether an edge may be a loop of a vertex that is alone.
        """
        if not _comparable(src, dst, forest.size):
            return False, False
        if self._left:
            self._left -= 1
            return False, False
        if any(not 0 <= end[row] < forest.size for end in (src, dst) for row in (0, -1)):
            return False, False
        joined, looped = forest.try_join(src, dst, threads)
        if joined:
            self._pause = 1
        else:
            self._left = self._pause
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
        return joined, looped


def _comparable(src: npt.NDArray[Any], dst: npt.NDArray[Any], size: int) -> bool:
    """Whether ids can be compared with the number of vertices as kernels read them.

    That is as unsigned integers of their own width, of which negative ones must not be below it.
    """
    if src.dtype != dst.dtype or src.itemsize < 4 or not size or not len(src):
        return False
    return src.dtype.kind == "u" or size <= 1 << (8 * src.itemsize - 1)
