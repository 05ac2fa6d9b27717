"""What running kernels takes, as a protocol: CuPy has it, and so has whatever emulates it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy.typing as npt

from skerry.cuda.program import Program

__all__ = ["BLOCK", "Runtime", "Widths", "blocks_of"]

BLOCK = 256
"""Threads of a block: ECL-CC sect. 3; kBlock of ``kernels/gpu/grid.h``."""


def blocks_of(threads: int, block: int, most: int) -> int:
    """Blocks that have so many threads, or as many as there may be."""
    return min(-(-threads // block), most)


@dataclass(frozen=True, slots=True)
class Widths:
    """Bits of the integers that a kernel is compiled for."""

    vertex: int
    """Labels and parents."""
    id: int
    """Ids as the input stores them."""
    offset: int
    """Where rows begin."""

    @property
    def defines(self) -> tuple[str, ...]:
        """As macros of the kernel sources."""
        return (
            f"SKERRY_VERTEX_BITS={self.vertex}",
            f"SKERRY_ID_BITS={self.id}",
            f"SKERRY_OFFSET_BITS={self.offset}",
        )


class Runtime(Protocol):
    """One device: its memory, its kernels, its clock."""

    name: str
    """As the user writes it: ``"cuda"`` or ``"cuda:1"``."""
    processors: int
    """Multiprocessors."""
    most_blocks: int
    """Blocks of a grid at most."""
    xp: Any
    """The array module, NumPy or one like it."""

    def active(self) -> AbstractContextManager[Any]:
        """Makes this device the current one."""

    def empty(self, count: int, dtype: npt.DTypeLike) -> Any:
        """A new array, not initialized."""

    def zeros(self, count: int, dtype: npt.DTypeLike) -> Any:
        """A new array of zeros."""

    def labels_and_state(
        self, count: int, dtype: npt.DTypeLike, words: int, clear: bool
    ) -> tuple[Any, Any]:
        """What every run needs: an array, not initialized, and so many 64-bit words, or zeros."""

    def upload(self, array: npt.NDArray[Any]) -> Any:
        """A copy of a host array on the device."""

    def address(self, array: Any) -> int:
        """Where an array begins, as a number."""

    def read(self, array: Any) -> npt.NDArray[Any]:
        """A copy on the host, once all that was launched before has run."""

    def kernel(self, source: str, name: str, defines: tuple[str, ...]) -> Any:
        """A compiled kernel: call it with ``((blocks,), (threads,), arguments)``."""

    def start(self, program: Program, defines: tuple[str, ...], numbers: list[int]) -> None:
        """Starts the kernels of a program one after the other, with the numbers of a run."""

    def mark(self) -> Any:
        """The moment when all that was launched before has run."""

    def seconds(self, begin: Any, end: Any) -> float:
        """Time between two moments; waits for the second."""

    def available(self) -> int:
        """Bytes that could be allocated now."""
