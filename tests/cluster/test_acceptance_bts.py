"""data-juicer's BTSUnionFind on Ray drops the documents that are not first in their component.

Only where the environment's DATA_JUICER names a checkout: its classes are read from there.
"""

from __future__ import annotations

import os
import sys

import numpy as np
import pyarrow as pa
import pytest
import ray

import skerry.ray
from support.paths import ROOT

CHECKOUT = os.environ.get("DATA_JUICER")
ACTORS = 2


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


@pytest.mark.skipif(CHECKOUT is None, reason="DATA_JUICER names no checkout of data-juicer")
def test_bts_union_find_drops_the_same_documents(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "tools"), *sys.path])
    import cluster_sides

    rng = np.random.default_rng(3)
    documents, buckets = rng.integers(0, 5000, 6000), rng.integers(0, 4000, 6000)
    dropped = cluster_sides.bts_duplicates(
        CHECKOUT, ACTORS, list(zip(buckets.tolist(), documents.tolist(), strict=True))
    )
    firsts = {}
    pairs = [
        (firsts.setdefault(bucket, document), document)
        for bucket, document in zip(buckets.tolist(), documents.tolist(), strict=True)
    ]
    table = pa.table(dict(zip(("src", "dst"), zip(*pairs, strict=True), strict=True)))
    labels = skerry.ray.connected_components(ray.data.from_arrow(table), method="contraction")
    rows = labels.to_pandas()
    assert dropped == set(rows["id"][rows["id"] != rows["component"]])
    assert dropped
