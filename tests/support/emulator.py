"""A runtime that runs the CUDA kernels on the CPU: the same sources, by the host's compiler.

Each source is compiled once for each set of widths and options, on first use, and kept in the
temporary folder under a name made from its text.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from skerry.cuda.source import kernel_names, source_text
from support.paths import TESTS

NATIVE = TESTS / "native"
HEADER = NATIVE / "cuda_on_cpu.h"
FIBERS = NATIVE / "emulator/fibers.cpp"
CACHE = (
    Path(tempfile.gettempdir()) / f"skerry-emulated-{os.getuid() if hasattr(os, 'getuid') else 0}"
)
FLAGS = ("-std=c++20", "-O1", "-w", "-shared", "-fPIC", "-pthread", f"-I{HEADER.parent}")
WORKERS = 2


def compiler():
    """The C++ compiler to use, or None."""
    return os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")


def works():
    """Whether this machine can run the emulation."""
    return sys.platform != "win32" and compiler() is not None


def build(name, text, flags):
    """Compiles a text into a library, unless that was done before; its path."""
    if not works():
        pytest.skip("needs a C++ compiler")
    command = [compiler(), *FLAGS, *flags]
    known = [*command, HEADER.read_text(), text]
    key = hashlib.sha256("\0".join(known).encode()).hexdigest()[:24]
    built = CACHE / f"{name}-{key}.so"
    if not built.exists():
        CACHE.mkdir(exist_ok=True)
        with _alone(built.with_suffix(".lock")):
            if not built.exists():
                _compile(name, command, text, built)
    return built


def _compile(name, command, text, built):
    path = built.with_suffix(f".{os.getpid()}.cpp")
    path.write_text(text)
    made = path.with_suffix(".so")
    done = subprocess.run(
        [*command, str(path), "-o", str(made)], capture_output=True, text=True, check=False
    )
    path.unlink()
    if done.returncode:
        raise RuntimeError(f"{name} {command}:\n{done.stderr[:6000]}")
    made.replace(built)


@contextmanager
def _alone(file):
    """Keeps other processes from compiling the same meanwhile: tests run in several."""
    import fcntl  # not on Windows, where nothing is emulated

    with file.open("wb") as lock:
        # Not lockf: several threads of a process compile, and it takes them for one, so that two
        # processes that wait for each other's threads are refused as a deadlock.
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build_kernels(source, defines, edit=None):
    """Compiles the kernels of a source, or what ``edit`` makes of its text."""
    text = source_text(source) if edit is None else edit(source_text(source))
    entries = "".join(map(_entry, kernel_names(source)))
    # Hidden, or the shared memory of one library would be taken for that of another.
    flags = ("-fvisibility=hidden", *(f"-D{define}" for define in defines))
    return build(source, f'#include "{HEADER.name}"\n{text}{entries}', flags)


def _entry(name):
    return (
        'extern "C" __attribute__((visibility("default"))) void\n'
        f"emulate_{name}(const emulated::Word* arguments) {{\n"
        f"  emulated::call(skerry::{name}, arguments);\n}}\n"
    )


@cache
def fibers():
    """The function that launches kernels."""
    built = build("fibers", FIBERS.read_text(), ("-U_FORTIFY_SOURCE",))
    launch = ctypes.CDLL(str(built), mode=ctypes.RTLD_GLOBAL).emulated_launch
    launch.argtypes = (
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_uint,
        ctypes.c_uint,
        ctypes.c_uint64,
        ctypes.c_uint,
    )
    return launch


@cache
def library(source, defines, edit=None):
    """The compiled kernels of a source."""
    fibers()  # which the kernels call
    return ctypes.CDLL(str(build_kernels(source, defines, edit)))


def _word(argument):
    if isinstance(argument, np.ndarray):
        return argument.ctypes.data
    return int(argument)


def _spoilt(array):
    """Memory that no kernel wrote must not look like an answer."""
    array.view(np.uint8)[:] = 0xA5
    return array


class EmulatedSlot:
    """Memory for edges on both sides; what must not be read any more is spoilt at once."""

    def __init__(self, runtime, capacity, dtype):
        self.host = tuple(_spoilt(np.empty(capacity, dtype)) for _ in range(2))
        self._ids = runtime.empty(2 * capacity, dtype)
        self._pinned = runtime.pinned
        self._waited = True

    def reads(self, array):
        return array.itemsize == self._ids.itemsize and any(array is one for one in self._pinned)

    def wait(self):
        self._waited = True

    def send(self, count):
        assert self._waited, "filled while it was copied"
        self._waited = False
        ends = self.send_from(*(column[:count] for column in self.host))
        for column in self.host:
            _spoilt(column)
        return ends

    def send_from(self, src, dst):
        half = len(self._ids) // 2
        ends = self._ids[: len(src)], self._ids[half : half + len(dst)]
        for copy, column in zip(ends, (src, dst), strict=True):
            copy[:] = column.view(copy.dtype)
        return ends

    def used(self):
        _spoilt(self._ids)


class EmulatedLane:
    """A stream of its own, whose work is done when that of no other is."""

    def __init__(self, alone):
        self._alone = alone
        self.closed = False

    @contextmanager
    def active(self):
        assert not self.closed
        with self._alone:
            yield

    def close(self):
        self.closed = True


class EmulatedRuntime:
    """The runtime's protocol on host memory."""

    name = "cuda"
    processors = 1
    executes = True
    xp = np

    def __init__(self, seed=0, max_blocks=6, edit=None):
        self.seed = seed
        self.max_blocks = max_blocks  # few, so that the grid-stride loops of kernels iterate
        self.edit = edit  # a change of the text of every kernel before it is compiled
        self.launched = []
        self.alone = threading.RLock()  # fibers run the kernels of one thread at a time
        self.pinned = ()  # arrays of the host that a device can read where they are

    def active(self):
        return nullcontext()

    def empty(self, count, dtype):
        return _spoilt(np.empty(count, dtype))

    def zeros(self, count, dtype):
        return np.zeros(count, dtype)

    def labels_and_state(self, count, dtype, words, clear):
        state = self.zeros(words, np.uint64)
        return self.empty(count, dtype), state if clear else _spoilt(state)

    def scratch(self, size):
        memory = self.empty(size, np.uint8)
        return memory, self.address(memory)

    def upload(self, array, dtype=None):
        return np.array(array, dtype)

    def edge_slots(self, count, capacity, dtype):
        return [EmulatedSlot(self, capacity, dtype) for _ in range(count)]

    def address(self, array):
        return array.ctypes.data

    def read(self, array, out=None):
        if out is None:
            return np.array(array)
        out[:] = array
        return out

    def lane(self):
        return EmulatedLane(self.alone)

    def kernel(self, source, name, defines):
        entry = getattr(library(source, defines, self.edit), f"emulate_{name}")
        kernel = ctypes.cast(entry, ctypes.c_void_p)

        def launch(grid, block, arguments):
            words = (ctypes.c_uint64 * max(len(arguments), 1))(*map(_word, arguments))
            self.seed += 1
            self.launched.append(name)
            fibers()(kernel, words, grid[0], block[0], self.seed, WORKERS)

        return launch

    def launch_recorded(self, recorded, defines, values):
        begin = self.record_event()
        for launch in recorded.launches:
            kernel = self.kernel(recorded.source, launch.kernel, defines)
            kernel((values[launch.grid],), (launch.block,), launch.arguments(values))
        return begin, self.record_event()

    def record_event(self):
        return time.perf_counter()

    def wait_for(self, event):
        pass

    def copy_after(self, event, array):
        del event
        return array.copy()

    def seconds(self, begin, end):
        return end - begin

    def available(self):
        return 1 << 40
