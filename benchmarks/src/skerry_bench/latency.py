"""The time of the smallest calls."""

from __future__ import annotations

import subprocess
import sys
from statistics import median

import numpy as np

import skerry
from skerry_bench.record import Record
from skerry_bench.timing import repeat

__all__ = ["run"]


def run(record: Record) -> None:
    """A call on ten edges, and the import of the package in a fresh interpreter."""
    src, dst = np.arange(10), np.arange(1, 11)
    _, calls = repeat(lambda: skerry.connected_components((src, dst)), 2000)
    best = min(calls.samples)
    record.add(what="call on 10 edges", microseconds=calls.median * 1e3, best=best * 1e3)
    code = "import time; t = time.perf_counter(); import skerry; print(time.perf_counter() - t)"
    imports = [
        float(
            subprocess.run(
                [sys.executable, "-c", code], capture_output=True, text=True, check=True
            ).stdout
        )
        for _ in range(9)
    ]
    record.add(what="import skerry", seconds=median(imports), best=min(imports))
