"""Repeated timings of one call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import TypeVar

__all__ = ["Timing", "repeat"]

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of repeated runs of one thing."""

    samples: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle sample."""
        return median(self.samples)

    @property
    def spread(self) -> float:
        """Distance of the slowest from the fastest sample, as a share of the median."""
        return (max(self.samples) - min(self.samples)) / self.median

    def __str__(self) -> str:
        return f"{self.median:.3g} ({min(self.samples):.3g}-{max(self.samples):.3g})"


def repeat(
    call: Callable[[], Value],
    times: int,
    *,
    milliseconds: Callable[[Value], float] | None = None,
) -> tuple[Value, Timing]:
    """Calls once to warm up and then ``times`` more; gives the last value and the timings.

    ``milliseconds`` reads the time off a value that carries its own; else the wall clock is used.
    """
    value = call()
    samples = []
    for _ in range(times):
        begin = perf_counter()
        value = call()
        seconds = perf_counter() - begin
        samples.append(milliseconds(value) if milliseconds else seconds * 1e3)
    return value, Timing(tuple(samples))
