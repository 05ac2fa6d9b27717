"""Energy of a call: a block of calls that is not timed, between two readings of counters.

Counters move in steps: NVML's every 20 to 100 ms, RAPL's about every millisecond. A call of a
millisecond has no energy that could be read; many of them, one after the other, have. So a block
lasts a second or longer, and its energy is divided by the number of its calls. Samples of time are
taken elsewhere, before it: nothing is read within them.

The energy is all that the part of the machine took meanwhile, at rest as well as at work, for other
programs too. On a busy machine it is not that of the call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from skerry.cuda.runtime import Runtime
from skerry_bench.energy_meters import POWERCAP, Meter, MeterError, find_nvml, find_rapl
from skerry_bench.implementation import Device

MIN_SECONDS = 1.0
"""A shorter block has no energy: ten steps of the slowest counter."""


def energy_per_call(
    call: Callable[[], Any],
    meters: Sequence[Meter],
    runtime: Runtime | None = None,
    *,
    min_seconds: float = MIN_SECONDS,
    clock: Callable[[], float] = perf_counter,
) -> tuple[dict[str, float] | None, Any]:
    """Calls for at least a second, and once at least.

    Parameters
    ----------
    call
        What is measured; its answers are not looked at.
    meters
        The counters; one that fails is left out.
    runtime
        The device that calls return before: all have ended when the counters are read again.
    min_seconds
        Length of the block; below `MIN_SECONDS` there is no energy.
    clock
        Seconds.

    Returns
    -------
    energy
        Joules of a call by part (``"cpu"``, ``"gpu"``), and ``"calls"`` and ``"seconds"`` of the
        block. None if no meter has a value.
    answer
        Of the last call.
    """
    before = [(meter, counters) for meter in meters if (counters := _read(meter)) is not None]
    if not before:
        return None, None
    calls, begin = 0, clock()
    event, answer = None, None
    while not calls or clock() - begin < min_seconds:
        answer = call()
        calls += 1
        if runtime is not None:
            if event is not None:
                runtime.seconds(event, event)  # at most two calls wait: the device is never idle
            event = runtime.record_event()
    if runtime is not None:
        runtime.seconds(event, event)
    seconds = clock() - begin
    parts = {}
    for meter, counters in before:
        joules = _joules(meter, counters, seconds)
        if joules is not None:
            parts[meter.part] = joules / calls
    if not parts or seconds < MIN_SECONDS:
        return None, answer
    return {**parts, "calls": float(calls), "seconds": seconds}, answer


def _read(meter: Meter) -> tuple[int, ...] | None:
    try:
        return meter.read()
    except MeterError:
        return None


def _joules(meter: Meter, before: tuple[int, ...], seconds: float) -> float | None:
    try:
        return meter.joules(before, meter.read(), seconds)
    except MeterError:
        return None


def find_meters(
    device: Device, address: str = "", powercap: Path = POWERCAP
) -> tuple[list[Meter], list[str]]:
    """The counters of a device, and why others cannot be read.

    On a CPU those of its packages; on a GPU (at this PCI address) its own, and those of the
    packages that its host's part of a call runs on.
    """
    meters: list[Meter] = []
    reasons: list[str] = []
    finders: list[Callable[[], Meter]] = [lambda: find_rapl(powercap)]
    if device == "cuda":
        finders.insert(0, lambda: find_nvml(address))
    for finder in finders:
        try:
            meters.append(finder())
        except MeterError as error:
            reasons.append(str(error))
    return meters, reasons
