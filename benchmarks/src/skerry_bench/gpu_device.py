"""The GPU that is measured: its runtime, its description, and a kernel that keeps it busy."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass

from skerry.cuda.devices import find_runtime
from skerry.cuda.runtime import Runtime
from skerry_bench.results import Gpu

BUSY = 2e-3
"""Seconds that a GPU is kept busy before a queued call: more than the host's part of a call."""

SPIN = """
extern "C" __global__ void spin(unsigned long long nanoseconds) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}
"""


@dataclass(frozen=True, slots=True)
class GpuDevice:
    """A GPU as the runner uses it."""

    runtime: Runtime
    description: Gpu
    release: Callable[[], None] = lambda: None
    """Returns the free memory of the pool to the device, after each graph."""
    keep_busy: Callable[[], None] = lambda: None
    """Starts a kernel that touches no memory and takes longer than the host's part of a call."""
    stream: Callable[[], int] = lambda: 0
    """The handle of the current stream, for libraries that queue their own kernels."""


def this_gpu() -> GpuDevice:
    """The current GPU; raises `skerry.UnsupportedError` if there is none."""
    runtime = find_runtime("cuda")
    import cupy

    return GpuDevice(
        runtime,
        _describe(),
        release=cupy.get_default_memory_pool().free_all_blocks,
        keep_busy=_busy_for(BUSY),
        stream=current_stream,
    )


def pci_address() -> str:
    """The PCI address of the current GPU, by which other libraries find it."""
    import cupy

    runtime = cupy.cuda.runtime
    return str(runtime.deviceGetPCIBusId(runtime.getDevice()))


def current_stream() -> int:
    """The handle of CuPy's current stream, which skerry's kernels are queued in."""
    import cupy

    return int(cupy.cuda.get_current_stream().ptr)


def _describe() -> Gpu:
    import cupy

    runtime = cupy.cuda.runtime
    name = runtime.getDeviceProperties(runtime.getDevice())["name"].decode()
    release = int(runtime.runtimeGetVersion())
    return Gpu(name, _driver_release(), f"{release // 1000}.{release % 1000 // 10}")


def _driver_release() -> str:
    command = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
        return done.stdout.splitlines()[0].strip()
    except (OSError, subprocess.SubprocessError, IndexError):
        return "unknown"


def _busy_for(seconds: float) -> Callable[[], None]:
    """A function that keeps the current stream busy for so long."""
    import cupy

    kernel = cupy.RawKernel(SPIN, "spin")
    arguments = (cupy.uint64(round(seconds * 1e9)),)
    return lambda: kernel((1,), (1,), arguments)
