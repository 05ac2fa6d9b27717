"""Samples of several implementations in turn, so that a slow minute of the machine meets all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter, sleep

BURSTS = ((2e-3, 5), (0.05, 1))
"""Calls shorter than so many seconds are made so many times more for a sample."""


def burst(once: Callable[[], float]) -> float:
    """The seconds of a call that is made again and again: short ones need warm caches.

    Between samples other implementations run, and the processor may sleep. The first call of a
    burst is not counted; the sample is the median of the others. Above 50 ms it is the first call.
    """
    first = once()
    more = next((calls for below, calls in BURSTS if first < below), 0)
    return median(once() for _ in range(more)) if more else first


@dataclass(frozen=True, slots=True)
class SlowRule:
    """When an implementation has no more samples than its warm-up."""

    budget: float = 20.0
    """Seconds for all samples on a graph: beyond, rounds end."""
    min_seconds: float = 0.25
    factor: float = 8.0
    """A warm-up longer than both, and by this factor than the fastest, is the only sample."""
    pause: float = 0.002
    """Seconds between samples, in which waiting threads of the last one go to sleep."""
    min_rounds: int = 3


@dataclass(slots=True)
class Samples:
    """The seconds of one implementation, or why there are none."""

    seconds: list[float] = field(default_factory=list)
    error: str | None = None

    @property
    def median(self) -> float:
        """Of the samples; infinite if there are none."""
        return median(self.seconds) if self.seconds else float("inf")


def rotate(
    calls: Mapping[str, Callable[[], float]],
    repeat: int,
    rule: SlowRule | None = None,
    failures: tuple[type[Exception], ...] = (),
) -> dict[str, Samples]:
    """Calls each once to warm up, then in rounds; each round begins with the next one.

    Parameters
    ----------
    calls
        By name; each returns the seconds of one call.
    repeat
        Rounds.
    rule
        What is done about slow ones.
    failures
        Errors that end an implementation's samples and become its ``error``.
    """
    limits = rule or SlowRule()
    begin = perf_counter()
    samples = {name: Samples() for name in calls}
    first: dict[str, float] = {}

    def take(name: str) -> float | None:
        sleep(limits.pause)
        try:
            return calls[name]()
        except failures as error:
            samples[name] = Samples(error=str(error) or "was stopped at its time limit")
            return None

    for name in calls:
        seconds = take(name)
        if seconds is not None:
            first[name] = seconds
    fastest = min(first.values(), default=0.0)
    names = [
        name
        for name, seconds in first.items()
        if seconds <= max(limits.min_seconds, limits.factor * fastest)
    ]
    for name in first.keys() - set(names):
        samples[name].seconds.append(first[name])
    for index in range(repeat):
        if index >= limits.min_rounds and perf_counter() - begin > limits.budget:
            break
        shift = index % max(len(names), 1)
        for name in names[shift:] + names[:shift]:
            if samples[name].error is None:
                seconds = take(name)
                if seconds is not None:
                    samples[name].seconds.append(seconds)
    return samples
