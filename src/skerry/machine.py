"""What this machine has: processor, memory, packages. Nothing here raises.

Memory is what this process may use: in a container, the limit of its control group counts.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path

ARM_PARTS = {
    "0xd0c": "Neoverse-N1",
    "0xd40": "Neoverse-V1",
    "0xd49": "Neoverse-N2",
    "0xd4f": "Neoverse-V2",
}
"""What the servers of clouds have."""


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


def processor(cpuinfo: str = "/proc/cpuinfo") -> str:
    """The name of the processor. Linux has only numbers of Arm's."""
    try:
        lines = Path(cpuinfo).read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    fields = {key.strip(): value.strip() for key, _, value in (x.partition(":") for x in lines)}
    by_arm = fields.get("CPU implementer") == "0x41" and ARM_PARTS.get(fields.get("CPU part", ""))
    return fields.get("model name") or by_arm or platform.processor() or platform.machine()


def package_version(name: str) -> str | None:
    """The version of an installed package; None without it. The package is not imported."""
    from importlib.metadata import PackageNotFoundError, version  # 10 ms: few calls need it

    try:
        return version(name)
    except PackageNotFoundError:
        return None
