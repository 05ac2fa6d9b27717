"""``UnionFind(device="cuda")`` answers as one on a CPU: here on an emulated device."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry.union_find import on_device
from support.emulator import EmulatedRuntime, works
from support.interruptions import Interruption

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")


class DeviceArray(np.ndarray):
    """An array that counts as one of the device."""


@pytest.fixture(autouse=True)
def gpu(monkeypatch):
    runtime = EmulatedRuntime()
    monkeypatch.setattr(on_device, "find_runtime", lambda _: runtime)
    there = on_device.device_of_array
    monkeypatch.setattr(
        on_device, "device_of_array", lambda a: 0 if isinstance(a, DeviceArray) else there(a)
    )
    return runtime


def on_gpu(values, kind="u4"):
    return np.array(values, kind).view(DeviceArray)


def same(sets, other):
    assert np.array_equal(sets.labels, other.labels)
    assert (sets.count, len(sets)) == (other.count, len(other))
    assert sets.sizes().tolist() == other.sizes().tolist()
    assert sets.to_sets() == other.to_sets()


edges = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), max_size=12)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(edges, st.sampled_from(["host", "device", "single"])), max_size=5))
def test_streams_give_the_same_answers_on_both_devices(stream):
    sets, other = skerry.UnionFind(3, device="cuda"), skerry.UnionFind(3)
    for batch, form in stream:
        src, dst = ([edge[side] for edge in batch] for side in (0, 1))
        if form == "single":
            for u, v in batch:
                assert sets.union(u, v) == other.union(u, v)
        else:
            give = on_gpu if form == "device" else list
            assert sets.union(give(src), give(dst)) == other.union(src, dst)
        same(sets, other)
    ids = np.arange(len(other))
    assert sets.find(ids).tolist() == other.find(ids).tolist() == sets.find(on_gpu(ids)).tolist()
    assert sets.connected(ids, ids[::-1]).tolist() == other.connected(ids, ids[::-1]).tolist()
    assert sets.find(2) == other.find(2) and sets.connected(0, 1) is other.connected(0, 1)


def test_faces_like_a_dict_and_as_a_result():
    sets = skerry.UnionFind(device="cuda")
    assert sets.add(2) == 3 and sets.add(on_gpu([1, 4])) == 2 and sets.grow(6) == 1
    assert sets.union(1, 5) == 1 and sets[5] == 1 and 5 in sets and 6 not in sets
    assert list(sets) == list(range(6)) and repr(sets) == "UnionFind(vertices=6, uint32, cuda)"
    assert sets.components().labels.tolist() == [0, 1, 2, 3, 4, 1]
    with pytest.raises(KeyError, match="vertex 9"):
        sets[9]


def test_saved_pickled_and_from_labels(tmp_path):
    sets = skerry.UnionFind(device="cuda")
    sets.union([0, 4], [3, 2])
    sets.save(tmp_path / "sets")
    for again in (
        pickle.loads(pickle.dumps(sets)),
        skerry.UnionFind.load(tmp_path / "sets", device="cuda"),
        skerry.UnionFind.load(tmp_path / "sets"),
        skerry.UnionFind.from_labels(sets.labels, device="cuda"),
    ):
        assert np.array_equal(again.labels, sets.labels) and again.count == sets.count
        assert again.union(0, 1) == 1
    assert sets.count == 3


def test_two_on_a_device_merge():
    first, second = skerry.UnionFind(3, device="cuda"), skerry.UnionFind(device="cuda")
    first.union(0, 1)
    second.union([1, 4], [2, 2])
    assert first.merge(second) == 2 and first.labels.tolist() == [0, 0, 0, 3, 0]
    with pytest.raises(skerry.InputError, match="do not merge"):
        first.merge(skerry.UnionFind(3))


def test_two_on_different_devices_merge(monkeypatch):
    first = skerry.UnionFind(3, device="cuda:0")
    other = EmulatedRuntime()
    monkeypatch.setattr(on_device, "find_runtime", lambda _: other)
    second = skerry.UnionFind(device="cuda:1")
    second.union([1, 4], [2, 2])
    assert first.merge(second) == 2 and first.labels.tolist() == [0, 1, 1, 3, 1]


def test_what_a_device_does_not_do_is_refused():
    with pytest.raises(skerry.UnsupportedError, match="vertex numbers"):
        skerry.UnionFind(ids="external", device="cuda")
    with pytest.raises(skerry.UnsupportedError, match="threads="):
        skerry.UnionFind(threads=2, device="cuda")
    sets = skerry.UnionFind(3, device="cuda")
    for bad, message in (([0.5], "integers"), ([-1], "src"), ([[1]], "dimension")):
        with pytest.raises(skerry.InputError, match=message):
            sets.union(bad, [1])
    with pytest.raises(skerry.InputError, match="an edge needs one of each"):
        sets.union([0, 1], [1])
    with pytest.raises(skerry.InputError, match="do not match"):
        sets.connected([0, 1], [0, 1, 2])
    assert sets.count == 3


def test_an_unknown_device_is_refused(monkeypatch):
    monkeypatch.undo()
    with pytest.raises(skerry.InputError, match="device must be"):
        skerry.UnionFind(device="tpu")


@pytest.mark.parametrize("form", ["host", "device", "merge", "grow"])
def test_an_interrupted_call_happens_or_does_not(form):
    """Ctrl-C before any instruction, some of them at a time; the caller changes its arrays then."""
    for at in range(1, 4000, 67):
        sets, other = skerry.UnionFind(3, device="cuda"), skerry.UnionFind(device="cuda")
        sets.union([0], [1])
        other.union([5, 2], [2, 7])
        ends = [np.array(end, "u4") for end in ([5, 2], [2, 7])]
        if form == "device":
            ends = [on_gpu(end) for end in ends]
        try:
            with Interruption(at):
                if form == "merge":
                    sets.merge(other)
                elif form == "grow":
                    sets.grow(8)
                else:
                    sets.union(*ends)
        except KeyboardInterrupt:
            for end in ends:
                end[:] = 0
        else:
            break
        after = [0, 0, 2, 3, 4, 5 if form == "grow" else 2, 6, 7 if form == "grow" else 2]
        labels = sets.labels.tolist()
        assert labels in ([0, 0, 2], after), at
        assert (len(sets), sets.count) == (len(labels), len(set(labels)))
        assert sets.union([2], [0]) == 1 and sets.connected(0, 2)
    assert at > 300
