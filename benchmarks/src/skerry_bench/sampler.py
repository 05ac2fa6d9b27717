"""Samples of one call: warm-up, peak memory, a check of every answer, within a time budget.

All measurements are taken here. `Clock` has the three ways to time a call.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from types import FrameType

from skerry.cuda.runtime import Runtime
from skerry_bench.implementation import Answer, ClockMode, PeerAnswer
from skerry_bench.memory import with_peak

SHORT = 0.02
"""Seconds of work after which a GPU has reached its highest clock rate."""


MAX_SPREAD = 1.5
"""Median over minimum of the samples, from which they say more of the machine than of a program.

OpenMP programs that wait actively for each other had 158 times where other programs ran.
"""


class TimeLimitError(Exception):
    """A call was stopped at its time limit."""


class UnsteadyError(Exception):
    """The samples differ too much to be recorded."""


def refuse_unsteady(seconds: Sequence[float], limit: float | None = None) -> None:
    """Raises if the median of three samples or more is far above the fastest."""
    limit = MAX_SPREAD if limit is None else limit
    if len(seconds) < 3 or median(seconds) <= limit * min(seconds):
        return
    raise UnsteadyError(
        f"its median is {median(seconds) / min(seconds):.2f} times its fastest sample, at most "
        f"{limit:g} is recorded: leave the machine idle; for OpenMP, OMP_WAIT_POLICY=passive and "
        "fewer threads than cores"
    )


@dataclass(frozen=True, slots=True)
class SamplingPolicy:
    """How many samples to take, and for how long."""

    repeat: int = 5
    """Samples after the warm-up; 0: the warm-up is the sample."""
    budget: float = 3.0
    """Seconds after which no more samples are taken."""
    patience: float = 4.0
    """A call is stopped, or not begun if it is expected to take longer, after this many budgets.

    Larger on a GPU: a call can be stopped between kernels only, so one that has taken the time
    has a result.
    """
    min_samples: int = 1
    """Samples that are taken even when the budget is spent."""

    @property
    def limit(self) -> float:
        """Seconds after which a call is stopped."""
        return self.patience * self.budget

    @property
    def slow(self) -> float:
        """A call longer than this many seconds is measured on a graph only once."""
        return 4 * self.budget


@dataclass(frozen=True, slots=True)
class Clock:
    """How a call is timed.

    ``"wall"``: the host's clock. On a GPU the device is idle before the call and is not waited for
    after it, so the time is the host's part of the call. ``"device"``: between events recorded on
    an idle GPU right before and after the call; the host's part counts where the GPU waits for it.
    ``"queued"``: the same events behind other work that keeps the GPU busy for longer than the host
    needs for the call, so the time is that of the kernels alone.
    """

    mode: ClockMode = "wall"
    runtime: Runtime | None = None
    """The device; needed for ``"device"`` and ``"queued"``."""
    keep_busy: Callable[[], None] = lambda: None
    """Starts work on the device that takes longer than the host's part of a call."""

    def time(self, call: Callable[[], Answer]) -> tuple[Answer, float]:
        """The answer of a call, and its seconds."""
        if self.runtime is None or self.mode == "wall":
            if self.runtime is not None:
                event = self.runtime.record_event()
                self.runtime.seconds(event, event)  # waits until the device is idle
            begin = perf_counter()
            answer = call()
            return answer, perf_counter() - begin
        if self.mode == "queued":
            self.keep_busy()
        start = self.runtime.record_event()
        answer = call()
        end = self.runtime.record_event()
        return answer, self.runtime.seconds(start, end)


@dataclass(frozen=True, slots=True)
class Samples:
    """The samples of one measurement."""

    seconds: tuple[float, ...]
    answer: Answer
    """The last one."""
    peak: int | None
    """Bytes allocated by the call at its peak, input not included; see `skerry_bench.memory`."""
    verified_by: str


def take_samples(
    call: Callable[[], Answer],
    check: Callable[[Answer], str],
    policy: SamplingPolicy,
    clock: Clock | None = None,
    *,
    stoppable: bool = True,
) -> Samples:
    """Calls once to warm up, then until there are enough samples.

    A warm-up that takes half of the budget is the only sample. An answer that brings samples of its
    own (measured in another process) is not repeated.

    Parameters
    ----------
    call
        What is timed.
    check
        Verifies an answer outside of the timing and returns by what: ``"labels"``, ``"count"``.
    policy
        Number of samples and time limits.
    clock
        By default the wall clock of the host.
    stoppable
        Stop a call at the policy's limit. Only calls that handle signals can be stopped.
    """
    timer = clock or Clock()

    def once() -> tuple[Answer, float]:
        with time_limit(policy.limit if stoppable else None):
            return timer.time(call)

    on_host = timer.runtime is None
    (answer, first), peak = with_peak(once) if on_host else (once(), None)
    verified_by = check(answer)
    if isinstance(answer, PeerAnswer) and answer.seconds:
        return Samples(answer.seconds, answer, answer.peak_bytes, verified_by)
    if not policy.repeat or (first >= policy.budget / 2 and policy.min_samples <= 1):
        return Samples((first,), answer, peak, verified_by)
    spent = first
    if not on_host and first < SHORT:
        for _ in range(2):  # the GPU's clock rate rises, and its memory pool fills
            spent += once()[1]
    samples: list[float] = []
    while len(samples) < policy.repeat and (
        len(samples) < policy.min_samples or spent + first <= policy.budget
    ):
        del answer  # its memory is free for the next answer
        answer, seconds = once()
        check(answer)
        samples.append(seconds)
        spent += seconds
    return Samples(tuple(samples), answer, peak, verified_by)


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raises `TimeLimitError` in the block after so many seconds, where the system has timers."""
    main = threading.current_thread() is threading.main_thread()
    if seconds is None or not main or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise TimeLimitError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
