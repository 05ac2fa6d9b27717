"""Measure the way from Parquet pairs to labels beside the reader alone, in turns.

``python tools/bench_parquet.py FOLDER --pairs 100M --vertices 5M --repeat 5``

Writes a file of random pairs of ``int64`` to the folder, if it is not there from an earlier run.
Then `pyarrow.parquet.ParquetFile.iter_batches` with its own defaults, which drops every batch, and
`skerry.connected_components` on the path take turns, each with two threads. Prints the median and
the best seconds of each, their CPU seconds, and the ratios. ``--ids vertices`` takes the ids as
vertex numbers.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import skerry

UNITS = {"K": 10**3, "M": 10**6, "G": 10**9}


def number(text: str) -> int:
    """100M -> 100,000,000."""
    unit = UNITS.get(text[-1:].upper())
    return int(text) if unit is None else int(float(text[:-1]) * unit)


def write_pairs(path: Path, pairs: int, vertices: int) -> None:
    """Writes the file with the defaults of pyarrow, complete or not at all."""
    random = np.random.default_rng(1)
    schema = pa.schema([("src", pa.int64()), ("dst", pa.int64())])
    part = path.with_suffix(".part")
    with pq.ParquetWriter(part, schema) as writer:
        for begin in range(0, pairs, 1 << 20):
            ends = random.integers(0, vertices, (2, min(1 << 20, pairs - begin)))
            writer.write_table(pa.table(list(ends), schema=schema))
    part.rename(path)


def read_alone(path: Path) -> None:
    """What the reader takes."""
    with pq.ParquetFile(path) as file:
        for _ in file.iter_batches():
            pass


def timed(function: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the clock, and of all cores."""
    before, begin = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    function()
    seconds, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_SELF)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pairs", type=number, default=100_000_000)
    parser.add_argument("--vertices", type=number, default=5_000_000)
    parser.add_argument("--ids", choices=["auto", "vertices"], default="auto")
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    path = arguments.folder / f"pairs-{arguments.pairs}-{arguments.vertices}.parquet"
    if not path.exists():
        write_pairs(path, arguments.pairs, arguments.vertices)
    pa.set_cpu_count(2)
    runs: dict[str, Callable[[], object]] = {
        "iter_batches": lambda: read_alone(path),
        "skerry": lambda: skerry.connected_components(path, ids=arguments.ids, threads=2),
    }
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in runs}
    for function in runs.values():  # the file is in the cache, modules are loaded
        function()
    for _ in range(arguments.repeat):
        for name, function in runs.items():
            times[name].append(timed(function))
    for name, measured in times.items():
        seconds, cores = zip(*measured, strict=True)
        print(
            f"{name:<14} median {median(seconds):6.2f} s  best {min(seconds):6.2f} s  "
            f"of all cores {median(cores):6.2f} s"
        )
    ratios = [theirs[0] / own[0] for own, theirs in zip(*times.values(), strict=True)]
    clocks = [[seconds for seconds, _ in measured] for measured in times.values()]
    print(
        f"skerry / iter_batches: {median(clocks[1]) / median(clocks[0]):.2f} of the medians, "
        f"{min(clocks[1]) / min(clocks[0]):.2f} of the best, "
        f"{', '.join(f'{each:.2f}' for each in sorted(ratios))} in turn"
    )


if __name__ == "__main__":
    main()
