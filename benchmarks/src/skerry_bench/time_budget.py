"""Divides the time budget of a run between its graphs.

Each graph gets a part of the remaining time, by its weight among the graphs to come; time that it
does not use goes to them. The weight is the number of tasks times the square root of the size:
small graphs take longer than their size suggests, and large ones would leave them no time. A short
measurement is taken even when the part of its graph is spent, because generating the graph again
in another run would take longer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from time import monotonic

SMALL = 5e6
"""Number of entries below which a measurement does not get shorter."""

SHORT = 1e-3
"""Fraction of a run's time that a measurement may take beyond the part of its graph."""


def weight(tasks: int, entries: float) -> float:
    """The weight of a graph with that many tasks and entries."""
    return tasks * sqrt(max(entries, SMALL))


class TimeBudget:
    """How long each graph of a run may take."""

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
        """Begins the next graph and returns the seconds that it may take."""
        if self._ends is None:
            return None
        now = self.clock()
        remaining = sum(self._weights)
        part = self._weights.pop(0) / remaining if remaining else 1.0
        self._until = now + max(self._ends - now, 0.0) * part
        return self._until - now

    @property
    def left(self) -> float | None:
        """Seconds left for this graph; None without a budget."""
        return None if self._until is None else max(self._until - self.clock(), 0.0)

    def spent(self, expected: float = 0.0) -> str | None:
        """Why a measurement of that many seconds is not begun, or None."""
        if self.seconds is None or self._ends is None or self._until is None:
            return None
        now = self.clock()
        short = expected <= SHORT * self.seconds
        if now <= self._until or (now <= self._ends and short):
            return None
        whose = "the" if now > self._ends else "this graph's part of the"
        return f"{whose} run's time budget of {self.seconds:.0f} s is spent"
