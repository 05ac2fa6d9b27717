"""Tiles of the GPU: lines of a grid that lie further apart than a tile, with gaps in both of them.

Edges from one line to the next are written down as runs, and what a run leaves out must be found by
the line it leads to. Gaps in either line, in both, and between them are what could go wrong.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from support.emulated import assert_answer_on_device, emulated_gpu
from support.emulator import EmulatedRuntime, works
from support.graphs import Graph

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")


def grid_with_gaps(width, lines, gaps_across, gaps_down, seed, diagonal=False):
    """A grid of ids in order; the shares of edges along lines and between them that are missing."""
    rng = np.random.default_rng(seed)
    ids = np.arange(width * lines).reshape(lines, width)
    across = np.column_stack((ids[:, 1:].ravel(), ids[:, :-1].ravel()))
    upper = ids[:-1, 1:] if diagonal else ids[:-1, : width - 1]
    down = np.column_stack((ids[1:, : width - 1].ravel(), upper.ravel()))
    kept = [
        edges[rng.random(len(edges)) >= gaps]
        for edges, gaps in ((across, gaps_across), (down, gaps_down))
    ]
    ends = np.vstack(kept)
    name = f"{width} x {lines}, gaps {gaps_across} {gaps_down}"
    return Graph(name, width * lines, ends[:, 0], ends[:, 1], large=True)


@pytest.mark.parametrize("gaps_across", [0, 0.004, 0.1, 0.6])
@pytest.mark.parametrize("gaps_down", [0, 0.01, 0.3, 0.95])
def test_lines_of_grids(gaps_across, gaps_down):
    for seed, (width, diagonal) in enumerate(product((1024, 1029, 1500, 2050), (False, True))):
        graph = grid_with_gaps(width, 3, gaps_across, gaps_down, seed, diagonal)
        with emulated_gpu(EmulatedRuntime(seed << 32, 1 + seed), on_device=True):
            for form in ("symmetric", "csr"):
                assert_answer_on_device(graph, form, "skip[way=2]")


def test_offsets_that_are_no_multiple_of_16_bytes():
    graph = grid_with_gaps(1029, 2, 0.01, 0.1, 1)

    def askew(values):
        shifted = np.empty(len(values) + 1, values.dtype)[1:]
        shifted[:] = values
        return shifted

    with emulated_gpu(on_device=True):
        for widths in ("narrow", "wide"):
            assert_answer_on_device(graph, "symmetric", "skip[way=2]", widths, keep=askew)
