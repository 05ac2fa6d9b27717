"""Tasks that have a GPU, here an emulated one, send what others send, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

import skerry.cluster.joiner
from skerry.cluster.contraction_stages import HeapEdges
from skerry.cluster.forest_stages import JoinForests
from skerry.cluster.joiner import joining_on
from skerry.cluster.stage import EDGES
from skerry.union_find.device_forest import DeviceForest
from support.cluster import graph
from support.emulator import EmulatedRuntime


@pytest.mark.parametrize("name", ["random", "star", "none"])
@pytest.mark.parametrize("stage", [HeapEdges(5, 3), HeapEdges(5, 3, room=100), JoinForests(2)])
def test_a_task_with_a_gpu_sends_the_same_messages(monkeypatch, name, stage):
    runtime = EmulatedRuntime()
    monkeypatch.setattr(skerry.cluster.joiner, "find_runtime", lambda _: runtime)
    blobs = [np.ascontiguousarray(part).view(np.uint8) for part in np.split(graph(name), 2)]

    def messages(device):
        with joining_on(device):
            sent = [*stage(0, {EDGES: iter(blobs)})]
        return [(each.target, each.channel, each.blob.tobytes()) for each in sent]

    assert messages("cuda") == messages(None)


def test_forests_of_two_devices_are_merged():
    """One worker a GPU: their parent arrays become one."""
    rng = np.random.default_rng(3)
    first, second, both = (DeviceForest(EmulatedRuntime()) for _ in range(3))
    for forest, n in ((first, 300), (second, 500)):
        src, dst = rng.integers(0, n, (2, n // 2)).astype(np.uint32)
        forest.join(src, dst)
        both.join(src, dst)
    first.grow(second.size)
    first.join(*second.edges())
    assert np.array_equal(first.labels(), both.labels())
    assert first.count == both.count
