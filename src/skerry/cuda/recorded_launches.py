"""Sequences of kernel launches that are recorded once and run on inputs of any size.

Python needs longer to assemble a sequence of launches than a device needs for a small graph. A
recorded sequence therefore contains no values, only their positions: each run supplies a list of
values, which are pointers, sizes and numbers of blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

ALIGNMENT = 256  # bytes; every part of the scratch memory begins at a multiple of it


class RecordedLaunch(NamedTuple):
    """A kernel launch whose values are positions in the list of values of a run."""

    kernel: str
    grid: int
    """Position of the number of blocks."""
    block: int
    """Threads of a block."""
    parameters: tuple[int, ...]
    """Positions of the arguments."""

    def arguments(self, values: Sequence[int]) -> tuple[int, ...]:
        """The arguments in a run with these values."""
        return tuple(values[position] for position in self.parameters)


@dataclass(frozen=True, slots=True, eq=False)
class RecordedLaunches:
    """Launches of the kernels of one source, in order. Compared by identity."""

    source: str
    launches: tuple[RecordedLaunch, ...]


class RecordedRun(NamedTuple):
    """Recorded launches with the values of a run, except for its pointers."""

    recorded: RecordedLaunches
    scratch_offsets: tuple[int, ...]
    """Bytes from the beginning of the scratch memory to each of its parts."""
    scratch_bytes: int
    values: tuple[int, ...]

    @staticmethod
    def create(
        recorded: RecordedLaunches, part_bytes: Sequence[int], values: Sequence[int]
    ) -> RecordedRun:
        """A run whose scratch memory has parts of these sizes, one after the other."""
        offsets = [0]
        for size in part_bytes:
            offsets.append(offsets[-1] + -(-size // ALIGNMENT) * ALIGNMENT)
        return RecordedRun(recorded, tuple(offsets[:-1]), offsets[-1], tuple(values))
