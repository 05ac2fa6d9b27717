"""The cores and the memory that the control groups of this process allow: containers, batch jobs.

Both versions of control groups on Linux: a group of version 2 has ``cpu.max`` ("150000 100000":
so many microseconds in every so many) and ``memory.max``, one of version 1 ``cpu.cfs_quota_us``,
``cpu.cfs_period_us`` and ``memory.limit_in_bytes``. A limit holds for all groups below, so the
lowest on the way from the root counts. Nothing here raises: what cannot be read sets no limit.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

FILES_OF_MEMORY = (
    ("memory.max", "memory.current", "inactive_file"),
    ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)
"""Of both versions: the limit, what is used, and the part of it that the system gives up first."""
UNLIMITED = 1 << 60
"""Version 1 has a huge limit where there is none."""


class GroupMemory(NamedTuple):
    """Bytes that a group may use, and those that are left of them."""

    limit: int
    free: int


def quota_cores(root: str = "/") -> int | None:
    """Cores that the quota amounts to, rounded up; None without a quota.

    Parameters
    ----------
    root
        Where ``proc`` and ``sys`` are.
    """
    limits = [
        max(1, -(-quota // period))
        for folder in _folders(root, "cpu")
        for quota, period in (_version_2(folder), _version_1(folder))
        if quota > 0 and period > 0
    ]
    return min(limits, default=None)


def memory_limits(root: str = "/") -> list[GroupMemory]:
    """The groups of this process that limit its memory.

    Parameters
    ----------
    root
        Where ``proc`` and ``sys`` are.
    """
    limits = []
    for folder in _folders(root, "memory"):
        for limit, used, cache in FILES_OF_MEMORY:
            (size,) = _numbers(_read(f"{folder}/{limit}"), 1)
            if not 0 < size < UNLIMITED:
                continue
            stat = dict(line.split(" ", 1) for line in _lines_of_two(f"{folder}/memory.stat"))
            (held,), (files,) = (
                _numbers(text, 1) for text in (_read(f"{folder}/{used}"), stat.get(cache, ""))
            )
            limits.append(GroupMemory(size, max(size - max(held - files, 0), 0)))
    return limits


def _lines_of_two(path: str) -> list[str]:
    return [line for line in _read(path).splitlines() if line.count(" ") == 1]


def _folders(root: str, controller: str) -> Iterator[str]:
    """The folders of the process' own groups and all above them."""
    groups = os.path.join(root, "sys/fs/cgroup")  # noqa: PTH118 (pathlib is slow to load)
    for line in _read(os.path.join(root, "proc/self/cgroup")).splitlines():  # noqa: PTH118
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if not controllers:
            mounts = [groups, f"{groups}/unified"]
        elif controller in controllers.split(","):
            mounts = [f"{groups}/{controllers}", f"{groups}/{controller}"]
        else:
            continue
        # Inside a container the path may be the host's, of which only the end is to be seen.
        names = [name for name in path.split("/") if name not in ("", "..")]
        for mount in dict.fromkeys(mounts):
            yield from ("/".join((mount, *names[:depth])) for depth in range(len(names) + 1))


def _version_2(folder: str) -> tuple[int, ...]:
    return _numbers(_read(f"{folder}/cpu.max"))


def _version_1(folder: str) -> tuple[int, ...]:
    quota, period = _read(f"{folder}/cpu.cfs_quota_us"), _read(f"{folder}/cpu.cfs_period_us")
    return _numbers(f"{quota} {period}")


def _numbers(text: str, count: int = 2) -> tuple[int, ...]:
    """So many numbers; zeros for anything else, such as "max 100000"."""
    try:
        numbers = tuple(map(int, text.split()))
    except ValueError:
        numbers = ()
    return numbers if len(numbers) == count else (0,) * count


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return ""
