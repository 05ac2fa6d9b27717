"""A graph to measure on, in the forms that implementations read, with its verified answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry
from skerry import Csr, Edges, SkerryError, _native
from skerry.cuda.runtime import Runtime
from skerry.generators import Recipe
from skerry.generators.device import make as make_on_device
from skerry.graph import device_build
from skerry.graph.build import _built, csr_from_edges
from skerry.graph.device import DeviceCsr, DeviceEdges
from skerry.graph.edges import vertex_dtype
from skerry.inputs.device import upload
from skerry_bench.cases import Case
from skerry_bench.checksum import checksum
from skerry_bench.implementation import Answer, PeerAnswer


class WrongAnswerError(SkerryError, RuntimeError):
    """An implementation's answer is not the components of the graph."""


class Workload:
    """A graph: made on the GPU if one is measured, else on the host.

    Each form is built on first use; the forms of the other side are copies of the same arrays.
    """

    def __init__(
        self,
        name: str,
        make: Callable[[], Edges],
        threads: int,
        runtime: Runtime | None = None,
        on_device: Callable[[Runtime], DeviceEdges] | None = None,
        known_labels: Callable[[], npt.NDArray[Any]] | None = None,
    ) -> None:
        self.name = name
        self.threads = threads
        self.runtime = runtime
        self._make = make
        self._on_device = on_device if runtime is not None else None
        self._known_labels = known_labels

    @cached_property
    def edges(self) -> Edges:
        """The edge list in host memory."""
        if self.runtime is None or self._on_device is None:
            return self._make()
        there = self.device_edges
        read = self.runtime.read
        return Edges(read(there.src), read(there.dst), there.num_vertices)

    @cached_property
    def csr(self) -> Csr:
        """The symmetric CSR in host memory."""
        if self.runtime is None:
            return csr_from_edges(self.edges, self.threads)
        offsets, neighbors = map(
            self.runtime.read, (self.device_csr.offsets, self.device_csr.neighbors)
        )
        return _built(offsets.astype(np.uint64), neighbors, symmetric=True)

    @cached_property
    def device_edges(self) -> DeviceEdges:
        """The edge list in device memory."""
        if self.runtime is None:
            raise skerry.UnsupportedError("this run measures no GPU")
        if self._on_device is not None:
            return self._on_device(self.runtime)
        there = upload(self.edges, self.runtime)
        assert isinstance(there, DeviceEdges)
        return there

    @cached_property
    def device_csr(self) -> DeviceCsr:
        """The symmetric CSR in device memory."""
        edges = self.device_edges  # raises without a GPU
        assert self.runtime is not None
        return device_build.csr_from_edges(self.runtime, edges)

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return self._any_edges.num_vertices

    @property
    def num_edges(self) -> int:
        """Number of edges, as listed."""
        return self._any_edges.num_edges

    @property
    def num_entries(self) -> int:
        """Number of entries of the symmetric CSR."""
        return self.csr.num_entries if self.runtime is None else self.device_csr.num_entries

    @property
    def _any_edges(self) -> Edges | DeviceEdges:
        return self.edges if self.runtime is None else self.device_edges

    @cached_property
    def checksum(self) -> str:
        """Of the CSR; the same on every machine and device."""
        return checksum(self.csr, self.threads)

    @cached_property
    def labels(self) -> npt.NDArray[Any]:
        """The answer that all others are compared with, verified by the independent checker.

        It is verified on the original edge list, so that a wrongly built CSR is detected too.
        """
        if self._known_labels is not None:
            return self._known_labels()
        if self.runtime is None:
            labels = skerry.connected_components(self.csr, threads=self.threads).labels
        else:
            rows = self.device_csr
            graph = skerry.Csr(rows.offsets, rows.neighbors, symmetric=True)
            result = skerry.connected_components(graph, device="cuda")
            labels = self.runtime.read(result.labels)
        checked = skerry.verify(self.edges, labels)
        if not checked:
            raise WrongAnswerError(f"the answer of auto on {self.name}: {checked.message}")
        return labels

    @cached_property
    def _device_labels(self) -> Any:
        assert self.runtime is not None
        return self.runtime.upload(self.labels)

    @cached_property
    def components(self) -> int:
        """Number of components."""
        return int(np.count_nonzero(self.labels == np.arange(len(self.labels))))

    def check(self, answer: Answer) -> str:
        """Verifies an answer and returns by what, ``"labels"`` or ``"count"``.

        Labels of skerry must be equal; those of a peer may have any values.

        Raises
        ------
        WrongAnswerError
            The answer is not the components of the graph.
        """
        if isinstance(answer, skerry.Components):
            if not self._same_labels(answer.labels):
                raise WrongAnswerError(f"its labels are not the components of {self.name}")
            return "labels"
        peer_answer = answer if isinstance(answer, PeerAnswer) else _peer_answer(answer)
        if peer_answer.labels is None:
            if peer_answer.count != self.components:
                raise WrongAnswerError(
                    f"counts {peer_answer.count} components of {self.name}, there are "
                    f"{self.components}"
                )
            return "count"
        labels = np.asarray(_on_host(peer_answer.labels))
        if not same_partition(labels, self.labels, self.components):
            raise WrongAnswerError(f"its labels are not the components of {self.name}")
        return "labels"

    def _same_labels(self, labels: Any) -> bool:
        expected: Any = self.labels if isinstance(labels, np.ndarray) else self._device_labels
        return len(labels) == len(expected) and bool((labels == expected).all())


