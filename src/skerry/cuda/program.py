"""Kernels that are started one after the other, written down once for inputs of one size.

To write it down takes Python longer than a small graph takes the device. So addresses are left open
in a program: it is made once for a size, and each run only tells where its arrays are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["At", "Program", "Step", "Word", "parts"]

ALIGNED = 256  # bytes that a part of memory begins at a multiple of


class At(NamedTuple):
    """An address: so many bytes behind the beginning of an array of the run, by its number."""

    array: int
    offset: int = 0


Word = int | At
"""An argument of a kernel."""


class Step(NamedTuple):
    """One kernel of a program."""

    kernel: str
    threads: int
    """As many as there is work, or fewer: kernels loop over their work."""
    block: int
    """Threads of a block."""
    words: tuple[Word, ...]

    def arguments(self, arrays: Sequence[int]) -> tuple[int, ...]:
        """The words, with the addresses of a run."""
        return tuple(
            arrays[word.array] + word.offset if isinstance(word, At) else word
            for word in self.words
        )


def parts(memory: At, *sizes: int) -> tuple[list[At], int]:
    """Where parts of so many bytes each begin in one piece of memory, and its size."""
    starts = [memory.offset]
    for size in sizes:
        starts.append(starts[-1] + -(-size // ALIGNED) * ALIGNED)
    return [At(memory.array, start) for start in starts[:-1]], starts[-1]


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """Kernels of one source, in their order. Two are the same only if they are one object."""

    source: str
    steps: tuple[Step, ...]
    scratch: int = 0
    """Bytes of memory that it needs while it runs."""
