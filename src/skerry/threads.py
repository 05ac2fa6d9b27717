"""How many threads a call may use."""

from __future__ import annotations

import os
from functools import cache
from operator import index

import skerry._native as _native
from skerry.config import MAX_THREADS, setting
from skerry.control_groups import quota_cores
from skerry.errors import ArgumentError

THREADS_FROM = 1 << 19
"""Vertices and edges together from which a second thread pays; bench run of 2026-11-15."""

# Read once: reading the files takes longer than a small call. The cores that the process is bound
# to are read every time: that takes half a microsecond, and programs do change them.
_quota = cache(quota_cores)


def available_cores() -> int:
    """The cores that this process may use: those it is bound to, at most its CPU quota."""
    cores = _native.allowed_processors() or os.cpu_count() or 1
    return min(cores, _quota() or cores)


def available_threads() -> int:
    """``SKERRY_THREADS``, else the cores of this process, at most ``OMP_NUM_THREADS``."""
    if _native.environment("SKERRY_THREADS"):
        stated: int | None = setting("SKERRY_THREADS")
        if stated is not None:
            return stated
    cores = available_cores()
    limits = _native.environment("OMP_NUM_THREADS")
    if not limits:
        return cores
    limit = limits.split(",")[0].strip()
    return min(cores, int(limit)) if limit.isdigit() and int(limit) > 0 else cores


def check_threads(threads: object) -> int | None:
    """A caller's number of threads, validated; None for as many as are available."""
    if threads is None:
        return None
    try:
        count = index(threads)  # type: ignore[arg-type]
    except TypeError:
        count = 0
    if isinstance(threads, bool) or not 1 <= count <= MAX_THREADS:
        raise ArgumentError(
            f"threads must be an integer in 1..{MAX_THREADS} or None, got {threads!r}"
        )
    return count


def resolve_threads(threads: int | None) -> int:
    """The caller's number of threads, validated, or all that are available."""
    return available_threads() if threads is None else check_threads(threads) or 1
