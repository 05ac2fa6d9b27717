"""Graphs made on a GPU: the CPU's at small scale, algorithms on middling ones, and a huge one."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry import generators
from skerry.cuda.devices import find_runtime
from skerry.generators import FAMILIES
from skerry.generators import device as device_generators
from skerry.generators import make as make_on_host
from skerry.graph import build, device_build
from support.on_gpu import NAMES, form_read_by, require_gpu

cp = require_gpu()

MIDDLING = {
    "rmat": generators.rmat.recipe(16, 8),
    "mawi": generators.mawi.recipe(1 << 16, 16, 0.9, 1 / 16),
    "road": generators.road.recipe(60, shuffled=True),
    "star": generators.star.recipe(50_000),
    "grid": generators.grid.recipe(150, 200),
    "tiny": generators.tiny.recipe(20_000),
}
LARGER = {
    "rmat": generators.rmat.recipe(19, 16),
    "skewed rmat": generators.rmat.recipe(17, 64, 0.57, 0.19, 0.19),
    "random": generators.random_picks.recipe(1 << 20, 4),
    "sparse": generators.uniform.recipe(1 << 20, 1 << 19),
    "mawi": generators.mawi.recipe(1 << 21, 64, 0.9, 1 / 16),
    "road": generators.road.recipe(400),
    "road, shuffled": generators.road.recipe(400, shuffled=True),
    "path": generators.path.recipe(1 << 20, shuffled=True),
    "path in order": generators.path.recipe(1 << 20),
    "grid": generators.grid.recipe(1000, 1100),
}
GROWN = {
    "attachment": generators.preferential_attachment.recipe(1 << 17, 5, shuffled=True),
    "web": generators.web.recipe(1 << 17, 7, 0.8),
    "geometric": generators.geometric.recipe(1 << 16, 12.0),
    "Graph500's own": generators.graph500_reference.recipe(17, seed2=2**63),
}
REPEATS = 10


@pytest.fixture(autouse=True)
def give_back():
    yield
    cp.get_default_memory_pool().free_all_blocks()


def made(recipe):
    """A graph in both forms on the device, and the CPU's labels."""
    runtime = find_runtime("cuda")
    edges = device_generators.make(runtime, recipe)
    rows = device_build.csr_from_edges(runtime, edges)
    labels = skerry.connected_components(make_on_host(recipe)).labels
    return edges, rows, cp.asarray(labels)


def solve(edges, rows, form, **options):
    n = edges.num_vertices
    if form == "edges":
        return skerry.connected_components((edges.src, edges.dst), num_vertices=n, **options)
    csr = skerry.Csr(rows.offsets, rows.neighbors, form == "symmetric" or None)
    return skerry.connected_components(csr, **options)


@pytest.mark.parametrize("name", FAMILIES)
def test_families_are_the_cpus(name):
    runtime, family = find_runtime("cuda"), FAMILIES[name]
    host, there = (
        family(1 / 64, seed=3),
        device_generators.make(runtime, family.recipe(1 / 64, seed=3)),
    )
    for mine, other in ((there.src, host.src), (there.dst, host.dst)):
        np.testing.assert_array_equal(mine.get(), other)
    rows, right = device_build.csr_from_edges(runtime, there), build.csr_from_edges(host)
    np.testing.assert_array_equal(rows.offsets.get(), right.offsets)
    np.testing.assert_array_equal(rows.neighbors.get(), right.neighbors)
    assert device_build.is_symmetric(runtime, rows)
    once, one = device_build.edges_from_csr(runtime, rows, True), build.edges_from_csr(right, True)
    np.testing.assert_array_equal(once.src.get(), one.src)
    np.testing.assert_array_equal(once.dst.get(), one.dst)


@pytest.mark.parametrize("shape", GROWN)
def test_grown_graphs_are_the_cpus(shape):
    host = make_on_host(GROWN[shape])
    there = device_generators.make(find_runtime("cuda"), GROWN[shape])
    np.testing.assert_array_equal(there.src.get(), host.src)
    np.testing.assert_array_equal(there.dst.get(), host.dst)


@pytest.mark.parametrize("shape", MIDDLING)
def test_all_rows(shape):
    edges, rows, labels = made(MIDDLING[shape])
    for name in NAMES:
        form = form_read_by(name) or "symmetric"
        result = solve(edges, rows, "symmetric" if form == "csr" else form, algorithm=name)
        assert (result.labels == labels).all(), name


@pytest.mark.parametrize("shape", LARGER)
def test_auto_again_and_again(shape):
    edges, rows, labels = made(LARGER[shape])
    for form in ("edges", "csr", "symmetric"):
        wrong = [bool((solve(edges, rows, form).labels != labels).any()) for _ in range(REPEATS)]
        assert not any(wrong), f"{form}: {sum(wrong)} of {REPEATS} runs"


def test_wide_labels():
    recipe = generators.rmat.recipe(18, 8)
    runtime = find_runtime("cuda")
    edges = device_generators.make(runtime, recipe, wide=True)
    rows = device_build.csr_from_edges(runtime, edges, offset_bits=64, dtype=np.uint64)
    labels = cp.asarray(skerry.connected_components(make_on_host(recipe)).labels)
    for form, name in (("edges", "auto"), ("symmetric", "auto"), ("csr", "auto"), ("csr", "ecl")):
        found = solve(edges, rows, form, algorithm=name, dtype=np.uint64)
        assert found.labels.dtype == np.uint64 and (found.labels == labels).all(), (form, name)


# Ids that are equal modulo 4 become one component, but those that are 1023 modulo 1024 stay alone.
CLASSES = """
a = (s & 1023u) == 1023u ? s - 4 : s;
b = (d & ~3u) | (a & 3u);
if ((b & 1023u) == 1023u) b -= 4;
"""


@pytest.mark.big
def test_more_than_two_to_the_31_entries():
    n, m = 1 << 26, 1_100_000_000
    runtime = find_runtime("cuda")
    if runtime.available() < 90e9:
        pytest.skip("needs 90 GB of the GPU's memory")
    edges = device_generators.make(runtime, generators.uniform.recipe(n, m, seed=5))
    fold = cp.ElementwiseKernel(
        "uint32 s, uint32 d", "uint32 a, uint32 b", CLASSES, "fold_into_classes"
    )
    fold(edges.src, edges.dst, edges.src, edges.dst)
    # Each class has 33 entries a vertex: that one of its vertices has none has a chance of 1e-6.
    v = cp.arange(n, dtype=np.uint32)
    right = cp.where((v & 1023) == 1023, v, v & 3)
    found = solve(edges, None, "edges")
    assert (found.labels == right).all() and found.count == 4 + n // 1024
    rows = device_build.csr_from_edges(runtime, edges)
    assert rows.offsets.dtype == np.uint64 and rows.num_entries > 1 << 31
    del edges
    for form, name in (("symmetric", "auto"), ("csr", "auto"), ("symmetric", "ecl")):
        found = skerry.connected_components(
            skerry.Csr(rows.offsets, rows.neighbors, form == "symmetric" or None), algorithm=name
        )
        assert (found.labels == right).all() and found.count == 4 + n // 1024, (form, name)
