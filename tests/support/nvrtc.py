"""NVIDIA's run-time compiler as a plain library: it needs neither a GPU, nor a driver, nor CuPy."""

from __future__ import annotations

import ctypes
import importlib.util
from functools import cache
from pathlib import Path


def find(release):
    """The library of a release (12, 13) in its wheel, or None."""
    found = importlib.util.find_spec("nvidia")
    folders = list(found.submodule_search_locations or ()) if found else []
    paths = [path for one in folders for path in Path(one).glob(f"*/lib/libnvrtc.so.{release}")]
    return paths[0] if paths else None


class Nvrtc:
    """One release of the compiler."""

    def __init__(self, path):
        for builtins in path.parent.glob("libnvrtc-builtins.so*"):
            ctypes.CDLL(str(builtins))  # which some releases do not find beside themselves
        self.nvrtc = ctypes.CDLL(str(path))

    def architectures(self):
        """The numbers of all that it compiles for, as in ``sm_90``."""
        count = ctypes.c_int()
        self._call("nvrtcGetNumSupportedArchs", ctypes.byref(count))
        numbers = (ctypes.c_int * count.value)()
        self._call("nvrtcGetSupportedArchs", numbers)
        return list(numbers)

    def compile(self, name, text, options):
        """The machine code, or None, and what the compiler has to say."""
        program = ctypes.c_void_p()
        created = (text.encode(), f"{name}.cu".encode(), 0, None, None)
        self._call("nvrtcCreateProgram", ctypes.byref(program), *created)
        try:
            words = (ctypes.c_char_p * len(options))(*(one.encode() for one in options))
            failed = self.nvrtc.nvrtcCompileProgram(program, len(options), words)
            said = self._text(program, "ProgramLog").decode().strip("\0\n ")
            return None if failed else self._text(program, "CUBIN"), said
        finally:
            self._call("nvrtcDestroyProgram", ctypes.byref(program))

    def _text(self, program, what):
        size = ctypes.c_size_t()
        self._call(f"nvrtcGet{what}Size", program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        self._call(f"nvrtcGet{what}", program, text)
        return text.raw

    def _call(self, name, *arguments):
        code = getattr(self.nvrtc, name)(*arguments)
        assert code == 0, f"{name} gives {code}"


@cache
def load(release):
    """The compiler of a release, or None where its wheel is not installed."""
    path = find(release)
    return Nvrtc(path) if path else None
