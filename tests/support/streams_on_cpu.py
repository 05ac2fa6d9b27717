"""CUDA's streams, events and copies on a CPU: the part of CuPy that copies of edges go through.

What is put into a stream runs as late as events allow, or earlier where chance has it so. Code that
fills memory which is still to be copied, or reads what is not there yet, gives wrong results.
"""

from __future__ import annotations

import ctypes
import random
from types import ModuleType, SimpleNamespace

import numpy as np


class Event:
    def __init__(self, device, **_options):
        self.device = device
        self.mark = None  # a stream, and how much of it must have run

    def record(self, stream=None):
        stream = stream or self.device.current
        self.mark = stream, len(stream.work)

    def synchronize(self):
        if self.mark is not None:
            self.mark[0].run(self.mark[1])


class Stream:
    def __init__(self, device, **_options):
        self.device = device
        self.ptr = len(device.streams)
        self.work = []
        self.done = 0
        device.streams.append(self)

    def put(self, work):
        self.work.append(work)
        if self.device.chance.random() < self.device.eager:
            stream = self.device.chance.choice(self.device.streams)
            stream.run(self.device.chance.randint(stream.done, len(stream.work)))

    def run(self, count):
        while self.done < count:
            self.work[self.done]()
            self.done += 1

    def record(self, event=None):
        event = event or Event(self.device)
        event.record(self)
        return event

    def wait_event(self, event):
        mark = event.mark  # as it is now: it may be recorded again
        if mark is not None:
            self.put(lambda: mark[0].run(mark[1]))

    def synchronize(self):
        self.run(len(self.work))


class Array(np.ndarray):
    """An array of the device: a NumPy array whose memory has an address for copies."""

    device = None

    @property
    def data(self):
        return SimpleNamespace(ptr=self.__array_interface__["data"][0])

    def set(self, values, stream=None):
        address, size = values.__array_interface__["data"][0], values.nbytes
        Array.device.copy(self.data.ptr, address, size, 1, stream.ptr)

    def get(self, out=None):
        for stream in Array.device.streams:
            stream.synchronize()
        if out is None:
            return np.array(self)
        out[:] = self
        return out


class Device:
    """A device whose streams are run by chance; ``eager``: how often something runs at once."""

    def __init__(self, seed, eager):
        self.chance = random.Random(seed)
        self.eager = eager
        self.streams = []
        self.current = Stream(self)
        self.kept = []  # page-locked memory
        Array.device = self

    def copy(self, target, source, size, _kind, stream):
        self.streams[stream].put(lambda: ctypes.memmove(target, source, size))

    def lock(self, size):
        memory = np.full(size, 0xA5, np.uint8)
        self.kept.append(memory)
        return memory

    def attributes(self, address):
        locked = any(0 <= address - memory.ctypes.data < memory.nbytes for memory in self.kept)
        return SimpleNamespace(type=int(locked))

    def module(self):
        """What takes CuPy's place."""
        runtime = SimpleNamespace(memcpyAsync=self.copy, pointerGetAttributes=self.attributes)
        cupy = ModuleType("cupy")
        cupy.empty = lambda shape, dtype: np.empty(shape, dtype).view(Array)
        cupy.cuda = SimpleNamespace(
            runtime=runtime,
            Event=lambda **options: Event(self, **options),
            Stream=lambda **options: Stream(self, **options),
            get_current_stream=lambda: self.current,
            alloc_pinned_memory=self.lock,
        )
        return cupy
