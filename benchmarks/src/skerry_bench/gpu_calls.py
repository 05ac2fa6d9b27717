"""What a call costs beside the work: the host's part of it, and the first use of its kernels."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from itertools import product
from statistics import median
from time import perf_counter

from skerry_bench.gpu_graphs import small, tiny
from skerry_bench.gpu_measure import Bench, Sheet, table

__all__ = ["measure_calls", "show_calls"]

# Arrays come from the host, so that no kernel but ours is compiled in the time taken.
FIRST_USE = """
import json, time
begin = time.perf_counter()
import cupy, numpy, skerry
from skerry.graph.build import csr_from_edges
ids = numpy.arange(20_000, dtype=numpy.uint32)
rows = csr_from_edges(skerry.Edges(ids[:-1], ids[1:], len(ids)))
edges = cupy.asarray(ids[:-1]), cupy.asarray(ids[1:])
offsets = cupy.asarray(rows.offsets.astype(numpy.uint32))
csr = skerry.Csr(offsets, cupy.asarray(rows.neighbors), symmetric=True)
cupy.cuda.Device().synchronize()
found = {"start": time.perf_counter() - begin}
for form, graph in (("edges", edges), ("csr", csr)):
    begin = time.perf_counter()
    skerry.connected_components(graph, num_vertices=len(ids))
    cupy.cuda.Device().synchronize()
    found[form] = time.perf_counter() - begin
print(json.dumps(found))
"""


def measure_calls(sheet: Sheet, bench: Bench) -> None:
    """The host's time of a call that does not wait for the device, then fresh processes."""
    for given, form in product((tiny(bench.runtime), small(bench.runtime)), ("edges", "csr")):
        samples = []
        for _ in range(bench.calls + bench.calls // 10 + 1):
            bench.wait()
            begin = perf_counter()
            given.solve("auto", form)
            samples.append((perf_counter() - begin) * 1e6)
        kept = samples[-bench.calls :]
        what = f"call, {given.name} graph"
        sheet.add("calls", what=what, form=form, microseconds=median(kept), best=min(kept))
    with tempfile.TemporaryDirectory() as cache:
        for what in ("first use, compiled", "first use, from the cache on disk"):
            for form, seconds in first_use(cache).items():
                sheet.add("calls", what=what, form=form, microseconds=seconds * 1e6)


def first_use(cache: str) -> dict[str, float]:
    """Seconds of first calls in a fresh process, its compiled kernels kept in a folder."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_USE],
        env=os.environ | {"CUPY_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"a fresh process failed: {done.stderr[-1000:]}")
    found: dict[str, float] = json.loads(done.stdout)
    return found


def show_calls(sheet: Sheet) -> None:
    """All of it; ``start`` is the time of imports and of the device's context."""
    lines = [[one["what"], one["form"], one["microseconds"] / 1e3] for one in sheet.of("calls")]
    table(sheet.console, "Calls", ["", "form", "ms"], lines)
