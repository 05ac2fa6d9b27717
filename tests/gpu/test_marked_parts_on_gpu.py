"""Marks that do not fit the cache, on a GPU."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from support.marked_parts import LAYOUTS, VERTICES, check_parts, edges_with_a_giant, small_parts
from support.on_gpu import require_gpu
from support.oracle import scipy_labels

cp = require_gpu()


@pytest.mark.parametrize("share", [2, 40])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_edges(layout, share):
    check_parts(layout, share, cp.asarray)


def test_batches():
    edges = edges_with_a_giant(7)
    with small_parts():
        sets = skerry.UnionFind(VERTICES, device="cuda")
        for batch in np.array_split(edges, 5):
            sets.union(*cp.asarray(batch.T.astype(np.uint32)))
        labels = sets.labels.get()
    np.testing.assert_array_equal(labels, scipy_labels(VERTICES, *edges.T))
