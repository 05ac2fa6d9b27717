"""From a SNAP-like text file to labels, beside the reader of a DataFrame library and scipy."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.formats.open import open_edges
from skerry_bench.record import Record

__all__ = ["IMPLEMENTATIONS", "run"]

Solver = Callable[[str, int], int]


def _skerry(path: str, threads: int) -> int:
    # Half of the threads fold while all parse: folding is the lesser work, and a team that waits
    # for cores on which others parse loses more than it gains.
    folding = max(1, threads // 2)
    halving = _native.JUMP["halving"]
    parent = np.empty(0, np.uint32)
    largest = -1
    for batch in open_edges(path).open(threads):
        for ids in (batch.src, batch.dst):
            largest = max(largest, _native.bounds(ids, folding)[1])
        if largest >= len(parent):
            more = np.arange(len(parent), max(largest + 1, 2 * len(parent)), dtype=np.uint32)
            parent = np.concatenate([parent, more])
        _native.hook_edges(batch.src, batch.dst, parent, halving, folding, False)
    labels = parent[: largest + 1]
    _native.finish(labels, _native.FINISH["ordered"], threads, False)
    return int(_native.count_components(labels, threads))


def _solve(src: npt.NDArray[Any], dst: npt.NDArray[Any]) -> int:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = int(max(src.max(), dst.max())) + 1
    matrix = coo_array((np.ones(len(src), np.int8), (src, dst)), shape=(n, n))
    return int(connected_components(matrix, directed=False)[0])


def _polars(path: str, threads: int) -> int:  # noqa: ARG001, polars takes all cores
    import polars

    pairs = {"src": polars.Int64, "dst": polars.Int64}
    plain: dict[str, Any] = {"separator": "\t", "comment_prefix": "#", "has_header": False}
    table = polars.read_csv(path, schema=pairs, **plain)
    return _solve(table["src"].to_numpy(), table["dst"].to_numpy())


def _pandas(path: str, threads: int) -> int:  # noqa: ARG001, pandas takes one
    import pandas

    table = pandas.read_csv(path, sep="\t", comment="#", header=None)
    return _solve(table[0].to_numpy(), table[1].to_numpy())


IMPLEMENTATIONS: dict[str, Solver] = {"skerry": _skerry, "polars": _polars, "pandas": _pandas}


def run(
    record: Record, *, path: Path, megabytes: int, vertices: int, threads: int, times: int
) -> None:
    """Measures all implementations that are installed; each run is a process of its own."""
    made = not path.exists()
    if made:
        write_pairs(path, megabytes, vertices)
    size = path.stat().st_size
    try:
        counts: set[int] = set()
        # In turns, so that what else the machine does falls on all alike.
        rounds = [
            {name: _measured(name, path, threads) for name in IMPLEMENTATIONS} for _ in range(times)
        ]
        for name in IMPLEMENTATIONS:
            runs = [one[name] for one in rounds]
            if "missing" in runs[0]:
                record.add(what=name, missing=runs[0]["missing"])
                continue
            counts.update(one["count"] for one in runs)
            seconds = median(one["seconds"] for one in runs)
            record.add(
                what=name,
                file=f"{size / 1e9:.2f} GB",
                seconds=seconds,
                samples=[one["seconds"] for one in runs],
                cpu_seconds=median(one["cpu"] for one in runs),
                megabytes_per_second=size / 1e6 / seconds,
                peak_megabytes=median(one["peak"] for one in runs) / 1e6,
            )
        if len(counts) != 1:
            raise RuntimeError(f"the implementations count differently: {sorted(counts)}")
    finally:
        if made:
            path.unlink()
    record.table("what", "file", "seconds")


def write_pairs(path: Path, megabytes: int, vertices: int) -> None:
    """Random pairs as SNAP writes them: comments, then ids with a tab between."""
    import pyarrow
    from pyarrow import csv

    random = np.random.default_rng(1)
    with path.open("wb") as file:
        file.write(b"# Random pairs\n# FromNodeId\tToNodeId\n")
        plain = csv.WriteOptions(include_header=False, delimiter="\t")
        while file.tell() < megabytes * 1_000_000:
            src, dst = random.integers(0, vertices, (2, 1 << 20))
            csv.write_csv(pyarrow.table({"src": src, "dst": dst}), file, plain)


def _measured(name: str, path: Path, threads: int) -> dict[str, Any]:
    code = f"from skerry_bench import files; files.measure({name!r}, {str(path)!r}, {threads})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def measure(name: str, path: str, threads: int) -> None:
    """Prints what one run takes; its peak of memory is that of the whole process."""
    small = Path(path).with_suffix(".small.txt")
    small.write_text("# warms up: imports, threads\n0\t1\n1\t2\n")
    try:
        IMPLEMENTATIONS[name](str(small), threads)
    except ImportError as missing:
        print(json.dumps({"missing": str(missing)}))
        return
    finally:
        small.unlink()
    begin, busy = perf_counter(), process_time()
    count = IMPLEMENTATIONS[name](path, threads)
    told = {"count": count, "seconds": perf_counter() - begin, "cpu": process_time() - busy}
    print(json.dumps(told | {"peak": _peak_bytes()}))


def _peak_bytes() -> int:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
