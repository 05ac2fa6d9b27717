"""`UnionFind` on a GPU gives the answers of one on a CPU."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from support.on_gpu import require_gpu

cp = require_gpu()


@pytest.mark.parametrize("kind", ["u4", "i4", "u8", "i8"])
def test_batches_give_the_labels_of_a_cpu(kind):
    rng = np.random.default_rng(5)
    sets, other = skerry.UnionFind(device="cuda"), skerry.UnionFind()
    for size in (1, 10, 1000, 300_000, 300_000, 5):
        n = 4 * size + 7
        src, dst = rng.integers(0, n, (2, size)).astype(kind)
        merges = other.union(src, dst)
        assert sets.union(cp.asarray(src), cp.asarray(dst)) == merges
        assert (sets.count, len(sets)) == (other.count, len(other))
        assert np.array_equal(sets.labels.get(), other.labels)
        assert sets.sizes().get().tolist() == other.sizes().tolist()
    ids = rng.integers(0, len(other), 1000)
    assert np.array_equal(sets.find(cp.asarray(ids)).get(), other.find(ids))
    assert np.array_equal(sets.find(ids), other.find(ids))


def test_repeated_edges_join_nothing():
    n = 1 << 20
    src, dst = cp.random.randint(0, n, (2, 4 * n), dtype=cp.uint32)
    sets = skerry.UnionFind(n, device="cuda")
    assert sets.union(src, dst) == n - sets.count
    assert sets.union(src, dst) == 0
    expected = skerry.connected_components((src, dst), num_vertices=n).labels
    assert (sets.labels == expected).all()


def test_an_id_that_is_no_vertex_is_an_error():
    sets = skerry.UnionFind(3, device="cuda")
    with pytest.raises(skerry.InputError, match=r"src\[0\] is -1"):
        sets.union(cp.array([-1]), cp.array([1]))
    with pytest.raises(skerry.InputError, match="vertex 3 is not in"):
        sets.find(cp.array([3]))


def test_batches_of_the_host_pass_by():
    rng = np.random.default_rng(7)
    sets, other = skerry.UnionFind(device="cuda"), skerry.UnionFind()
    for size in (1, 1000, 5_000_000):  # the last in two chunks
        src, dst = rng.integers(0, 3 * size, (2, size))
        assert sets.union(src, dst) == other.union(src, dst)
        assert np.array_equal(sets.labels.get(), other.labels)


def test_calls_in_different_streams_follow_each_other():
    rng = np.random.default_rng(8)
    n = 1 << 20
    batches = [rng.integers(0, n, (2, n // 8)).astype("u4") for _ in range(16)]
    there = [cp.asarray(batch) for batch in batches]
    cp.cuda.Device().synchronize()
    streams = [cp.cuda.Stream(non_blocking=True) for _ in range(3)]
    sets, other = skerry.UnionFind(n, device="cuda"), skerry.UnionFind(n)
    for number, (batch, edges) in enumerate(zip(batches, there, strict=True)):
        with streams[number % 3]:
            assert sets.union(*edges) == other.union(*batch)
    with streams[0]:
        assert np.array_equal(sets.labels.get(), other.labels)


def test_a_large_first_batch_is_joined_in_stages():
    n = 1 << 18
    src, dst = cp.random.randint(0, n, (2, 40 * n), dtype=cp.uint32)
    sets = skerry.UnionFind(n, device="cuda")
    sets.union(src, dst)
    right = skerry.connected_components((src, dst), num_vertices=n)
    assert sets.count == right.count and (sets.labels == right.labels).all()
