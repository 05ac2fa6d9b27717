"""How many cores' time the control groups of this process allow: `docker --cpus`, Kubernetes.

Both versions of control groups on Linux: a group of version 2 has ``cpu.max`` ("150000 100000":
so many microseconds in every so many), one of version 1 ``cpu.cfs_quota_us`` and
``cpu.cfs_period_us``. A limit holds for all groups below, so the lowest on the way from the root
counts. Nothing here raises: what cannot be read sets no limit.
"""

from __future__ import annotations

import os
from collections.abc import Iterator


def quota_cores(root: str = "/") -> int | None:
    """Cores that the quota amounts to, rounded up; None without a quota.

    Parameters
    ----------
    root
        Where ``proc`` and ``sys`` are.
    """
    limits = [
        max(1, -(-quota // period))
        for folder in _folders(root)
        for quota, period in (_version_2(folder), _version_1(folder))
        if quota > 0 and period > 0
    ]
    return min(limits, default=None)


def _folders(root: str) -> Iterator[str]:
    """The folders of the process' own groups and all above them."""
    groups = os.path.join(root, "sys/fs/cgroup")  # noqa: PTH118 (pathlib is slow to load)
    for line in _read(os.path.join(root, "proc/self/cgroup")).splitlines():  # noqa: PTH118
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if not controllers:
            mounts = [groups, f"{groups}/unified"]
        elif "cpu" in controllers.split(","):
            mounts = [f"{groups}/{controllers}", f"{groups}/cpu"]
        else:
            continue
        # Inside a container the path may be the host's, of which only the end is to be seen.
        names = [name for name in path.split("/") if name not in ("", "..")]
        for mount in dict.fromkeys(mounts):
            yield from ("/".join((mount, *names[:depth])) for depth in range(len(names) + 1))


def _version_2(folder: str) -> tuple[int, int]:
    return _numbers(_read(f"{folder}/cpu.max"))


def _version_1(folder: str) -> tuple[int, int]:
    quota, period = _read(f"{folder}/cpu.cfs_quota_us"), _read(f"{folder}/cpu.cfs_period_us")
    return _numbers(f"{quota} {period}")


def _numbers(text: str) -> tuple[int, int]:
    """Two numbers; zeros for anything else, such as "max 100000"."""
    try:
        quota, period = map(int, text.split())
    except ValueError:
        return 0, 0
    return quota, period


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return ""
