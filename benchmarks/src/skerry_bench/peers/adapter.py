"""The base class of all peers: their properties, and how a missing package is reported."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from skerry import Csr
from skerry.graph.build import edges_from_csr
from skerry_bench.implementation import Answer, Device, Graph, PeerAnswer, Scope

Ids = npt.NDArray[Any]


class DeferredLabels:
    """Labels that are converted to an array when the answer is checked, outside of the timing."""

    def __init__(self, fetch: Callable[[], npt.ArrayLike]) -> None:
        self._fetch = fetch

    def get(self) -> npt.NDArray[Any]:
        """The labels as an array in host memory."""
        return np.asarray(self._fetch())


def deferred(fetch: Callable[[], npt.ArrayLike]) -> PeerAnswer:
    """An answer in the peer's own form; its labels are fetched when it is checked."""
    return PeerAnswer(labels=DeferredLabels(fetch))


def upper_edges(rows: Csr) -> tuple[Ids, Ids]:
    """Each edge of a symmetric graph once, for libraries that add the reverse direction."""
    edges = edges_from_csr(rows, one_direction=True)
    return edges.src, edges.dst


class Adapter:
    """A peer: its properties as class variables, and the steps of a measurement.

    ``build`` makes the peer's own graph of two arrays and a number of vertices, ``solve`` finds its
    components. A peer overrides ``prepare`` if it can take a CSR more directly.
    """

    name: ClassVar[str]
    package: ClassVar[str]
    """The package that is imported."""
    distribution: ClassVar[str]
    """The distribution: for the version and for ``pip install``."""
    device: ClassVar[Device] = "cpu"
    parallel: ClassVar[bool] = False
    scopes: ClassVar[tuple[Scope, ...]] = ("solve", "end_to_end")
    max_entries: ClassVar[int | None] = None

    def available(self) -> str | None:
        """None, or the package that is missing."""
        top = self.package.partition(".")[0]
        if find_spec(top) is None:
            return f"{self.package} is not installed (pip install {self.distribution})"
        return None

    def version(self) -> str:
        """The version of the installed package."""
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            return "unknown"  # installed under another name, from another channel

    def build(self, src: Ids, dst: Ids, n: int, threads: int) -> Any:
        """The peer's own graph."""
        raise NotImplementedError(f"{self.name} has no graph of its own")

    def prepare(self, graph: Graph, threads: int) -> Any:
        """The peer's own graph, from each edge of the CSR once."""
        return self.build(*upper_edges(graph.csr), graph.csr.num_vertices, threads)

    def solve(self, state: Any) -> Answer:
        """The components of the peer's own graph."""
        raise NotImplementedError(f"{self.name} is measured from an edge list only")

    def end_to_end(self, graph: Graph, threads: int) -> Answer:
        """Builds and solves."""
        edges = graph.edges
        return self.solve(self.build(edges.src, edges.dst, edges.num_vertices, threads))


class GpuAdapter(Adapter):
    """A peer that runs on an NVIDIA GPU; CuPy says whether there is one."""

    device: ClassVar[Device] = "cuda"

    def available(self) -> str | None:
        """None, or what is missing: a package or the GPU."""
        missing = super().available()
        if missing is not None:
            return missing
        try:
            import cupy

            return None if cupy.cuda.runtime.getDeviceCount() else "there is no NVIDIA GPU"
        except ImportError:
            return "cupy is not installed (pip install cupy-cuda12x)"
        except cupy.cuda.runtime.CUDARuntimeError as error:
            return f"there is no usable NVIDIA GPU: {error}"

    def end_to_end(self, graph: Graph, threads: int) -> Answer:
        """Builds and solves, from arrays in device memory."""
        edges = graph.device_edges
        return self.solve(self.build(edges.src, edges.dst, edges.num_vertices, threads))


def wait() -> None:
    """Waits until the current device is idle."""
    import cupy

    cupy.cuda.Device().synchronize()
