"""LDBC's Graph500 graphs: how they are made, their published counts and times.

graph500-N is the graph that the Graph500's reference code 2.1.4 makes with the scale N, 16 edges a
vertex and the seeds 2 and 3, without loops, repeated edges and vertices without an edge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import Csr, Edges, generators
from skerry.cuda.runtime import Runtime
from skerry.generators import Recipe, make
from skerry.generators.device import make as make_on_device
from skerry.graph import build, device_build
from skerry.graph.device import DeviceCsr, DeviceEdges
from skerry.graph.edges import vertex_dtype
from skerry_bench.workload import Workload, WrongAnswerError


@dataclass(frozen=True, slots=True)
class Published:
    """What LDBC publishes about a graph."""

    vertices: int
    edges: int
    seconds: Mapping[str, float]
    """Processing times of WCC in the competition of 2023, by platform."""


GPU, CLUSTER, GRAPHBLAS = "libgrape-gpu", "libgrape-lite, cluster", "GraphBLAS, 2 x Xeon 8480+"


def _times(gpu: float | None, cluster: float | None, graphblas: float | None) -> dict[str, float]:
    every = {GPU: gpu, CLUSTER: cluster, GRAPHBLAS: graphblas}
    return {name: seconds for name, seconds in every.items() if seconds is not None}


PUBLISHED: Mapping[int, Published] = {
    22: Published(2_396_657, 64_155_735, _times(0.006, 0.041, 0.054)),
    23: Published(4_610_222, 129_333_677, {}),
    24: Published(8_870_942, 260_379_520, {}),
    25: Published(17_062_472, 523_602_831, {}),
    26: Published(32_804_978, 1_051_922_853, _times(0.130, 0.371, 0.589)),
    27: Published(63_081_040, 2_111_642_032, _times(0.362, 0.736, 1.05)),
    28: Published(121_242_388, 4_236_163_958, {}),
    29: Published(232_999_630, 8_493_569_115, _times(1.01, 3.02, 4.01)),
    30: Published(447_797_986, 17_022_117_362, _times(None, 6.42, 8.75)),
}
"""By scale. Counts: config-template/graphs of github.com/ldbc/ldbc_graphalytics; times: the results
of the Graphalytics competition of 2023 (libgrape-gpu on one ecs.ebmgn7e.32xlarge)."""


def graph_name(scale: int) -> str:
    """LDBC's name of a graph."""
    return f"graph500-{scale}"


def graph_recipe(scale: int) -> Recipe:
    """The graph with its loops, repeats and vertices without an edge."""
    return generators.graph500_reference.recipe(scale)


class GraphalyticsWorkload(Workload):
    """A graph of LDBC's, made on the GPU if one is measured, else on the host.

    Vertices are numbered in the order of their ids in the generated graph, which are `ids`. The
    edge list has every edge once, in the order of the rows.
    """

    def __init__(self, scale: int, threads: int, runtime: Runtime | None = None) -> None:
        super().__init__(graph_name(scale), self._no_edges, threads, runtime)
        self.scale = scale

    @staticmethod
    def _no_edges() -> Edges:
        raise AssertionError("the edges are made of the rows")

    @cached_property
    def _host_rows(self) -> tuple[Csr, npt.NDArray[Any]]:
        raw = make(graph_recipe(self.scale), self.threads)
        rows = build.csr_from_edges(raw, self.threads)
        return without_isolated(rows, np, lambda o, n: build._built(o, n, symmetric=True))

    @cached_property
    def _device_rows(self) -> tuple[DeviceCsr, Any]:
        assert self.runtime is not None
        raw = make_on_device(self.runtime, graph_recipe(self.scale))
        rows = device_build.csr_from_edges(self.runtime, raw)
        del raw
        return without_isolated(rows, self.runtime.xp, lambda o, n: DeviceCsr(o, n, symmetric=True))

    @cached_property
    def csr(self) -> Csr:
        """The symmetric CSR in host memory."""
        if self.runtime is None:
            self._check_counts(self._host_rows[0])
            return self._host_rows[0]
        offsets, neighbors = map(
            self.runtime.read, (self.device_csr.offsets, self.device_csr.neighbors)
        )
        return build._built(offsets.astype(np.uint64), neighbors, symmetric=True)

    @cached_property
    def edges(self) -> Edges:
        """Every edge once, in host memory."""
        return build.edges_from_csr(self.csr, one_direction=True, threads=self.threads)

    @cached_property
    def device_csr(self) -> DeviceCsr:
        """The symmetric CSR in device memory."""
        self._check_counts(self._device_rows[0])
        return self._device_rows[0]

    @cached_property
    def device_edges(self) -> DeviceEdges:
        """Every edge once, in device memory."""
        assert self.runtime is not None
        return device_build.edges_from_csr(self.runtime, self.device_csr, one_direction=True)

    @cached_property
    def ids(self) -> npt.NDArray[Any]:
        """The id of every vertex in the generated graph, ascending."""
        if self.runtime is None:
            return self._host_rows[1]
        return self.runtime.read(self._device_rows[1])

    def _check_counts(self, rows: Csr | DeviceCsr) -> None:
        """Raises unless there are as many vertices and edges as LDBC publishes."""
        published = PUBLISHED.get(self.scale)
        counts = rows.num_vertices, rows.num_entries // 2
        if published is not None and counts != (published.vertices, published.edges):
            raise WrongAnswerError(
                f"{self.name} has {counts[0]:,} vertices and {counts[1]:,} edges; LDBC publishes "
                f"{published.vertices:,} and {published.edges:,}"
            )


def without_isolated(rows: Any, xp: Any, built: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
    """The same rows without those that are empty, and the numbers that the others had.

    ``built`` makes rows of offsets and neighbors; ``xp`` is NumPy or CuPy.
    """
    offsets, neighbors = rows.offsets, rows.neighbors
    used = offsets[1:] > offsets[:-1]
    kept = xp.flatnonzero(used)
    number = xp.cumsum(used, dtype=vertex_dtype(rows.num_vertices)) - neighbors.dtype.type(1)
    number = number.astype(neighbors.dtype, copy=False)
    starts = xp.concatenate((offsets[:-1][kept], offsets[-1:]))
    return built(starts, number[neighbors]), kept
