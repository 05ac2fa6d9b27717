"""Measure what passes by a GPU: edges of the host and of files, edges made there, and `UnionFind`.

``python tools/bench_gpu_stream.py [--only NAMES] [--seconds S] [--shift K]``

Every figure is printed when it is known, with the floor beside it: the bandwidth of plain copies,
or the rate of random gathers from an array of the size of the parent array. Parts that would begin
after ``--seconds`` are left out, and said to be. ``--shift K`` divides all sizes by 2^K, to try it.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import skerry
from skerry import generators
from skerry.cuda.devices import find_runtime
from skerry.cuda.runtime import Runtime
from skerry.engines import device_stream
from skerry.generators import device as on_device
from skerry.graph.device import DeviceEdges
from skerry.union_find.device_forest import DeviceForest
from skerry.union_find.streamed_forest import CHUNK, StreamedForest

REPEAT = 3
TO_DEVICE = 1
PACKED = r"""
// ids[i] = the i-th group of `bits` bits of the words, lowest first.
extern "C" __global__ void unpack(const unsigned* words, unsigned long long count,
                                  unsigned bits, ID* ids) {
  const unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
  for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < count;
       i += step) {
    const unsigned long long first = i * bits, word = first / 32;
    const unsigned shift = first % 32;
    unsigned long long value = words[word] | (unsigned long long)words[word + 1] << 32;
    value >>= shift;
    if (shift + bits > 64) value |= (unsigned long long)words[word + 2] << (64 - shift);
    ids[i] = (ID)(value & ((1ull << bits) - 1));
  }
}
"""
GATHER = r"""
// Two random words for each edge, as a repeated edge needs at least.
extern "C" __global__ void gather(const unsigned* src, const unsigned* dst,
                                  unsigned long long count, const unsigned* table, unsigned shift,
                                  unsigned* sum) {
  const unsigned long long step = (unsigned long long)gridDim.x * blockDim.x * 4;
  unsigned own = 0;
  for (unsigned long long i = (blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x) * 4;
       i + 3 < count; i += step) {
    const uint4 u = *(const uint4*)(src + i), v = *(const uint4*)(dst + i);
    own += table[u.x >> shift] ^ table[v.x >> shift];
    own += table[u.y >> shift] ^ table[v.y >> shift];
    own += table[u.z >> shift] ^ table[v.z >> shift];
    own += table[u.w >> shift] ^ table[v.w >> shift];
  }
  if (own == 12345) atomicAdd(sum, own);
}
"""


class Bench:
    """The device, the sizes, and the bandwidth once it is measured."""

    def __init__(self, shift: int) -> None:
        import cupy

        self.cp: Any = cupy
        self.runtime: Runtime = find_runtime("cuda")
        self.shift = shift
        self.vertices = 1 << (24 - shift)
        self.edges = 1 << (28 - shift)
        self.bandwidth = 0.0
        device_stream.STREAM_FROM >>= shift

    def size(self, power: int) -> int:
        """2^power, as much smaller as was asked for."""
        return max(1, 1 << max(power - self.shift, 0))

    def drawn(self, vertices: int, edges: int, seed: int = 1) -> DeviceEdges:
        """Random edges on the device."""
        return on_device.make(self.runtime, generators.uniform.recipe(vertices, edges, seed=seed))

    def pinned(self, count: int, dtype: str) -> Any:
        """Page-locked memory as an array, and what keeps it."""
        kind = np.dtype(dtype)
        memory = self.cp.cuda.alloc_pinned_memory(count * kind.itemsize)
        return np.frombuffer(memory, kind, count)

    def seconds(self, work: Callable[[], Any], repeat: int = REPEAT) -> float:
        """Median time of some work, until the device is done with it; once before."""
        work()
        times = []
        for _ in range(repeat):
            self.cp.cuda.Device().synchronize()
            begin = perf_counter()
            work()
            self.cp.cuda.Device().synchronize()
            times.append(perf_counter() - begin)
        return statistics.median(times)


def say(name: str, figure: str) -> None:
    """Print a line at once."""
    print(f"{name:<62} {figure}", flush=True)


def rate(edges: int, seconds: float) -> str:
    """Billions of edges a second."""
    return f"{edges / seconds / 1e9:7.2f} G edges/s, {seconds * 1e3:8.1f} ms"


def of_bandwidth(bench: Bench, size: int, seconds: float) -> str:
    """Bytes a second, and which share of plain copies' that is."""
    share = f" = {size / seconds / bench.bandwidth:4.0%} of plain" if bench.bandwidth else ""
    return f"{size / seconds / 1e9:6.1f} GB/s{share}"


