"""The state words that kernels share with each other and the host: ``kernels/gpu/state.h``."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum


class Word(IntEnum):
    """Positions in the state array."""

    FAULT = 0
    FAULT_POSITION = 1
    CHANGED = 2
    LARGEST = 3
    FRONT = 4
    BACK = 5
    TREES = 6
    EMPTY = 7
    CHOICE = 8
    ROOTS = 9
    TAKEN = 10
    FLATTENED = 11
    ADJACENT = 12
    REVERSE_SUM = 13
    COUNTS = 32
    STATE_WORDS = 544


class Count(IntEnum):
    """Positions in a copy of the counts."""

    HOOKS = 0
    FINDS = 1
    STEPS = 2
    LONGEST = 3


COPIES = 32  # of the counts, so that atomic additions rarely collide
COPY_WORDS = 16


class InputFault(IntEnum):
    """Why kernels rejected an input."""

    NO_FAULT = 0
    NEIGHBOR_OUT_OF_RANGE = 1
    OFFSETS_FALL = 2
    OFFSET_OUT_OF_RANGE = 3
    SOURCE_OUT_OF_RANGE = 4
    TARGET_OUT_OF_RANGE = 5
    FIRST_OFFSET_NOT_ZERO = 6


def count_of(state: Sequence[int], which: Count) -> int:
    """A count, summed (or the maximum taken) over its copies."""
    copies = state[Word.COUNTS + which : Word.STATE_WORDS : COPY_WORDS]
    return max(copies) if which == Count.LONGEST else sum(copies)
