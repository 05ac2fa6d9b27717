"""Reads ahead: a thread that fills a short queue while the consumer works on what came before.

Reading and decoding release the interpreter's lock (system calls, pyarrow, numpy's copies), so the
two overlap. The queue is short, so memory stays bounded by a few batches.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from queue import Empty, Full, Queue
from typing import TypeVar

__all__ = ["AHEAD", "read_ahead"]

AHEAD = 2
"""Batches that wait for the consumer: one would do if both sides were always equally quick."""

POLL = 0.05
"""Seconds until a reader that waits for room looks whether it is still wanted."""

Item = TypeVar("Item")


def read_ahead(
    make: Callable[[], Iterator[Item]], ahead: int = AHEAD
) -> Generator[Item, None, None]:
    """The items of ``make()``, which runs in a thread of its own, in their order.

    An exception in there is raised here, after the items before it. Closing this iterator ends the
    thread; ``make()`` is closed by the thread that ran it.

    Examples
    --------
    >>> list(read_ahead(lambda: iter([1, 2, 3])))
    [1, 2, 3]
    """
    queue: Queue[tuple[Item | None, BaseException | None]] = Queue(ahead)
    unwanted = threading.Event()

    def put(item: Item | None, error: BaseException | None) -> bool:
        while not unwanted.is_set():
            with suppress(Full):
                queue.put((item, error), timeout=POLL)
                return True
        return False

    def work() -> None:
        end: BaseException = StopIteration()
        try:
            items = make()
            try:
                for item in items:
                    if not put(item, None):
                        break
            finally:
                close = getattr(items, "close", None)
                if close is not None:
                    close()
        except BaseException as error:
            end = error
        put(None, end)

    thread = threading.Thread(target=work, name="skerry-read-ahead", daemon=True)
    thread.start()
    try:
        while True:
            item, error = queue.get()
            if error is not None:
                if isinstance(error, StopIteration):
                    return
                raise error
            yield item  # type: ignore[misc]
            del item  # not held while the next one is waited for
    finally:
        unwanted.set()
        with suppress(Empty):
            while True:
                queue.get_nowait()
        thread.join(timeout=1)  # a read that hangs is left behind: it holds nothing but its file