def copies(bench: Bench) -> None:
    """Plain copies of page-locked memory, both ways."""
    cp, size = bench.cp, 8 * bench.size(22)
    host, there = bench.pinned(size, "u1"), cp.empty(size, np.uint8)
    stream = cp.cuda.Stream(non_blocking=True)
    times = 64
    for name, kind in (("to the device", TO_DEVICE), ("to the host", 2)):
        ends = (there.data.ptr, host.ctypes.data)[:: 1 if kind == TO_DEVICE else -1]

        def run(ends: tuple[int, int] = ends, kind: int = kind) -> None:
            for _ in range(times):
                cp.cuda.runtime.memcpyAsync(*ends, size, kind, stream.ptr)
            stream.synchronize()

        rated = times * size / bench.seconds(run)
        if kind == TO_DEVICE:
            bench.bandwidth = rated
        say(f"plain pinned copies {name}, {size >> 20} MB each", f"{rated / 1e9:.1f} GB/s")
    wanted = 0.8 * bench.bandwidth
    say("80% of that in edges of 8 bytes", f"{wanted / 8e9:.2f} G edges/s")


def _streamed(bench: Bench, columns: tuple[Any, Any], threads: int, ids: str | None) -> Any:
    kind = None if ids is None else np.dtype(ids)
    forest = StreamedForest(bench.runtime, bench.vertices, ids=kind)
    forest.join_all(*columns, threads)
    if not forest.end():
        raise RuntimeError("an id was taken for no vertex")
    return forest.forest.flat_links()


def host_memory(bench: Bench) -> None:
    """Edges of arrays of the host, page-locked and not, of both widths."""
    cp, n, m = bench.cp, bench.vertices, bench.edges
    threads = skerry.threads.resolve_threads(None)
    drawn = bench.drawn(n, m)
    right = skerry.connected_components((drawn.src, drawn.dst), num_vertices=n).labels.copy()
    narrow = bench.pinned(m, "u4"), bench.pinned(m, "u4")
    for column, there in zip(narrow, (drawn.src, drawn.dst), strict=True):
        there.get(out=column)
    del drawn
    cp.get_default_memory_pool().free_all_blocks()
    say(f"{m:,} edges of {n:,} vertices, {threads} threads", "")

    def measure(name: str, columns: tuple[Any, Any], ids: str | None) -> None:
        labels = _streamed(bench, columns, threads, ids)
        if not bool((labels == right).all()):
            raise RuntimeError(f"{name}: wrong labels")
        seconds = bench.seconds(lambda: _streamed(bench, columns, threads, ids))
        moved = 2 * m * (4 if ids is None else np.dtype(ids).itemsize)
        say(name, f"{rate(m, seconds)}, {of_bandwidth(bench, moved, seconds)}")
        call = bench.seconds(
            lambda: skerry.connected_components(columns, num_vertices=n, device="cuda"), 2
        )
        say("    connected_components, with the labels on the host", rate(m, call))

    measure("pinned uint32, copied in place", narrow, None)
    pageable = tuple(column.copy() for column in narrow)
    measure("pageable uint32", pageable, None)
    wide = tuple(column.astype(np.int64) for column in narrow)
    measure("pageable int64, narrowed on the way", wide, None)
    table = np.column_stack(pageable)
    measure("pageable uint32, columns of a table", (table[:, 0], table[:, 1]), None)
    del table, pageable
    locked = bench.pinned(m, "i8"), bench.pinned(m, "i8")
    for column, values in zip(locked, wide, strict=True):
        column[:] = values
    measure("pinned int64, copied in place", locked, "u8")
    measure("pinned int64, narrowed on the way", locked, None)
    for team in (2, 4, 8):
        seconds = bench.seconds(lambda team=team: _streamed(bench, wide, team, None), 2)
        say(f"    pageable int64 with {team} threads", rate(m, seconds))


