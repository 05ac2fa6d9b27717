"""Measure the largest Graph500 graphs on a GPU: rows of scale 29, edges of scale 30.

``python benchmarks/tools/bench_graph500_large.py [--rows 29] [--edges 30] [--repeat 5]``

The generated edges of LDBC's seeds. Rows are those of LDBC's graphs: sorted, without loops, repeats
and vertices without an edge. They are built in pieces of the edge list, as both together do not
fit: each piece is generated twice, to count the entries of the rows and to fill them. Edges of
scale 30 do not fit either: they are generated and joined a piece at a time, and only the joins are
timed. Not an audited LDBC result.

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
SORTED = 1 << 29  # entries that are sorted at a time
KERNELS = """
extern "C" __global__ void count_ends(const unsigned* src, const unsigned* dst,
                                      unsigned long long count, unsigned* degrees) {
  const unsigned long long all = (unsigned long long)gridDim.x * blockDim.x;
  for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < count;
       i += all) {
    if (src[i] == dst[i]) continue;
    atomicAdd(degrees + src[i], 1u);
    atomicAdd(degrees + dst[i], 1u);
  }
}
extern "C" __global__ void place_ends(const unsigned* src, const unsigned* dst,
                                      unsigned long long count, const unsigned* numbers,
                                      unsigned long long* cursors, unsigned* neighbors) {
  const unsigned long long all = (unsigned long long)gridDim.x * blockDim.x;
  for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < count;
       i += all) {
    if (src[i] == dst[i]) continue;
    const unsigned u = numbers[src[i]];
    const unsigned v = numbers[dst[i]];
    neighbors[atomicAdd(cursors + u, 1ull)] = v;
    neighbors[atomicAdd(cursors + v, 1ull)] = u;
  }
}
"""


def pieces(runtime: Runtime, scale: int) -> Iterator[DeviceEdges]:
    """The edges of a scale, a piece at a time."""
    recipe = graph_recipe(scale)
    total = recipe.parameters[1]
    for begin in range(0, total, PIECE):
        yield graph500_range(runtime, recipe, begin, min(begin + PIECE, total))


def rows_of(runtime: Runtime, scale: int) -> tuple[skerry.Csr, Any]:
    """The symmetric rows of a scale, entries in any order, and the generated id of each row."""
    xp = runtime.xp
    module = xp.RawModule(code=KERNELS)
    grid, block = (4096,), (256,)
    degrees = xp.zeros(1 << scale, np.uint32)
    count = module.get_function("count_ends")
    for piece in pieces(runtime, scale):
        count(grid, block, (piece.src, piece.dst, np.uint64(piece.num_edges), degrees))
    ids = xp.flatnonzero(degrees).astype(np.uint32)
    offsets = xp.zeros(len(ids) + 1, np.uint64)
    xp.cumsum(degrees[ids], dtype=np.uint64, out=offsets[1:])
    numbers = degrees  # of vertices with an edge; the others' are not read
    numbers[ids] = xp.arange(len(ids), dtype=np.uint32)
    neighbors = xp.empty(int(offsets[-1]), np.uint32)
    cursors = offsets[:-1].copy()
    fill = module.get_function("place_ends")
    for piece in pieces(runtime, scale):
        columns = (piece.src, piece.dst, np.uint64(piece.num_edges))
        fill(grid, block, (*columns, numbers, cursors, neighbors))
    del cursors, numbers, degrees, piece, columns
    offsets, neighbors = without_repeats(runtime, offsets, neighbors)
    return skerry.Csr(offsets, neighbors, symmetric=True), ids


def without_repeats(runtime: Runtime, offsets: Any, neighbors: Any) -> tuple[Any, Any]:
    """The rows sorted, each neighbor once, in the same memory."""
    xp = runtime.xp
    last = len(offsets) - 1
    kept = xp.zeros_like(offsets)
    first, written = 0, 0
    while first < last:
        begin = int(offsets[first])
        limit = xp.array([begin + SORTED], np.uint64)
        end_row = int(xp.searchsorted(offsets, limit, side="right")[0]) - 1
        end_row = min(max(end_row, first + 1), last)
        end = int(offsets[end_row])
        entries = xp.arange(begin, end, dtype=np.uint64)
        rows = xp.searchsorted(offsets[first : end_row + 1], entries, side="right") - 1
        del entries
        keys = rows.astype(np.uint64)
        del rows
        keys <<= np.uint64(32)
        keys |= neighbors[begin:end]
        keys.sort()
        is_new = xp.ones(len(keys), bool)
        is_new[1:] = keys[1:] != keys[:-1]
        keys = keys[is_new]
        starts = xp.arange(end_row - first, dtype=np.uint64) << np.uint64(32)
        kept[first:end_row] = xp.searchsorted(keys, starts)
        kept[first:end_row] += np.uint64(written)
        neighbors[written : written + len(keys)] = keys.astype(np.uint32)
        first, written = end_row, written + len(keys)
        del keys, is_new, starts
        free(runtime)
    kept[last] = written
    return kept, neighbors[:written]


def labels_of_ids(runtime: Runtime, scale: int, ids: Any, labels: Any) -> Any:
    """The labels of rows as those of generated ids; a vertex without an edge is its own."""
    every = runtime.xp.arange(1 << scale, dtype=np.uint32)
    every[ids] = ids[labels]
    return every


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
    rows, ids = rows_of(runtime, scale)
    free(runtime)
    built = perf_counter() - begin
    counts = (rows.num_vertices, rows.num_entries // 2)
    known = PUBLISHED.get(scale)
    if known is not None and counts != (known.vertices, known.edges):
        raise SystemExit(f"{counts} vertices and edges; LDBC publishes {known}")
    answer = skerry.connected_components(rows)
    if raw._digest(labels_of_ids(runtime, scale, ids, answer.labels)) != digest:
        raise SystemExit("the labels from rows are not those from the edge list")
    plan = answer.plan.reason
    del answer
    times = [seconds_of(runtime, lambda: skerry.connected_components(rows)) for _ in range(repeat)]
    spread = f"{min(times) * 1e3:.2f} to {max(times) * 1e3:.2f}"
    print(
        f"graph500-{scale} from rows: {statistics.median(times) * 1e3:.2f} ms ({spread}), "
        f"{rows.num_vertices:,} vertices, {rows.num_entries:,} entries, "
        f"built in {built:.1f} s; {plan}",
        flush=True,
    )


def measure_pieces(runtime: Runtime, scale: int) -> None:
    """Joins of pieces, without their making."""
    xp = runtime.xp
    first = next(pieces(runtime, scale))
    warm = skerry.UnionFind(1 << scale, device="cuda")  # so that all kernels are compiled
    warm.union(first.src, first.dst)
    _ = warm.labels
    del first, warm, _
    free(runtime)
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
