"""Time per edge as graphs grow, and the time of the smallest calls."""

from __future__ import annotations

import subprocess
import sys
from statistics import median
from time import perf_counter

import numpy as np

import skerry
from skerry.bench.record import Record
from skerry.bench.timing import repeat
from skerry.graph.generators import uniform

__all__ = ["run_growth", "run_latency"]


def run_growth(record: Record, *, threads: int, times: int, largest: int) -> None:
    """A random graph with four edges a vertex, from a million edges up."""
    edges = 1_000_000
    while edges <= largest:
        graph = uniform(edges // 4, edges)
        _, timing = repeat(lambda g=graph: skerry.connected_components(g, threads=threads), times)  # type: ignore[misc]
        record.add(
            what="skerry",
            edges=edges,
            ms=timing.median,
            ns_per_edge=timing.median * 1e6 / edges,
            spread=timing.spread,
        )
        edges = edges * 10 if edges * 10 <= largest or edges == largest else largest
    record.table("what", "edges", "ns_per_edge")


def run_latency(record: Record) -> None:
    """A call on ten edges, and the import of the package in a fresh interpreter."""
    src, dst = np.arange(10), np.arange(1, 11)
    calls = []
    for _ in range(2000):
        begin = perf_counter()
        skerry.connected_components((src, dst))
        calls.append((perf_counter() - begin) * 1e6)
    record.add(what="call on 10 edges", microseconds=median(calls), best=min(calls))
    code = "import time; t = time.perf_counter(); import skerry; print(time.perf_counter() - t)"
    imports = [
        float(
            subprocess.run(
                [sys.executable, "-c", code], capture_output=True, text=True, check=True
            ).stdout
        )
        for _ in range(9)
    ]
    record.add(what="import skerry", seconds=median(imports), best=min(imports))
