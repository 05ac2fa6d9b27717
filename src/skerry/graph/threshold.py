"""Which edges to use by their weights: a bound, and the side of it that is kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

Keep = Literal["above", "below"]
"""Similarities are kept above a threshold, distances below; the threshold itself always."""


class Threshold(NamedTuple):
    """A bound for the weights of edges."""

    value: float
    keep: Keep = "above"

    def keeps(self, weights: Any) -> Any:
        """Whether a weight is kept; of an array, for each."""
        return weights >= self.value if self.keep == "above" else weights <= self.value


def loosest(values: Iterable[float], keep: str) -> float:
    """The threshold that keeps the edges of all others too; ``keep`` is a `Keep`."""
    return min(values) if keep == "above" else max(values)
