"""Which of several thresholds an edge passes: a number, since it passes all that are looser too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.graph.threshold import Keep, Threshold

FEW = 16  # so many comparisons of an array take no longer than a binary search in it


class Levels:
    """Distinct thresholds from the strictest, level 0, to the loosest.

    >>> Levels([0.5, 0.9, 0.5], "above").of(np.array([0.7, 0.95, 0.1, 0.9])).tolist()
    [1, 0, 2, 0]
    """

    def __init__(self, thresholds: Sequence[float], keep: Keep) -> None:
        self.thresholds = sorted(set(thresholds), reverse=keep == "above")
        self._tests = [Threshold(threshold, keep) for threshold in self.thresholds]
        self.keep = keep
        self._dtype = np.dtype(np.uint16 if len(self.thresholds) < 2**16 - 1 else np.uint32)
        self._searched = None
        if len(self.thresholds) > FEW and all(isinstance(each, float) for each in thresholds):
            self._searched = np.array(sorted(self.thresholds), np.float64)

    def __len__(self) -> int:
        return len(self.thresholds)

    def of(self, weights: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The strictest level that each weight passes; the number of levels where it passes none.

        Weights are compared as `Threshold` does it, so in the same precision.
        """
        if self._searched is not None and weights.dtype == np.float64:
            if self.keep == "below":
                return np.searchsorted(self._searched, weights, "left").astype(self._dtype)
            passed = np.searchsorted(self._searched, weights, "right")
            return (len(self) - passed).astype(self._dtype)
        levels = np.full(len(weights), len(self), self._dtype)
        for test in self._tests:
            levels -= test.keeps(weights)
        return levels
