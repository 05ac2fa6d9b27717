"""Graphs made by kernels, against those made by the CPU: the same ids in the same order."""

from __future__ import annotations

import numpy as np
import pytest

from skerry import generators
from skerry.cuda.source import kernel_names
from skerry.generators import FAMILIES
from skerry.generators import device as device_generators
from support.emulator import EmulatedRuntime, works

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")

SEEDS = [0, 1, 7, 2**64 - 1]
SHAPES = {
    "grid": [(1, 1), (1, 6), (6, 1), (2, 2), (40, 70)],
    "torus": [(1, 1), (1, 5), (2, 2), (3, 2), (31, 50)],
    "path": [(1,), (2,), (3000,)],
    "star": [(1,), (2,), (3000,)],
    "complete": [(1,), (2,), (3,), (8,), (9,), (70,)],
}
DRAWN = {
    "uniform": [(1, 5), (1000, 3000), (2**32 - 1, 200), (2**32, 200), (2**40, 200)],
    "random_picks": [(1, 3), (500, 7), (2500,)],
    "rmat": [(0, 3), (1,), (7, 9), (10, 3, 0.57, 0.19, 0.19), (8, 4, 1.0, 0.0, 0.0)],
    "graph500": [(1, 1), (9, 5)],
    "road": [(1,), (2,), (20,), (9, 1.0, 0), (9, 0.5, 1), (9, 0.0), (5, 0.9, 12)],
    "mawi": [(1, 1), (2000,), (2000, 1), (600, 600), (500, 3, 1.0, 2.0), (500, 3, 0.0, 0.0)],
    "tiny": [(1, 1), (10, 1), (3, 7), (700, 7), (103, 4)],
    "preferential_attachment": [(1, 1), (2, 3), (700, 1), (400, 6)],
    "web": [(1, 1), (2, 3), (700, 1), (400, 6), (300, 5, 0.0), (300, 5, 1.0)],
    "geometric": [(1,), (2, 1.0), (700,), (400, 30.0)],
    "ring": [(1, 2), (2,), (600, 900)],
    "rmat_of": [(1, 5), (3, 9), (700, 2000), (2**33 - 5, 200)],
    "profile": [
        *((1, 0, 0), (2, 1, 1), (3, 9, 2), (40, 80, 20, 4, 1)),
        *((900, 4000, 100, 30), (700, 1500, 200, 1, 1, 1.0, 0.0)),
        (700, 1500, 0, 9, 3, 0.0, 1.0),
        *((900, 4000, 100, 9, 1, 0.4, 0.2, 0.3, 2), (60, 90, 9, 1, 2, 0.5, 1.0, 1.0)),
    ],
}
SHUFFLED = {"path": (2500,), "rmat": (9, 4), "road": (12,), "tiny": (500, 5), "web": (300,)}
SHUFFLED |= {"geometric": (400,), "preferential_attachment": (300,), "ring": (300, 100)}
SHUFFLED |= {"rmat_of": (300, 900), "profile": (300, 900, 40)}


def assert_same(made, expected, dtype=None):
    assert made.num_vertices == expected.num_vertices
    for name in ("src", "dst"):
        actual, wanted = getattr(made, name), getattr(expected, name)
        assert actual.dtype == (dtype or wanted.dtype)
        np.testing.assert_array_equal(actual, wanted)


def compare(name, *arguments, **options):
    """Of that name on both devices, 32 and 64 bits wide."""
    expected = getattr(generators, name)(*arguments, **options)
    runtime = EmulatedRuntime(seed=3)
    recipe = getattr(generators, name).recipe(*arguments, **options)
    assert_same(device_generators.make(runtime, recipe), expected)
    wide = device_generators.make(runtime, recipe, wide=True)
    assert_same(wide, expected, np.uint64)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    for arguments in SHAPES[name]:
        compare(name, *arguments)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", DRAWN)
def test_drawn_graphs(name, seed):
    for arguments in DRAWN[name]:
        compare(name, *arguments, seed=seed)


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("name", SHUFFLED)
def test_shuffled_ids(name, shuffled):
    for seed in SEEDS:
        compare(name, *SHUFFLED[name], shuffled=shuffled, seed=seed)


@pytest.mark.parametrize("n", [0, 1])
def test_graphs_of_few_vertices(n):
    for name in ("path", "star", "complete", "road", "tiny"):
        compare(name, n)
    for name in ("grid", "torus"):
        compare(name, n, n)
    for name in ("uniform", "random_picks"):
        compare(name, n, 0)
    compare("mawi", 0)
    compare("geometric", n, 0.0)
    compare("web", n)
    compare("preferential_attachment", n)
    compare("ring", n)
    compare("rmat_of", n, 0)
    compare("profile", n, 0, 0)


@pytest.mark.parametrize("bends", [0, 2])
def test_joined_roads(bends):
    for width in (1, 2, 5, 12):
        compare("road", width, 0.2, bends, joined=True, largest_degree=11, later=0.2)


@pytest.mark.parametrize("shuffled", [False, True])
def test_planted_is_made_on_the_host(shuffled):
    sizes = [1, 5, 5, 40]
    recipe = generators.planted.recipe(sizes, 9, shuffled=shuffled, seed=3)
    expected = generators.planted(sizes, 9, shuffled=shuffled, seed=3)
    assert_same(device_generators.make(EmulatedRuntime(), recipe), expected)


@pytest.mark.parametrize("name", FAMILIES)
def test_families_of_the_benchmark(name):
    family = FAMILIES[name]
    recipe = family.recipe(1 / 4096, seed=5)
    expected = family(1 / 4096, seed=5)
    assert expected.num_edges > 100
    assert_same(device_generators.make(EmulatedRuntime(), recipe), expected)
    wide = device_generators.make(EmulatedRuntime(), recipe, wide=True)
    assert_same(wide, expected, np.uint64)


def test_the_launch_does_not_matter():
    expected = generators.road(30, shuffled=True)
    for blocks in (1, 3, 100):
        runtime = EmulatedRuntime(seed=blocks, max_blocks=blocks)
        recipe = generators.road.recipe(30, shuffled=True)
        assert_same(device_generators.make(runtime, recipe), expected)
        assert runtime.launched == ["count_streets", "fill_road", "shuffle_ids", "shuffle_ids"]


def test_every_kernel_is_used():
    runtime = EmulatedRuntime()
    for name, shapes in {**SHAPES, **DRAWN}.items():
        device_generators.make(runtime, getattr(generators, name).recipe(*shapes[-1]))
    assert set(runtime.launched) == set(kernel_names("generate"))
