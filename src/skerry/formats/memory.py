"""A bound on the memory of the process: what would pass it is refused before it is allocated.

The bound holds for what a call does, in all of its threads: it is in the context of the call, which
`skerry.formats.prefetch` hands to the threads that it starts. What is about to be allocated is
compared with the bound together with all that the process has in memory at that time, whoever
allocated it. Where two threads allocate at the same time, each claims its part before (`claimed`),
and waits while the parts of both do not fit.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from threading import Lock
from time import sleep

from skerry.optional import arrow_if_installed

RETRY_SECONDS = 0.0005
ARROW_START = 56 << 20
"""Bytes that a first batch takes beside its own: modules of pyarrow, its threads, its allocator.
Measured with pyarrow 25 over files of CSV and Parquet: 26 to 52 MB."""
SPILLING = 96 << 20
"""Bytes above what the process has without which no run that spills is begun: pyarrow takes half of
them."""
LOADED = 80 << 20
"""Bytes that a process has with pyarrow in it, about."""


class _Bound:
    """The limit of a call, and what its threads are about to allocate."""

    def __init__(self, limit: int, spilling: bool) -> None:
        self.limit = limit
        self.advice = "raise it"
        if not spilling:
            smallest = max(resident(), LOADED) + SPILLING
            suffices = "" if limit >= smallest else f", which takes a limit of {smallest:,} or more"
            self.advice += f", or let spill= go to disk{suffices}"
        self._claims = 0
        self._lock = Lock()

    def claim(self, count: int, purpose: str) -> None:
        while True:
            with self._lock:
                _check(self, count, purpose)
                if not self._claims or resident() + self._claims + count <= self.limit:
                    self._claims += count
                    return
            sleep(RETRY_SECONDS)  # what others have claimed they soon have, or give back

    def give_back(self, count: int) -> None:
        with self._lock:
            self._claims -= count


_LIMIT: ContextVar[_Bound | None] = ContextVar("skerry_memory_limit", default=None)


@contextmanager
def memory_limited(limit: int | None, *, spilling: bool = False) -> Iterator[None]:
    """Within the block, `reserve` keeps the process below ``limit`` bytes; None: no bound."""
    token = _LIMIT.set(None if limit is None else _Bound(limit, spilling))
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
    bound = _LIMIT.get()
    if bound is not None:
        _check(bound, count, purpose)


@contextmanager
def claimed(count: int, purpose: str) -> Iterator[None]:
    """As `reserve`, for a block that allocates while other threads do: they leave it its part.

    Such blocks must not be inside each other, nor wait for another thread.
    """
    bound = _LIMIT.get()
    if bound is None:
        yield
        return
    bound.claim(count, purpose)
    try:
        yield
    finally:
        bound.give_back(count)


def start_arrow() -> None:
    """Raises `MemoryError` if there is not enough to begin reading with pyarrow."""
    reserve(ARROW_START, "the first rows read by pyarrow")


def is_limited() -> bool:
    """Whether there is a bound."""
    return _LIMIT.get() is not None


def limit_checker(purpose: str) -> Callable[[], None] | None:
    """A function that raises once the bound is passed, for any thread; None without a bound."""
    bound = _LIMIT.get()
    return None if bound is None else lambda: _check(bound, 0, purpose)


def share_of_limit(wanted: int, minimum: int, parts: int) -> int:
    """``wanted`` bytes, or fewer where so many parts would not fit under the bound."""
    bound = _LIMIT.get()
    if bound is None:
        return wanted
    return max(minimum, min(wanted, (bound.limit - resident()) // parts))


def _check(bound: _Bound, count: int, purpose: str) -> None:
    now = resident()
    if now + count > bound.limit:
        more = f" take {count:,} bytes more" if count else " take too much"
        raise MemoryError(
            f"{purpose}{more}: the process has {now:,} bytes in memory, and the limit is "
            f"{bound.limit:,}; {bound.advice}"
        )


def give_back_memory() -> None:
    """Gives back to the system what allocators keep for later, as far as they can be asked to."""
    arrow = arrow_if_installed()
    if arrow is not None:
        arrow.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):  # another system's allocator
        ctypes.CDLL(None).malloc_trim(0)
