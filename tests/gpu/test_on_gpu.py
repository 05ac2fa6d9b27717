"""Every algorithm of the catalog on a real GPU: forms, widths, choices, and input that is bad."""

from __future__ import annotations

from itertools import cycle, product

import numpy as np
import pytest

import skerry
from skerry.algorithms.gpu_planner import Strategy
from support.answers import FORMS, forms_of
from support.device_answers import DeviceAnswers
from support.graphs import graph_of, large_graphs, small_graphs, two_sides
from support.on_gpu import (
    NAMES,
    assert_answer_on_gpu,
    on_device,
    require_gpu,
)

cp = require_gpu()

NARROW = (np.uint32, np.int32, np.uint32)
USUAL = (np.uint32, np.int64, np.int64)
WIDE = (np.uint64, np.uint64, np.uint64)
MIXED = tuple(
    widths
    for widths in product((np.uint32, np.uint64), (np.uint32, np.int64), (np.int32, np.uint64))
    if len({np.dtype(one).itemsize for one in widths}) > 1
)
"""Of labels, ids and offsets. Kernels are compiled for each: mixed ones are for a few only."""

SHAPES = ("hubs", "shuffled path", "above the threshold")


def shapes():
    return [graph for graph in small_graphs() if graph.name in SHAPES]


def ways(forms, *all_widths):
    return [{"form": form, "widths": widths} for widths in all_widths for form in forms]


class TestGpu(DeviceAnswers):
    names = NAMES

    def keep(self, array):
        return cp.asarray(array)

    def host(self, array):
        return array.get() if isinstance(array, cp.ndarray) else np.asarray(array)

    def asked(self):
        return *shapes(), large_graphs()[2]

    def check(self, graph, name, form, widths=NARROW, **options):
        assert_answer_on_gpu(graph, form, name, widths, **options)

    def small(self, name):
        return product(small_graphs(), [*ways(FORMS, NARROW), *ways(forms_of(name), USUAL, WIDE)])

    def larger(self, name):
        for some in (ways(FORMS, NARROW), ways(forms_of(name), USUAL)):
            yield from zip(large_graphs(), cycle(some), strict=False)

    def few(self, name, turn=0):  # noqa: ARG002
        return list(product((*shapes(), large_graphs()[0]), ways(forms_of(name)[-1:], NARROW)))

    def ablated(self):
        large = product(large_graphs()[0:3:2], ways(["symmetric"], NARROW))
        return *product(shapes(), ways(["csr", "symmetric"], NARROW)), *large

    def one_way(self, _, turn):
        return product((*shapes(), large_graphs()[turn]), ways(["csr"], NARROW))


@pytest.mark.parametrize("name", ["auto", "ecl", "rows[strategy=links]", "stream[share=3]"])
def test_mixed_widths(name):
    for graph, form, widths in product(shapes(), forms_of(name), MIXED):
        assert_answer_on_gpu(graph, form, name, widths)


@pytest.mark.parametrize("widths", [NARROW, USUAL, WIDE])
def test_auto_on_large_graphs(widths):
    for graph, form in product(large_graphs(), FORMS):
        assert_answer_on_gpu(graph, form, "auto", widths)


OWN_ROWS = ["auto", *(f"rows[strategy={one.name.lower()}]" for one in Strategy)]


@pytest.mark.parametrize("name", OWN_ROWS)
@pytest.mark.parametrize(("left", "right"), [(20_000, 1500), (60_000, 2400)])
def test_long_rows_side_by_side(name, left, right):
    # All rows of the right side are long enough for a warp, and its vertices are next to each
    # other; the number of entries decides between one thread and two for a short row.
    degrees = np.random.default_rng(3).integers(17, 34, right)
    graph = graph_of("two sides", left + right, two_sides(left, right, degrees), large=True)
    for form in ("symmetric", "csr"):
        assert_answer_on_gpu(graph, form, name, NARROW)


@pytest.mark.parametrize("name", OWN_ROWS)
def test_long_rows_that_overlap(name):
    # The list of long rows has room for every entry once. Offsets that rise and fall, so that every
    # second row has all entries, need more.
    n = entries = 1 << 16
    offsets = cp.zeros(n + 1, np.uint32)
    offsets[1::2] = entries
    neighbors = cp.zeros(entries, np.uint32)
    beside = [cp.full(1 << 20, 7, np.uint8) for _ in range(8)]
    graph = skerry.Csr(offsets, neighbors, symmetric=True)
    result = skerry.connected_components(graph, algorithm=name)
    with pytest.raises(skerry.InputError, match="indptr falls"):
        result.count  # noqa: B018
    assert all(bool((memory == 7).all()) for memory in beside)


def test_bad_input_on_large_graphs():
    for graph, form in product(large_graphs()[:3], ("edges", "csr")):
        spoil = on_device(graph, form, np.int64, np.int64)
        (spoil.dst if form == "edges" else spoil.neighbors)[-1] = -3
        for labels in ("min", "dense"):
            result = skerry.connected_components(spoil, labels=labels)
            with pytest.raises(skerry.InputError, match="is -3"):
                result.count  # noqa: B018
        assert (skerry.connected_components(spoil).labels == 0xFFFFFFFF).all()
