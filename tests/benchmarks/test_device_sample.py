"""The sample of rows that the record has is the sample that the device takes."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry.algorithms.gpu.rule_words import SAMPLE_WORDS
from skerry.algorithms.gpu_planner import RowSample
from skerry.graph.build import csr_from_edges
from skerry_bench.corpus.device_sample import sample_rows
from support.emulated import emulated_gpu
from support.emulator import EmulatedRuntime, works

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")


class Kept(EmulatedRuntime):
    """Keeps the state words of the last run."""

    def labels_and_state(self, *arguments):
        labels, self.state = super().labels_and_state(*arguments)
        return labels, self.state


@pytest.mark.parametrize("family", ["grid", "uniform", "star", "strip", "pairs", "columns"])
def test_the_host_counts_what_the_device_counts(family):
    rng = np.random.default_rng(3)
    n = 30_000
    ids = np.arange(n - 1, dtype=np.uint32)
    ends = {
        "grid": (ids, ids + 1),
        "uniform": tuple(rng.integers(0, n, (2, 60_000)).astype(np.uint32)),
        "strip": (
            np.tile(ids[:-2], 3),
            np.concatenate([ids[:-2] + 1, ids[:-2] + 2, ids[:-2] + 3]),
        ),
        "pairs": (
            np.concatenate([ids[::2], rng.integers(0, n, 20_000, np.uint32)]),
            np.concatenate([ids[::2] + 1, rng.integers(0, n, 20_000, np.uint32)]),
        ),
        "columns": (
            np.concatenate([ids[::2], ids[3000:]]),
            np.concatenate([ids[::2] + 1, ids[:-3000]]),
        ),
        "star": (np.full(n - 1, 7, np.uint32), ids + 1),
    }[family]
    rows = csr_from_edges(skerry.Edges(*ends, n))
    runtime = Kept(max_blocks=1 << 20)
    with emulated_gpu(runtime, on_device=True, nothing_is_small=True):
        graph = skerry.Csr(rows.offsets.astype(np.uint32), rows.neighbors, symmetric=True)
        _ = skerry.connected_components(graph).labels
    counted = RowSample(*(int(runtime.state[word]) for word in SAMPLE_WORDS.values()))
    assert counted.rows
    assert (counted.triangles > 0) == (family == "strip")
    in_stretches = {"grid": 512, "strip": 512, "columns": 500}
    assert counted.adjacent >= in_stretches.get(family, 0)
    if family not in in_stretches:
        assert counted.adjacent < 200
    assert sample_rows(rows) == counted
