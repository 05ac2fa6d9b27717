"""Copies between host and device keep their order, whenever their parts happen to run."""

from __future__ import annotations

import ctypes
import importlib
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from skerry import _native
from skerry.cuda.edge_pipe import EdgePipe
from support.streams_on_cpu import Device

SEEDS = range(12)
EAGER = (0, 0.1, 0.7)


@pytest.fixture
def device_of(monkeypatch):
    """Makes a device by a seed, and imports a module of the package with it in CuPy's place."""

    def make(name, seed, eager):
        device = Device(seed, eager)
        monkeypatch.setitem(sys.modules, "cupy", device.module())
        monkeypatch.delitem(sys.modules, f"skerry.cuda.{name}", raising=False)
        module = importlib.import_module(f"skerry.cuda.{name}")
        monkeypatch.delitem(sys.modules, f"skerry.cuda.{name}")
        return device, module

    return make


def locked(device, values):
    array = np.frombuffer(device.lock(values.nbytes), values.dtype)
    array[:] = values
    return array


@pytest.mark.parametrize("eager", EAGER)
@pytest.mark.parametrize("in_place", [False, True])
def test_chunks_arrive_complete_and_in_order(device_of, eager, in_place):
    for seed in SEEDS:
        device, module = device_of("edge_slot", seed, eager)
        arrived = []

        def consume(src, dst, device=device, arrived=arrived):
            device.current.put(lambda: arrived.append((np.array(src), np.array(dst))))

        pipe = EdgePipe(SimpleNamespace(edge_slots=module.edge_slots), 8, np.uint32, consume)
        draws = np.random.default_rng(seed)
        sent = []
        for size in draws.integers(0, 40, 6):
            columns = draws.integers(0, 1000, (2, size))
            sent.append(columns)
            src, dst = columns.astype("i8")
            if in_place:
                src, dst = (locked(device, column.astype("u4")) for column in columns)
            stays = pipe.send(src, dst, 1)
            assert stays == (in_place and size > 0)
            if stays and draws.random() < 0.5:
                pipe.flush()
                src[:], dst[:] = 1001, 1002
            elif not stays:
                src[:], dst[:] = 1001, 1002
        pipe.flush()
        device.current.synchronize()
        for side in (0, 1):
            ids = np.concatenate([chunk[side] for chunk in arrived] or [[]])
            assert ids.tolist() == np.concatenate([batch[side] for batch in sent]).tolist()
        assert all(len(src) <= 8 for src, _ in arrived)


@pytest.mark.parametrize("eager", EAGER)
def test_arrays_go_there_and_back(device_of, eager, monkeypatch):
    for seed in SEEDS:
        _, module = device_of("staging", seed, eager)
        monkeypatch.setattr(module, "STAGING", 64)
        monkeypatch.setattr(module, "DOWNLOAD_FROM", 100)
        for kind in ("u4", "i4", "i8", "u8", "f8"):
            values = (np.random.default_rng(seed).integers(0, 1000, 77) - 500).astype(kind)
            there = module.upload(values)
            assert np.array_equal(there.get(), values) and there.dtype == values.dtype
            assert np.array_equal(module.download(there), values)
            assert np.array_equal(module.download(there[:5]), values[:5])
            assert np.array_equal(module.download(there[::2]), values[::2])


def test_what_does_not_fit_becomes_the_largest_number(device_of):
    _, module = device_of("staging", 0, 0)
    narrow = module.upload(np.array([-1, 7, 2**40]), np.uint32)
    assert narrow.get().tolist() == [2**32 - 1, 7, 2**32 - 1]


# Moments of a device's stream through a driver: here one that writes down what it is asked for.

VOID = ctypes.c_void_p


class Driver:
    """Events have numbers from 1, and each comes 250 ms after the one before it."""

    def __init__(self, failing=()):
        self.calls = []
        self.failing = failing
        self.events = 0
        functions = (
            (self.create, ctypes.POINTER(VOID), ctypes.c_uint),
            (self.record, VOID, VOID),
            (self.wait, VOID),
            (self.elapsed, ctypes.POINTER(ctypes.c_float), VOID, VOID),
            (self.destroy, VOID),
        )
        self.kept = [ctypes.CFUNCTYPE(ctypes.c_int, *types)(one) for one, *types in functions]
        self.entries = [ctypes.cast(one, VOID).value for one in self.kept]

    def called(self, name, *what):
        self.calls.append((name, *what))
        return 9 if name in self.failing else 0

    def create(self, event, flags):
        self.events += 1
        event[0] = self.events
        return self.called("create", flags)

    def record(self, event, stream):
        return self.called("record", event, stream)

    def wait(self, event):
        return self.called("wait", event)

    def elapsed(self, milliseconds, begin, end):
        milliseconds[0] = 250.0 * (end - begin)
        return self.called("elapsed", begin, end)

    def destroy(self, event):
        return self.called("destroy", event)


def test_seconds_between_two_moments():
    driver = Driver()
    clock = _native.EventRecorder(driver.entries)
    begin, end = clock.record(42), clock.record(43)
    made = [("create", 0), ("record", 1, 42), ("create", 0), ("record", 2, 43)]
    assert driver.calls == made
    assert end.seconds_since(begin) == 0.25
    assert driver.calls[4:] == [("wait", 2), ("elapsed", 1, 2)]


def test_moments_are_given_back():
    driver = Driver()
    clock = _native.EventRecorder(driver.entries)
    moment = clock.record(42)
    del clock, moment
    assert driver.calls[-1] == ("destroy", 1)


@pytest.mark.parametrize("failing", ["create", "record", "wait", "elapsed"])
def test_failures_are_reported(failing):
    driver = Driver(failing=(failing,))
    clock = _native.EventRecorder(driver.entries)
    kept = []  # what is given back on the way of an error would be told of at a bad time
    with pytest.raises(RuntimeError, match="error 9 for an event"):
        kept.extend(clock.record(1) for _ in range(2))
        kept[0].seconds_since(kept[1])
    kept.clear()
    events = {"create": 0, "record": 1}.get(failing, 2)
    assert sum(name == "destroy" for name, *_ in driver.calls) == events


def test_no_driver():
    for entries in ([], [1] * 4, [0, 1, 1, 1, 1]):
        with pytest.raises(ValueError, match="no driver"):
            _native.EventRecorder(entries)
