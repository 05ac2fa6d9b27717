"""The jobs that the scripts of LDBC's driver start: load a graph, find its components, unload it.

    python -m skerry_bench.graphalytics.job load GRAPH.v GRAPH.e FOLDER
    python -m skerry_bench.graphalytics.job execute FOLDER OUTPUT [--device cuda] [--threads N]
    python -m skerry_bench.graphalytics.job unload FOLDER

``execute`` prints when processing starts and ends, in milliseconds since 1970, as other drivers do:
LDBC's processing time lies between the two. The graph is in memory before, on a GPU in its memory,
and the labels are written after.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import time
from typing import Any

import numpy as np

import skerry
import skerry.io
from skerry import SkerryError
from skerry_bench.graphalytics.stored import COUNTS, FILES, StoredGraph, load_graph, read_stored

WARM_UP = 1 << 17
"""Vertices of the graph that is solved before the clock starts."""


def execute(
    folder: Path,
    output: Path,
    device: str = "cpu",
    threads: int | None = None,
    say: Callable[[str], Any] = print,
) -> skerry.Components:
    """Finds the components of a stored graph and writes them in LDBC's form."""
    stored = read_stored(folder)
    solve = _on_gpu(stored, device) if device != "cpu" else _on_cpu(stored, threads)
    say(f"Processing starts at: {_milliseconds()}")
    result = solve()
    say(f"Processing ends at: {_milliseconds()}")
    labels = result._to_host(result.labels)
    output.parent.mkdir(parents=True, exist_ok=True)
    columns = {"vertex": stored.ids, "component": stored.ids[labels]}
    skerry.io.write_labels(columns, output, format="wcc")
    say(f"{result.num_vertices} vertices, {stored.edges} edges, {result.count} components")
    return result


def _on_cpu(stored: StoredGraph, threads: int | None) -> Callable[[], skerry.Components]:
    graph = skerry.Csr(
        stored.csr.offsets.copy(), stored.csr.neighbors.copy(), symmetric=True, sorted_rows=True
    )
    _warm_up(np, graph, threads=threads)
    return lambda: skerry.connected_components(graph, threads=threads)


def _on_gpu(stored: StoredGraph, device: str) -> Callable[[], skerry.Components]:
    import cupy

    offsets, neighbors = map(cupy.asarray, (stored.csr.offsets, stored.csr.neighbors))
    graph = skerry.Csr(offsets, neighbors, symmetric=True)
    _warm_up(cupy, graph, device=device)

    def solve() -> skerry.Components:
        result = skerry.connected_components(graph, device=device)
        cupy.cuda.Device().synchronize()
        return result

    return solve


def _warm_up(xp: Any, graph: skerry.Csr, **options: Any) -> None:
    """Solves a path: the first call of a process imports modules and sets up a GPU."""
    ends = xp.arange(1, WARM_UP, dtype=graph.neighbors.dtype)
    neighbors = xp.stack((ends - 1, ends), 1).ravel()
    offsets = xp.arange(0, 2 * WARM_UP - 1, 2, dtype=graph.offsets.dtype)
    # Vertex v has the entries v - 1 and v: a path with a loop at all but its first vertex.
    rows = xp.concatenate((xp.zeros(1, offsets.dtype), offsets))
    skerry.connected_components(skerry.Csr(rows, neighbors), **options)


def _milliseconds() -> int:
    return round(time() * 1000)


def unload(folder: Path) -> None:
    """Removes the files of a stored graph, and its folder if nothing else is in it."""
    for name in (COUNTS, *(f"{file}.npy" for file in FILES)):
        (folder / name).unlink(missing_ok=True)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="graphalytics job", allow_abbrev=False)
    jobs = parser.add_subparsers(dest="job", required=True)
    load = jobs.add_parser("load", help="text files to a folder")
    load.add_argument("vertices", type=Path)
    load.add_argument("edges", type=Path)
    load.add_argument("folder", type=Path)
    run = jobs.add_parser("execute", help="components of a folder")
    run.add_argument("folder", type=Path)
    run.add_argument("output", type=Path)
    run.add_argument("--device", default="cpu", help="cpu, cuda or cuda:1")
    for job in (load, run):
        job.add_argument("--threads", type=int)
    jobs.add_parser("unload", help="removes a folder").add_argument("folder", type=Path)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one job; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        if options.job == "load":
            loaded = load_graph(options.vertices, options.edges, options.folder, options.threads)
            print(f"loaded {len(loaded.ids)} vertices and {loaded.edges} edges")
        elif options.job == "execute":
            execute(options.folder, options.output, options.device, options.threads)
        else:
            unload(options.folder)
    except (SkerryError, OSError) as error:
        print(f"skerry: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
