"""What a measurement was taken on."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

import skerry
from skerry_bench.memory import installed_bytes
from skerry_bench.results import Gpu, Machine

__all__ = ["describe", "this_commit", "this_machine", "versions"]

LIBRARIES = ("numpy", "pyarrow", "scipy", "cupy")
"""Those whose versions may matter; the peers tell their own."""


def describe() -> dict[str, str | int]:
    """Machine, versions, commit and time, for the record."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "processor": _processor(),
        "cores": _cores(),
        "system": _system(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "skerry": skerry.__version__,
        "commit": this_commit(),
    }


def this_machine(gpu: Gpu | None = None) -> Machine:
    """This one, with the GPU that is measured on."""
    return Machine(_processor(), _cores(), installed_bytes(), _system(), gpu)


def versions() -> dict[str, str]:
    """Of skerry, Python and what it stands on; only of what is installed."""
    found = {"skerry": skerry.__version__, "python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = (
                str(sys.modules[name].__version__) if name in sys.modules else version(name)
            )
        except (PackageNotFoundError, AttributeError):
            continue
    return found


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _system() -> str:
    return f"{platform.system()} {platform.machine()}, {' '.join(platform.libc_ver())}"


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def this_commit() -> str:
    """Of the working tree that this file belongs to, if it does."""
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
