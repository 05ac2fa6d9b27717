"""Reads and writes of a GPU's L2 cache, by Nsight Compute's command line where it is installed.

The profiler runs a fresh interpreter, which makes the graph, solves it once to compile, and once
more between the marks that the profiler heeds. All kernels of that solve count.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Iterable
from shutil import which

from skerry.errors import UnsupportedError
from skerry.generators.recipes import Recipe
from skerry_bench.cases import Case

__all__ = ["l2_counts", "profiled"]

METRICS = {
    "lts__t_sectors_op_read.sum": "l2_reads",
    "lts__t_sectors_op_write.sum": "l2_writes",
}
"""Sectors of 32 bytes, as ECL-CC's Table 3 counts accesses; relative to each other they are it."""

TIMEOUT = 300.0


def l2_counts(case: Case, algorithm: str) -> dict[str, float]:
    """How many sectors one solve reads and writes; `UnsupportedError` if none can tell."""
    if not isinstance(case.source, Recipe):
        raise UnsupportedError("the profiler's process makes its graph, and this one is a file")
    tool = which("ncu")
    if tool is None:
        raise UnsupportedError("Nsight Compute (ncu) is not on the PATH")
    told = json.dumps([case.source.family, case.source.parameters, case.source.shuffle])
    code = f"from skerry_bench.counters import profiled; profiled({told!r}, {algorithm!r})"
    command = [tool, "--csv", "--profile-from-start", "off", "--metrics", ",".join(METRICS)]
    try:
        done = subprocess.run(
            [*command, sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT,
        )
    except subprocess.TimeoutExpired:
        raise UnsupportedError(f"ncu did not finish within {TIMEOUT:g} s") from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()[-3:]
        raise UnsupportedError(f"ncu failed ({done.returncode}): {' '.join(said)}")
    return sums(done.stdout.splitlines())


def sums(lines: Iterable[str]) -> dict[str, float]:
    """The metrics summed over kernels, from what ncu prints."""
    table = [line for line in lines if line.startswith('"')]
    found = dict.fromkeys(METRICS.values(), 0.0)
    for row in csv.DictReader(table):
        name = METRICS.get(row.get("Metric Name") or "")
        if name is not None:
            found[name] += float(row["Metric Value"].replace(",", ""))
    if not any(found.values()):
        raise UnsupportedError("ncu counted nothing; it may need rights to read the counters")
    return found


def profiled(recipe: str, algorithm: str) -> None:
    """What the profiler watches."""
    import cupy

    import skerry
    from skerry.cuda.devices import find_runtime
    from skerry.generators.device import make
    from skerry.graph.device_build import csr_from_edges

    family, parameters, shuffle = json.loads(recipe)
    runtime = find_runtime("cuda")
    rows = csr_from_edges(runtime, make(runtime, Recipe(family, tuple(parameters), shuffle)))
    graph = skerry.Csr(rows.offsets, rows.neighbors, symmetric=True)
    for watched in (False, True):
        if watched:
            cupy.cuda.profiler.start()
        skerry.connected_components(graph, algorithm=algorithm)
        cupy.cuda.Device().synchronize()
    cupy.cuda.profiler.stop()
