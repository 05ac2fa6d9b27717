"""A runtime that runs the CUDA kernels on the CPU: the same sources, compiled by the host's compiler.

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
import time
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import numpy as np

from skerry.cuda.source import kernel_names, source_text

HEADER = Path(__file__).parent.parent / "native/cuda_on_cpu.h"
CACHE = Path(tempfile.gettempdir()) / f"skerry-emulated-{os.getuid() if hasattr(os, 'getuid') else 0}"
WORKERS = 2


def compiler():
    """The C++ compiler to use, or None."""
    return os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")


def _entry(name):
    return (
        f'extern "C" void emulate_{name}(const std::uint64_t* words, unsigned grid, unsigned block,'
        f" std::uint64_t seed, unsigned workers) {{\n"
        f"  emulated::launch_words(skerry::{name}, words, grid, block, seed, workers);\n}}\n"
    )


@cache
def library(source, defines):
    """The compiled kernels of a source."""
    text = HEADER.read_text() + source_text(source)
    text += "".join(map(_entry, kernel_names(source)))
    flags = [f"-D{one}" for one in defines]
    key = hashlib.sha256(" ".join([text, *flags]).encode()).hexdigest()[:24]
    built = CACHE / f"{source}-{key}.so"
    if not built.exists():
        CACHE.mkdir(exist_ok=True)
        path = built.with_suffix(f".{os.getpid()}.cpp")
        path.write_text(text)
        made = path.with_suffix(".so")
        command = [compiler(), "-std=c++20", "-O1", "-w", "-shared", "-fPIC", "-pthread", *flags]
        done = subprocess.run(
            [*command, str(path), "-o", str(made)], capture_output=True, text=True, check=False
        )
        path.unlink()
        assert done.returncode == 0, f"{source} {flags}:\n{done.stderr[:6000]}"
        made.replace(built)
    return ctypes.CDLL(str(built))


def _word(argument):
    if isinstance(argument, np.ndarray):
        return argument.ctypes.data
    return int(argument)


class EmulatedRuntime:
    """The runtime's protocol, with host memory for the device's."""

    name = "cuda"
    processors = 1
    xp = np

    def __init__(self, seed=0, most_blocks=6):
        self.seed = seed
        self.most_blocks = most_blocks  # few, so that the loops of kernels are run through
        self.launched = []

    def active(self):
        return nullcontext()

    def empty(self, count, dtype):
        made = np.empty(count, dtype)
        made.view(np.uint8)[:] = 0xA5  # what nobody wrote must not look like an answer
        return made

    def zeros(self, count, dtype):
        return np.zeros(count, dtype)

    def upload(self, array):
        return np.array(array)

    def read(self, array):
        return np.array(array)

    def kernel(self, source, name, defines):
        function = getattr(library(source, defines), f"emulate_{name}")

        def launch(grid, block, arguments):
            words = (ctypes.c_uint64 * max(len(arguments), 1))(*map(_word, arguments))
            self.seed += 1
            self.launched.append(name)
            seed = ctypes.c_uint64(self.seed)
            function(words, grid[0], block[0], seed, WORKERS)

        return launch

    def mark(self):
        return time.perf_counter()

    def seconds(self, begin, end):
        return end - begin

    def available(self):
        return 1 << 40


def works():
    """Whether this machine can run the emulation."""
    return sys.platform != "win32" and compiler() is not None
