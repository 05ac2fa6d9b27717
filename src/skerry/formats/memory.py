"""A bound on the memory of the process: what would pass it is refused before it is allocated.

The bound holds for what a call does, in all of its threads: it is in the context of the call, which
`skerry.formats.prefetch` hands to the threads that it starts. What is about to be allocated is
compared with the bound together with all that the process has in memory at that time, whoever
allocated it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

__all__ = ["limit_checker", "memory_limited", "reserve", "resident", "share_of_limit"]

_LIMIT: ContextVar[int | None] = ContextVar("skerry_memory_limit", default=None)


@contextmanager
def memory_limited(limit: int | None) -> Iterator[None]:
    """Within the block, `reserve` keeps the process below ``limit`` bytes; None: no bound."""
    token = _LIMIT.set(limit)
    try:
        yield
    finally:
        _LIMIT.reset(token)


def resident() -> int:
    """Bytes of this process in memory; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def reserve(count: int, purpose: str) -> None:
    """Raises `MemoryError` if ``count`` more bytes would pass the bound.

    ``purpose`` says what takes them, as the subject of a sentence.
    """
    limit = _LIMIT.get()
    if limit is not None:
        _check(limit, count, purpose)


def limit_checker(purpose: str) -> Callable[[], None] | None:
    """A function that raises once the bound is passed, for any thread; None without a bound."""
    limit = _LIMIT.get()
    return None if limit is None else lambda: _check(limit, 0, purpose)


def share_of_limit(wanted: int, minimum: int, parts: int) -> int:
    """``wanted`` bytes, or fewer where so many parts would not fit under the bound."""
    limit = _LIMIT.get()
    if limit is None:
        return wanted
    return max(minimum, min(wanted, (limit - resident()) // parts))


def _check(limit: int, count: int, purpose: str) -> None:
    now = resident()
    if now + count > limit:
        more = f" take {count:,} bytes more" if count else " take too much"
        raise MemoryError(
            f"{purpose}{more}: the process has {now:,} bytes in memory, and the limit is "
            f"{limit:,}; raise it, or run on a machine with more memory"
        )
