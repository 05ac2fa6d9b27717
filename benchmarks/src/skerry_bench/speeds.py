"""What implementations took on the graphs so far, to tell what they would take on the next.

Graphs come smallest first, and most algorithms take a time that grows with the entries; those that
go on in rounds may take longer than is told here, never shorter by much.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from skerry_bench.implementation import Scope
from skerry_bench.ours import Implementation
from skerry_bench.samples import Pace

__all__ = ["Speeds"]

STARTING = 2.0
"""Seconds that a process of a peer may take to start, whatever its graph."""


class Noted(NamedTuple):
    """What a measurement took."""

    entries: int
    solving: float
    """Seconds of a call."""
    calls: int
    """The warm-up included."""
    rest: float
    """Seconds beside the calls: starting, making a graph, checking answers."""

    def making(self) -> float:
        """Seconds of the rest that grow with the graph; to start a process does not."""
        return max(self.rest - STARTING, 0.0)


class Speeds:
    """Of all implementations, by name, device and what is timed."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._noted: dict[tuple[str, str, Scope], Noted] = {}
        self._endless: dict[tuple[str, str, Scope], float] = {}
        """Seconds of implementations on a GPU, by graph, that are too long to be spent again."""

    def note(
        self,
        implementation: Implementation,
        graph: str,
        entries: int,
        seconds: Sequence[float],
        took: float,
    ) -> None:
        """A measurement with these samples took so long in all."""
        solving, calls = median(seconds), len(seconds) + 1
        if implementation.device == "cuda" and solving > self._pace.slow:
            self._endless[graph, implementation.name, implementation.scope] = solving
        rest = max(took - sum(seconds) - solving, 0.0)
        self._noted[_key(implementation)] = Noted(max(entries, 1), solving, calls, rest)

    def note_stopped(
        self, implementation: Implementation, graph: str, entries: int, after: float
    ) -> None:
        """A measurement was stopped after so many seconds."""
        if implementation.device == "cuda":
            self._endless[graph, implementation.name, implementation.scope] = after
        self._noted[_key(implementation)] = Noted(max(entries, 1), after, 1, 0.0)

    def expected(self, implementation: Implementation, entries: int) -> float:
        """Seconds that a measurement would take; 0 where nothing is known.

        Calls grow with the graph, and so does what a peer makes of it; ours is there already.
        """
        noted = self._noted.get(_key(implementation))
        if noted is None:
            return 0.0
        growth = entries / noted.entries
        grown = noted.making() if implementation.peer else 0.0
        return (noted.calls * noted.solving + grown) * growth + noted.rest - grown

    def too_slow(self, implementation: Implementation, graph: str, entries: int) -> str | None:
        """Why what cannot be stopped is not to be begun: peers, by their rates, and kernels."""
        took = self._endless.get((graph, implementation.name, implementation.scope))
        if took is not None:
            return f"took {took:.3g} s on this graph before, and kernels cannot be stopped"
        noted = self._noted.get(_key(implementation))
        if not implementation.peer or noted is None:
            return None
        growth, limit = entries / noted.entries, self._pace.limit
        for step, seconds in (("making its graph ", noted.making()), ("", noted.solving)):
            expected = seconds * growth
            if expected > limit:
                return f"{step}would take about {expected:.0f} s, more than {limit:g} s"
        return None


def _key(implementation: Implementation) -> tuple[str, str, Scope]:
    return implementation.name, implementation.device, implementation.scope
