"""Stated memory beside the measured peak: ``python tools/stated_memory.py``.

What `skerry.estimate` says of a run and its conversion, and how much resident memory grows at its
peak beside the input, each in a process of its own. Prints one line a case; exit code 1 if one is
off by more than ``--tolerance``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import numpy as np

import skerry
from support.peak_memory import arrays, cut, peak_beside

STEADY = {
    "MALLOC_MMAP_THRESHOLD_": "65536",  # what is freed goes back to the system at once
    "MALLOC_TRIM_THRESHOLD_": "65536",
    "NUMPY_MADVISE_HUGEPAGE": "0",  # memory is counted in small pages
}


def rows(n: int, m: int) -> Any:
    """Both directions of edges, as rows that are known to be symmetric."""
    from skerry.graph.build import csr_from_edges

    made = csr_from_edges(skerry.Edges(*(end.astype(np.uint32) for end in arrays(n, m)), n), 2)
    return skerry.Csr(*made.arrays(), symmetric=True)


def edges(n: int, m: int) -> Any:
    """An edge list."""
    return skerry.Edges(*(end.astype(np.uint32) for end in arrays(n, m)), n)


def grid(n: int, _: int) -> Any:
    """An image of random pixels."""
    side = int(n**0.5)
    return skerry.Grid(np.random.default_rng(3).random((side, side)) < 0.6)


def batches(n: int, m: int) -> Any:
    """Batches of vertex numbers."""
    return cut(*arrays(n, m))


MAKE: dict[str, Callable[[int, int], Any]] = {
    "edges": edges,
    "csr": rows,
    "batches": batches,
    "grid": grid,
}
NAMED = ("ecl", "afforest")
"""Made of passes: the memory of others is not stated on CPUs."""
SCALE = {"batches": 20}
"""Times the vertices, where a batch in work is of a constant size."""
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "edges": ("edges", {}),
    "edges, 64-bit labels": ("edges", {"dtype": "uint64"}),
    "edges, forest": ("edges", {"forest": True}),
    "rows": ("csr", {}),
    "rows, 64-bit labels": ("csr", {"dtype": "uint64"}),
    "batches of vertex numbers": ("batches", {}),
    "grid": ("grid", {}),
    **{f"edges, {name}": ("edges", {"algorithm": name}) for name in NAMED},
    **{f"rows, {name}": ("csr", {"algorithm": name}) for name in NAMED},
}


def measure(name: str, n: int, m: int) -> tuple[int, int]:
    """Bytes that are stated, and bytes at the peak."""
    form, options = CASES[name]
    make = MAKE[form]
    more = {"ids": "vertices"} if form == "batches" else {}

    def run(graph: Any) -> Any:
        return skerry.connected_components(graph, threads=2, **options, **more).labels

    n *= SCALE.get(form, 1)
    m = max(m, n)
    run(make(n // 16, m // 16))  # modules, threads, and what they keep once they had work
    graph = make(n, m)
    size, entries = n, m
    if form == "csr":
        entries = len(graph.neighbors)
    elif form == "grid":
        size = entries = int(n**0.5) ** 2
    stated = skerry.estimate(size, entries, form=form, **options)  # type: ignore[arg-type]
    return stated.run + stated.conversion, peak_beside(run, graph)


def main() -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("cases", nargs="*", help=", ".join(CASES))
    parser.add_argument("--vertices", type=int, default=6_000_000)
    parser.add_argument("--edges", type=int, default=12_000_000)
    parser.add_argument("--tolerance", type=float, default=0.05)
    parser.add_argument("--here", action="store_true", help="in this process, as JSON")
    arguments = parser.parse_args()
    if arguments.here:
        (name,) = arguments.cases
        print(json.dumps(measure(name, arguments.vertices, arguments.edges)))
        return 0
    wrong = 0
    size = [f"--vertices={arguments.vertices}", f"--edges={arguments.edges}"]
    for name in arguments.cases or CASES:
        done = subprocess.run(
            [sys.executable, __file__, "--here", *size, name],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | STEADY,
        )
        if done.returncode:
            print(f"{name:28} {done.stderr.strip().splitlines()[-1]}")
            continue
        stated, peak = json.loads(done.stdout)
        far = abs(stated / peak - 1) > arguments.tolerance
        wrong += far
        note = "  <" if far else ""
        print(f"{name:28} {stated:13,} stated {peak:13,} peak {stated / peak:6.3f}{note}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