def chunks(bench: Bench) -> None:
    """Sizes of chunks, for page-locked memory."""
    n, m = bench.vertices, bench.edges
    drawn = bench.drawn(n, m)
    columns = tuple(bench.pinned(m, "u4") for _ in range(2))
    for column, there in zip(columns, (drawn.src, drawn.dst), strict=True):
        there.get(out=column)
    del drawn
    pageable = tuple(column.copy() for column in columns)

    def run(columns: Any, chunk: int) -> None:
        forest = StreamedForest(bench.runtime, n, chunk=chunk)
        forest.join_all(*columns, skerry.threads.resolve_threads(None))
        forest.end()

    for power in (20, 21, 22, 23, 24):
        chunk = bench.size(power)
        for name, ends in (("pinned", columns), ("pageable", pageable)):
            seconds = bench.seconds(lambda e=ends, c=chunk: run(e, c), 2)
            say(f"{name} uint32, chunks of {chunk:,} edges", rate(m, seconds))


def files(bench: Bench) -> None:
    """A file of NumPy's, by its path and as a memory map; its pages are in the cache."""
    n, m = bench.vertices, bench.edges // 2
    drawn = bench.drawn(n, m)
    right = skerry.connected_components((drawn.src, drawn.dst), num_vertices=n).labels
    src, dst = drawn.src.get(), drawn.dst.get()
    del drawn
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "edges.npy"
        for name, array in (("(2, m)", np.stack((src, dst))), ("(m, 2)", np.stack((src, dst), 1))):
            np.save(path, array)
            del array

            def by_path() -> Any:
                return skerry.connected_components(path, num_vertices=n, device="cuda")

            def by_map() -> Any:
                return skerry.connected_components(
                    np.load(path, mmap_mode="r"), num_vertices=n, device="cuda"
                )

            for how, run in (("path", by_path), ("memory map", by_map)):
                if not np.array_equal(run().labels, right.get()):
                    raise RuntimeError("wrong labels")
                seconds = bench.seconds(run, 2)
                say(f".npy {name} of uint32, by its {how}", rate(m, seconds))
                if how == "path":
                    passes = run().plan.passes
                    times = (f"{step.name} {step.seconds * 1e3:.1f} ms" for step in passes)
                    say(f"    {', '.join(times)}", "")


def packed(bench: Bench) -> None:
    """Ids of fewer bits than a word, unpacked on the device; one chunk again and again."""
    for bits in (26, 28, 30, 34):
        _packed(bench, bits)


