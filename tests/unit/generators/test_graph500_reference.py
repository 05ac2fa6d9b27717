"""The Graph500's own graphs: checksums of the original's edges, and its definition once more."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from skerry import _native, generators
from skerry.cuda.source import kernel_names
from skerry.errors import InputError
from skerry.generators import device as device_generators
from support.emulator import EmulatedRuntime, works

# SHA-256 of the pairs of signed 64-bit integers that make_graph of the reference code, tag
# graph500-2.1.4, returns: (scale, edge factor, first seed, second seed).
CHECKSUMS = {
    (1, 3, 2, 3): "ac6ccbfdbe439e991e3fddfbb82979df",
    (4, 16, 2, 3): "ff756676dda6000f7c82b773d83c7dea",
    (9, 16, 2, 3): "8fb9227a969489fe10dd07c0dd5023a8",
    (11, 5, 0, 0): "33201569c431a54bab06227f251e0746",
    (12, 16, 2**64 - 1, 2**63 + 5): "7351b7efe97ad091adba95d511aa311d",
    (16, 16, 2, 3): "8dd2977163eb7e5da118a941446bfb98",
}
P = 2**31 - 1
A = [[107374182, 0, 0, 0, 104480], *([int(j == i) for j in range(5)] for i in range(4))]
needs_compiler = pytest.mark.skipif(not works(), reason="needs a C++ compiler")


def checksum(edges):
    pairs = np.column_stack((edges.src, edges.dst)).astype("<i8")
    return hashlib.sha256(pairs.tobytes()).hexdigest()[:32]


def same(made, expected):
    assert made.num_vertices == expected.num_vertices
    np.testing.assert_array_equal(np.asarray(made.src), expected.src)
    np.testing.assert_array_equal(np.asarray(made.dst), expected.dst)


@pytest.mark.parametrize("case", CHECKSUMS)
@pytest.mark.parametrize("threads", [1, 3])
def test_edges_are_those_of_the_reference_code(case, threads):
    scale, edge_factor, seed1, seed2 = case
    seeds = {"seed1": seed1, "seed2": seed2}
    edges = generators.graph500_reference(scale, edge_factor, **seeds, threads=threads)
    assert (edges.num_vertices, edges.num_edges) == (2**scale, edge_factor << scale)
    assert checksum(edges) == CHECKSUMS[case]


def power(matrix, exponent):
    result = [[int(i == j) for j in range(5)] for i in range(5)]
    while exponent:
        if exponent & 1:
            result = product(result, matrix)
        matrix = product(matrix, matrix)
        exponent >>= 1
    return result


def product(a, b):
    columns = list(zip(*b, strict=True))
    return [[sum(x * y for x, y in zip(r, c, strict=True)) % P for c in columns] for r in a]


def numbers(seed1, seed2, position):
    """The sequence from a position on, by powers of its matrix."""
    piece = 2**30 - 1
    state = [seed1 & piece, seed1 >> 30 & piece, seed2 & piece, seed2 >> 30 & piece]
    state = [each + 1 for each in state] + [(seed2 >> 60 << 4) + (seed1 >> 60) + 1]
    column = product(power(A, position), [[each] for each in state])
    while True:
        column = product(A, column)
        yield column[0][0]


def slow_edge(scale, seed1, seed2, number):
    draws = numbers(seed1, seed2, 50 * 2**128 + 7 * 2**64)
    key0, key1 = (next(draws) * 0xFFFFFFFF + next(draws) for _ in range(2))

    def scrambled(v):
        v = (v + key0 + key1) * (key0 | 0x4519840211493211) % 2**64
        v = int(f"{v:064b}"[::-1], 2) >> 64 - scale
        v = v * (key1 | 0x3050852102C843A5) % 2**64
        return int(f"{v:064b}"[::-1], 2) >> 64 - scale

    u = v = 0
    draws = numbers(seed1, seed2, number << 64)
    for _ in range(scale):
        value = next(each for each in draws if each >= 7295) % 10_000
        row, column = next(
            place
            for place, limit in (((0, 1), 1900), ((1, 0), 3800), ((0, 0), 9500), ((1, 1), 10_000))
            if value < limit
        )
        if u == v and row > column:
            row, column = column, row
        u, v = 2 * u + row, 2 * v + column
    return scrambled(u), scrambled(v)


@pytest.mark.parametrize("scale", [3, 22, 40])
@pytest.mark.parametrize("number", [0, 5, 2**30 + 12345, 2**44 - 2])
def test_edges_far_ahead_follow_the_definition(scale, number):
    src, dst = np.empty(2, np.uint64), np.empty(2, np.uint64)
    _native.fill_graph500(scale, 2, 2**61 + 3, number, src, dst, 1)
    expected = [slow_edge(scale, 2, 2**61 + 3, number + i) for i in range(2)]
    assert list(zip(src.tolist(), dst.tolist(), strict=True)) == expected


def test_a_stream_has_the_same_edges():
    recipe = generators.graph500_reference.recipe(9)
    assert generators.parse("graph500-reference:scale=9") == recipe
    edges = generators.stream(recipe, 1000)
    batches = list(edges.open(2))
    expected = generators.graph500_reference(9)
    assert [len(batch.src) for batch in batches] == [1000] * 8 + [192]
    np.testing.assert_array_equal(np.concatenate([batch.src for batch in batches]), expected.src)
    np.testing.assert_array_equal(np.concatenate([batch.dst for batch in batches]), expected.dst)


@needs_compiler
@pytest.mark.parametrize("blocks", [1, 3, 100])
def test_a_device_makes_the_same_edges(blocks):
    runtime = EmulatedRuntime(seed=blocks, max_blocks=blocks)
    for scale in (1, 8):
        recipe = generators.graph500_reference.recipe(scale, 7, seed2=2**64 - 1)
        expected = generators.make(recipe)
        same(device_generators.make(runtime, recipe), expected)
        same(device_generators.make(runtime, recipe, wide=True), expected)
    assert set(runtime.launched) == set(kernel_names("graph500"))


@needs_compiler
def test_a_device_makes_a_range_of_edges():
    runtime = EmulatedRuntime()
    recipe = generators.graph500_reference.recipe(9)
    expected = generators.make(recipe)
    for first, last in ((0, 0), (0, 700), (700, 701), (5000, 8192)):
        made = device_generators.graph500_range(runtime, recipe, first, last)
        np.testing.assert_array_equal(made.src, expected.src[first:last])
        np.testing.assert_array_equal(made.dst, expected.dst[first:last])
    with pytest.raises(InputError, match=r"has the edges 0\.\.8192"):
        device_generators.graph500_range(runtime, recipe, 0, 8193)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scale": 0}, "scale must be in 1..47, got 0"),
        ({"scale": 48}, "scale must be in 1..47, got 48"),
        ({"scale": 4, "edge_factor": -1}, "edge_factor must not be negative"),
        ({"scale": 4, "seed1": 2**64}, "seed1 must be an integer"),
        ({"scale": 4, "seed2": -1}, "seed2 must be an integer"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        generators.graph500_reference(**arguments)


def test_arrays_without_room_are_refused():
    ids, words = np.empty(4, np.uint32), np.empty(_native.GRAPH500_PLAN_WORDS - 1, np.uint64)
    with pytest.raises(ValueError, match="one place for each edge"):
        _native.fill_graph500(4, 2, 3, 0, ids, ids[:3], 1)
    with pytest.raises(ValueError, match=r"levels must be in 1\.\.63"):
        _native.fill_graph500(0, 2, 3, 0, ids, ids, 1)
    with pytest.raises(ValueError, match="GRAPH500_PLAN_WORDS"):
        _native.plan_graph500(2, 3, 1, words)
