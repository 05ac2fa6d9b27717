"""data-juicer's BTSUnionFind on Ray drops the documents that are not first in their component.

Only where the environment's DATA_JUICER names a checkout: its classes are read from there. Its own
test is run as well where what data-juicer needs is installed (with the Ray that it asks for).
"""

from __future__ import annotations

import os
import shutil
import sys
import unittest

import numpy as np
import pyarrow as pa
import pytest
import ray

import skerry.ray
from support.paths import ROOT

pytestmark = pytest.mark.usefixtures("ray_cluster")
CHECKOUT = os.environ.get("DATA_JUICER")
ACTORS = 2
with_checkout = pytest.mark.skipif(
    CHECKOUT is None, reason="DATA_JUICER names no checkout of data-juicer"
)


@with_checkout
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


def collector_class():
    """Made here, so that Ray sends it to workers, which need not import the tests."""

    class Collector:
        """An actor in the place of BTSUnionFind: keeps pairs, and later knows what to drop."""

        def __init__(self, *_):
            self.firsts, self.pairs, self.dropped = {}, [], set()

        def add_key_value_pairs(self, pairs):
            for bucket, document in pairs:
                self.pairs.append((self.firsts.setdefault(bucket, document), document))

        def collected(self):
            return self.pairs

        def drop(self, documents):
            self.dropped = documents

        def dup_idx(self, queries):
            return [index for document, index in queries if document in self.dropped]

    return Collector


def merge(operator):
    """In the place of the operator's method of this name."""
    parts = ray.get([actor.collected.remote() for actor in operator.union_find_list])
    ends = list(zip(*(pair for part in parts for pair in part), strict=True))
    table = pa.table({"src": pa.array(ends[0], "int64"), "dst": pa.array(ends[1], "int64")})
    labels = skerry.ray.connected_components(
        ray.data.from_arrow(table), source="src", target="dst", method="contraction", verify=True
    )
    rows = labels.to_pandas()
    dropped = set(rows["id"][rows["id"] != rows["component"]].tolist())
    assert dropped
    ray.get([actor.drop.remote(dropped) for actor in operator.union_find_list])
    operator.merged_by_skerry.append(len(dropped))


@with_checkout
@pytest.mark.parametrize("by_skerry", [False, True])
def test_data_juicers_own_test_of_its_deduplicator(monkeypatch, tmp_path, by_skerry):
    """As it is, and with skerry in the place of its union-find."""
    tests = "test_ray_bts_minhash_deduplicator"
    # It writes beside itself, and reads what an earlier run has left there.
    shutil.copy(f"{CHECKOUT}/tests/ops/deduplicator/{tests}.py", tmp_path)
    monkeypatch.setattr(sys, "path", [CHECKOUT, str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, tests, raising=False)
    monkeypatch.chdir(tmp_path)
    name = "data_juicer.ops.deduplicator.ray_bts_minhash_deduplicator"
    operator = pytest.importorskip(name, exc_type=ImportError)
    cases = pytest.importorskip(tests).RayBTSMinhashDeduplicatorTest
    monkeypatch.setattr(cases, "current_tag", "ray", raising=False)
    merged = []
    if by_skerry:
        monkeypatch.setattr(operator, "BTSUnionFind", collector_class())
        cls = operator.RayBTSMinhashDeduplicator
        monkeypatch.setattr(cls, "merged_by_skerry", merged, raising=False)
        monkeypatch.setattr(cls, "merge", merge)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(cases).run(result)
    assert result.testsRun == 2
    assert result.wasSuccessful(), [*result.errors, *result.failures]
    assert len(merged) == (2 if by_skerry else 0)
