"""A forest on a GPU gives the answers of one on a CPU: here on an emulated device."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry.union_find import device_forest
from skerry.union_find.device_forest import DeviceForest
from support.emulator import EmulatedRuntime, works

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")


class Plain:
    """The oracle: a label for each vertex, relabeled at every edge."""

    def __init__(self):
        self.labels = []

    def union(self, src, dst):
        top = max([*src, *dst], default=-1) + 1
        self.labels += range(len(self.labels), top)
        before = self.count
        for u, v in zip(src, dst, strict=True):
            low, high = sorted((self.labels[u], self.labels[v]))
            self.labels = [low if label == high else label for label in self.labels]
        return before - self.count

    @property
    def count(self):
        return len(set(self.labels))


def batches(largest):
    edges = st.lists(st.tuples(st.integers(0, largest), st.integers(0, largest)), max_size=40)
    return st.lists(edges, min_size=1, max_size=6)


@settings(max_examples=60, deadline=None)
@given(batches(90), st.sampled_from(["u4", "i4", "u8", "i8"]), st.integers(0, 2**20), st.booleans())
def test_every_prefix_of_a_stream_has_the_labels_of_the_oracle(stream, kind, seed, wide):
    forest = DeviceForest(EmulatedRuntime(seed), dtype=np.dtype("u8") if wide else None)
    oracle = Plain()
    for edges in stream:
        src, dst = ([edge[side] for edge in edges] for side in (0, 1))
        merges = oracle.union(src, dst)
        assert forest.join(np.array(src, kind), np.array(dst, kind)) == merges
        assert (forest.count, forest.size) == (oracle.count, len(oracle.labels))
        ids = np.arange(forest.size, dtype=kind)
        assert forest.find(ids[::-1]).tolist() == oracle.labels[::-1]
        assert forest.labels().tolist() == oracle.labels


def test_edges_of_the_largest_tree_are_dropped_by_their_bits(monkeypatch):
    monkeypatch.setattr(device_forest, "FIRST_STAGE", 10**9)
    runtime = EmulatedRuntime(max_blocks=64)
    forest = DeviceForest(runtime, 3000)
    rng = np.random.default_rng(1)
    src, dst = rng.integers(0, 2900, (2, 9000)).astype("u4")
    assert forest.join(src, dst) == 3000 - forest.count
    assert runtime.read(forest._state)[3] != 0  # a largest tree was found
    assert forest.join(src, dst) == 0
    assert forest.join(np.array([0], "u4"), np.array([2999], "u4")) == 1
    expected = skerry.connected_components(
        (np.append(src, 0), np.append(dst, 2999)), num_vertices=3000
    )
    assert np.array_equal(forest.labels(), expected.labels)


def test_forests_merge():
    runtime = EmulatedRuntime()
    first, second = DeviceForest(runtime, 4), DeviceForest(runtime)
    first.join(np.array([0], "u4"), np.array([1], "u4"))
    second.join(np.array([1, 5], "u4"), np.array([2, 2], "u4"))
    assert first.join(*second.edges()) == 2
    assert first.labels().tolist() == [0, 0, 0, 3, 4, 0]


def test_ids_that_are_no_vertices_are_refused():
    forest = DeviceForest(EmulatedRuntime(), 3)
    for id in (-1, 3, 2**31):
        with pytest.raises(skerry.InputError, match=f"vertex {id} is not in 0..2"):
            forest.find(np.array([0, id], "i8"))
    with pytest.raises(skerry.InputError, match=r"src\[0\] is -1"):
        forest.join(np.array([-1, 0], "i8"), np.array([1, 1], "i8"))
    assert forest.count == 2 and forest.labels().tolist() == [0, 0, 2]  # the other edge is joined


def test_memory_is_the_parent_array_and_a_bit_for_each_vertex():
    forest = DeviceForest(EmulatedRuntime(), 32_000)
    assert forest.nbytes == 4 * 32_000 + 4 * 1001 + 8 * 544
