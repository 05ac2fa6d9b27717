"""An emulated GPU in place of this machine's."""

from __future__ import annotations

from typing import Any

import pytest

import skerry.engines.device
import skerry.inputs.recognize
from skerry_bench import gpu_device
from skerry_bench.gpu_device import GpuDevice
from skerry_bench.results import Gpu
from support.emulator import EmulatedRuntime


def emulated_gpu(
    monkeypatch: pytest.MonkeyPatch, description: Gpu | None = None, **hooks: Any
) -> GpuDevice:
    """Makes it the GPU of the lab; arrays of the host count as its own."""
    runtime = EmulatedRuntime()
    monkeypatch.setattr(skerry.engines.device, "find_runtime", lambda _: runtime)
    monkeypatch.setattr(skerry.inputs.recognize, "device_of", lambda _: 0)
    device = GpuDevice(runtime, description or Gpu("emulated", "none"), **hooks)
    monkeypatch.setattr(gpu_device, "this_gpu", lambda: device)
    return device