def _peer_answer(answer: Any) -> PeerAnswer:
    if isinstance(answer, int | np.integer):
        return PeerAnswer(count=int(answer))
    return PeerAnswer(labels=answer)


def _on_host(labels: Any) -> Any:
    return labels.get() if hasattr(labels, "get") else labels  # CuPy copies only on request


def same_partition(labels: npt.NDArray[Any], smallest: npt.NDArray[Any], components: int) -> bool:
    """Whether labels of any values are the same partition as labels of smallest members."""
    if labels.shape != smallest.shape or not bool((labels == labels[smallest]).all()):
        return False
    members = smallest[smallest == np.arange(len(smallest), dtype=smallest.dtype)]
    distinct = np.sort(labels[members])  # many times faster than np.unique on millions of labels
    return len(members) == components and bool((distinct[1:] != distinct[:-1]).all())


def make_workload(case: Case, threads: int, runtime: Runtime | None = None) -> Any:
    """The graph of a case: made on the device if there is a runtime, else on the host."""
    source = case.source
    if isinstance(source, Recipe):
        return Workload(
            case.name,
            lambda: case.make(threads),
            threads,
            runtime,
            lambda device: make_on_device(device, source),
        )
    if callable(source):
        return source(threads, runtime) if case.on_device else source(threads)
    return Workload(case.name, lambda: case.make(threads), threads, runtime)


def with_shuffled_edges(graph: Workload) -> Workload:
    """The same graph with its edge list in a random order."""

    def shuffled(edges: Any, xp: Any) -> tuple[Any, Any]:
        xp.random.seed(1)
        order = xp.random.permutation(edges.num_edges)
        return edges.src[order], edges.dst[order]

    def make() -> Edges:
        return Edges(*shuffled(graph.edges, np), graph.num_vertices)

    def on_device(runtime: Runtime) -> DeviceEdges:
        return DeviceEdges(*shuffled(graph.device_edges, runtime.xp), graph.num_vertices)

    labels = lambda: graph.labels  # noqa: E731
    return Workload(graph.name, make, graph.threads, graph.runtime, on_device, labels)


def sorted_by_degree(graph: Workload) -> Workload:
    """The same graph with its vertices renumbered by descending degree.

    Its labels follow from those of the graph, which have been verified.
    """
    host, n = graph.runtime is None, graph.num_vertices
    xp = np if graph.runtime is None else graph.runtime.xp

    @cache
    def numbers() -> Any:
        offsets = graph.csr.offsets if host else graph.device_csr.offsets
        order = xp.argsort(-xp.diff(offsets.astype(np.int64)), kind="stable")
        number = xp.empty(n, vertex_dtype(n))
        number[order] = xp.arange(n, dtype=number.dtype)
        return number

    def make() -> Edges:
        edges = graph.edges
        return Edges(numbers()[edges.src], numbers()[edges.dst], n)

    def on_device(_: Runtime) -> DeviceEdges:
        edges = graph.device_edges
        return DeviceEdges(numbers()[edges.src], numbers()[edges.dst], n)

    def labels() -> npt.NDArray[Any]:
        number = numbers() if graph.runtime is None else graph.runtime.read(numbers())
        moved = np.empty_like(graph.labels)
        moved[number] = number[graph.labels]
        _native.make_canonical(moved, graph.threads)
        return moved

    return Workload(graph.name, make, graph.threads, graph.runtime, on_device, labels)
