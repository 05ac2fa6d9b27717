"""Calls on a GPU that take samples in turn, on the same arrays: skerry's and those of libraries."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from skerry.cuda.runtime import Runtime
from skerry_bench.corpus.peer_library import DevicePeer
from skerry_bench.corpus.rotation import Samples, SlowRule, rotate
from skerry_bench.gpu_device import GpuDevice
from skerry_bench.implementation import ClockMode
from skerry_bench.isolation import PeerFailedError
from skerry_bench.sampler import Clock

CLOCKS: tuple[ClockMode, ...] = ("queued", "device")
"""The kernels alone behind other work, and with the host's part on an idle device."""

WARM_UP = 2
"""Calls before the first sample, beside that of the rotation: memory pools fill, clocks rise."""

MAX_ENTRIES = 2**31 - 1
"""That a library can count."""


def library_call(
    runtime: Runtime, peer: DevicePeer, offsets: Any, neighbors: Any, stream: Callable[[], int]
) -> Callable[[], Any]:
    """A function that queues a library's kernels in the current stream and returns its labels."""
    if offsets.itemsize != 4 or neighbors.itemsize != 4 or len(neighbors) > MAX_ENTRIES:
        raise PeerFailedError("takes 32-bit offsets and neighbors only")
    n, entries = len(offsets) - 1, len(neighbors)
    labels, scratch = (runtime.empty(max(n, 1), np.int32) for _ in range(2))
    arrays = (offsets, neighbors, labels, scratch)
    addresses = [runtime.address(array) for array in arrays]
    solve = peer(n, entries, *addresses[:2])
    # The call holds all arrays: the pool would lend the memory of a lost one to others.
    held = (labels[:n], arrays)

    def call() -> Any:
        status = solve(stream(), *addresses[2:])
        if status:
            raise PeerFailedError(f"returned {status}")
        return held[0]

    return call


def warm_up(
    call: Callable[[], Any], gpu: GpuDevice, long: float = math.inf
) -> tuple[Any, float | None]:
    """An answer to check; and the seconds of the first call if it is a long one, the only one."""
    answer, seconds = Clock("device", gpu.runtime).time(call)
    if seconds >= long:
        return answer, seconds
    for _ in range(1, WARM_UP):
        answer = call()
    return answer, None


def samples_by_clock(
    calls: Mapping[str, Callable[[], Any]],
    gpu: GpuDevice,
    repeat: int,
    rule: SlowRule,
    clocks: Iterable[ClockMode] = CLOCKS,
) -> dict[tuple[ClockMode, str], Samples]:
    """The samples of all calls by each clock."""
    samples = {}
    for mode in clocks:
        clock = Clock(mode, gpu.runtime, gpu.keep_busy)
        timers = {name: _timer(clock, call) for name, call in calls.items()}
        for name, taken in rotate(timers, repeat, rule, (PeerFailedError,)).items():
            samples[mode, name] = taken
    return samples


def _timer(clock: Clock, call: Callable[[], Any]) -> Callable[[], float]:
    return lambda: clock.time(call)[1]
