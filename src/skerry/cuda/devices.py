"""Finds the device that the user names, or raises an error that says why it cannot be used."""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from skerry.config import setting
from skerry.errors import ArgumentError, UnsupportedError

if TYPE_CHECKING:
    from skerry.cuda.runtime import Runtime


INSTALL = (
    "pip install 'skerry[cuda13]' (or 'skerry[cuda12]' where the driver is older than release 580)"
)
NO_DEVICE, OLD_DRIVER = 100, 35  # cudaErrorNoDevice, cudaErrorInsufficientDriver
OLDEST = 70  # compute capability 7.0 (Volta): the first with scoped, relaxed memory accesses


@cache
def device_number(device: str) -> int | None:
    """The number in ``"cuda:1"``; None for ``"cuda"``, which is the current device."""
    match = re.fullmatch(r"cuda(?::(\d+))?", device)
    if match is None:
        raise ArgumentError(f'device must be "auto", "cpu", "cuda" or "cuda:1", got {device!r}')
    return int(match[1]) if match[1] else None


_SIDE = re.compile(r"(cpu|cuda)(?::(\d+(?:,\d+)*))?")


@cache
def part_devices(device: str) -> tuple[str, ...]:
    """The device of each part of a graph; empty where ``device`` names no parts.

    >>> part_devices("cuda:0,0,1"), part_devices("cpu+cuda"), part_devices("cpu:0,1")
    (('cuda:0', 'cuda:0', 'cuda:1'), ('cpu', 'cuda'), ('cpu:0', 'cpu:1'))
    >>> part_devices("cuda:1"), part_devices("cpu")
    ((), ())
    """
    sides = [_SIDE.fullmatch(side) for side in device.split("+")]
    parts: list[str] = []
    for side in sides:
        if side is None:
            return ()
        numbers = (side[2] or "").split(",")
        parts += [f"{side[1]}:{number}" if number else side[1] for number in numbers]
    kinds = [side[1] for side in sides if side is not None]
    several = len(parts) > 1 or parts[0].startswith("cpu:")
    return tuple(parts) if several and len(set(kinds)) == len(kinds) else ()


def find_runtime(device: str) -> Runtime:
    """The runtime of a device by name."""
    known = _known.get(device)
    if known is not None:
        return known
    runtime = _find(device)
    if device != "cuda":  # "cuda" is the current device, which may change
        _known[device] = runtime
    return runtime


_known: dict[str, Runtime] = {}


def _find(device: str) -> Runtime:
    number = device_number(device)
    cupy = _cupy()
    if number is None:
        number = int(cupy.cuda.runtime.getDevice())
    return _runtime(number)


@cache
def _runtime(number: int) -> Runtime:
    from skerry.cuda.cupy_runtime import CupyRuntime

    cupy = _cupy()
    count = cupy.cuda.runtime.getDeviceCount()
    if number >= count:
        raise UnsupportedError(
            f'device="cuda:{number}": this machine has {count} GPU{"s" if count > 1 else ""}, '
            f"numbered from 0"
        )
    capability = int(cupy.cuda.Device(number).compute_capability)
    if capability < OLDEST:
        raise UnsupportedError(
            f"GPU {number} has compute capability {capability / 10}; 7.0 (Volta, 2017) or newer "
            'is needed; use device="cpu"'
        )
    return CupyRuntime(number)


@cache
def _cupy() -> Any:
    kernel_cache = setting("SKERRY_KERNEL_CACHE")
    if kernel_cache is not None:  # CuPy reads its variable whenever it compiles
        os.environ["CUPY_CACHE_DIR"] = kernel_cache
    try:
        import cupy
    except ImportError as error:
        raise UnsupportedError(f'device="cuda" needs CuPy: {INSTALL}') from error
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise UnsupportedError(_why(error)) from None
    return cupy


def _why(error: Any) -> str:
    if error.status == NO_DEVICE:
        return 'no NVIDIA GPU was found on this machine; use device="cpu"'
    if error.status == OLD_DRIVER:
        return (
            "the NVIDIA driver is missing or older than this CuPy needs: update it, or install "
            f'CuPy for CUDA 12, or use device="cpu" ({error})'
        )
    return f'the GPU cannot be used: {error}; use device="cpu"'
