"""Edge lists on a device whose table of marks is looked at in parts, in two stages."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import pytest

import skerry
from skerry.algorithms.gpu import stream
from support.oracle import scipy_labels

VERTICES = 700
LAYOUTS = ("columns", "unaligned", "rows", "wide")


@contextmanager
def small_parts(parts=3):
    """Tables of more than a few hundred marks count as larger than the cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "MARKED_AT_ONCE", -(-VERTICES // parts))
        patch.setattr(stream, "STAGED_FROM", 1)  # 8 edges for each vertex: in two stages
        stream._run.cache_clear()
        try:
            yield
        finally:
            stream._run.cache_clear()


def edges_with_a_giant(seed):
    """Half of the vertices in one component, small ones, and lone vertices: 6,000 edges or so."""
    rng = np.random.default_rng(seed)
    giant = rng.integers(0, VERTICES // 2, (6000, 2))
    small = VERTICES // 2 + rng.integers(0, 200, (60, 2))
    bridges = rng.integers(0, VERTICES - 50, (8, 2))
    return rng.permutation(np.vstack((giant, small, bridges)))


def as_laid_out(edges, layout, array=np.asarray):
    """Two columns of ids: side by side in memory, or not."""
    if layout == "rows":
        table = array(edges.astype(np.uint32))
        return table[:, 0], table[:, 1]
    if layout == "unaligned":
        edges = np.vstack((edges[:1], edges))
    kind = np.int64 if layout == "wide" else np.uint32
    columns = [array(np.ascontiguousarray(column).astype(kind)) for column in edges.T]
    return tuple(column[1:] for column in columns) if layout == "unaligned" else tuple(columns)


def check_parts(layout, share, array=np.asarray):
    """Labels are right, and ids out of range are found wherever they are."""
    with small_parts():
        for seed in range(3):
            edges = edges_with_a_giant(seed)
            options = {"algorithm": f"stream[share={share}]", "device": "cuda"}
            ends = as_laid_out(edges, layout, array)
            result = skerry.connected_components(ends, num_vertices=VERTICES, **options)
            labels = result.labels
            labels = labels.get() if hasattr(labels, "get") else labels
            np.testing.assert_array_equal(labels, scipy_labels(VERTICES, *edges.T))
        for position in (0, 2, 1023, len(edges) - 1):
            for side, name in enumerate(("src", "dst")):
                wrong = edges.copy()
                wrong[position, side] = VERTICES
                ends = as_laid_out(wrong, layout, array)
                with pytest.raises(skerry.InputError, match=rf"{name}\[{position}\]"):
                    _ = skerry.connected_components(ends, num_vertices=VERTICES, **options).count
