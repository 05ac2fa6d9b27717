"""Status codes of the native tables as errors; in the order of `kernels/cpu/ids/status.h`."""

from __future__ import annotations

from skerry.errors import InputError

MAX_IDS = 2**32 - 1
"""How many distinct ids a table can number: numbers have 32 bits, and one value is reserved."""

UNKNOWN = 2**32 - 1
"""What a search writes for an id that has no number."""

NO_MEMORY, TOO_MANY, BAD_TEXT = 2, 3, 4


def check_status(status: int, size: int, nbytes: int) -> None:
    """Raises if a table of ``size`` ids and ``nbytes`` bytes could not take more."""
    if status == NO_MEMORY:
        raise MemoryError(
            f"no memory to number more ids: {size:,} distinct ids take {nbytes / 1e6:,.0f} MB so "
            "far"
        )
    if status == TOO_MANY:
        raise InputError(
            f"more than {MAX_IDS:,} distinct ids in one column: pass it in several batches, or use "
            'integers from 0 up as vertex numbers (ids="vertices"), which need no numbering'
        )
