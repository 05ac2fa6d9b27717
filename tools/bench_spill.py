"""Measure ``spill=``: time and peak memory with a limit, beside a run without one.

``python tools/bench_spill.py FOLDER --edges 50M --ids 10M --limit 256M``

Writes a Parquet file of random edges between random 64-bit ids to the folder, if it is not there
from an earlier run, and solves it by ``skerry components`` in processes of their own: without a
limit, and with ``--limit-memory`` and ``--spill``. Both write their labels to Parquet. Prints
seconds, the peak of the resident memory as the system counts it, and the number of components of
each; exits with 1 if these differ, or if the limit was passed. ``--verify`` checks the labels of
the second run against the file by the forest certificate of ``skerry verify``, without a limit.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

UNITS = {"K": 10**3, "M": 10**6, "G": 10**9}
GROUP = 1 << 20
"""Edges of a row group."""


def number(text: str) -> int:
    """50M -> 50,000,000."""
    unit = UNITS.get(text[-1:].upper())
    return int(text) if unit is None else int(float(text[:-1]) * unit)


def id_of(numbers: np.ndarray) -> np.ndarray:
    """A different random-looking 64-bit id for every number: SplitMix64's finalizer."""
    x = numbers.astype(np.uint64)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (x ^ (x >> np.uint64(31))).view(np.int64)


def write_edges(path: Path, edges: int, ids: int, seed: int = 1) -> None:
    """Writes the file, complete or not at all."""
    random = np.random.default_rng(seed)
    schema = pa.schema([("src", pa.int64()), ("dst", pa.int64())])
    part = path.with_suffix(".part")
    with pq.ParquetWriter(part, schema, compression="none", use_dictionary=False) as writer:
        for begin in range(0, edges, GROUP):
            count = min(GROUP, edges - begin)
            ends = [id_of(random.integers(1, ids + 1, count)) for _ in range(2)]
            writer.write_table(pa.table(ends, schema=schema))
    part.rename(path)


def run(command: list[str]) -> tuple[float, int, dict[str, Any]]:
    """Seconds, peak of the resident memory in bytes, and the facts of a run of the command."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "skerry", *command, "--json"], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    return seconds, usage.ru_maxrss * 1024, json.loads(text)


def shown(name: str, seconds: float, peak: int, facts: dict[str, Any]) -> str:
    """A line about a run."""
    passes = ", ".join(f"{each['name']} {each['seconds']:.1f}" for each in facts["plan"]["passes"])
    return (
        f"{name:<10} {seconds:8.1f} s  {peak / 1e6:8.0f} MB  {facts['components']:,} components "
        f"of {facts['vertices']:,} ids\n{'':<10} {passes}"
    )


def main() -> None:
    """Measures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--edges", type=number, default=50_000_000)
    parser.add_argument("--ids", type=number, default=10_000_000)
    parser.add_argument("--limit", type=number, default=256_000_000)
    parser.add_argument("--only", choices=["write", "unlimited", "spilled"])
    parser.add_argument("--verify", action="store_true")
    arguments = parser.parse_args()
    folder = arguments.folder
    path = folder / f"edges-{arguments.edges}-{arguments.ids}.parquet"
    if arguments.only == "write":
        write_edges(path, arguments.edges, arguments.ids)
        return
    if not path.exists():  # in a process of its own: a child's peak begins with its parent's size
        subprocess.run([sys.executable, __file__, *sys.argv[1:], "--only", "write"], check=True)
    command = ["components", str(path), "--threads", "2"]
    labels = folder / "spilled-labels.parquet"
    runs = {
        "unlimited": [*command, "-o", str(folder / "labels.parquet")],
        "spilled": [
            *(*command, "-o", str(labels), "--spill", str(folder)),
            *("--limit-memory", str(arguments.limit)),
        ],
    }
    measured = {}
    for name, words in runs.items():
        if arguments.only in (None, name):
            measured[name] = run(words)
            print(shown(name, *measured[name]), flush=True)
    wrong = len({facts["components"] for _, _, facts in measured.values()}) > 1
    if "spilled" in measured:
        wrong |= measured["spilled"][1] > arguments.limit
        if arguments.verify:
            verify = [sys.executable, "-m", "skerry", "verify", str(path), str(labels)]
            wrong |= subprocess.run(verify, check=False).returncode != 0
    if len(measured) == 2:
        ratio = measured["spilled"][0] / measured["unlimited"][0]
        print(f"spilled / unlimited: {ratio:.2f}")
    if wrong:
        raise SystemExit("the numbers of components differ, or the limit was passed")


if __name__ == "__main__":
    main()
