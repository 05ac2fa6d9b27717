"""Where there is no GPU to use: one clear sentence each, whatever the reason."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import skerry
import skerry.engines.device
from skerry.cuda import devices
from skerry.cuda.devices import find_runtime
from skerry.inputs.device import device_of
from support.emulated import emulated_gpu
from support.emulator import EmulatedRuntime, works

EDGES = ([0, 2, 4], [1, 3, 1])
RUNTIME_MODULE = "skerry.cuda.cupy_runtime"


def forget():
    devices._cupy.cache_clear()
    devices._runtime.cache_clear()
    devices._known.clear()
    sys.modules.pop(RUNTIME_MODULE, None)


@pytest.fixture(autouse=True)
def _fresh():
    """What was found out about a machine is forgotten, before and after."""
    forget()
    yield
    forget()


class CUDARuntimeError(RuntimeError):
    """As CuPy's."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def fake_cupy(capabilities=("90",), error=None, current=0):
    """A CuPy on a machine with such GPUs, or where counting them is an error."""

    def count():
        if error:
            raise error
        return len(capabilities)

    def device(number):
        return SimpleNamespace(
            compute_capability=capabilities[number], attributes={"MultiProcessorCount": 7}
        )

    runtime = SimpleNamespace(
        getDeviceCount=count, getDevice=lambda: current, CUDARuntimeError=CUDARuntimeError
    )
    made = ModuleType("cupy")
    made.cuda = SimpleNamespace(runtime=runtime, Device=device)
    return made


def use(monkeypatch, cupy):
    monkeypatch.setitem(sys.modules, "cupy", cupy)


def refused(graph=EDGES, device="cuda", **options):
    with pytest.raises(skerry.UnsupportedError) as error:
        skerry.connected_components(graph, device=device, **options)
    return str(error.value)


class OnGpu:
    """An array of another library, in the memory of a GPU."""

    def __init__(self, number=0):
        self.number = number

    def __dlpack_device__(self):
        return (2, self.number)


def test_no_cupy(monkeypatch):
    use(monkeypatch, None)
    said = refused()
    assert said.startswith("device=\"cuda\" needs CuPy: pip install 'skerry[cuda13]' (or")
    assert "skerry[cuda12]" in said and "\n" not in said
    assert refused(device="cuda:3") == said
    assert refused(algorithm="rows") == said
    assert refused((OnGpu(), OnGpu()), device="auto") == said
    with pytest.raises(skerry.UnsupportedError) as error:
        find_runtime("cuda")
    assert isinstance(error.value.__cause__, ImportError)


def test_a_cpu_needs_no_cupy(monkeypatch):
    use(monkeypatch, None)
    for device in ("auto", "cpu"):
        assert skerry.connected_components(EDGES, device=device).count == 2
    assert skerry.estimate(10, 10, algorithm="rows", form="csr", device="cuda").run > 0


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (100, 'no NVIDIA GPU was found on this machine; use device="cpu"'),
        (35, "the NVIDIA driver is missing or older than this CuPy needs: update it, or install"),
        (999, 'the GPU cannot be used: cudaErrorOf999; use device="cpu"'),
    ],
)
def test_no_device(monkeypatch, status, message):
    use(monkeypatch, fake_cupy(error=CUDARuntimeError(status, f"cudaErrorOf{status}")))
    for device in ("cuda", "cuda:0", "cuda:1"):
        said = refused(device=device)
        assert said.startswith(message) and "\n" not in said


@pytest.mark.parametrize(
    ("capabilities", "device", "message"),
    [
        (("90",), "cuda:1", 'device="cuda:1": this machine has 1 GPU, numbered from 0'),
        (("90", "80"), "cuda:7", 'device="cuda:7": this machine has 2 GPUs, numbered from 0'),
        (("61",), "cuda", "GPU 0 has compute capability 6.1; 7.0 (Volta, 2017) or newer is needed"),
        (("90", "52"), "cuda:1", "GPU 1 has compute capability 5.2; 7.0 (Volta, 2017) or newer"),
    ],
)
def test_devices_that_cannot_be_used(monkeypatch, capabilities, device, message):
    use(monkeypatch, fake_cupy(capabilities))
    said = refused(device=device)
    assert said.startswith(message) and "\n" not in said


def test_devices_that_can_be_used(monkeypatch):
    use(monkeypatch, fake_cupy(("70", "120"), current=1))
    assert find_runtime("cuda").name == "cuda:1"
    assert find_runtime("cuda:0").name == "cuda:0"
    assert find_runtime("cuda:0").processors == 7
    assert find_runtime("cuda:1") is find_runtime("cuda")


