"""CPU quotas of control groups count as cores, and their memory counts, in folders made up."""

from __future__ import annotations

import platform

import pytest

from skerry import threads
from skerry.control_groups import quota_cores
from skerry.machine import memory_free, memory_total, processor


def make_root(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return str(folder)


V1 = "sys/fs/cgroup/cpu,cpuacct"
CASES = {
    "none": ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n"}, None),
    "no-groups": ({}, None),
    "docker": ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "200000 100000\n"}, 2),
    "rounded-up": ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "150000 100000"}, 2),
    "below-a-core": ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "5000 100000"}, 1),
    "own-group": (
        {"proc/self/cgroup": "0::/kube/pod\n", "sys/fs/cgroup/kube/pod/cpu.max": "300000 100000"},
        3,
    ),
    "a-group-above": (
        {
            "proc/self/cgroup": "0::/kube/pod/box\n",
            "sys/fs/cgroup/kube/pod/box/cpu.max": "max 100000",
            "sys/fs/cgroup/kube/pod/cpu.max": "400000 100000",
            "sys/fs/cgroup/kube/cpu.max": "900000 100000",
        },
        4,
    ),
    "the-host's-path": (
        {"proc/self/cgroup": "0::/../../x\n", "sys/fs/cgroup/cpu.max": "100000 100000"},
        1,
    ),
    "version-1": (
        {
            "proc/self/cgroup": "5:memory:/a\n4:cpu,cpuacct:/docker/abc\n0::/\n",
            f"{V1}/cpu.cfs_quota_us": "250000\n",
            f"{V1}/cpu.cfs_period_us": "100000\n",
        },
        3,
    ),
    "version-1-linked": (
        {
            "proc/self/cgroup": "4:cpuacct,cpu:/abc\n",
            "sys/fs/cgroup/cpu/abc/cpu.cfs_quota_us": "100000",
            "sys/fs/cgroup/cpu/abc/cpu.cfs_period_us": "50000",
        },
        2,
    ),
    "version-1-none": (
        {
            "proc/self/cgroup": "4:cpu,cpuacct:/\n",
            f"{V1}/cpu.cfs_quota_us": "-1",
            f"{V1}/cpu.cfs_period_us": "100000",
        },
        None,
    ),
    "another-group's": (
        {"proc/self/cgroup": "0::/mine\n", "sys/fs/cgroup/other/cpu.max": "100000 100000"},
        None,
    ),
    "damaged": ({"proc/self/cgroup": "x\n0::/\n", "sys/fs/cgroup/cpu.max": "many of\n"}, None),
    "zero": ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "0 0\n"}, None),
}


@pytest.mark.parametrize("name", CASES)
def test_a_cpu_quota_counts_as_cores(name, tmp_path):
    files, cores = CASES[name]
    assert quota_cores(make_root(tmp_path, files)) == cores


@pytest.fixture
def machine(monkeypatch):
    """A machine of eight cores whose quota can be set."""
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.delenv("SKERRY_THREADS", raising=False)
    threads.setting.cache_clear()
    monkeypatch.setattr(threads._native, "allowed_processors", lambda: 8)
    yield lambda quota: monkeypatch.setattr(threads, "_quota", lambda: quota)
    threads.setting.cache_clear()


def test_calls_use_no_more_threads_than_the_quota_allows(machine, monkeypatch):
    for quota, expected in ((None, 8), (3, 3), (1, 1), (20, 8)):
        machine(quota)
        assert threads.available_cores() == threads.available_threads() == expected
        assert threads.resolve_threads(None) == expected
        assert threads.resolve_threads(5) == 5  # what a caller says goes first
    machine(4)
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    assert (threads.available_cores(), threads.available_threads()) == (4, 2)


def test_the_quota_is_read_once_and_the_affinity_every_time(monkeypatch):
    threads._quota.cache_clear()
    threads.available_cores()
    before = threads._quota.cache_info().misses
    bound = [1, 3]
    monkeypatch.setattr(threads._native, "allowed_processors", lambda: bound.pop())
    first, second = threads.available_cores(), threads.available_cores()
    assert first >= second == 1
    assert threads._quota.cache_info().misses == before


