"""Measure a graph in parts: on one GPU, in processes, and on a CPU and a GPU together.

``python tools/bench_parts.py [--shift K] [--only cpu|cuda] [--repeat R] [--seconds S]``

Every line is the median of R calls, which alternate between all devices of a graph, labels on the
host included: ms, the bytes that parts have sent, and for a CPU with a GPU what share of the
entries the GPU had. All labels are compared. ``--shift K`` divides all sizes by 2^K.
"""

from __future__ import annotations

import argparse
from statistics import median
from time import perf_counter

import numpy as np

import skerry
from skerry import generators
from skerry.cuda.devices import find_runtime
from skerry.engines.parts.part import Part
from skerry.engines.parts.run import run_parts
from skerry.graph.build import csr_from_edges
from skerry.graph.csr import Csr
from skerry.machine import processor
from skerry.result.components import Components
from skerry.threads import available_threads

CPU = ("cpu", "cpu:0", "cpu:0,0")
CUDA = ("cuda", "cuda:0 alone", "cuda:0,0", "cuda:0,0,0,0", "cuda:0,0,0,0,0,0,0,0")


def graphs(shift: int) -> dict[str, skerry.Edges]:
    """Graphs whose borders are large, small, and of low locality."""
    side = 2**12 >> shift // 2
    return {
        "random, 8 a vertex": generators.uniform(2**24 >> shift, 2**26 >> shift),
        "R-MAT": generators.rmat(22 - shift, 8, 0.57, 0.19, 0.19, shuffled=True),
        "grid": generators.grid(side, side),
    }


def alone(graph: Csr) -> float:
    """Seconds of a single part on a GPU, which no device string names."""
    from skerry.engines.parts.device import DevicePart

    begin = perf_counter()
    parts: list[Part] = [DevicePart(find_runtime("cuda:0"), graph, np.dtype(np.uint32), 1)]
    labels = np.empty(graph.num_vertices, np.uint32)
    run_parts(parts, graph, labels, available_threads(), measured=False)
    return perf_counter() - begin


def timed(graph: Csr, device: str) -> tuple[float, Components | None]:
    """Seconds of a call, and its result."""
    if device == "cuda:0 alone":
        return alone(graph), None
    begin = perf_counter()
    result = skerry.connected_components(graph, device=device)
    return perf_counter() - begin, result


def share_of_gpu(result: Components) -> str:
    """The share of the entries that the last part had."""
    notes = [note for note in result.plan.notes if "border labels sent" in note]
    entries = [int(note.split(" rows, ")[1].split(" ")[0].replace(",", "")) for note in notes]
    return f", GPU {entries[-1] / max(sum(entries), 1):.0%} of entries"


def measure(name: str, edges: skerry.Edges, devices: tuple[str, ...], repeat: int) -> None:
    """Prints a line for each device."""
    graph = csr_from_edges(edges, available_threads())
    print(f"{name}: {graph.num_vertices:,} vertices, {graph.num_entries:,} entries", flush=True)
    right = skerry.connected_components(graph).labels
    times: dict[str, list[float]] = {device: [] for device in devices}
    results: dict[str, Components | None] = {}
    for turn in range(repeat + 1):
        for device in devices:
            seconds, result = timed(graph, device)
            results[device] = result
            if result is not None and not np.array_equal(result.labels, right):
                raise SystemExit(f"{device}: wrong labels")
            if turn:  # the first compiles kernels
                times[device].append(seconds)
    for device, result in results.items():
        sent = 0 if result is None else result.plan.exchanged_bytes
        more = share_of_gpu(result) if result is not None and "+" in device else ""
        spread = f"{min(times[device]) * 1e3:.1f} to {max(times[device]) * 1e3:.1f}"
        print(f"  {device:22} {median(times[device]) * 1e3:9.1f} ms ({spread}), {sent:,} B{more}")
    for result in (results[device] for device in devices if "," in device or "+" in device):
        if result is not None:
            print("   ", "; ".join(f"{p.name} {p.seconds * 1e3:.1f}" for p in result.plan.passes))


def main() -> None:
    """Measures what this machine has."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shift", type=int, default=0)
    parser.add_argument("--only", choices=("cpu", "cuda"))
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1e9)
    arguments = parser.parse_args()
    chosen = {"cpu": CPU, "cuda": CUDA, None: ("cpu+cuda", *CUDA, *CPU)}[arguments.only]
    print(f"{processor()}, {available_threads()} threads")
    begin = perf_counter()
    for name, edges in graphs(arguments.shift).items():
        if perf_counter() - begin < arguments.seconds:
            measure(name, edges, chosen, arguments.repeat)


if __name__ == "__main__":
    main()
