"""What all peers share: the facts of the table, and how a missing package is told."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from skerry.graph.build import edges_from_csr
from skerry.graph.csr import Csr
from skerry_bench.implementation import Answer, Device, Found, Graph, Scope

__all__ = ["Adapter", "GpuAdapter", "Ids", "Later", "later", "upper_edges", "wait"]

Ids = npt.NDArray[Any]


class Later:
    """Labels that are brought into an array when they are asked for: after the clock stopped."""

    def __init__(self, fetch: Callable[[], npt.ArrayLike]) -> None:
        self._fetch = fetch

    def get(self) -> npt.NDArray[Any]:
        """As an array of the host."""
        return np.asarray(self._fetch())


def later(fetch: Callable[[], npt.ArrayLike]) -> Answer:
    """An answer in the peer's own form, whose labels are fetched when it is checked."""
    return Answer(labels=Later(fetch))


def upper_edges(rows: Csr) -> tuple[Ids, Ids]:
    """Each edge of a symmetric graph once, for libraries that add the reverse themselves."""
    edges = edges_from_csr(rows, one_direction=True)
    return edges.src, edges.dst


class Adapter:
    """A peer: facts as class variables, and the steps that a measurement is made of.

    ``build`` makes the peer's own graph of two arrays and a number of vertices, ``solve`` finds its
    components. A peer overrides ``prepare`` where there is a better way in from a CSR.
    """

    name: ClassVar[str]
    package: ClassVar[str]
    """What is imported."""
    distribution: ClassVar[str]
    """What is installed: for the version, and for advice."""
    device: ClassVar[Device] = "cpu"
    parallel: ClassVar[bool] = False
    scopes: ClassVar[tuple[Scope, ...]] = ("solve", "end_to_end")
    max_entries: ClassVar[int | None] = None

    def available(self) -> str | None:
        """None, or that a package is missing."""
        top = self.package.partition(".")[0]
        if find_spec(top) is None:
            return f"{self.package} is not installed (pip install {self.distribution})"
        return None

    def version(self) -> str:
        """Of the installed package."""
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            return "unknown"  # installed under another name, from another channel

    def build(self, src: Ids, dst: Ids, n: int, threads: int) -> Any:
        """The peer's own graph."""
        raise NotImplementedError(f"{self.name} has no graph of its own")

    def prepare(self, graph: Graph, threads: int) -> Any:
        """The peer's own graph of the CSR's edges, each once."""
        return self.build(*upper_edges(graph.csr), graph.csr.num_vertices, threads)

    def solve(self, state: Any) -> Found:
        """The components of the peer's own graph."""
        raise NotImplementedError(f"{self.name} is measured from an edge list only")

    def end_to_end(self, graph: Graph, threads: int) -> Found:
        """Builds and solves."""
        edges = graph.edges
        return self.solve(self.build(edges.src, edges.dst, edges.num_vertices, threads))


class GpuAdapter(Adapter):
    """A peer that runs on an NVIDIA GPU, and needs CuPy to be told that there is one."""

    device: ClassVar[Device] = "cuda"

    def available(self) -> str | None:
        """None, or what is missing: a package, or the GPU."""
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

    def end_to_end(self, graph: Graph, threads: int) -> Found:
        """Builds and solves, from arrays that are on the device."""
        edges = graph.device_edges
        return self.solve(self.build(edges.src, edges.dst, edges.num_vertices, threads))


def wait() -> None:
    """Until the current device has done all it was asked to."""
    import cupy

    cupy.cuda.Device().synchronize()
