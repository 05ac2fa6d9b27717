"""Measures a graph of the corpus on a GPU, by both clocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

import skerry
from skerry import Csr
from skerry_bench.corpus.forms import ON_LOWER_ROWS, form_of, lower_rows, one_direction
from skerry_bench.corpus.implementations import implementation_of, is_peer, peer_key
from skerry_bench.corpus.peer_library import DevicePeer
from skerry_bench.corpus.record import Result
from skerry_bench.corpus.rotation import Samples, SlowRule
from skerry_bench.gpu_device import GpuDevice
from skerry_bench.gpu_turns import CLOCKS, library_call, samples_by_clock, warm_up
from skerry_bench.isolation import PeerFailedError
from skerry_bench.workload import WrongAnswerError, same_partition

RULE = SlowRule(budget=5.0, min_seconds=0.05, factor=20.0, pause=0.0)
"""Samples are short; nothing has to go to sleep between them."""


def measure_on_gpu(
    name: str,
    rows: Csr,
    labels: Any,
    algorithms: Sequence[str],
    peers: Mapping[str, DevicePeer],
    gpu: GpuDevice,
    repeat: int = 9,
) -> list[Result]:
    """The results of ``auto``, of the algorithms and of the peers by both clocks, all in turn."""
    arrays = _DeviceArrays(gpu, rows)
    calls: dict[str, Callable[[], Any]] = {
        algorithm: arrays.own_call(algorithm) for algorithm in ("auto", *algorithms)
    }
    calls |= {peer_key(name): arrays.peer_call(peer) for name, peer in peers.items()}
    errors = {each: arrays.check(each, calls[each], labels) for each in calls}
    fit = {each: call for each, call in calls.items() if errors[each] is None}
    samples = samples_by_clock(fit, gpu, repeat, RULE)
    results = []
    for mode in CLOCKS:
        for each in calls:
            sample = samples.get((mode, each), Samples(error=errors[each]))
            results.append(
                Result(
                    graph=name,
                    implementation=implementation_of(each),
                    device="cuda",
                    threads=None,
                    clock=mode,
                    peer=is_peer(each),
                    seconds=tuple(sample.seconds),
                    ran=arrays.ran if each == "auto" else None,
                    error=sample.error,
                )
            )
    return results


class _DeviceArrays:
    """A graph on the device, shared by all implementations."""

    def __init__(self, gpu: GpuDevice, rows: Csr) -> None:
        self.gpu = gpu
        self.offsets = gpu.runtime.upload(rows.offsets.astype(np.uint32))
        self.neighbors = gpu.runtime.upload(rows.neighbors[: rows.num_entries])
        self.rows = rows
        self.graph = skerry.Csr(self.offsets, self.neighbors, symmetric=True)
        self.ran = ""

    def own_call(self, algorithm: str) -> Callable[[], Any]:
        """The public call; its labels stay on the device."""
        graph: Any = self.graph
        if form_of(algorithm, "cuda") == "edges":
            graph = self.edges
        elif algorithm in ON_LOWER_ROWS:
            graph = self.lower
        return lambda: skerry.connected_components(graph, algorithm=algorithm)

    @cached_property
    def edges(self) -> skerry.Edges:
        """One direction of each edge."""
        edges = one_direction(self.rows)
        source, target = (self.gpu.runtime.upload(ends) for ends in (edges.src, edges.dst))
        return skerry.Edges(source, target, edges.num_vertices)

    @cached_property
    def lower(self) -> skerry.Csr:
        """The entries below the diagonal."""
        lower = lower_rows(self.rows)
        offsets = self.gpu.runtime.upload(lower.offsets.astype(np.uint32))
        return skerry.Csr(offsets, self.gpu.runtime.upload(lower.neighbors))

    def peer_call(self, peer: DevicePeer) -> Callable[[], Any]:
        """Queues a peer's kernels in the current stream and returns its labels."""
        gpu = self.gpu
        return library_call(gpu.runtime, peer, self.offsets, self.neighbors, gpu.stream)

    def check(self, name: str, call: Callable[[], Any], labels: Any) -> str | None:
        """Warms up and compares the answer; returns why a peer is not measured."""
        try:
            answer, _ = warm_up(call, self.gpu)
        except PeerFailedError as error:
            return str(error)
        if isinstance(answer, skerry.Components):
            if name == "auto":
                self.ran = f"{answer.plan.algorithm}: {answer.plan.reason}"
            if not np.array_equal(self.gpu.runtime.read(answer.labels), labels):
                raise WrongAnswerError(f"labels of {name} on a GPU are not those of the CPU")
            return None
        components = int(np.count_nonzero(labels == np.arange(len(labels))))
        right = same_partition(self.gpu.runtime.read(answer), labels, components)
        return None if right else "its labels are not the components of the graph"