def _packed(bench: Bench, bits: int) -> None:
    cp, count, times = bench.cp, bench.size(22), 48
    kind = "u4" if bits <= 32 else "u8"
    n = min(bench.vertices, 1 << bits)
    ids = np.random.default_rng(bits).integers(0, n, 2 * count).astype(np.uint64)
    words = pack(ids, bits)
    host = bench.pinned(len(words), "u4")
    host[:] = words
    wide = " long long" if kind == "u8" else ""
    unpack = cp.RawKernel(PACKED, "unpack", ("-std=c++17", f"-DID=unsigned{wide}"))
    arrays = [cp.empty(len(words), np.uint32) for _ in range(3)]
    plain = [cp.empty(2 * count, kind) for _ in range(3)]
    stream = cp.cuda.Stream(non_blocking=True)
    forest = DeviceForest(bench.runtime, n)
    forest.begin()
    blocks, size, width = -(-2 * count // 1024), np.uint64(2 * count), np.uint32(bits)

    def run() -> None:
        current = cp.cuda.get_current_stream()
        used = [current.record() for _ in range(3)]
        for number in range(times):
            slot = number % 3
            stream.wait_event(used[slot])
            there = arrays[slot].data.ptr
            cp.cuda.runtime.memcpyAsync(there, host.ctypes.data, host.nbytes, TO_DEVICE, stream.ptr)
            current.wait_event(stream.record())
            unpack((blocks,), (256,), (arrays[slot], size, width, plain[slot]))
            forest.launch_join(DeviceEdges(plain[slot][:count], plain[slot][count:], n))
            used[slot] = current.record()
        current.synchronize()

    run()
    if not np.array_equal(plain[0].get(), ids.astype(kind)):
        raise RuntimeError("unpacked to other ids")
    seconds = bench.seconds(run)
    figure = of_bandwidth(bench, times * host.nbytes, seconds)
    name = f"ids packed in {bits} bits, {bits / 4:.1f} bytes an edge"
    say(name, f"{rate(times * count, seconds)}, {figure}")


def pack(ids: Any, bits: int) -> Any:
    """Groups of ``bits`` bits, lowest first, in 32-bit words; three words more than needed."""
    groups = ids.reshape(-1, 32)  # which fill `bits` words
    words = np.zeros((len(groups), bits + 3), np.uint64)
    for lane in range(32):
        word, shift = divmod(lane * bits, 32)
        low = groups[:, lane] << np.uint64(shift)  # the highest bits of 34 + 31 are lost here
        words[:, word] |= low & np.uint64(0xFFFFFFFF)
        words[:, word + 1] |= low >> np.uint64(32)
        if shift + bits > 64:
            words[:, word + 2] |= groups[:, lane] >> np.uint64(64 - shift)
    return np.append(words[:, :bits].reshape(-1), [0, 0, 0]).astype(np.uint32)


def generated(bench: Bench) -> None:
    """20 G edges that are made on the device, in bounded memory."""
    pool = bench.cp.get_default_memory_pool()
    total = int(20e9) >> bench.shift
    chunk = min(bench.size(27), total)
    reference = generators.graph500_reference.recipe(28 - min(bench.shift, 20), 80)
    uniform = 1 << (30 - bench.shift)

    def random_chunk(begin: int, end: int) -> DeviceEdges:
        return bench.drawn(uniform, end - begin, seed=1 + begin // chunk)

    def graph500_chunk(begin: int, end: int) -> DeviceEdges:
        return on_device.graph500_range(bench.runtime, reference, begin, end)

    scale = 28 - min(bench.shift, 20)
    for name, n, make in (
        (f"uniform, {uniform:,} vertices", uniform, random_chunk),
        (f"Graph500, {1 << scale:,} vertices", 1 << scale, graph500_chunk),
    ):
        pool.free_all_blocks()
        make(0, chunk)
        ahead = bench.seconds(lambda make=make: make(0, chunk), 2)
        say(f"{name}: made", rate(chunk, ahead))
        sets = skerry.UnionFind(n, device="cuda")
        bench.cp.cuda.Device().synchronize()
        begin = perf_counter()
        for first in range(0, total, chunk):
            edges = make(first, min(first + chunk, total))
            sets.union(edges.src, edges.dst)
            del edges
        count = sets.count
        seconds = perf_counter() - begin
        say(
            f"{name}: {total:,} edges made and joined",
            f"{rate(total, seconds)}; {count:,} components, {pool.total_bytes() / 1e9:.2f} GB",
        )
        spent = ahead * total / chunk
        say("    without the time to make them", rate(total, max(seconds - spent, 1e-9)))
        del sets


def union_find(bench: Bench) -> None:
    """Batches into 2^24 vertices, new and repeated, beside the floor of two gathers an edge."""
    cp, n, m = bench.cp, bench.vertices, bench.edges
    edges = bench.drawn(n, m)
    gather = cp.RawKernel(GATHER, "gather", ("-std=c++17",))
    table, total = cp.zeros(n, np.uint32), cp.zeros(1, np.uint32)
    for name, shift in ((f"{n * 4 >> 20} MB", 0), (f"{n // 8 >> 10} KB", 5)):
        arguments = (edges.src, edges.dst, np.uint64(m), table, np.uint32(shift), total)
        floor = bench.seconds(lambda a=arguments: gather((-(-m // 4096),), (256,), a))
        say(f"floor: two gathers an edge from {name}", rate(m, floor))
    for isolated in (False, True):
        if isolated:
            for ends in (edges.src, edges.dst):
                ends -= (ends % 100 == 99).astype(np.uint32)
        name = "1% without an edge" if isolated else "all vertices"
        for power in (20, 22, 24, 26, 28):
            _batches(bench, edges, bench.size(power), name)
    call = bench.seconds(
        lambda: skerry.connected_components((edges.src, edges.dst), num_vertices=n).count
    )
    say("one connected_components on all of them", rate(m, call))
    sets = skerry.UnionFind(n, device="cuda")
    sets.union(edges.src, edges.dst)
    ids = edges.src[: bench.size(24)]
    say("find of many", rate(len(ids), bench.seconds(lambda: sets.find(ids))))
    say("connected of many", rate(len(ids), bench.seconds(lambda: sets.connected(ids, ids))))
    say("one connected(u, v)", f"{bench.seconds(lambda: sets.connected(1, 2)) * 1e6:.1f} us")


def _batches(bench: Bench, edges: DeviceEdges, batch: int, name: str) -> None:
    n, m = bench.vertices, edges.num_entries
    fresh, repeated = [], []
    for _ in range(REPEAT + 1):  # the first compiles
        sets = skerry.UnionFind(n, device="cuda")
        for times in (fresh, repeated):
            bench.cp.cuda.Device().synchronize()
            begin = perf_counter()
            for src, dst in _parts(edges, batch):
                sets.union(src, dst)
            times.append(perf_counter() - begin)
    new, again = (statistics.median(times[1:]) for times in (fresh, repeated))
    say(f"UnionFind, {name}, batches of {batch:,}: fresh", rate(m, new))
    say(f"UnionFind, {name}, batches of {batch:,}: repeated", rate(m, again))


def _parts(edges: DeviceEdges, batch: int) -> Iterator[tuple[Any, Any]]:
    for begin in range(0, edges.num_entries, batch):
        yield edges.src[begin : begin + batch], edges.dst[begin : begin + batch]


def limited(bench: Bench) -> None:
    """A graph larger than the device's memory, by a limit of CuPy's pool."""
    n, m = bench.vertices, bench.edges
    drawn = bench.drawn(n, m)
    right = skerry.connected_components((drawn.src, drawn.dst), num_vertices=n).labels.get()
    columns = drawn.src.get(), drawn.dst.get()
    del drawn
    pool = bench.cp.get_default_memory_pool()
    pool.free_all_blocks()
    size = 5 * n + 6 * 4 * min(CHUNK, m)
    pool.set_limit(size=pool.used_bytes() + size)
    try:
        begin = perf_counter()
        result = skerry.connected_components(columns, num_vertices=n, device="cuda")
        seconds = perf_counter() - begin
    finally:
        pool.set_limit(size=0)
    if not np.array_equal(result.labels, right):
        raise RuntimeError("wrong labels")
    say(f"{8 * m / 1e9:.2f} GB of edges with {size / 1e9:.2f} GB on the device", rate(m, seconds))


PARTS = {
    "copies": copies,
    "union_find": union_find,
    "host_memory": host_memory,
    "generated": generated,
    "packed": packed,
    "files": files,
    "limited": limited,
    "chunks": chunks,
}


def main() -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", help=f"parts, separated by commas: {', '.join(PARTS)}")
    parser.add_argument("--seconds", type=float, default=80, help="no part begins after")
    parser.add_argument("--shift", type=int, default=0, help="sizes are divided by 2^SHIFT")
    arguments = parser.parse_args()
    bench = Bench(arguments.shift)
    names = arguments.only.split(",") if arguments.only else list(PARTS)
    begin, failed = perf_counter(), False
    for name in names:
        before = perf_counter() - begin
        if before > arguments.seconds:
            say(f"-- {name}", "left out: no time")
            continue
        say(f"-- {name}", f"after {before:.1f} s")
        try:
            PARTS[name](bench)
        except Exception as error:  # the other parts are measured all the same
            failed = True
            say(f"{name} FAILED", f"{type(error).__name__}: {error}")
        bench.cp.get_default_memory_pool().free_all_blocks()
        bench.cp.get_default_pinned_memory_pool().free_all_blocks()
    say("all", f"{perf_counter() - begin:.1f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
