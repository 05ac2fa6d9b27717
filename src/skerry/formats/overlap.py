"""Reading ahead: one thread reads, others work on what it has read, results come out in order.

At most a few items are in flight, so memory stays bounded however slow the consumer is; and a
consumer that goes away (or is stopped by Ctrl-C) stops all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event, Semaphore, Thread
from typing import Any, TypeVar

__all__ = ["AHEAD", "overlap"]

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 2
"""Items in flight beyond one for each thread: one being read, one at the consumer."""


def overlap(
    items: Generator[Item, None, None], work: Callable[[Item], Result], threads: int
) -> Generator[Result, None, None]:
    """``work`` of every item, in order. ``items`` is run, and closed, by a thread of its own.

    With one thread there is no other than the caller's.
    """
    if threads == 1:
        try:
            for item in items:
                yield work(item)
        finally:
            items.close()
        return
    ready: SimpleQueue[Future[Result] | BaseException | None] = SimpleQueue()
    room, stop = Semaphore(threads + AHEAD), Event()
    pool = ThreadPoolExecutor(threads, thread_name_prefix="skerry-work")

    def feed() -> None:
        end: BaseException | None = None
        try:
            while not stop.is_set():
                room.acquire()
                item: Any = next(items, stop)
                if item is stop or stop.is_set():
                    break
                ready.put(pool.submit(work, item))
        except BaseException as error:
            end = error
        finally:
            items.close()
            ready.put(end)

    feeder = Thread(target=feed, name="skerry-read", daemon=True)
    feeder.start()
    try:
        while True:
            future = ready.get()
            if future is None:
                return
            if isinstance(future, BaseException):
                raise future
            yield future.result()
            room.release()
    finally:
        stop.set()
        room.release()
        feeder.join(timeout=1)  # a read that hangs is left behind: it holds nothing but its file
        pool.shutdown(wait=False, cancel_futures=True)
