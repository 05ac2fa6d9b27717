"""The GPUs of this machine, in a line each. Only for where CuPy has found one."""

from __future__ import annotations

from skerry.cli.format_numbers import bytes_of

__all__ = ["describe_gpus"]


def describe_gpus() -> list[str]:
    """Driver and CuPy, then every device."""
    import cupy

    runtime = cupy.cuda.runtime
    lines = [
        f"CuPy {cupy.__version__}, driver for CUDA {_release(runtime.driverGetVersion())}, "
        f"runtime {_release(runtime.runtimeGetVersion())}"
    ]
    for number in range(runtime.getDeviceCount()):
        told = runtime.getDeviceProperties(number)
        name = told["name"].decode("utf-8", "replace")
        with cupy.cuda.Device(number):
            free, total = runtime.memGetInfo()
        lines.append(
            f"cuda:{number}  {name}, compute capability {told['major']}.{told['minor']}, "
            f"{bytes_of(total)}, {bytes_of(free)} of it free"
        )
    return lines


def _release(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"
