"""The machine, the versions and the commit that a run is measured with."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import skerry
from skerry.machine import memory_total, processor
from skerry_bench.results import Gpu, Machine

LIBRARIES = ("numpy", "pyarrow", "scipy", "cupy")
"""Libraries whose version may matter; a peer records its own."""


def this_machine(gpu: Gpu | None = None) -> Machine:
    """This machine, with the GPU that is measured. Memory is a container's limit if it has one."""
    return Machine(processor(), _cores(), memory_total(), _system(), gpu)


def versions() -> dict[str, str]:
    """Versions of skerry, Python and the libraries that are installed."""
    by_name = {"skerry": skerry.__version__, "python": platform.python_version()}
    for name in LIBRARIES:
        try:
            by_name[name] = (
                str(sys.modules[name].__version__) if name in sys.modules else version(name)
            )
        except (PackageNotFoundError, AttributeError):
            continue
    return by_name


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _system() -> str:
    return f"{platform.system()} {platform.machine()}, {' '.join(platform.libc_ver())}"


def this_commit() -> str:
    """The commit of the working tree that holds this file, or ``"unknown"``."""
    try:
        subprocess.run(
            ["git", "ls-files", "--error-unmatch", Path(__file__).name],
            cwd=Path(__file__).parent,
            capture_output=True,
            check=True,
        )
        return subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
