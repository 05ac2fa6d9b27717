"""Keeps a GPU busy for a while, without touching memory: what is given to it next has to queue."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["busy_for"]

SPIN = """
extern "C" __global__ void spin(unsigned long long nanoseconds) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}
"""


def busy_for(seconds: float) -> Callable[[], None]:
    """What to call to keep the current stream busy for so long."""
    import cupy

    kernel = cupy.RawKernel(SPIN, "spin")
    argument = (cupy.uint64(round(seconds * 1e9)),)
    return lambda: kernel((1,), (1,), argument)
