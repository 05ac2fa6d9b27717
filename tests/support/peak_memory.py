"""Measures the memory that calls take at their peak: run as a program, in a process of its own.

``python peak_memory.py PATH...`` prints, for each named path from a graph to its labels, the bytes
a vertex and the bytes an edge that it takes beside its input, as JSON. They are slopes: each call
is measured with more vertices and with more edges, so that what does not grow is left out.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import skerry

VERTICES, MORE_VERTICES = 1_100_000, 2_100_000
EDGES, MORE_EDGES = 2_500_000, 3_200_000
BATCH = 1 << 18


def arrays(n: int, m: int) -> Any:
    """Edges in which every vertex occurs, in a random order."""
    random = np.random.default_rng(1)
    ends = [np.concatenate([random.permutation(n), random.integers(0, n, m - n)]) for _ in "st"]
    return tuple(end.astype(np.int32) for end in ends)


def matrix(n: int, m: int) -> Any:
    """A sparse matrix with 32-bit indices."""
    import scipy.sparse

    src, dst = arrays(n, m)
    return scipy.sparse.csr_array((np.ones(m, np.int8), (src, dst)), shape=(n, n))


def cut(src: Any, dst: Any) -> list[Any]:
    """Batches, as views."""
    return [(src[i : i + BATCH], dst[i : i + BATCH]) for i in range(0, len(src), BATCH)]


def far_apart(n: int, m: int) -> list[Any]:
    """Batches of 64-bit ids that leave gaps."""
    ids = np.random.default_rng(2).integers(0, 2**62, n)
    return cut(*(ids[end] for end in arrays(n, m)))


def texts(n: int, m: int) -> Any:
    """A table of ids that are texts of 12 bytes."""
    import pyarrow as pa

    names = pa.array(10**11 + np.arange(n)).cast(pa.string())
    src, dst = (names.take(pa.array(end)) for end in arrays(n, m))
    return pa.table({"src": src, "dst": dst})


def solve(**options: Any) -> Callable[[Any], Any]:
    """A call of `connected_components`."""
    return lambda graph: skerry.connected_components(graph, threads=2, **options).labels


def union(batches: list[Any]) -> Any:
    """The same edges into a `UnionFind`."""
    sets = skerry.UnionFind(threads=2)
    for src, dst in batches:
        sets.union(src, dst)
    return sets


def verified(graph: Any) -> Any:
    """The check of an answer, which is not counted itself."""
    return skerry.verify(graph[:2], graph[2], threads=2)


def with_labels(n: int, m: int) -> Any:
    """Edges and their labels."""
    src, dst = arrays(n, m)
    return src, dst, skerry.connected_components((src, dst)).labels


PATHS: dict[str, tuple[Callable[[int, int], Any], Callable[[Any], Any]]] = {
    "arrays of edges": (arrays, solve()),
    "arrays of edges, `forest=True`": (arrays, solve(forest=True)),
    'arrays of edges, `dtype="uint64"`': (arrays, solve(dtype="uint64")),
    'arrays of edges, `algorithm="ecl"`': (arrays, solve(algorithm="ecl")),
    "sparse matrix": (matrix, solve()),
    "batches of vertex numbers": (lambda n, m: cut(*arrays(n, m)), solve(ids="vertices")),
    "batches of ids with few gaps": (lambda n, m: cut(*arrays(n, m)), solve(ids="external")),
    "batches of 64-bit ids": (far_apart, solve(ids="external")),
    "table of texts": (texts, solve()),
    "`UnionFind`": (lambda n, m: cut(*arrays(n, m)), union),
    "`verify` of arrays of edges": (with_labels, verified),
}
"""Name of a path to what makes its input, and what solves it."""


def _status(name: str) -> int:
    text = Path("/proc/self/status").read_text()
    return int(text.split(f"{name}:")[1].split()[0]) * 1024


def peak_beside(run: Callable[[Any], Any], graph: Any) -> int:
    """Bytes that resident memory grows by at the peak of a run."""
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here on
    before = _status("VmRSS")
    run(graph)
    return _status("VmHWM") - before


def measure(name: str) -> tuple[float, float]:
    """Bytes a vertex and bytes an edge."""
    make, run = PATHS[name]
    run(make(VERTICES // 4, EDGES // 4))  # modules, threads, and what they keep once they had work
    base = peak_beside(run, make(VERTICES, EDGES))
    vertices = peak_beside(run, make(MORE_VERTICES, EDGES)) - base
    edges = peak_beside(run, make(VERTICES, MORE_EDGES)) - base
    return vertices / (MORE_VERTICES - VERTICES), edges / (MORE_EDGES - EDGES)


if __name__ == "__main__":
    print(json.dumps({name: measure(name) for name in sys.argv[1:] or PATHS}))
