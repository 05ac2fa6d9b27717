"""What `auto` chooses on a GPU, and that it says so."""

from __future__ import annotations

import pytest

from skerry.algorithms.gpu.dry_runtime import dry_csr, dry_edges
from skerry.algorithms.gpu_planner import (
    DIRECT_ENTRIES,
    DIRECT_SHORT_ENTRIES,
    ONE_BLOCK,
    RowSample,
    choose_for_gpu,
    few_entries,
    fits_one_block,
    gpu_reason,
    reads_directly,
    tiles_fit,
)


@pytest.mark.parametrize("form", ["edges", "csr"])
def test_on_a_gpu_the_form_decides(form):
    spec = choose_for_gpu(form)
    assert spec.form == form
    assert "cuda" in spec.devices and spec.recorded


def test_small_graphs_are_one_launch_on_a_gpu():
    half = ONE_BLOCK // 2
    assert fits_one_block(half, half)
    assert not fits_one_block(half, half + 1)
    for graph in (dry_csr(half, half, 32, 32), dry_edges(half, half, 32)):
        assert gpu_reason(graph, RowSample(0, 0, 0, 0, 0, 0)) == "small: one launch does it all"


@pytest.mark.parametrize(
    ("sample", "reason"),
    [
        ((0, 0, 0, 0, 0, 0), "too few for a sample to pay: all rows are read"),
        ((512, 320, 256, 0, 480, 128), "neighbors have far ids"),
        ((512, 257, 257, 31, 0, 512), "50% of sampled rows have an adjacent id: tiles"),
        ((512, 321, 512, 32, 0, 0), "63% of sampled rows have a near neighbor: all rows are read"),
        ((512, 0, 0, 0, 481, 0), "94% of sampled rows have a smaller neighbor: all rows are read"),
        ((512, 0, 0, 0, 0, 129), "25% of sampled rows begin with a hub: a small sample"),
    ],
)
def test_on_a_gpu_a_sample_of_the_rows_is_the_reason(sample, reason):
    rows = dry_csr(ONE_BLOCK, 4 * ONE_BLOCK, 32, 32)
    assert gpu_reason(rows, RowSample(*sample)) == f"CSR, symmetric, 4.0 entries a vertex; {reason}"
    edges = dry_edges(ONE_BLOCK, 4 * ONE_BLOCK, 32)
    assert gpu_reason(edges, RowSample(*sample)).startswith("an edge list: ")


def test_tiles_need_short_rows_and_both_directions():
    assert tiles_fit(1000, 4500, symmetric=True)
    assert not tiles_fit(1000, 4501, symmetric=True)
    assert not tiles_fit(1000, 4500, symmetric=False)


def test_small_graphs_are_read_without_a_sample():
    assert reads_directly(1000, DIRECT_ENTRIES)
    assert not reads_directly(1000, DIRECT_ENTRIES + 1)
    assert reads_directly(DIRECT_SHORT_ENTRIES, DIRECT_SHORT_ENTRIES)
    assert not reads_directly(DIRECT_SHORT_ENTRIES, DIRECT_SHORT_ENTRIES + 1)


def test_rows_are_short_by_their_mean_and_number():
    assert few_entries(1000, 3250) == 2
    assert few_entries(1000, 3251) == 1
    assert few_entries(1 << 23, 1 << 23) == 1
    assert few_entries(1000, 5001) == 0


def test_short_rows_of_far_ids_are_all_read():
    rows = dry_csr(1 << 20, 2 << 20, 32, 32)
    far = RowSample(512, 0, 0, 0, 0, 0)
    assert gpu_reason(rows, far).endswith("; short rows of far ids: all rows are read")
