"""The time of a run, spread over its graphs, so that the first do not use up what the last need.

Each graph gets a part of the time that is left, by its weight among those to come: what it does not
use is theirs. The weight grows with the number of tasks and with the root of the size, since small
graphs take longer than their size says and large ones would leave them nothing. What is brief is
measured even on a graph whose part is spent: making the graph again would take longer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from time import monotonic

__all__ = ["Shares", "weight"]

SMALL = 5e6
"""Entries below which a measurement takes no less time."""

BRIEF = 1e-3
"""Part of a run's time that a measurement may take beyond a graph's part."""


def weight(tasks: int, entries: float) -> float:
    """Of a graph with so many things to measure on it."""
    return tasks * sqrt(max(entries, SMALL))


class Shares:
    """Who may use how much of the time."""

    def __init__(
        self,
        seconds: float | None,
        weights: Sequence[float] = (),
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.seconds = seconds
        self.clock = clock
        self._ends = None if seconds is None else clock() + seconds
        self._until = self._ends
        self._weights = list(weights)

    def next(self) -> float | None:
        """The next graph begins: the seconds that it may take."""
        if self._ends is None:
            return None
        now = self.clock()
        rest = sum(self._weights)
        part = self._weights.pop(0) / rest if rest else 1.0
        self._until = now + max(self._ends - now, 0.0) * part
        return self._until - now

    @property
    def left(self) -> float | None:
        """Seconds that this graph has left, if they are counted."""
        return None if self._until is None else max(self._until - self.clock(), 0.0)

    def spent(self, expected: float = 0.0) -> str | None:
        """Why nothing that takes about so many seconds is to be begun, or None."""
        if self.seconds is None or self._ends is None or self._until is None:
            return None
        now = self.clock()
        brief = expected <= BRIEF * self.seconds
        if now <= self._until or (now <= self._ends and brief):
            return None
        whose = "the" if now > self._ends else "this graph's share of the"
        return f"{whose} run's time budget of {self.seconds:.0f} s is spent"
