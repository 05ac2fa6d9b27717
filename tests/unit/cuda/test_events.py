"""Moments of a device's stream through a driver: here one that writes down what it is asked for."""

from __future__ import annotations

import ctypes

import pytest

from skerry import _native

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