@pytest.mark.parametrize("device", ["gpu", "cuda:-1", "cuda:1.5", "cuda 1", "", "cuda:1:2"])
def test_names_of_no_device(device):
    with pytest.raises(skerry.InputError, match="device must be"):
        skerry.connected_components(EDGES, device=device)


def test_a_graph_elsewhere():
    there = OnGpu(1), OnGpu(1)
    assert device_of(there) == 1
    said = refused(there, device="cpu")
    assert said.startswith('the graph is on cuda:1 and device="cpu" was asked for: copy it')
    assert refused(there, device="cuda:0").startswith("the graph is on cuda:1, but device=")
    for mixed, places in (
        ((OnGpu(0), OnGpu(1)), "cuda:0, cuda:1"),
        ((OnGpu(0), np.arange(3)), "cuda:0, the host"),
    ):
        with pytest.raises(skerry.InputError, match=f"on different devices: {places}"):
            skerry.connected_components(mixed)


def test_rows_of_a_cpu_alone_are_refused():
    with emulated_gpu() as runtime:
        for name in ("union-find", "dfs", "bfscc"):
            said = refused(algorithm=name)
            assert said.startswith(f'{name} runs on a CPU only; use device="cpu" or another')
        assert refused(algorithm="stages-cc[chunk=1]") == "stages-cc has no choice chunk on cuda"
    assert not runtime.launched


# Memory


class Full(EmulatedRuntime):
    """A device with so much memory left; it fails where more is taken, if not before."""

    def __init__(self, free, tells=True):
        super().__init__()
        self.free = free
        self.tells = tells

    def available(self):
        return self.free if self.tells else 1 << 40

    def empty(self, count, dtype):
        self.take(count * np.dtype(dtype).itemsize)
        return super().empty(count, dtype)

    def upload(self, array, dtype=None):
        self.take(array.size * np.dtype(array.dtype if dtype is None else dtype).itemsize)
        return super().upload(array, dtype)

    def take(self, size):
        if size > self.free:
            raise MemoryError("out of memory")
        self.free -= size


PATH = (np.arange(99_999), np.arange(1, 100_000))
ROWS = skerry.Csr(np.append(np.arange(100_000), 99_999), np.arange(1, 100_000), False)
"""The same: 100,000 vertices, of which all but the last have one neighbor."""


@pytest.fixture(params=[True, False], ids=["known before", "found out"])
def tells(request, monkeypatch):
    """Nothing is too small to be asked for."""
    monkeypatch.setattr(skerry.engines.device, "QUERY_FROM", 0)
    return request.param


def no_room(runtime, graph, name, on_device=False):
    with (
        emulated_gpu(runtime, on_device=on_device),
        pytest.raises(skerry.DeviceMemoryError) as error,
    ):
        skerry.connected_components(graph, algorithm=name, device="cuda", num_vertices=100_000)
    assert isinstance(error.value, MemoryError)
    return str(error.value)


@pytest.mark.skipif(not works(), reason="needs a C++ compiler")
@pytest.mark.parametrize("name", ["ecl", "cc", "gunrock"])
def test_a_graph_that_does_not_fit(name, tells):
    said = no_room(Full(200_000, tells), PATH, name)
    assert said.startswith("the graph needs 0.001 GB on cuda, where ")
    if tells:
        assert "where 0.000 GB are free: 0.001 GB are missing. Free some, use device=" in said


@pytest.mark.skipif(not works(), reason="needs a C++ compiler")
@pytest.mark.parametrize(
    ("name", "graph", "free"),
    [
        ("stream[share=2]", PATH, 300_000),
        ("cc", PATH, 300_000),
        ("cc-updt", PATH, 1_000_000),
        ("gunrock", PATH, 1_000_000),
        ("ecl", ROWS, 500_000),
        ("rows", ROWS, 500_000),
        ("eclaf", ROWS, 500_000),
    ],
)
def test_a_run_that_does_not_fit(name, graph, free, tells):
    said = no_room(Full(free, tells), graph, name, on_device=True)
    assert said.startswith(f"{skerry.algorithm(name)} needs 0.00")
    assert ("are missing" if tells else "they are in pieces too small") in said


@pytest.mark.skipif(not works(), reason="needs a C++ compiler")
@pytest.mark.parametrize(("name", "graph"), [("ecl", PATH), ("rows", PATH), ("bfs", ROWS)])
def test_a_conversion_that_does_not_fit(name, graph, tells):
    said = no_room(Full(1_000_000, tells), graph, name, on_device=True)
    assert f"{name} " in said and " needs 0.00" in said


@pytest.mark.skipif(not works(), reason="needs a C++ compiler")
def test_what_fits_runs(tells):
    for name in ("auto", "cc", "ecl"):
        with emulated_gpu(Full(20_000_000, tells)):
            found = skerry.connected_components(PATH, algorithm=name, device="cuda")
        assert found.count == 1
