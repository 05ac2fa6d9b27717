"""Kernels that are started one after the other, written down once for inputs of any size.

To write them down takes Python longer than a small graph takes the device. So a program has no
numbers in it, only the places where they will be: each run brings its own, addresses among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Program", "Run", "Step"]

ALIGNED = 256  # bytes that a part of memory begins at a multiple of


class Step(NamedTuple):
    """One kernel of a program."""

    kernel: str
    blocks: int
    """Which of a run's numbers tells how many there are."""
    block: int
    """Threads of a block."""
    words: tuple[int, ...]
    """Which of a run's numbers are its arguments."""

    def arguments(self, numbers: Sequence[int]) -> tuple[int, ...]:
        """Those of a run."""
        return tuple(numbers[word] for word in self.words)


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """Kernels of one source, in their order. Two are the same only if they are one object."""

    source: str
    steps: tuple[Step, ...]


class Run(NamedTuple):
    """A program and what it is told, but for addresses."""

    program: Program
    parts: tuple[int, ...]
    """Where parts of its own memory begin."""
    scratch: int
    """Bytes of its own memory."""
    numbers: tuple[int, ...]

    @staticmethod
    def of(program: Program, sizes: Sequence[int], numbers: Sequence[int]) -> Run:
        """With parts of so many bytes each in one piece of memory, one after the other."""
        starts = [0]
        for size in sizes:
            starts.append(starts[-1] + -(-size // ALIGNED) * ALIGNED)
        return Run(program, tuple(starts[:-1]), starts[-1], tuple(numbers))
