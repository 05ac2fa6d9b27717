"""Ctrl-C that is never lost.

Python notes a signal and acts on it between two steps of the main thread. If it comes while the
main thread waits for the interpreter's lock just before it blocks on a queue, or if the system
hands it to another thread, nobody wakes the main thread: Ctrl-C would do nothing until a batch
arrives, which on a slow source is never. So a thread waits for signals too, and wakes the main
thread again until it has acted.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["sure_interrupts"]

AGAIN = 0.1
"""Seconds until a main thread that has not acted is woken again."""


@contextmanager
def sure_interrupts() -> Iterator[None]:
    """Within the block, Ctrl-C raises `KeyboardInterrupt` whatever the main thread waits for."""
    main = threading.main_thread()
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if threading.current_thread() is not main or not usual or not hasattr(signal, "pthread_kill"):
        yield
        return
    acted = threading.Event()
    told, tell = os.pipe()
    os.set_blocking(tell, False)

    def act(*_: object) -> None:
        acted.set()
        raise KeyboardInterrupt

    def wake() -> None:
        # Nothing comes when the block ends: the other end is closed. Other signals come here too,
        # such as the alarm that ends what takes too long; they are somebody else's.
        while (came := os.read(told, 1)) and came[0] != signal.SIGINT:
            pass
        while came and not acted.wait(AGAIN):
            signal.pthread_kill(main.ident or 0, signal.SIGINT)
        os.close(told)

    before = signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, act)
    threading.Thread(target=wake, name="skerry-interrupts", daemon=True).start()
    try:
        yield
    finally:
        acted.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(before)
        os.close(tell)
