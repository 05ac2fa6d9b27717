"""From ``(src, dst)`` arrays to labels, the whole path, beside what Python offers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry
from skerry.bench.record import Record
from skerry.bench.timing import repeat

__all__ = ["PEERS", "peak_bytes", "run"]

Ids = npt.NDArray[Any]
Solver = Callable[[Ids, Ids, int], Any]


def _skerry(threads: int | None) -> Solver:
    return lambda src, dst, n: (
        skerry.connected_components((src, dst), num_vertices=n, threads=threads).count
    )


def _scipy(src: Ids, dst: Ids, n: int) -> int:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    matrix = coo_array((np.ones(len(src), np.int8), (src, dst)), shape=(n, n))
    return int(connected_components(matrix, directed=False)[0])


def _networkit(src: Ids, dst: Ids, n: int) -> int:
    import networkit

    graph = networkit.GraphFromCoo((src, dst), n=n, weighted=False, directed=False)
    found = networkit.components.ParallelConnectedComponents(graph, False)
    found.run()
    return int(found.numberOfComponents())


def _igraph(src: Ids, dst: Ids, n: int) -> int:
    import igraph

    graph = igraph.Graph(n=n, edges=np.column_stack((src, dst)))
    return len(graph.connected_components())


PEERS: dict[str, Solver] = {"scipy": _scipy, "networkit": _networkit, "igraph": _igraph}


def run(
    record: Record,
    *,
    vertices: int,
    edges: int,
    dtype: str,
    threads: int,
    times: int,
    peers: Sequence[str],
) -> None:
    """Measures skerry and the peers that are installed on one random graph."""
    src, dst = _random_pairs(vertices, edges, dtype)
    expected = None
    for name, solve in [("skerry", _skerry(threads)), *((p, PEERS[p]) for p in peers)]:
        try:
            count, timing = repeat(
                lambda solve=solve: solve(src, dst, vertices),  # type: ignore[misc]
                times if name == "skerry" else min(times, 3),
            )
        except ImportError as missing:
            record.add(what=name, missing=str(missing))
            continue
        expected = count if expected is None else expected
        if count != expected:
            raise RuntimeError(f"{name} counts {count} components, skerry {expected}")
        record.add(
            what=name, ids=dtype, ms=timing.median, spread=timing.spread, samples=timing.samples
        )
    extra = extra_bytes(vertices, edges, dtype, threads)
    record.add(what="skerry", ids=dtype, extra_bytes=extra, per_vertex=extra / vertices)
    record.table("what", "ids", "ms")


def _random_pairs(vertices: int, edges: int, dtype: str) -> tuple[Ids, Ids]:
    random = np.random.default_rng(1)
    src = random.integers(0, vertices, edges, dtype)
    return src, random.integers(0, vertices, edges, dtype)


def extra_bytes(vertices: int, edges: int, dtype: str, threads: int) -> int:
    """Peak resident memory of a call beyond the process and its input, in a fresh interpreter."""
    code = (
        "from skerry.bench import edges as e; "
        f"print(e.growth_of_call({vertices}, {edges}, {dtype!r}, {threads}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(done.stdout)


def growth_of_call(vertices: int, edges: int, dtype: str, threads: int) -> int:
    """How much the peak of this process grows by one call."""
    src, dst = _random_pairs(vertices, edges, dtype)
    # A first call on a little of it starts the threads and loads what is loaded lazily.
    skerry.connected_components((src[:100_000] % 1000, dst[:100_000] % 1000), threads=threads)
    Path("/proc/self/clear_refs").write_text("5")  # forgets the peak so far
    before = peak_bytes()
    result = skerry.connected_components((src, dst), num_vertices=vertices, threads=threads)
    after = peak_bytes()
    del result
    return after - before


def peak_bytes() -> int:
    """The most memory that was resident since the start, or since the peak was forgotten."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("peak memory can be read on Linux only")
