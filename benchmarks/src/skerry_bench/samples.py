"""Samples of one call, within a budget: warm-up, peak of memory, a check of every answer."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from types import FrameType

from skerry.cuda.runtime import Runtime
from skerry_bench.implementation import Answer, Found
from skerry_bench.memory import with_peak

__all__ = ["Pace", "Samples", "TooLongError", "take"]


SHORT = 0.02
"""Seconds that a device has to be used for until its clock is as high as it gets."""


class TooLongError(Exception):
    """A call was stopped since it took too long."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How thoroughly to measure."""

    repeat: int = 5
    """Samples after the warm-up; 0: the warm-up is the sample."""
    budget: float = 3.0
    """Seconds after which no more samples are taken."""
    patience: float = 4.0
    """Budgets after which a call is stopped, or not begun if it would take that long.

    More on a GPU, where a call can be stopped between kernels only: one that has taken the time
    has a result.
    """

    @property
    def limit(self) -> float:
        """These as seconds."""
        return self.patience * self.budget

    @property
    def slow(self) -> float:
        """Seconds that a call may take to be measured on a graph for a second time."""
        return 4 * self.budget


@dataclass(frozen=True, slots=True)
class Samples:
    """What was found."""

    seconds: tuple[float, ...]
    last: Found
    peak: int | None
    """Bytes that the call took beside what it was given; see `skerry_bench.memory`."""
    verified_by: str


def take(
    call: Callable[[], Found],
    check: Callable[[Found], str],
    pace: Pace,
    runtime: Runtime | None = None,
    stop: bool = True,
) -> Samples:
    """Calls once to warm up and then until there are enough samples.

    A warm-up that takes half of the budget is the only sample. With a runtime, times are taken by
    the device's clock, else by the wall's. ``stop``: a call past the limit is stopped, which only
    what looks for signals on its way allows; ours does.
    """

    def once() -> tuple[Found, float]:
        with at_most(pace.limit if stop else None):
            return _timed(call, runtime)

    (found, first), peak = with_peak(once) if runtime is None else (once(), None)
    verified_by = check(found)
    if isinstance(found, Answer) and found.seconds:
        return Samples(found.seconds, found, found.peak_bytes, verified_by)
    if not pace.repeat or first >= pace.budget / 2:
        return Samples((first,), found, peak, verified_by)
    spent = first
    if runtime is not None and first < SHORT:
        for _ in range(2):  # a device's clock rises, and its memory is laid out, by use
            spent += once()[1]
    samples: list[float] = []
    while len(samples) < pace.repeat and (not samples or spent + first <= pace.budget):
        del found  # so that the next answer finds its memory
        found, seconds = once()
        check(found)
        samples.append(seconds)
        spent += seconds
    return Samples(tuple(samples), found, peak, verified_by)


def _timed(call: Callable[[], Found], runtime: Runtime | None) -> tuple[Found, float]:
    if runtime is None:
        begin = perf_counter()
        found = call()
        return found, perf_counter() - begin
    start = runtime.record_event()
    found = call()
    end = runtime.record_event()
    return found, runtime.seconds(start, end)


@contextmanager
def at_most(seconds: float | None) -> Iterator[None]:
    """Raises `TooLongError` in the block after so many seconds, where the system can."""
    main = threading.current_thread() is threading.main_thread()
    if seconds is None or not main or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise TooLongError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
