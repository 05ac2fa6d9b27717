"""Measures `skerry.ray` and `skerry.spark`, and others beside them: the runs of docs/cluster.md.

``python tools/bench_cluster.py --kind rmat spark:contraction graphframes:two_phase --jar JAR``

Every side (``ENGINE:METHOD``) runs in a process of its own, after another, on the same Parquet
files, which are made in the folder if they are not there: 20 million edges, random between 5
million ids or R-MAT between 5.2 million (scale 25, the first 20 million pairs). Two workers. Prints
a row for each side; ends with 1 if the sides do not count the same components.

Sides: ``ray:METHOD`` and ``spark:METHOD`` (``stream``, ``forest``, ``contraction``);
``graphframes:two_phase``, ``graphframes:two_phase_aqe`` (the same, without its broadcast of hubs)
and ``graphframes:randomized_contraction`` with a jar that ``tools/graphframes_jar.py`` has made;
``bts:2``, data-juicer's BTSUnionFind with so many actors, from a checkout that ``--data-juicer``
names.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import cluster_sides
import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from skerry import generators

FILES = 4


def make_files(folder: Path, kind: str, edges: int) -> Path:
    """Files of edges, four for each id."""
    path = folder / f"{kind}-{edges}"
    if path.exists():
        return path
    if kind == "random":
        src, dst = np.random.default_rng(1).integers(0, edges // 4, (2, edges))
    else:
        # The smallest scale whose first pairs hold a quarter as many ids as there are pairs.
        scale = (edges * 5 // 4).bit_length()
        factor = -(-edges >> scale) or 1
        graph = generators.rmat(scale, factor, 0.57, 0.19, 0.19, shuffled=True, seed=1)
        src, dst = (np.asarray(end)[:edges].astype(np.int64) for end in (graph.src, graph.dst))
    unfinished = folder / f"{kind}-{edges}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    for number in range(FILES):
        rows = slice(number * edges // FILES, (number + 1) * edges // FILES)
        table = pa.table({"src": src[rows], "dst": dst[rows]})
        pq.write_table(table, unfinished / f"{number}.parquet", row_group_size=1 << 20)
    unfinished.rename(path)
    return path


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ends a process and all that it has started."""
    for each in [*psutil.Process(process.pid).children(recursive=True), process]:
        with contextlib.suppress(psutil.Error):
            each.kill()
    process.wait()


def run_side(side: str, path: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Runs a side in a process of its own; what it has measured, or why it has not."""
    with tempfile.TemporaryDirectory(dir=options.folder) as work:
        settings = {
            "path": str(path),
            "work": work,
            "tasks": options.tasks,
            "jar": options.jar,
            "data_juicer": options.data_juicer,
        }
        command = [sys.executable, cluster_sides.__file__, side, json.dumps(settings)]
        log = options.folder / f"{path.name}-{side.replace(':', '-')}.log"
        with log.open("w") as errors:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
            try:
                output, _ = process.communicate(timeout=options.limit)
            except subprocess.TimeoutExpired:
                cpu = cluster_sides.cpu_seconds(process.pid)
                stop(process)
                text = f"stopped after {options.limit:.0f} s and {cpu:.0f} s of CPU time"
                return {"side": side, "failed": text}
    lines = output.decode().splitlines()
    if process.returncode or not lines:
        return {"side": side, "failed": f"exit {process.returncode}, see {log}"}
    measured: dict[str, Any] = json.loads(lines[-1])
    return measured


def row(measured: dict[str, Any], edges: int) -> str:
    """A row of the table."""
    if "failed" in measured:
        return f"| {measured['side']} | {measured['failed']} | | | | | |"
    shuffled = measured["shuffled"]
    return (
        f"| {measured['side']} | {measured['seconds']:.1f} s | {measured['cpu']:.1f} s "
        f"| {measured['cpu'] / edges * 1e9:.0f} ns | {measured['components']:,} "
        f"| {'' if shuffled is None else f'{shuffled / 1e6:,.0f} MB'} | {measured['load']:.1f} |"
    )


def main() -> int:
    """Makes the files, runs the sides, and compares their counts."""
    parser = argparse.ArgumentParser(description="Measures skerry on Ray or Spark.")
    parser.add_argument("sides", nargs="+", metavar="ENGINE:METHOD")
    parser.add_argument("--kind", choices=["random", "rmat"], default="random")
    parser.add_argument("--edges", type=int, default=20_000_000)
    parser.add_argument("--tasks", type=int, default=2)
    parser.add_argument("--jar", help="of GraphFrames, made by tools/graphframes_jar.py")
    parser.add_argument("--data-juicer", help="a checkout of data-juicer")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir(), "skerry-bench"))
    parser.add_argument("--limit", type=float, help="seconds that a side may take")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    path = make_files(options.folder, options.kind, options.edges)
    print(f"{options.kind}, {options.edges:,} edges\n")
    print("| side | time | CPU time | CPU for an edge | components | shuffled | load |")
    print("|---|--:|--:|--:|--:|--:|--:|", flush=True)
    results = []
    for side in options.sides:
        results.append(run_side(side, path, options))
        print(row(results[-1], options.edges), flush=True)
    counts = {each["components"] for each in results if "failed" not in each}
    if len(counts) > 1:
        print("the sides do not count the same components", file=sys.stderr)
    return int(len(counts) != 1 or any("failed" in each for each in results))


if __name__ == "__main__":
    sys.exit(main())
