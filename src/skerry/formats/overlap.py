"""One thread reads, others work on what it has read, and the results come out in order."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import TypeVar

from skerry.formats.ahead import read_ahead

__all__ = ["AHEAD", "overlap"]

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 2
"""Items in flight beyond one for each thread: one being read, one at the consumer."""


def overlap(
    items: Generator[Item, None, None], work: Callable[[Item], Result], threads: int
) -> Generator[Result, None, None]:
    """``work`` of every item, in order. ``items`` is run, and closed, by a thread of its own.

    With one thread there is no other than the caller's. A consumer that goes away (or is stopped by
    Ctrl-C) stops all of it.

    Examples
    --------
    >>> list(overlap((number for number in range(4)), lambda number: 10 * number, threads=2))
    [0, 10, 20, 30]
    """
    if threads == 1:
        with closing(items):
            yield from map(work, items)
        return
    pool = ThreadPoolExecutor(threads, thread_name_prefix="skerry-work")

    def begun() -> Generator[Future[Result], None, None]:
        with closing(items):
            for item in items:
                yield pool.submit(work, item)

    try:
        # As many wait as there are threads; beyond them are those that AHEAD tells of.
        with closing(read_ahead(begun, threads)) as futures:
            for future in futures:
                yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
