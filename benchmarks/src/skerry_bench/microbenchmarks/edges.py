"""The suite ``edges``: from a pair of arrays to labels, end to end, beside peers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from skerry import Edges
from skerry.errors import ArgumentError
from skerry_bench.cases import Case, CaseOptions
from skerry_bench.implementation import Device, Implementation, ImplementationOptions
from skerry_bench.skerry_algorithms import SkerryAlgorithm
from skerry_bench.workload import Workload

DEFAULTS: dict[str, Any] = {"vertices": 5_000_000, "edges": 20_000_000, "dtype": "int64"}


def cases(options: CaseOptions) -> Iterator[Case]:
    """One random graph."""
    parameters = DEFAULTS | dict(options.parameters)
    vertices = max(1, round(parameters["vertices"] * options.scale))
    edges = max(1, round(parameters["edges"] * options.scale))
    try:
        dtype = np.dtype(parameters["dtype"])
    except TypeError as error:
        raise ArgumentError(f"dtype: {error}") from None
    if dtype.kind not in "iu":
        raise ArgumentError(f"dtype must be an integer type, got {parameters['dtype']!r}")

    def workload(threads: int) -> Workload:
        return Workload(str(dtype), lambda: random_edges(vertices, edges, dtype), threads)

    yield Case(str(dtype), "random pairs", workload, 2.0 * edges)


def random_edges(vertices: int, edges: int, dtype: np.dtype[Any]) -> Edges:
    """Edges between vertices drawn uniformly, the same for every call."""
    random = np.random.default_rng(1)
    src = random.integers(0, vertices, edges, dtype)
    return Edges(src, random.integers(0, vertices, edges, dtype), vertices)


def implementations(device: Device, options: ImplementationOptions) -> Iterator[Implementation]:
    """skerry on the pair of arrays, whose ids every call checks."""
    yield SkerryAlgorithm("auto", device, options.threads, "end_to_end", form="arrays")
