"""What contenders took on the graphs so far, to tell what they would take on the next.

Graphs come smallest first, and most algorithms take a time that grows with the entries; those that
go on in rounds may take longer than is told here, never shorter by much.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from skerry.bench.contender import What
from skerry.bench.ours import Contender
from skerry.bench.samples import Pace

__all__ = ["Speeds"]

STARTING = 2.0
"""Seconds that a process of a peer may take to start, whatever its graph."""


class Speeds:
    """Of all contenders, by name, device and what is timed."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._rates: dict[tuple[str, str, str], float] = {}
        """Seconds an entry: for a call, for making a graph, for all of a measurement."""
        self._endless: dict[tuple[str, str, What], float] = {}
        """Seconds that a contender took on a GPU, by graph, where it is not to take them again."""

    def note(
        self,
        contender: Contender,
        graph: str,
        entries: int,
        seconds: Sequence[float],
        took: float,
    ) -> None:
        """A measurement with these samples took so long in all."""
        size, solving = max(entries, 1), median(seconds)
        if contender.device == "cuda" and solving > self._pace.slow:
            self._endless[graph, contender.name, contender.what] = solving
        # What a process takes to start and the warm-up are no part of making a graph.
        making = max(took - sum(seconds) - solving - STARTING, 0.0)
        self._rates[_key(contender, contender.what)] = solving / size
        self._rates[_key(contender, "prepare")] = making / size
        self._rates[_key(contender, "all")] = took / size

    def note_stopped(self, contender: Contender, graph: str, entries: int, after: float) -> None:
        """A measurement was stopped after so many seconds."""
        if contender.device == "cuda":
            self._endless[graph, contender.name, contender.what] = after
        self._rates[_key(contender, "all")] = after / max(entries, 1)

    def expected(self, contender: Contender, entries: int) -> float:
        """Seconds that a measurement would take; 0 where nothing is known."""
        return self._rates.get(_key(contender, "all"), 0.0) * entries

    def too_slow(self, contender: Contender, graph: str, entries: int) -> str | None:
        """Why what cannot be stopped is not to be begun: peers, by their rates, and kernels."""
        took = self._endless.get((graph, contender.name, contender.what))
        if took is not None:
            return f"took {took:.3g} s on this graph before, and kernels cannot be stopped"
        if not contender.peer:
            return None
        limit = self._pace.limit
        for step in ("prepare", contender.what):
            expected = self._rates.get(_key(contender, step), 0.0) * entries
            if expected > limit:
                making = "making its graph " if step == "prepare" else ""
                return f"{making}would take about {expected:.0f} s, more than {limit:g} s"
        return None


def _key(contender: Contender, step: str) -> tuple[str, str, str]:
    return contender.name, contender.device, step
