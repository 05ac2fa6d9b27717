"""What native tables say when they stop, as errors. In the order of `kernels/cpu/ids/status.h`."""

from __future__ import annotations

from skerry.errors import InputError

__all__ = ["BAD_TEXT", "MOST_IDS", "check_outcome"]

MOST_IDS = 2**32 - 1
"""Distinct ids that can be numbered: a number is 32 bits wide, and one value is kept back."""

NO_MEMORY, TOO_MANY, BAD_TEXT = 2, 3, 4


def check_outcome(outcome: int, size: int, held: int) -> None:
    """Raises if the table is full or memory is; ``size`` ids and ``held`` bytes are in it."""
    if outcome == NO_MEMORY:
        raise MemoryError(
            f"no memory to number more ids: {size:,} distinct ones take {held / 1e6:,.0f} MB so far"
        )
    if outcome == TOO_MANY:
        raise InputError(
            f"more than {MOST_IDS:,} distinct ids: split the graph, or use whole numbers from 0 up "
            "as ids, which need no numbering"
        )
