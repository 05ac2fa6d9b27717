"""Measure the largest Graph500 graphs on a GPU: rows of scale 29, edges of scale 30.

``python tools/bench_graph500_large.py [--rows 29] [--edges 30] [--repeat 5]``

The generated edges of LDBC's seeds, with loops, repeats and vertices without an edge: they have the
components of LDBC's graphs, and one for each of those vertices. Rows are built in pieces of the
edge list, as both together do not fit: each piece is generated twice, to count the entries of the
rows and to fill them. Edges of scale 30 do not fit either: they are generated and joined a piece at
a time, and only the joins are timed. Not an audited LDBC result.

Answers are checked: the labels from rows are those from the edge list, and the joined pieces have
as many vertices with an edge as LDBC publishes, and equal labels at the ends of all edges.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np

import skerry
from skerry.cuda.devices import find_runtime
from skerry.cuda.runtime import Runtime
from skerry.generators.device import graph500_range
from skerry.graph.device import DeviceEdges
from skerry_bench.graphalytics.graphs import PUBLISHED, graph_recipe
from skerry_bench.graphalytics.raw import RawWorkload

PIECE = 1 << 28  # edges
KERNELS = """
extern "C" __global__ void count_ends(const unsigned* src, const unsigned* dst,
                                      unsigned long long count, unsigned* degrees) {
  const unsigned long long all = (unsigned long long)gridDim.x * blockDim.x;
  for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < count;
       i += all) {
    atomicAdd(degrees + src[i], 1u);
    atomicAdd(degrees + dst[i], 1u);
  }
}
extern "C" __global__ void place_ends(const unsigned* src, const unsigned* dst,
                                      unsigned long long count, unsigned long long* cursors,
                                      unsigned* neighbors) {
  const unsigned long long all = (unsigned long long)gridDim.x * blockDim.x;
  for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < count;
       i += all) {
    neighbors[atomicAdd(cursors + src[i], 1ull)] = dst[i];
    neighbors[atomicAdd(cursors + dst[i], 1ull)] = src[i];
  }
}
"""


def pieces(runtime: Runtime, scale: int) -> Iterator[DeviceEdges]:
    """The edges of a scale, a piece at a time."""
    recipe = graph_recipe(scale)
    total = recipe.parameters[1]
    for begin in range(0, total, PIECE):
        yield graph500_range(runtime, recipe, begin, min(begin + PIECE, total))


def rows_of(runtime: Runtime, scale: int) -> skerry.Csr:
    """The symmetric rows of a scale, entries in any order."""
    xp = runtime.xp
    module = xp.RawModule(code=KERNELS)
    grid, block = (4096,), (256,)
    degrees = xp.zeros(1 << scale, np.uint32)
    count = module.get_function("count_ends")
    for piece in pieces(runtime, scale):
        count(grid, block, (piece.src, piece.dst, np.uint64(piece.num_edges), degrees))
    offsets = xp.zeros((1 << scale) + 1, np.uint64)
    xp.cumsum(degrees, dtype=np.uint64, out=offsets[1:])
    del degrees
    neighbors = xp.empty(int(offsets[-1]), np.uint32)
    cursors = offsets[:-1].copy()
    fill = module.get_function("place_ends")
    for piece in pieces(runtime, scale):
        fill(grid, block, (piece.src, piece.dst, np.uint64(piece.num_edges), cursors, neighbors))
    return skerry.Csr(offsets, neighbors, symmetric=True)


def seconds_of(runtime: Runtime, call: Callable[[], Any]) -> float:
    """The time of a call on an idle device, with the host's part, until its kernels are done."""
    runtime.xp.cuda.Device().synchronize()
    begin = perf_counter()
    call()
    runtime.xp.cuda.Device().synchronize()
    return perf_counter() - begin


def measure_rows(runtime: Runtime, scale: int, repeat: int) -> None:
    """From rows to labels, compared with the labels from the edge list."""
    raw = RawWorkload(scale, 1, runtime)
    count, digest = raw._checked  # its labels pass the checks of edges and vertices
    print(f"graph500-{scale}: {count:,} components from the edge list", flush=True)
    raw = RawWorkload(scale, 1, runtime)  # without the edges
    free(runtime)
    begin = perf_counter()
    rows = rows_of(runtime, scale)
    free(runtime)
    built = perf_counter() - begin
    answer = skerry.connected_components(rows)
    if raw._digest(answer.labels) != digest:
        raise SystemExit("the labels from rows are not those from the edge list")
    plan = answer.plan.reason
    del answer
    times = [seconds_of(runtime, lambda: skerry.connected_components(rows)) for _ in range(repeat)]
    spread = f"{min(times) * 1e3:.2f} to {max(times) * 1e3:.2f}"
    print(
        f"graph500-{scale} from rows: {statistics.median(times) * 1e3:.2f} ms ({spread}), "
        f"{rows.num_entries:,} entries, built in {built:.1f} s; {plan}",
        flush=True,
    )


def measure_pieces(runtime: Runtime, scale: int) -> None:
    """Joins of pieces, without their making."""
    xp = runtime.xp
    sets = skerry.UnionFind(1 << scale, device="cuda")
    total, slowest = 0.0, 0.0
    for piece in pieces(runtime, scale):
        seconds = seconds_of(runtime, lambda piece=piece: sets.union(piece.src, piece.dst))
        total, slowest = total + seconds, max(slowest, seconds)
    labels_seconds = seconds_of(runtime, lambda: sets.labels)
    labels = sets.labels
    used = xp.zeros(1 << scale, bool)
    for piece in pieces(runtime, scale):
        if not bool((labels[piece.src] == labels[piece.dst]).all()):
            raise SystemExit("an edge joins different labels")
        proper = piece.src != piece.dst
        used[piece.src[proper]] = True
        used[piece.dst[proper]] = True
    vertices = int(used.sum())
    if scale in PUBLISHED and vertices != PUBLISHED[scale].vertices:
        raise SystemExit(f"{vertices:,} vertices have an edge; LDBC publishes others")
    print(
        f"graph500-{scale} in pieces: {(total + labels_seconds) * 1e3:.0f} ms of joins and labels "
        f"(labels {labels_seconds * 1e3:.1f}, slowest piece {slowest * 1e3:.1f}), "
        f"{graph_recipe(scale).parameters[1]:,} edges, {vertices:,} vertices have an edge",
        flush=True,
    )


def free(runtime: Runtime) -> None:
    """Returns the unused memory of the pool."""
    runtime.xp.get_default_memory_pool().free_all_blocks()


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=29, help="scale of the rows; 0: none")
    parser.add_argument("--edges", type=int, default=30, help="scale of the edges; 0: none")
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    runtime = find_runtime("cuda")
    print(f"{runtime.name}; not an audited LDBC result")
    if arguments.rows:
        measure_rows(runtime, arguments.rows, arguments.repeat)
        free(runtime)
    if arguments.edges:
        measure_pieces(runtime, arguments.edges)


if __name__ == "__main__":
    main()
