"""The text of each kernel source with its includes expanded.

NVRTC then needs no include path, and the text alone determines the result: it is the key of the
cache of compiled kernels.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

KERNELS = Path(__file__).parent.parent / "kernels"

_INCLUDE = re.compile(r'^#include "([^"]+)"$', re.MULTILINE)
_KERNEL = re.compile(r'extern "C" __global__ void(?:\s+__launch_bounds__\([^)]*\))?\s+(\w+)\(')


@cache
def _paths() -> dict[str, str]:
    """Paths of all sources by name. Names are unique, whatever the folder."""
    paths = (KERNELS / "gpu").rglob("*.cu")
    return {path.stem: path.relative_to(KERNELS).as_posix() for path in paths}


@cache
def source_text(name: str) -> str:
    """The text of ``<name>.cu`` in ``kernels/gpu`` with all that it includes, each file once."""
    return _expanded(_paths()[name], set())


def _expanded(path: str, seen: set[str]) -> str:
    if path in seen:
        return ""
    seen.add(path)
    text = (KERNELS / path).read_text().replace("#pragma once\n", "")
    parts = []
    begin = 0
    for include in _INCLUDE.finditer(text):
        line = text.count("\n", 0, include.end()) + 2
        parts += [text[begin : include.start()], _expanded(include[1], seen)]
        parts.append(f'\n#line {line} "{path}"')
        begin = include.end()
    return f'#line 1 "{path}"\n' + "".join(parts) + text[begin:]


@cache
def kernel_names(name: str) -> tuple[str, ...]:
    """The kernels that a source defines."""
    return tuple(_KERNEL.findall(source_text(name)))


def compile_options(defines: tuple[str, ...]) -> tuple[str, ...]:
    """Options of NVRTC, except for the architecture: the C++ version and the macros."""
    return ("-std=c++17", *(f"-D{define}" for define in defines))


def kernel_sources() -> list[str]:
    """Names of all sources."""
    return sorted(_paths())
