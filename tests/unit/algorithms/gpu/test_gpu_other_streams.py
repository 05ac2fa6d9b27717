"""Questions that are asked in another stream than that of the run."""

from __future__ import annotations

import pytest

import skerry
from support.answers import device_form
from support.emulated import emulated_gpu
from support.emulator import EmulatedRuntime, works
from support.graphs import small_graphs

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")


class Watched(EmulatedRuntime):
    """Notes when a stream is made to wait, among the kernels that are launched."""

    def wait_for(self, event):
        super().wait_for(event)
        self.launched.append("wait")


@pytest.mark.parametrize("kind", ["min", "dense"])
@pytest.mark.parametrize(
    "question",
    [
        lambda result: result.count,
        lambda result: result.sizes(),
        lambda result: result.labels,
        lambda result: result.plan,
    ],
    ids=["count", "sizes", "labels", "plan"],
)
def test_the_first_answer_waits_for_the_end_of_the_run(kind, question):
    runtime = Watched()
    graph = next(graph for graph in small_graphs() if graph.name == "path")
    with emulated_gpu(runtime, on_device=True):
        result = skerry.connected_components(device_form(graph, "symmetric"), labels=kind)
        launched = len(runtime.launched)
        question(result)
    after = runtime.launched[launched:]
    copied = kind == "min" and not after  # a copy waits by itself: copy_after
    assert copied or after[0] == "wait"
