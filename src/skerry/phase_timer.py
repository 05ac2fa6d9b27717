"""Time by phase: what a run that reads and joins edges spends its time on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from skerry.result.plan import PassTime


class PhaseTimer:
    """Adds up the seconds of each named phase."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Adds the time of what runs inside to the phase ``name``."""
        begin = perf_counter()
        try:
            yield
        finally:
            self._seconds[name] = self._seconds.get(name, 0.0) + perf_counter() - begin

    @property
    def times(self) -> tuple[PassTime, ...]:
        """All phases, in the order in which they first ran."""
        return tuple(PassTime(name, seconds) for name, seconds in self._seconds.items())
