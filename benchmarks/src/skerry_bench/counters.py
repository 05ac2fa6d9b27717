"""Reads and writes of a GPU's L2 cache, counted by Nsight Compute (``ncu``) if it is installed.

The profiler runs a fresh interpreter, which makes the graph, solves it once to compile the kernels,
and once more while profiling is switched on. All kernels of that call are counted.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Iterable
from shutil import which

from skerry import UnsupportedError
from skerry.generators import Recipe
from skerry_bench.cases import Case

METRICS = {
    "lts__t_sectors_op_read.sum": "l2_reads",
    "lts__t_sectors_op_write.sum": "l2_writes",
}
"""Sectors of 32 bytes. ECL-CC's Table 3 counts accesses; ratios are the same."""

TIMEOUT = 300.0


def l2_counts(case: Case, algorithm: str) -> dict[str, float]:
    """Sectors that one call reads and writes; `UnsupportedError` if they cannot be counted."""
    if not isinstance(case.source, Recipe):
        raise UnsupportedError("the profiled process generates its graph, but this one is a file")
    tool = which("ncu")
    if tool is None:
        raise UnsupportedError("Nsight Compute (ncu) is not on the PATH")
    recipe = json.dumps([case.source.family, case.source.parameters, case.source.shuffle])
    code = f"from skerry_bench.counters import profiled; profiled({recipe!r}, {algorithm!r})"
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
        output = (done.stderr or done.stdout).strip().splitlines()[-3:]
        raise UnsupportedError(f"ncu failed ({done.returncode}): {' '.join(output)}")
    return sums(done.stdout.splitlines())


def sums(lines: Iterable[str]) -> dict[str, float]:
    """The metrics summed over kernels, from the output of ncu."""
    table = [line for line in lines if line.startswith('"')]
    totals = dict.fromkeys(METRICS.values(), 0.0)
    for row in csv.DictReader(table):
        name = METRICS.get(row.get("Metric Name") or "")
        if name is not None:
            totals[name] += float(row["Metric Value"].replace(",", ""))
    if not any(totals.values()):
        raise UnsupportedError("ncu counted nothing; reading the counters may need permissions")
    return totals


def profiled(recipe: str, algorithm: str) -> None:
    """The process that is profiled."""
    import cupy

    import skerry
    from skerry.cuda.devices import find_runtime
    from skerry.generators.device import make
    from skerry.graph.device_build import csr_from_edges

    family, parameters, shuffle = json.loads(recipe)
    runtime = find_runtime("cuda")
    rows = csr_from_edges(runtime, make(runtime, Recipe(family, tuple(parameters), shuffle)))
    graph = skerry.Csr(rows.offsets, rows.neighbors, symmetric=True)
    for profiling in (False, True):
        if profiling:
            cupy.cuda.profiler.start()
        skerry.connected_components(graph, algorithm=algorithm)
        cupy.cuda.Device().synchronize()
    cupy.cuda.profiler.stop()
