"""What a fold spends its time on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from skerry.result.plan import PassTime

__all__ = ["Laps"]


class Laps:
    """Adds up the seconds of each named part."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        """Counts what runs inside as part of ``name``."""
        begin = perf_counter()
        try:
            yield
        finally:
            self._seconds[name] = self._seconds.get(name, 0.0) + perf_counter() - begin

    @property
    def times(self) -> tuple[PassTime, ...]:
        """All parts, in the order in which they first ran."""
        return tuple(PassTime(name, seconds) for name, seconds in self._seconds.items())
