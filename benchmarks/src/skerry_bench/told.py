"""What our own runs tell beside their time: passes, counts, memory, and what ``auto`` chose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from typing import Any

from skerry.result.plan import Plan
from skerry_bench.results import Result

__all__ = ["with_plans"]


def with_plans(result: Result, plans: Sequence[Plan]) -> Result:
    """What our own runs tell: all of them but the one that warms up, if there are others."""
    told = plans[1:] or plans
    last = told[-1]
    passes: dict[str, list[float]] = {}
    for plan in told:
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
    """Passes of the same name together: what goes by rounds has hundreds."""
    found: dict[str, float] = {}
    for step in plan.passes:
        found[step.name] = found.get(step.name, 0.0) + step.seconds
    return found


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
