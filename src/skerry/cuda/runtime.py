"""The operations of a device that algorithms use, as a protocol: CuPy or an emulator has them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy.typing as npt

from skerry.cuda.recorded_launches import RecordedLaunches

BLOCK = 256
"""Threads of a block: ECL-CC sect. 3; kBlock of ``kernels/gpu/grid.h``."""
LANES = 32
"""Threads of a warp; kLanes of the same file."""


def blocks_of(threads: int, block: int, max_blocks: int) -> int:
    """Number of blocks that have ``threads`` threads in all, at most ``max_blocks``."""
    return min(-(-threads // block), max_blocks)


@dataclass(frozen=True, slots=True)
class Widths:
    """Bits of the integers that a kernel is compiled for."""

    vertex: int
    """Labels and parents."""
    id: int
    """Ids as the input stores them."""
    offset: int
    """Offsets of CSR rows."""

    @property
    def defines(self) -> tuple[str, ...]:
        """As macros of the kernel sources."""
        return (
            f"SKERRY_VERTEX_BITS={self.vertex}",
            f"SKERRY_ID_BITS={self.id}",
            f"SKERRY_OFFSET_BITS={self.offset}",
        )


class EdgeSlot(Protocol):
    """Memory for a chunk of edges on both sides, through which edges of the host go to a device."""

    @property
    def host(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Memory of the host for sources and targets."""

    def reads(self, array: npt.NDArray[Any]) -> bool:
        """Whether an array of the host can be copied from where it is, as it is."""

    def wait(self) -> None:
        """Waits until the memory of the host may be written again."""

    def send(self, count: int) -> tuple[Any, Any]:
        """Copies the first edges of the memory of the host; kernels launched next may read them."""

    def send_from(self, src: npt.NDArray[Any], dst: npt.NDArray[Any]) -> tuple[Any, Any]:
        """The same with edges of other memory of the host, which `reads` has approved."""

    def used(self) -> None:
        """What was launched so far is all that reads these edges."""


class Lane(Protocol):
    """A stream and a memory pool beside those of the caller."""

    def active(self) -> AbstractContextManager[Any]:
        """Makes them the current ones of this thread."""

    def close(self) -> None:
        """Waits for the stream, and gives the memory back that nothing uses."""


class Runtime(Protocol):
    """One device: its memory, its kernels, its events."""

    name: str
    """As the user writes it: ``"cuda"`` or ``"cuda:1"``."""
    processors: int
    """Multiprocessors."""
    max_blocks: int
    """Largest number of blocks of a grid."""
    executes: bool
    """Whether launches are executed. False for a runtime that only counts allocations."""
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
        """The labels, not initialized, and the 64-bit state words, zeros if ``clear``."""

    def scratch(self, size: int) -> tuple[Any, int]:
        """That many bytes, and their address: free again when the first value is."""

    def upload(self, array: npt.NDArray[Any], dtype: npt.DTypeLike | None = None) -> Any:
        """A copy of a host array on the device, of another type if ``dtype`` says so."""

    def edge_slots(self, count: int, capacity: int, dtype: npt.DTypeLike) -> Sequence[EdgeSlot]:
        """Some slots for ``capacity`` edges each; they are copied beside what the device does."""

    def address(self, array: Any) -> int:
        """The device address of an array."""

    def read(self, array: Any, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """A copy on the host, in ``out`` if given; waits for everything launched before."""

    def lane(self) -> Lane:
        """A new stream with a new memory pool."""

    def kernel(self, source: str, name: str, defines: tuple[str, ...]) -> Any:
        """A compiled kernel: call it with ``((blocks,), (threads,), arguments)``."""

    def launch_recorded(
        self, recorded: RecordedLaunches, defines: tuple[str, ...], values: list[int]
    ) -> tuple[Any, Any]:
        """Launches recorded kernels in order, with the values of a run.

        Returns the events before and after.
        """

    def record_event(self) -> Any:
        """An event that completes when everything launched before has run."""

    def wait_for(self, event: Any) -> None:
        """Makes the current stream wait for an event of any stream; the host does not wait."""

    def copy_after(self, event: Any, array: Any) -> Any:
        """A copy made in the current stream, once an event of any stream has completed.

        The host does not wait.
        """

    def seconds(self, begin: Any, end: Any) -> float:
        """Time between two events; waits for the second."""

    def available(self) -> int:
        """Bytes that can be allocated now."""
