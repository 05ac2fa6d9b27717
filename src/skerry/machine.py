"""What this machine has: processor, memory, packages. Nothing here raises.

Memory is what this process may use: in a container, the limits of its control groups count.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path

from skerry.control_groups import memory_limits

ARM_PARTS = {
    "0xd0c": "Neoverse-N1",
    "0xd40": "Neoverse-V1",
    "0xd49": "Neoverse-N2",
    "0xd4f": "Neoverse-V2",
}
"""What the servers of clouds have."""


def memory_total(root: str = "/") -> int:
    """Bytes of memory, or what a container may use of it; 0 if unknown."""
    return min((*_meminfo("MemTotal", root), *(g.limit for g in memory_limits(root))), default=0)


def memory_free(root: str = "/") -> int:
    """Bytes that can be allocated now; 0 if there are none, or it is unknown."""
    return min((*_meminfo("MemAvailable", root), *(g.free for g in memory_limits(root))), default=0)


def _meminfo(name: str, root: str) -> tuple[int, ...]:
    try:
        lines = Path(root, "proc/meminfo").read_text("ascii").splitlines()
        line = next(line for line in lines if line.startswith(f"{name}:"))
        return (int(line.split()[1]) * 1024,)
    except (OSError, StopIteration, ValueError, IndexError):
        pass
    try:  # where there is no /proc
        pages = "SC_PHYS_PAGES" if name == "MemTotal" else "SC_AVPHYS_PAGES"
        return (os.sysconf("SC_PAGE_SIZE") * os.sysconf(pages),)
    except (AttributeError, ValueError, OSError):
        return ()


def numa_nodes(folder: str = "/sys/devices/system/node") -> dict[int, list[int]]:
    """The cores that this process may use, by the number of their NUMA node.

    Without cores if the system does not say: then there is node 0 only.
    """
    if not hasattr(os, "sched_getaffinity"):  # Linux only
        return {0: []}
    allowed = os.sched_getaffinity(0)
    nodes = {}
    for file in Path(folder).glob("node*/cpulist"):
        number = file.parent.name.removeprefix("node")
        cores = _listed(file.read_text("ascii")) & allowed
        if number.isdigit() and cores:  # nodes of memory only have no cores
            nodes[int(number)] = sorted(cores)
    return nodes or {0: sorted(allowed)}


def _listed(text: str) -> set[int]:
    """The numbers of a list such as ``0-3,8``."""
    cores: set[int] = set()
    for stretch in filter(None, text.strip().split(",")):
        first, _, last = stretch.partition("-")
        cores.update(range(int(first), int(last or first) + 1))
    return cores


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
