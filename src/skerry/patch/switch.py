"""What can be replaced and put back: from a call to `stop`, or to the end of a ``with`` block."""

from __future__ import annotations

import os
from threading import Lock
from typing import Self


class Switch:
    """Another library's functions answered by skerry, from `start` to `stop`.

    As a context manager it stops with its block, whether it was started before or by the block.
    """

    _lock = Lock()
    """Of all switches: what they replace is of the process."""

    def __init__(self) -> None:
        self._on = False
        self._in_block = False

    def start(self) -> Self:
        """Replaces the functions; without effect where it is active already.

        Returns
        -------
        Switch
            This object.

        Raises
        ------
        UnsupportedError
            If the library is not installed, or has no such functions.
        """
        self._prepare()
        with Switch._lock:
            if not self._on:
                self._turn_on()
                self._on = True
        return self

    def stop(self) -> None:
        """Puts back what was there before, unless another one of the same library is active."""
        with Switch._lock:
            if self._on:
                self._turn_off()
                self._on = False

    def __enter__(self) -> Self:
        self.start()
        with Switch._lock:
            if self._in_block:
                raise RuntimeError("this patch is active already, in a block: make another one")
            self._in_block = True
        return self

    def __exit__(self, *exception: object) -> None:
        self._in_block = False
        self.stop()

    def _prepare(self) -> None:
        """Imports what is needed, without the lock: imports have locks of their own."""
        raise NotImplementedError

    def _turn_on(self) -> None:
        raise NotImplementedError

    def _turn_off(self) -> None:
        raise NotImplementedError


def _renew_lock() -> None:
    """In a forked child: a thread that is not there may have held it."""
    Switch._lock = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)
