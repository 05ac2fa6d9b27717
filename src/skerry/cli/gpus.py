"""The GPUs of this machine. Only for where CuPy works and finds one."""

from __future__ import annotations

from typing import Any

from skerry.cli.format_numbers import bytes_of


def find_gpus() -> dict[str, Any]:
    """Versions of CuPy, driver and runtime, and the properties of every device."""
    import cupy

    runtime = cupy.cuda.runtime
    devices = []
    for number in range(runtime.getDeviceCount()):
        properties = runtime.getDeviceProperties(number)
        with cupy.cuda.Device(number):
            free, total = runtime.memGetInfo()
        devices.append(
            {
                "device": f"cuda:{number}",
                "name": properties["name"].decode("utf-8", "replace"),
                "compute_capability": f"{properties['major']}.{properties['minor']}",
                "memory_total": total,
                "memory_free": free,
            }
        )
    return {
        "cupy": cupy.__version__,
        "driver": _release(runtime.driverGetVersion()),
        "runtime": _release(runtime.runtimeGetVersion()),
        "devices": devices,
    }


def describe_gpus(gpus: dict[str, Any]) -> list[str]:
    """What `find_gpus` returns, as lines: the versions, then each device."""
    lines = [f"CuPy {gpus['cupy']}, driver for CUDA {gpus['driver']}, runtime {gpus['runtime']}"]
    lines += [
        f"{device['device']}  {device['name']}, compute capability "
        f"{device['compute_capability']}, {bytes_of(device['memory_total'])}, "
        f"{bytes_of(device['memory_free'])} of it free"
        for device in gpus["devices"]
    ]
    return lines


def _release(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"
