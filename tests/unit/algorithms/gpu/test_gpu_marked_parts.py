"""Marks that do not fit the cache, on an emulated device."""

from __future__ import annotations

import numpy as np
import pytest

from skerry.algorithms.gpu.stream import MOST_PARTS, parts_of_marks
from skerry.union_find.device_forest import DeviceForest
from support.emulated import emulated_gpu
from support.emulator import EmulatedRuntime, works
from support.marked_parts import LAYOUTS, VERTICES, check_parts, edges_with_a_giant, small_parts
from support.oracle import scipy_labels


def test_parts_cover_all_vertices():
    for n in (0, 1, 1 << 27, (1 << 27) + 1, 1 << 29, 1 << 62):
        bounds = [*parts_of_marks(n), n]
        assert bounds[0] == 0 and bounds == sorted(bounds)
        assert 2 <= len(bounds) <= MOST_PARTS + 1
    assert len(parts_of_marks(1 << 29)) == 4


@pytest.mark.skipif(not works(), reason="needs a C++ compiler")
@pytest.mark.parametrize("share", [2, 40])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_edges(layout, share):
    with emulated_gpu(EmulatedRuntime(1), on_device=True):
        check_parts(layout, share)


@pytest.mark.skipif(not works(), reason="needs a C++ compiler")
def test_batches():
    edges = edges_with_a_giant(7)
    with small_parts():
        forest = DeviceForest(EmulatedRuntime(2), VERTICES)
        for batch in np.array_split(edges, 5):
            forest.join(*batch.T.astype(np.uint32).copy())
        labels = forest.labels()
    np.testing.assert_array_equal(labels, scipy_labels(VERTICES, *edges.T))
