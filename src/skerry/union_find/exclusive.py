"""One call at a time of an object, and repair after a call that was interrupted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import skerry._native as _native
from skerry.errors import SkerryError

T = TypeVar("T")


class Exclusive:
    """What objects have whose calls exclude each other.

    Each change prepares, and then takes effect in one step: an assignment, or a call of native code
    that is completed later if it is stopped. After a change that raised, `_settle` is called before
    the next call does anything: it undoes what was prepared, or completes what took effect. It can
    be interrupted, too: then it is called again.
    """

    __slots__ = ("_lock",)
    _lock: _native.Exclusive

    def _make_lock(self) -> None:
        self._lock = _native.Exclusive(SkerryError)

    def _settle(self) -> None:
        """Undoes or completes what an interrupted change left; does nothing after another call."""
        raise NotImplementedError

    def _call(self, work: Callable[..., T], *arguments: Any) -> T:
        """Calls what changes nothing that can be observed."""
        return self._lock.call(self._settle, work, *arguments)

    def _change(self, work: Callable[..., T], *arguments: Any) -> T:
        """Calls what changes the object."""
        return self._lock.change(self._settle, work, *arguments)