# Memory: (total, free) of a machine of 64 GiB, 40 of them free.

MEMINFO = {"proc/meminfo": f"MemTotal: {64 << 20} kB\nMemAvailable: {40 << 20} kB\n"}
STAT = f"anon 1\ninactive_file {1 << 30}\ntotal_inactive_file {2 << 30}\nnuma a b c\n"
LIMITED_TO_4 = {"memory.max": f"{4 << 30}\n", "memory.current": f"{3 << 30}\n"}


def in_group(folder, files):
    return {f"sys/fs/cgroup{folder}/{name}": text for name, text in files.items()}


MEMORY = {
    "none": ({"proc/self/cgroup": "0::/\n", **in_group("", {"memory.max": "max\n"})}, 64, 40),
    "no-groups": ({}, 64, 40),
    "docker": ({"proc/self/cgroup": "0::/\n", **in_group("", LIMITED_TO_4)}, 4, 1),
    "cached-files": (
        {"proc/self/cgroup": "0::/\n", **in_group("", LIMITED_TO_4 | {"memory.stat": STAT})},
        4,
        2,
    ),
    "own-group": ({"proc/self/cgroup": "0::/a/b\n", **in_group("/a/b", LIMITED_TO_4)}, 4, 1),
    "a-group-above": ({"proc/self/cgroup": "0::/a/b\n", **in_group("/a", LIMITED_TO_4)}, 4, 1),
    "all-used": (
        {
            "proc/self/cgroup": "0::/\n",
            **in_group("", LIMITED_TO_4 | {"memory.current": f"{4 << 30}"}),
        },
        4,
        0,
    ),
    "version-1": (
        {
            "proc/self/cgroup": "9:memory:/docker/x\n4:cpu:/\n",
            **in_group(
                "/memory/docker/x",
                {
                    "memory.limit_in_bytes": f"{8 << 30}",
                    "memory.usage_in_bytes": f"{7 << 30}",
                    "memory.stat": STAT,
                },
            ),
        },
        8,
        3,
    ),
    "version-1-none": (
        {
            "proc/self/cgroup": "9:memory:/\n",
            **in_group("/memory", {"memory.limit_in_bytes": "9223372036854771712"}),
        },
        64,
        40,
    ),
    "above-the-machine": (
        {"proc/self/cgroup": "0::/\n", **in_group("", {"memory.max": f"{1 << 40}"})},
        64,
        40,
    ),
}


@pytest.mark.parametrize("name", MEMORY)
def test_memory_is_what_the_groups_allow(name, tmp_path):
    files, total, free = MEMORY[name]
    root = make_root(tmp_path, MEMINFO | files)
    assert (memory_total(root) >> 30, memory_free(root) >> 30) == (total, free)


# What the machine is called.

ARM = "processor\t: 0\nCPU implementer\t: {0}\nCPU part\t: {1}\n\nprocessor\t: 1\n"


def test_a_processor_has_the_name_that_linux_gives(tmp_path):
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nmodel name\t: Xeon: 8 cores\n")
    assert processor(str(tmp_path / "cpuinfo")) == "Xeon: 8 cores"


def test_a_processor_of_arm_is_named_by_its_number(tmp_path):
    (tmp_path / "cpuinfo").write_text(ARM.format("0x41", "0xd0c"))
    assert processor(str(tmp_path / "cpuinfo")) == "Neoverse-N1"


def test_an_unknown_processor_has_the_name_of_its_kind(tmp_path):
    other = platform.processor() or platform.machine()
    for numbers in (("0x41", "0x123"), ("0x61", "0xd0c")):
        (tmp_path / "cpuinfo").write_text(ARM.format(*numbers))
        assert processor(str(tmp_path / "cpuinfo")) == other
    assert processor(str(tmp_path / "nothing")) == other
