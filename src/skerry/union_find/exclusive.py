"""One call at a time: a lock that also notices a signal handler that comes back in."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, TypeVar

from skerry.errors import SkerryError

__all__ = ["Exclusive"]

T = TypeVar("T")


class Exclusive:
    """Calls functions while no other call of the same object runs.

    Native code lets other threads run, and it lets signal handlers run, on this very thread: of
    these the lock knows nothing, hence the flag.
    """

    __slots__ = ("busy", "lock")

    def __init__(self) -> None:
        self.lock = RLock()
        self.busy = False

    def run(self, work: Callable[..., T], *arguments: Any) -> T:
        """Calls ``work`` with the arguments, and returns what it returns."""
        with self.lock:
            if self.busy:
                raise SkerryError("this UnionFind is in use by the call that a signal interrupted")
            self.busy = True
            try:
                return work(*arguments)
            finally:
                self.busy = False
