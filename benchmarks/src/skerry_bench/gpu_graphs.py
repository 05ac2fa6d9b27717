"""The graphs of the measurements on a GPU, made there, and what others took on the same ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import skerry
from skerry.algorithms.catalog import Algorithm
from skerry.algorithms.catalog import algorithm as named
from skerry.algorithms.planner import ONE_BLOCK
from skerry.cuda.runtime import Runtime
from skerry.generators import recipes
from skerry.generators.device import make
from skerry.generators.recipes import Recipe
from skerry.graph.device import DeviceCsr, DeviceEdges
from skerry.graph.device_build import csr_from_edges

__all__ = ["CASES", "Case", "Given", "build", "small", "tiny"]


@dataclass(frozen=True)
class Case:
    """One graph, by a recipe that takes a share of its full size."""

    name: str
    recipe: Callable[[float], Recipe]
    ecl_cc: float
    """Milliseconds of ECL-CC 1.1 on the full graph, measured on an H200."""
    sketch: float
    """Milliseconds of the first sketch of `skip`, on the same machine."""
    deep: bool = False
    """Its diameter is in the thousands: what goes level by level crawls."""
    in_mean: bool = True
    """Counts in the mean of ratios; one that would rule it does not."""


def _side(full: int, scale: float) -> int:
    return max(4, round(full * math.sqrt(scale)))


def _count(full: int, scale: float) -> int:
    return max(64, round(full * scale))


def _bits(full: int, scale: float) -> int:
    return max(6, full + round(math.log2(scale)))


CASES = (
    Case("grid1024", lambda s: recipes.grid(_side(1024, s), _side(1024, s)), 0.144, 0.085),
    Case(
        "grid4096",
        lambda s: recipes.grid(_side(4096, s), _side(4096, s)),
        1.088,
        0.420,
        deep=True,
    ),
    Case("random", lambda s: recipes.random_picks(_count(1 << 23, s), 4), 1.764, 0.497),
    Case("rmat22", lambda s: recipes.rmat(_bits(22, s), 8), 1.954, 0.428),
    Case("rmat21", lambda s: recipes.rmat(_bits(21, s), 48, 0.57, 0.19, 0.19), 13.80, 0.116),
    Case(
        "uniform",
        lambda s: recipes.uniform(_count(50_000_000, s), _count(200_000_000, s)),
        15.1,
        3.90,
    ),
    Case("road", lambda s: recipes.road(_side(3000, s)), 1.326, 1.62, deep=True),
    Case(
        "road-shuffled",
        lambda s: recipes.road(_side(3000, s), shuffled=True),
        6.00,
        4.56,
        deep=True,
    ),
    Case(
        "mawi",
        lambda s: recipes.mawi(_count(100_000_000, s), 64, 0.9, 1 / 16),
        3301.0,
        2.99,
        in_mean=False,
    ),
    Case("path", lambda s: recipes.path(_count(1 << 24, s), shuffled=True), 1.650, 1.12, deep=True),
)


@dataclass(frozen=True)
class Given:
    """A graph in both forms, as a caller has them on a device."""

    name: str
    edges: DeviceEdges
    rows: DeviceCsr

    @cached_property
    def labels(self) -> Any:
        """The answer that all others are compared with: ECL-CC's."""
        return self.solve("ecl").labels

    def check(self, answer: skerry.Components, algorithm: str) -> None:
        """Raises if an answer differs from that one, label by label, on the device."""
        if not bool((answer.labels == self.labels).all()):
            raise RuntimeError(f"{algorithm} and ecl differ on {self.name}")

    def solve(self, algorithm: str, form: str | None = None, **options: Any) -> skerry.Components:
        """The public call, on the form that the algorithm reads unless another is asked for."""
        n = self.edges.num_vertices
        graph: Any = (self.edges.src, self.edges.dst)
        if (form or form_of(algorithm)) == "csr":
            graph = skerry.Csr(self.rows.offsets, self.rows.neighbors, symmetric=True)
        return skerry.connected_components(
            graph, num_vertices=n, algorithm=algorithm, device="cuda", **options
        )

    def size(self, form: str) -> dict[str, Any]:
        """What a record says of the graph: its size in one of its forms."""
        m = self.rows.num_entries if form == "csr" else self.edges.num_edges
        return {"graph": self.name, "n": self.edges.num_vertices, "m": m, "form": form}


def form_of(algorithm: str) -> str:
    """The form to give an algorithm, so that none is converted inside of a measurement."""
    if algorithm == "auto":
        return "csr"
    row: Algorithm = named(algorithm)
    return "edges" if row.form == "edges" else "csr"


def build(runtime: Runtime, case: Case, scale: float = 1.0) -> Given:
    """Makes a graph on the device, edges in the order of their generator."""
    return _named(runtime, case.name, case.recipe(scale))


def tiny(runtime: Runtime) -> Given:
    """A graph of a few vertices: to see what a call costs by itself."""
    return _named(runtime, "tiny", recipes.path(64, shuffled=True))


def small(runtime: Runtime) -> Given:
    """Just too large for `auto` to do it in one launch: to compile for larger ones."""
    return _named(runtime, "small", recipes.uniform(ONE_BLOCK, ONE_BLOCK))


def _named(runtime: Runtime, name: str, recipe: Recipe) -> Given:
    edges = make(runtime, recipe)
    return Given(name, edges, csr_from_edges(runtime, edges))
