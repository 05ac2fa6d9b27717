"""A sample of the edges of a stream: enough to name the ids with the most edges.

Fewer and fewer edges are kept as they come, and each stands for as many as were passed by. What is
kept grows with the logarithm of the stream, and most batches cost a comparison.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.graph.arrow import arrow_view
from skerry.graph.edge_source import IdColumn

SIZE = 2048
"""Edges that are all kept if they come at once; then about so many for every doubling."""
ROWS = 64
"""Edges, of the first ones, to wait for before a batch is looked at: a look has its price."""


class EdgeSample:
    """Edges of a stream, each with the number of edges that it stands for."""

    def __init__(self) -> None:
        self.edges = 0
        """Edges of the stream."""
        self.is_exact = True
        """Whether all edges were kept."""
        self._parts: list[tuple[IdColumn, IdColumn, float]] = []
        self._looked = 0
        self._next = ROWS

    @cached_property
    def _random(self) -> np.random.Generator:
        return np.random.default_rng(0)  # the same notes every time

    def add(self, src: IdColumn, dst: IdColumn, count: int) -> None:
        """Takes note of the next edges of the stream."""
        self.edges += count
        if self.edges >= self._next:
            self._look(src, dst, count)

    def _look(self, src: IdColumn, dst: IdColumn, count: int) -> None:
        """Keeps edges of this batch, which stand for those since the last look."""
        passed = self.edges - self._looked
        rows = min(count, max(1, passed * SIZE // max(self.edges, SIZE)))
        positions = np.arange(rows)
        if rows < count:  # one of every so many
            chance = self._random.random(rows)
            positions = ((positions + chance) * (count / rows)).astype(np.int64)
        self._parts.append((_take(src, positions), _take(dst, positions), passed / rows))
        self.is_exact &= rows == passed
        self._looked = self.edges
        self._next = self.edges + max(ROWS, self.edges * ROWS // SIZE)

    def degrees(self) -> Counter[Any]:
        """The number of edges of each id that was seen; loops do not count."""
        counts: Counter[Any] = Counter()
        for src, dst, weight in self._parts:
            for u, v in zip(_values(src), _values(dst), strict=True):
                if u != v:
                    counts[u] += weight  # type: ignore[assignment]
                    counts[v] += weight  # type: ignore[assignment]
        return counts


def _take(column: IdColumn, positions: npt.NDArray[np.int64]) -> IdColumn:
    """Copies of some ids: the memory of a batch may be used again."""
    if isinstance(column, tuple):
        return tuple(_take(part, positions) for part in column)
    if isinstance(column, np.ndarray):
        return column[positions]
    return column.take(arrow_view(positions))


def _values(column: IdColumn) -> list[Any]:
    if isinstance(column, tuple):
        return list(zip(*map(_values, column), strict=True))
    return list(column.tolist() if isinstance(column, np.ndarray) else column.to_pylist())
