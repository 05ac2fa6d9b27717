"""Reading ahead: threads fill short queues while the consumer works on what came before.

Reading and decoding release the interpreter's lock (system calls, pyarrow, NumPy's copies), so
producer and consumer run at the same time. The queues are short: memory is bounded by a few items.

`prefetch` runs one producer in a thread; the other two are made of it. `prefetch_map` has several
threads that transform what the producer reads (parsing blocks of text). `prefetch_parts` has
several producers, each with parts of its own (row groups of Parquet). All keep the order.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from contextvars import copy_context
from functools import partial
from queue import Empty, Full, Queue
from typing import Any, TypeVar

from skerry.graph.edge_source import closed_after

DEPTH = 2
"""Items that wait for the consumer: one would do if both sides were always equally fast."""

POLL_SECONDS = 0.05
"""How often a producer that waits for room checks whether the consumer is still there."""

Item = TypeVar("Item")
Part = TypeVar("Part")
Result = TypeVar("Result")

END_OF_PART: Any = object()


def prefetch(
    make_items: Callable[[], Iterator[Item]], depth: int = DEPTH
) -> Generator[Item, None, None]:
    """The items of ``make_items()``, which runs in a thread of its own, in their order.

    An exception of the producer is raised here, after the items before it. Closing this iterator
    ends the thread; the producer is closed by the thread that ran it.

    Examples
    --------
    >>> list(prefetch(lambda: iter([1, 2, 3])))
    [1, 2, 3]
    """
    queue: Queue[tuple[Item | None, BaseException | None]] = Queue(depth)
    closed = threading.Event()

    def put(item: Item | None, error: BaseException | None) -> bool:
        while not closed.is_set():
            with suppress(Full):
                queue.put((item, error), timeout=POLL_SECONDS)
                return True
        return False

    def produce() -> None:
        end: BaseException = StopIteration()
        try:
            with closed_after(make_items()) as items:
                for item in items:
                    if not put(item, None):
                        break
        except BaseException as error:
            end = error
        put(None, end)

    run = copy_context().run  # the producer is held to the memory limit of its consumer
    thread = threading.Thread(target=run, args=(produce,), name="skerry-prefetch", daemon=True)
    thread.start()
    try:
        while True:
            item, error = queue.get()
            if error is not None:
                if isinstance(error, StopIteration):
                    return
                raise error
            yield item  # type: ignore[misc]
            del item  # not held while waiting for the next one
    finally:
        closed.set()
        with suppress(Empty):
            while True:
                queue.get_nowait()
        thread.join(timeout=1)  # a read that hangs is left behind: it holds nothing but its file


def prefetch_map(
    items: Generator[Item, None, None], work: Callable[[Item], Result], threads: int
) -> Generator[Result, None, None]:
    """``work`` of every item, in order. ``items`` is run, and closed, by a thread of its own.

    With one thread, everything runs in the caller's. Closing this iterator (or Ctrl-C in the
    consumer) stops all threads.

    Examples
    --------
    >>> list(prefetch_map((number for number in range(4)), lambda number: 10 * number, threads=2))
    [0, 10, 20, 30]
    """
    if threads == 1:
        with closing(items):
            yield from map(work, items)
        return
    pool = ThreadPoolExecutor(threads, thread_name_prefix="skerry-work")

    def submitted() -> Generator[Future[Result], None, None]:
        with closing(items):
            for item in items:
                yield pool.submit(copy_context().run, work, item)

    try:
        # One future for each thread waits in the queue; beyond it, one item is being read and one
        # is with the consumer.
        with closing(prefetch(submitted, threads)) as futures:
            for future in futures:
                yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def prefetch_parts(
    parts: Sequence[Part],
    read: Callable[[Iterator[Part]], Iterator[tuple[Part, Item]]],
    threads: int,
) -> Generator[Item, None, None]:
    """The items of all parts, in order; thread i reads the parts i, i + threads, ...

    ``read`` gets the parts of one thread and gives each item with its part. It runs in that thread
    and keeps open what it needs for all of its parts, such as a file.

    Examples
    --------
    >>> def read(parts):
    ...     for part in parts:
    ...         yield part, part * 10
    ...         yield part, part * 10 + 1
    >>> list(prefetch_parts([1, 2, 3], read, 2))
    [10, 11, 20, 21, 30, 31]
    """
    threads = max(1, min(threads, len(parts)))

    def read_every_nth(number: int) -> Iterator[Any]:
        assigned = parts[number::threads]
        passed = 0
        for part, item in read(iter(assigned)):
            while assigned[passed] is not part:  # a part can be without items
                passed += 1
                yield END_OF_PART
            yield item
        for _ in assigned[passed:]:
            yield END_OF_PART

    with ExitStack() as stack:
        readers = [
            stack.enter_context(closing(prefetch(partial(read_every_nth, number))))
            for number in range(threads)
        ]
        for number in range(len(parts)):
            for item in readers[number % threads]:
                if item is END_OF_PART:
                    break
                yield item
