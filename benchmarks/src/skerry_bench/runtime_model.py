"""Predicts how long an implementation takes on the next graph, from what it took before.

Graphs come smallest first, and most algorithms take time proportional to the entries. Algorithms
that run in rounds may take longer than predicted, never much less.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from skerry_bench.implementation import Implementation, Scope
from skerry_bench.sampler import SamplingPolicy

PROCESS_START = 2.0
"""Seconds that the process of a peer may take to start, whatever its graph."""


class Measurement(NamedTuple):
    """The cost of one measurement."""

    entries: int
    call: float
    """Seconds of a call."""
    calls: int
    """Number of calls, with the warm-up."""
    overhead: float
    """Seconds beside the calls: starting a process, building a graph, checking answers."""

    @property
    def building(self) -> float:
        """Seconds of the overhead that grow with the graph; starting a process does not."""
        return max(self.overhead - PROCESS_START, 0.0)


class RuntimeModel:
    """The last measurement of each implementation, by name, device and scope."""

    def __init__(self, policy: SamplingPolicy) -> None:
        self._policy = policy
        self._last: dict[tuple[str, str, Scope], Measurement] = {}
        self._too_long: dict[tuple[str, str, Scope], float] = {}
        """Seconds of calls on a GPU, by graph, that are too long to be measured again."""

    def add(
        self,
        implementation: Implementation,
        graph: str,
        entries: int,
        seconds: Sequence[float],
        total: float,
    ) -> None:
        """A measurement with these samples took ``total`` seconds."""
        call, calls = median(seconds), len(seconds) + 1
        if implementation.device == "cuda" and call > self._policy.slow:
            self._too_long[graph, implementation.name, implementation.scope] = call
        overhead = max(total - sum(seconds) - call, 0.0)
        self._last[_key(implementation)] = Measurement(max(entries, 1), call, calls, overhead)

    def add_stopped(
        self, implementation: Implementation, graph: str, entries: int, seconds: float
    ) -> None:
        """A call was stopped after so many seconds."""
        if implementation.device == "cuda":
            self._too_long[graph, implementation.name, implementation.scope] = seconds
        self._last[_key(implementation)] = Measurement(max(entries, 1), seconds, 1, 0.0)

    def expected(self, implementation: Implementation, entries: int) -> float:
        """Expected seconds of a measurement; 0 if there was none before.

        Calls grow with the graph. So does the building of a peer's graph; that of skerry's own
        implementations is built before the measurement.
        """
        last = self._last.get(_key(implementation))
        if last is None:
            return 0.0
        growth = entries / last.entries
        building = last.building if implementation.peer else 0.0
        return (last.calls * last.call + building) * growth + last.overhead - building

    def too_slow(self, implementation: Implementation, graph: str, entries: int) -> str | None:
        """Why a call that cannot be stopped is not begun: a peer's, or kernels on a GPU."""
        took = self._too_long.get((graph, implementation.name, implementation.scope))
        if took is not None:
            return f"took {took:.3g} s on this graph before, and kernels cannot be stopped"
        last = self._last.get(_key(implementation))
        if not implementation.peer or last is None:
            return None
        growth, limit = entries / last.entries, self._policy.limit
        for step, seconds in (("building its graph ", last.building), ("", last.call)):
            expected = seconds * growth
            if expected > limit:
                return f"{step}would take about {expected:.0f} s, more than {limit:g} s"
        return None


def _key(implementation: Implementation) -> tuple[str, str, Scope]:
    return implementation.name, implementation.device, implementation.scope
