"""Measures tasks of one graph in turn, so that a slow minute of the machine meets all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import skerry
from skerry import Plan
from skerry_bench.corpus.rotation import Samples, SlowRule
from skerry_bench.gpu_device import GpuDevice
from skerry_bench.gpu_turns import CLOCKS, samples_by_clock, warm_up
from skerry_bench.isolation import PeerFailedError
from skerry_bench.tasks import Task

LONG = 5.0
"""Seconds of a call that is made once: its only sample, for both clocks.

The host's part, in which they differ, is nothing beside it.
"""

RULE = SlowRule(budget=5.0, min_seconds=LONG, factor=0.0, pause=0.0)
"""Samples are short; nothing has to go to sleep between them."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a task got: samples, or the error that ended it."""

    task: Task
    seconds: tuple[float, ...] = ()
    plan: Plan | None = None
    error: Exception | None = None


def measure_in_turn(tasks: Sequence[Task], work: Any, gpu: GpuDevice, repeat: int) -> list[Turn]:
    """Checks an answer of each implementation, then takes the samples of those that are right.

    Parameters
    ----------
    tasks
        Each implementation by each clock.
    work
        The graph.
    gpu
        Where it is.
    repeat
        Samples, after one call to warm up.
    """
    calls: dict[str, Callable[[], Any]] = {}
    plans: dict[str, Plan] = {}
    errors: dict[str, Exception] = {}
    long: dict[str, float] = {}
    for name, implementation in {t.implementation.name: t.implementation for t in tasks}.items():
        try:
            call = implementation.prepare(work)
            answer, seconds = warm_up(call, gpu, LONG)
            work.check(answer)
        except Exception as error:  # a library may fail in any way; the others are measured
            errors[name] = error
            continue
        if isinstance(answer, skerry.Components):
            plans[name] = answer.plan
        del answer  # its memory is free for the next
        if seconds is None:
            calls[name] = call
        else:
            long[name] = seconds
    clocks = [clock for clock in CLOCKS if any(t.implementation.clock == clock for t in tasks)]
    samples = samples_by_clock(calls, gpu, repeat, RULE, clocks)
    turns = []
    for task in tasks:
        name = task.implementation.name
        if name in errors:
            turns.append(Turn(task, error=errors[name]))
            continue
        only = Samples([long[name]]) if name in long else None
        taken = only or samples[task.implementation.clock, name]
        failed = None if taken.error is None else PeerFailedError(taken.error)
        turns.append(Turn(task, tuple(taken.seconds), plans.get(name), failed))
    return turns
