"""Wheels and object files for other systems, compiled by Zig's C++ compiler from PyPI.

Its headers and stubs of every glibc make a wheel for an old one on a new system, and for another
processor or musl. For macOS and Windows the kernels are compiled without bindings: that needs no
Python of that system, and shows what is taken for granted of POSIX or GNU.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
KERNELS = ROOT / "src/skerry/kernels"


class Target(NamedTuple):
    """A system for which a wheel is compiled."""

    triple: str
    tag: str
    host: str
    """What `sysconfig.get_platform()` says there."""
    flags: tuple[str, ...] = ()


TARGETS = {
    "x86_64": Target(
        "x86_64-linux-gnu.2.28", "manylinux_2_28_x86_64", "linux-x86_64", ("-mcpu=x86_64_v2",)
    ),
    "aarch64": Target("aarch64-linux-gnu.2.28", "manylinux_2_28_aarch64", "linux-aarch64"),
    "musl": Target(
        "x86_64-linux-musl", "musllinux_1_2_x86_64", "linux-x86_64", ("-mcpu=x86_64_v2",)
    ),
}
OBJECTS_ONLY = ("aarch64-macos.11.0", "x86_64-macos.11.0", "x86_64-windows-gnu")


def zig(*arguments: str) -> list[str]:
    """A command of Zig, of this environment."""
    return [sys.executable, "-m", "ziglang", *arguments]


def write_tools(target: Target, folder: Path) -> dict[str, Path]:
    """Scripts that CMake takes for a compiler, an archiver and so on."""
    commands = {
        "cc": zig("cc", "-target", target.triple, *target.flags),
        "c++": zig("c++", "-target", target.triple, *target.flags),
        "ar": zig("ar"),
        "ranlib": zig("ranlib"),
        "strip": ["true"],  # the linker does it; the system's knows its own processor only
    }
    folder.mkdir(parents=True, exist_ok=True)
    scripts = {}
    for name, command in commands.items():
        scripts[name] = folder / name
        scripts[name].write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
        scripts[name].chmod(0o755)
    return scripts


def build_wheel(target: Target, python: Path, source: Path, folder: Path) -> Path:
    """The wheel of `source` for an interpreter that has the group `build`; not yet repaired."""
    tools = write_tools(target, folder / "tools")
    definitions = {
        "CMAKE_AR": tools["ar"],
        "CMAKE_RANLIB": tools["ranlib"],
        "CMAKE_STRIP": tools["strip"],
        "CMAKE_MODULE_LINKER_FLAGS": "-s",
    }
    options = [f"cmake.define.{name}={value}" for name, value in definitions.items()]
    options.append(f"build-dir={folder / 'build'}")
    environment = os.environ | {
        "CC": str(tools["cc"]),
        "CXX": str(tools["c++"]),
        "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
        "_PYTHON_HOST_PLATFORM": target.host,
    }
    command = [str(python), "-m", "pip", "wheel", str(source), "--no-deps", "--no-build-isolation"]
    command += ["--wheel-dir", str(folder / "wheel")]
    command += [word for option in options for word in ("-C", option)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{target.triple}: {done.stdout[-4000:]}{done.stderr[-4000:]}")
    return next((folder / "wheel").glob("skerry-*.whl"))


def compile_kernels(triple: str, folder: Path) -> list[str]:
    """Compiles all kernels without bindings; returns what the compiler said, by file."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = [path for path in sorted(KERNELS.rglob("cpu/**/*.cpp")) if path.parent.name != "bind"]

    def compile_one(source: Path) -> str:
        output = folder / f"{source.stem}.o"
        command = zig("c++", "-target", triple, "-std=c++20", "-O1", "-Wall", "-Wextra")
        command += [f"-I{KERNELS}", "-c", str(source), "-o", str(output)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return f"{source.relative_to(ROOT)}: {done.stderr}" if done.returncode else ""

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [said for said in pool.map(compile_one, sources) if said]
