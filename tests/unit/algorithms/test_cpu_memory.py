"""``plan.bytes`` of a CPU: labels and working memory, compared with what the system counted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import skerry
from skerry.graph.build import csr_from_edges
from skerry.graph.edges import Edges
from support.specs import specs_on

SPECS = specs_on("cpu")
VERTICES = 1 << 18
STATUS = Path("/proc/self/status")

MEASURED = (
    "bfs",
    "cc-updt",
    "dfs",
    "ecl",
    "galois-sync",
    "label-propagation",
    "multistep",
    "ndhybrid",
    "rem",
    "rows",
    "schd",
    "stream",
    "sv",
)
MEASURED_VERTICES = 1 << 21

CHILD = """
import json, sys
import numpy as np
import skerry

def status(key):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith(key))

def solve(arrays, name):
    graph = skerry.Csr(*arrays, symmetric=True) if form == "csr" else skerry.Edges(*arrays, n)
    return skerry.connected_components(graph, algorithm=name, threads=2, device="cpu").plan.bytes

name, form, folder = sys.argv[1:]
n = 1 << 17
ends = np.arange(n, dtype=np.uint32)
if form == "csr":
    small = np.arange(0, 2 * n + 1, 2, dtype=np.uint64), np.repeat(ends, 2)
else:
    small = ends, np.roll(ends, 1)
solve(small, "ecl" if form == "csr" else "cc")  # starts the threads, whose stacks are not counted
del small, ends
arrays = [np.load(f"{folder}/{form}{i}.npy") for i in (0, 1)]
n = int(arrays[0].max()) + 1 if form == "edges" else len(arrays[0]) - 1
before, peak = status("VmSize"), status("VmPeak")
counted = solve(arrays, name)
print(json.dumps([counted, status("VmPeak") - before, peak - before]))
"""


def random_edges(n, m):
    rng = np.random.default_rng(7)
    src, dst = rng.integers(0, n, (2, m), np.uint32)
    src[0] = n - 1
    return Edges(src, dst, n)


@pytest.fixture(scope="module")
def graphs():
    edges = random_edges(VERTICES, 3 * VERTICES)
    return {"edges": edges, "csr": csr_from_edges(edges, 2)}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("graphs")
    edges = random_edges(MEASURED_VERTICES, 2 * MEASURED_VERTICES)
    for form, graph in (("edges", edges), ("csr", csr_from_edges(edges, 2))):
        for i, array in enumerate(graph.arrays()):
            np.save(folder / f"{form}{i}.npy", array)
    return folder


def form_of(spec):
    return "csr" if spec.reads_rows("cpu") else "edges"


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_counts_labels_and_working_memory(spec, graphs):
    graph = graphs[form_of(spec)]
    results = {
        threads: skerry.connected_components(graph, algorithm=spec, threads=threads, device="cpu")
        for threads in (1, 2)
    }
    for result in results.values():
        assert result.plan.bytes >= result.labels.nbytes
        assert result.plan.bytes < 20 * result.labels.nbytes
    try:
        estimate = skerry.estimate(
            VERTICES, graph.num_entries, form=graph.form, algorithm=spec, device="cpu"
        )
    except skerry.UnsupportedError:
        return
    for result in results.values():
        assert result.plan.bytes <= estimate.run
        assert result.plan.bytes == estimate.run or spec.name == "rows"


def test_stream_without_a_table_takes_less_than_estimated():
    n = 1 << 16
    ends = np.arange(n, dtype=np.uint32)
    graph = Edges(ends, ends, n)
    result = skerry.connected_components(graph, algorithm="stream", device="cpu")
    assert result.plan.bytes == result.labels.nbytes
    assert skerry.estimate(n, n, algorithm="stream", device="cpu").run == 4 * n + n // 8


@pytest.mark.parametrize("n", [0, 1, 63, 64, (1 << 23) - 1, 1 << 23, (1 << 25) + 5, 1 << 40])
def test_estimate_of_the_table_of_stream_is_bounded(n):
    labels = n * (4 if n < 1 << 32 else 8)
    table = skerry.estimate(n, n, algorithm="stream", device="cpu").run - labels
    assert n // 8 <= table <= n // 8 + 8 if n < 1 << 23 else 1 << 19 <= table <= (1 << 20) + 8


@pytest.mark.skipif(not STATUS.exists(), reason="needs /proc")
@pytest.mark.parametrize("name", MEASURED)
def test_agrees_with_the_address_space(name, saved):
    # Address space, not resident memory: a run also takes what it allocates and hardly touches.
    # A fixed threshold makes the C library give every large block back to the system at once.
    env = os.environ | {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "65536"}
    form = form_of(skerry.algorithm(name))
    child = subprocess.run(
        [sys.executable, "-c", CHILD, name, form, str(saved)],
        env=env,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    counted, measured, slack = json.loads(child.stdout)
    assert slack < 1 << 20, "the peak of loading the graph hides that of the run"
    assert abs(measured - counted) <= counted / 100 + (2 << 20)
