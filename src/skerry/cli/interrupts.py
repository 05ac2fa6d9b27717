"""Ctrl-C that is never lost, and signals that end a command as an error would.

Python records a signal and acts on it between two steps of the main thread. It may arrive while the
main thread waits for the interpreter's lock just before it blocks on a queue, or the system may
deliver it to another thread. Then nothing wakes the main thread, and Ctrl-C would have no effect
until a batch arrives, which on a slow source is never. So a thread waits for signals too, and wakes
the main thread again until it has acted.

The first of these signals ends the command, which then removes what is incomplete. Further ones are
ignored, or a second Ctrl-C would stop the removing.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

TERMINATING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
ENDING = (signal.SIGINT, *TERMINATING)
RETRY_SECONDS = 0.1
"""Time until a main thread that has not acted is woken again."""


@contextmanager
def reliable_interrupts() -> Iterator[None]:
    """Within the block, Ctrl-C raises `KeyboardInterrupt` whatever the main thread waits for."""
    main = threading.main_thread()
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if threading.current_thread() is not main or not usual or not hasattr(signal, "pthread_kill"):
        yield
        return
    acted = threading.Event()
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)

    def act(*_: object) -> None:
        acted.set()
        _ignore_further()
        raise KeyboardInterrupt

    def wake() -> None:
        # At the end of the block the other end is closed, and nothing is read. Other signals come
        # here too, such as an alarm of the caller's; they are not for us.
        while (received := os.read(read_end, 1)) and received[0] not in ENDING:
            pass
        while received and not acted.wait(RETRY_SECONDS):
            signal.pthread_kill(main.ident or 0, received[0])
        os.close(read_end)

    handlers = {number: signal.getsignal(number) for number in ENDING}
    before = signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, act)
    waker = threading.Thread(target=wake, name="skerry-interrupts", daemon=True)
    waker.start()
    try:
        yield
    finally:
        acted.set()
        signal.set_wakeup_fd(before)
        os.close(write_end)
        waker.join()  # it may be about to send the signal again
        for number, handler in handlers.items():
            signal.signal(number, handler)


def end_on_termination() -> None:
    """From now on, SIGTERM and SIGHUP end the process as an error would.

    So what is incomplete is removed when the terminal is closed, too. A signal that the caller
    ignores stays ignored: ``nohup`` does that with SIGHUP.
    """
    if threading.current_thread() is not threading.main_thread():
        return

    def end(number: int, _: object) -> None:
        _ignore_further()
        raise SystemExit(128 + number)

    for number in TERMINATING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)


def _ignore_further() -> None:
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
