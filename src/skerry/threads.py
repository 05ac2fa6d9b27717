"""How many threads a call may use."""

from __future__ import annotations

import os
from operator import index

from skerry.config import MAX_THREADS, setting
from skerry.errors import InputError

__all__ = [
    "THREADS_FROM",
    "available_threads",
    "check_threads",
    "checked_threads",
    "resolve_threads",
]

THREADS_FROM = 1 << 19
"""Vertices and edges together from which a second thread pays; bench run of 2026-11-15."""


def available_threads() -> int:
    """``SKERRY_THREADS``, else the cores of this process, at most ``OMP_NUM_THREADS``."""
    stated: int | None = setting("SKERRY_THREADS")
    if stated is not None:
        return stated
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    limit = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return min(cores, int(limit)) if limit.isdigit() and int(limit) > 0 else cores


def resolve_threads(threads: int | None) -> int:
    """A number of threads that is validated already, or all that are available."""
    return available_threads() if threads is None else threads


def check_threads(threads: object) -> int:
    """A number of threads, validated."""
    wrong = InputError(f"threads must be an integer in 1..{MAX_THREADS} or None, got {threads!r}")
    try:
        count = index(threads)  # type: ignore[arg-type]
    except TypeError:
        raise wrong from None
    if isinstance(threads, bool) or not 1 <= count <= MAX_THREADS:
        raise wrong
    return count


def checked_threads(threads: int | None) -> int:
    """The caller's number of threads, validated, or all that are available."""
    return available_threads() if threads is None else check_threads(threads)
