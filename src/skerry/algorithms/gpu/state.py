"""The words that kernels share with each other and the host, as in ``kernels/gpu/state.h``."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Fault", "Word"]


class Word(IntEnum):
    """Places in the state array."""

    FAULT = 0
    FAULT_PLACE = 1
    CHANGED = 2
    LARGEST = 3
    FRONT = 4
    BACK = 5
    NEAR = 6
    HUBS = 7
    SAMPLED = 8
    CHOICE = 9
    MORE = 10
    HOOKS = 11
    FINDS = 12
    STEPS = 13
    LONGEST = 14
    ROOTS = 15
    STATE_WORDS = 16


class Fault(IntEnum):
    """What kernels find wrong with an input."""

    NO_FAULT = 0
    NEIGHBOUR_OUT_OF_RANGE = 1
    OFFSETS_FALL = 2
    OFFSET_OUT_OF_RANGE = 3
    SOURCE_OUT_OF_RANGE = 4
    TARGET_OUT_OF_RANGE = 5
