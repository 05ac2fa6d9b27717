"""Adds details of skerry's own runs to a result: passes, counts, memory, the choice of ``auto``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from typing import Any

from skerry import Plan
from skerry_bench.results import Result


def with_plans(result: Result, plans: Sequence[Plan]) -> Result:
    """The result with what the plans of its calls say; the warm-up counts only if it is alone."""
    timed = plans[1:] or plans
    last = timed[-1]
    passes: dict[str, list[float]] = {}
    for plan in timed:
        for name, seconds in _by_name(plan).items():
            passes.setdefault(name, []).append(seconds)
    return replace(
        result,
        ran=last.algorithm if result.implementation == "auto" else None,
        passes=tuple((name, median(seconds)) for name, seconds in passes.items()),
        statistics=_statistics(last),
        peak_bytes=last.bytes or None if result.device == "cuda" else result.peak_bytes,
    )


def _by_name(plan: Plan) -> dict[str, float]:
    """Seconds by the name of a pass: an algorithm in rounds has hundreds of passes."""
    seconds: dict[str, float] = {}
    for step in plan.passes:
        seconds[step.name] = seconds.get(step.name, 0.0) + step.seconds
    return seconds


def _statistics(plan: Plan) -> dict[str, Any] | None:
    counts = plan.statistics
    if counts is None:
        return None
    return {
        "rounds": counts.rounds,
        "hooks": counts.hooks,
        "finds": counts.finds,
        "average_path": counts.average,
        "longest_path": counts.longest,
    }
