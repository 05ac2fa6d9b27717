"""Gives memory that is free back to the system: a worker runs many tasks, and none ends it."""

from __future__ import annotations

import ctypes
from contextlib import suppress

from skerry.optional import arrow_if_installed


def give_back_memory() -> None:
    """What allocators keep for later, as far as they can be asked to."""
    arrow = arrow_if_installed()
    if arrow is not None:
        arrow.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):  # another system's allocator
        ctypes.CDLL(None).malloc_trim(0)
