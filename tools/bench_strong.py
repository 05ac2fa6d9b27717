"""Time strong components beside scipy: interleaved minima of both sides in one run.

``python tools/bench_strong.py [--vertices 500000] [--repeats 5] [--cpu] [NAME ...]``

Prints for each graph the milliseconds of scipy and how many times as fast skerry is on one thread
and on two; then the geometric means and the worst case. ``--cpu`` compares the CPU time of one
thread only, for a machine that is busy.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse
from scipy.sparse import csgraph

import skerry.csgraph
from skerry import generators

RANDOM = np.random.default_rng(1)


def matrix_of(n: int, src: Any, dst: Any) -> Any:
    """The edges as a CSR of scipy, with values that it need not convert."""
    ends = (np.asarray(src, np.int32), np.asarray(dst, np.int32))
    matrix = scipy.sparse.csr_array((np.ones(len(src)), ends), shape=(n, n))
    matrix.sum_duplicates()
    return matrix


def directed(edges: Any) -> Any:
    """Each edge one way or the other."""
    flip = RANDOM.random(len(edges.src)) < 0.5
    ends = np.where(flip, edges.src, edges.dst), np.where(flip, edges.dst, edges.src)
    return matrix_of(edges.num_vertices, *ends)


def both_ways(edges: Any) -> Any:
    """Each edge and its reverse."""
    ends = np.r_[edges.src, edges.dst], np.r_[edges.dst, edges.src]
    return matrix_of(edges.num_vertices, *ends)


def acyclic(edges: Any) -> Any:
    """Each edge from the smaller to the larger vertex."""
    ends = np.minimum(edges.src, edges.dst), np.maximum(edges.src, edges.dst)
    return matrix_of(edges.num_vertices, *ends)


def shuffled(matrix: Any) -> Any:
    """The same graph with other vertex numbers."""
    order, entries = RANDOM.permutation(matrix.shape[0]), matrix.tocoo()
    return matrix_of(len(order), order[entries.row], order[entries.col])


def circles(n: int, size: int) -> Any:
    """Circles of that size, each with an edge to the next."""
    v = np.arange(n - n % size)
    into = np.where(v % size == size - 1, v - size + 1, v + 1)
    links = np.arange(0, len(v) - size, size)
    return matrix_of(len(v), np.r_[v, links], np.r_[into, links + size])


def families(n: int) -> dict[str, Callable[[], Any]]:
    """The generated graphs of about so many vertices."""
    side, scale = math.isqrt(n), n.bit_length() - 1
    uniform = partial(generators.uniform, n, seed=1)
    return {
        "random-1": lambda: directed(uniform(n)),
        "random-2": lambda: directed(uniform(2 * n)),
        "random-8": lambda: directed(uniform(8 * n)),
        "rmat-4": lambda: directed(generators.rmat(scale, 4, seed=1)),
        "rmat-16": lambda: directed(generators.rmat(scale, 16, seed=1)),
        "rmat-both": lambda: both_ways(generators.rmat(scale, 8, seed=1)),
        "web": lambda: directed(generators.web(n)),
        "attachment": lambda: directed(generators.preferential_attachment(n, 8)),
        "grid": lambda: directed(generators.grid(side, side)),
        "grid-both": lambda: both_ways(generators.grid(side, side)),
        "grid-both-shuffled": lambda: shuffled(both_ways(generators.grid(side, side))),
        "grid-acyclic": lambda: acyclic(generators.grid(side, side)),
        "acyclic-2": lambda: acyclic(uniform(2 * n)),
        "acyclic-8": lambda: acyclic(uniform(8 * n)),
        "acyclic-8-shuffled": lambda: shuffled(acyclic(uniform(8 * n))),
        "path": lambda: acyclic(generators.path(n)),
        "path-shuffled": lambda: shuffled(acyclic(generators.path(n))),
        "circle-shuffled": lambda: shuffled(circles(n, n)),
        "circles-10": lambda: circles(n, 10),
        "circles-10-shuffled": lambda: shuffled(circles(n, 10)),
        "empty": lambda: scipy.sparse.csr_array((n, n)),
    }


def seconds(clock: Callable[[], float], solve: Callable[..., Any], matrix: Any) -> float:
    """The time of a call."""
    begin = clock()
    solve(matrix, connection="strong")
    return clock() - begin


def measure(matrix: Any, repeats: int, cpu: bool) -> list[float]:
    """The least seconds of scipy, and of skerry on one thread and on two."""
    clock = time.process_time if cpu else time.perf_counter
    rows = []
    for _ in range(repeats):
        row = [seconds(clock, csgraph.connected_components, matrix)]
        for threads in ("1",) if cpu else ("1", "2"):
            os.environ["SKERRY_THREADS"] = threads
            row.append(seconds(clock, skerry.csgraph.connected_components, matrix))
        rows.append(row)
    return [min(column) for column in zip(*rows, strict=True)]


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("graphs", nargs="*", metavar="NAME")
    parser.add_argument("--vertices", type=int, default=500_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--cpu", action="store_true")
    arguments = parser.parse_args()
    known, ratios = families(arguments.vertices), []
    for name in arguments.graphs or known:
        matrix = known[name]()
        scipy_seconds, *skerry_seconds = measure(matrix, arguments.repeats, arguments.cpu)
        ratios.append([scipy_seconds / each for each in skerry_seconds])
        shown = "  ".join(f"{ratio:6.2f}" for ratio in ratios[-1])
        sizes = f"{matrix.shape[0]:9,} {matrix.nnz:10,}"
        print(f"{name:32} {sizes} {scipy_seconds * 1e3:8.1f} ms  {shown}", flush=True)
    table = np.array(ratios)
    for name, row in (("mean", np.exp(np.log(table).mean(0))), ("worst", table.min(0))):
        print(f"{name:62}", "  ".join(f"{ratio:6.2f}" for ratio in row))


if __name__ == "__main__":
    main()
