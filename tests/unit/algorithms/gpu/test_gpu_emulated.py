"""The GPU's kernels, emulated on a CPU: every algorithm, form, width and choice, in many orders.

The emulator runs the very sources that a GPU does; threads meet in the middle of everything.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import skerry
from skerry.cuda.source import kernel_names, kernel_sources
from skerry.union_find.device_forest import DeviceForest
from support.answers import (
    DEVICE_FORMS,
    FORCED,
    FORMS,
    WIDTHS,
    ablations,
    device_form,
    forms_of,
)
from support.checks import assert_answer
from support.device_answers import DeviceAnswers
from support.emulated import assert_answer_on_device, build_ahead, emulated_gpu
from support.emulator import EmulatedRuntime, works
from support.graphs import medium_graphs, small_graphs
from support.specs import names_on

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")

NAMES = [*names_on("cuda"), *FORCED]
TYPES = (np.uint32, np.uint64)
SEEDS = range(3)
BLOCKS = (1, 3, 1000)
CONTENDED = ("star, hub first", "star, hub last", "complete", "hubs", "nearly connected")
SLOW = ("bfs", "label-propagation", "block-per-row")
"""To emulate, for which a few of the larger graphs must do."""


@pytest.fixture(scope="module", autouse=True)
def built():
    build_ahead(NAMES[1:])
    build_ahead(map(str, ablations("cuda")), [WIDTHS["narrow"]])


def medium_for(name):
    """Graphs of more than one tile that do not keep this algorithm busy for too long."""
    return medium_graphs()[5::3] if name in SLOW else medium_graphs()


def graphs_named(*names):
    return [graph for graph in small_graphs() if graph.name in names]


def forms(*names, **options):
    return [{"form": form, **options} for form in names]


class TestEmulatedGpu(DeviceAnswers):
    names = NAMES
    unbounded = (False, True)

    def running(self, name="auto", seed=0, unbounded=False):
        runtime = EmulatedRuntime(seed, 1 + seed % 6) if seed else EmulatedRuntime()
        unbounded |= bool(seed) and name in ("rows", "stream")
        return emulated_gpu(runtime, on_device=True, nothing_is_small=unbounded)

    def check(self, graph, name, form, widths="narrow", **options):
        assert_answer_on_device(graph, form, name, widths, **options)

    def small(self, name):
        some = {widths: small_graphs()[turn % 2 :: 2] for turn, widths in enumerate(WIDTHS)}
        return [
            (graph, way)
            for widths, graphs in some.items()
            for graph, way in product(graphs, forms(*forms_of(name), widths=widths))
        ]

    def larger(self, name):
        both = [
            way for widths in ("narrow", "wide") for way in forms(*forms_of(name), widths=widths)
        ]
        return product(medium_for(name), both)

    def few(self, name, turn=0):
        some = (*small_graphs(), *medium_graphs()[5:10:4])[turn % 2 :: 2]
        return list(product(some, forms(*forms_of(name))))

    def ablated(self):
        some = product(small_graphs(), forms(*DEVICE_FORMS))
        return *some, *product(medium_graphs(), forms("symmetric"))

    def asked(self):
        return *small_graphs()[::-3], *medium_graphs()[5::4], *graphs_named("above the threshold")

    def one_way(self, name, turn):
        some = small_graphs()[turn % 2 :: 2]
        ways = [*forms("csr"), *forms("csr", symmetric=False)]
        medium = medium_for(name)[turn % 2 :: 2] if "csr" in forms_of(name) else ()
        return *zip(some, ways * len(some), strict=False), *product(medium, ways[:1])


@pytest.mark.parametrize("name", NAMES)
def test_graphs_of_the_host(name):
    ways = zip(FORMS, TYPES * 2, ("min", "min", "dense", "dense"), strict=True)
    with emulated_gpu():
        for graph, (form, dtype, labels) in product(small_graphs(), ways):
            given = getattr(graph, form)
            options = {"algorithm": name, "dtype": dtype, "labels": labels}
            assert_answer(graph, given, form, device="cuda", **options)


@pytest.mark.parametrize("name", NAMES)
def test_any_order_of_threads(name):
    for seed, blocks in enumerate(BLOCKS * 2):
        with emulated_gpu(EmulatedRuntime(seed << 32, blocks), on_device=True):
            for graph, form in product(graphs_named(*CONTENDED), forms_of(name)):
                assert_answer_on_device(graph, form, name)


@pytest.mark.parametrize("name", ["auto", "rows", "stream"])
def test_small_graphs_by_what_is_meant_for_large_ones(name):
    for seed in SEEDS:
        with emulated_gpu(EmulatedRuntime(seed << 32), on_device=True, nothing_is_small=True):
            for graph, form in product(small_graphs(), DEVICE_FORMS):
                result = assert_answer_on_device(graph, form, name)
                assert not result.plan.reason.startswith("small")


@pytest.mark.parametrize("name", ["auto", *FORCED])
def test_medium_graphs_in_many_orders(name):
    for seed in SEEDS:
        runtime = EmulatedRuntime(seed << 32, 2 + 3 * seed)
        with emulated_gpu(runtime, on_device=True, nothing_is_small=True):
            for graph, form in product(medium_graphs(), forms_of(name)):
                assert_answer_on_device(graph, form, name)


def test_a_finish_in_order_is_refused():
    with emulated_gpu(), pytest.raises(skerry.UnsupportedError, match="sweeps in order and is not"):
        skerry.connected_components(
            [(0, 1), (1, 2), (3, 4)], device="cuda", algorithm="ecl[finish=ordered]"
        )


@pytest.mark.parametrize(
    "name", ["ecl[warp_from=3,block_from=2]", "afforest-random[samples=1,seed=5]"]
)
def test_choices_together(name):
    with emulated_gpu(on_device=True):
        for graph, form in product((*small_graphs(), *medium_graphs()), ("csr", "symmetric")):
            assert_answer_on_device(graph, form, name)


def test_columns_of_a_table():
    graph = medium_graphs()[-2]
    table = np.column_stack((graph.src, graph.dst, graph.src))
    with emulated_gpu(on_device=True):
        for name, ids in product(("auto", "ecl", "cc", "rem", "gunrock"), (np.int32, np.int64)):
            kept = table.astype(ids)
            views = [
                (kept[:, 0], kept[:, 1]),
                (kept[::-1, 2], kept[::-1, 1]),
                kept[:, :2],
                np.ascontiguousarray(kept[:, :2].T),
            ]
            for view in views:
                assert_answer(graph, view, algorithm=name, num_vertices=graph.n)


def test_every_kernel_is_launched():
    """So that every kernel is tested."""
    runtime = EmulatedRuntime()
    with emulated_gpu(runtime, on_device=True):
        for name, form in product([*NAMES, "ecl[init=own]", "ecl[init=smallest]"], DEVICE_FORMS):
            for graph in medium_graphs()[8::2]:
                assert_answer_on_device(graph, form, name, labels="dense")
        for form in DEVICE_FORMS:
            small = device_form(graphs_named("pairs")[0], form)
            assert skerry.connected_components(small).sizes().sum() == small.num_vertices
    with emulated_gpu(runtime, on_device=True, nothing_is_small=True):
        for name in ("auto", "rows[strategy=links]"):
            assert_answer_on_device(medium_graphs()[8], "symmetric", name)
        assert_answer_on_device(medium_graphs()[8], "edges", "stages-cc[permute=stored]")
    forest = DeviceForest(runtime, 3)
    forest.join(np.array([0], "u4"), np.array([5], "u4"))
    forest.find(np.array([5], "u4"))
    everything = {name for source in kernel_sources() for name in kernel_names(source)}
    elsewhere = (
        "generate",
        "graph500",
        "label_images",
        "count_pixels",
    )  # which tests of their own launch
    others = {name for source in elsewhere for name in kernel_names(source)}
    assert everything - set(runtime.launched) == others - set(runtime.launched)
