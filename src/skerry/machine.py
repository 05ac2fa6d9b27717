"""What this machine has: processor, memory, packages. Nothing here raises.

Memory is what this process may use: in a container, the limit of its control group counts.
"""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

__all__ = ["memory_free", "memory_total", "package_version", "processor"]


def memory_total() -> int:
    """Bytes of memory, or what a container may use of it; 0 if unknown."""
    return min(filter(None, (_meminfo("MemTotal"), _container_limit())), default=0)


def memory_free() -> int:
    """Bytes that can be allocated now; 0 if unknown."""
    limit, used = _container_limit(), _number("/sys/fs/cgroup/memory.current")
    unused = max(limit - used, 0) if limit and used else 0
    return min(filter(None, (_meminfo("MemAvailable"), unused)), default=0)


def _meminfo(name: str) -> int:
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        line = next(line for line in lines if line.startswith(f"{name}:"))
        return int(line.split()[1]) * 1024
    except (OSError, StopIteration, ValueError, IndexError):
        pass
    try:  # where there is no /proc
        pages = "SC_PHYS_PAGES" if name == "MemTotal" else "SC_AVPHYS_PAGES"
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf(pages)
    except (AttributeError, ValueError, OSError):
        return 0


def _container_limit() -> int:
    return _number("/sys/fs/cgroup/memory.max")


def _number(path: str) -> int:
    try:
        return int(Path(path).read_text("ascii"))
    except (OSError, ValueError):
        return 0


def processor() -> str:
    """The name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
        named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        named = []
    return named[0] if named else platform.processor() or platform.machine()


def package_version(name: str) -> str | None:
    """The version of an installed package; None without it. Nothing is imported."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None
