"""Vertices around 2^32 and edges around 2^31 and 2^32; where labels become 64 bits wide.

Edges of equal ids stand once in memory, whatever their number. Labels do not: the tests of 2^32
vertices need the memory that they say.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import skerry
from skerry.formats.memory import resident

GB = 1 << 30


def free_memory():
    """Bytes that could be used."""
    try:
        text = Path("/proc/meminfo").read_text()
    except OSError:
        return 0
    return 1024 * int(text.split("MemAvailable:")[1].split()[0])


@pytest.mark.slow
@pytest.mark.parametrize("edges", [2**31 - 1, 2**31, 2**32 - 1, 2**32 + 1])
@pytest.mark.parametrize("threads", [1, 2])
def test_edges_around_the_limits_of_32_bits(edges, threads):
    src, dst = (np.broadcast_to(np.uint32(v), edges) for v in (1, 3))
    result = skerry.connected_components((src, dst), num_vertices=5, threads=threads)
    assert result.labels.tolist() == [0, 1, 2, 1, 4]


@pytest.mark.parametrize("n", [1000, pytest.param(2**32 - 2, marks=pytest.mark.slow)])
def test_labels_of_32_bits(n):
    check(n, np.uint32)


@pytest.mark.slow
@pytest.mark.parametrize("n", [2**32, 2**32 + 1000])
def test_labels_of_64_bits(n):
    check(n, np.uint64)


def check(n, dtype):
    """A path between both ends of the numbers, and vertices that stand alone."""
    needed = n * np.dtype(dtype).itemsize + n // 4 + GB
    if free_memory() < needed + resident():
        pytest.skip(f"needs {needed // GB} GB of memory")
    ends = np.array([n - 1, n // 2, 5, n - 3]), np.array([n // 2, 7, n - 3, 5])
    result = skerry.connected_components(ends, num_vertices=n)
    labels = result.labels
    assert labels.dtype == dtype and len(labels) == n
    assert labels[[5, 7, n // 2, n - 3, n - 1]].tolist() == [5, 7, 7, 5, 7]
    assert labels[[0, 6, 8, n - 2]].tolist() == [0, 6, 8, n - 2]
    assert result.count == n - 3
