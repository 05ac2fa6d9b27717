"""The GPU's kernels, emulated on a CPU: every algorithm, form, width and choice, in many orders.

The emulator runs the very sources that a GPU does; threads meet in the middle of everything.
"""

from __future__ import annotations

from itertools import cycle, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skerry
from skerry.algorithms.number_ranges import NUMBER_RANGES
from skerry.cuda.source import kernel_names, kernel_sources
from skerry.union_find.device_forest import DeviceForest
from support.checks import assert_answer
from support.emulated import (
    FORCED,
    WIDTHS,
    assert_answer_on_device,
    build_ahead,
    device_form,
    emulated_gpu,
    forms_of,
)
from support.emulator import EmulatedRuntime, works
from support.graphs import Graph, graph_of, medium_graphs, small_graphs
from support.specs import choices_on, names_on, specs_on

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")

SPECS = specs_on("cuda")
NAMES = [*names_on("cuda"), *FORCED]
FORMS = ("edges", "csr", "csc", "symmetric")
TYPES = (np.uint32, np.uint64)
DEVICE_FORMS = ("edges", "csr", "symmetric")
SEEDS = range(3)
BLOCKS = (1, 3, 1000)
CONTENDED = ("star, hub first", "star, hub last", "complete", "hubs", "nearly connected")
SLOW = ("bfs", "label-propagation", "block-per-row")
"""To emulate, for which a few of the larger graphs must do."""

OPTIONS = {
    "q": (0.05, 0.5, 3, 1000),
    "seed": (0, 7, 123456789),
    "warp_from": (1, 2, 5, 40, 10**9),
    "block_from": (1, 3, 30, 10**9),
    "segments": (1, 2, 7, 150),
    "repeat": (0, 1),
    "samples": (0, 1, 5, 64),
    "share": (0, 1, 2, 7, 33, 10**9),
}
"""Values that numeric choices are tried with; a new choice must be added here."""

ABLATIONS = [
    skerry.algorithm("ecl").replace(init=init, jump=jump, finish=finish)
    for init, jump, finish in product(
        ("own", "smallest", "first_smaller"),
        ("multiple", "single", "none", "halving"),
        ("halving", "multiple", "single"),
    )
]


@pytest.fixture(scope="module", autouse=True)
def built():
    build_ahead(NAMES[1:])
    build_ahead(map(str, ABLATIONS), [WIDTHS["narrow"]])


def medium_for(name):
    """Graphs of more than one tile that do not keep this algorithm busy for too long."""
    return medium_graphs()[5::3] if name in SLOW else medium_graphs()


def graphs_named(*names):
    return [graph for graph in small_graphs() if graph.name in names]


@pytest.mark.parametrize("name", NAMES)
def test_small_graphs(name):
    with emulated_gpu():
        for graph, (form, dtype) in product(small_graphs(), zip(FORMS, TYPES * 2, strict=True)):
            result = assert_answer(
                graph, getattr(graph, form), form, algorithm=name, dtype=dtype, device="cuda"
            )
            assert result.labels.dtype == dtype


@pytest.mark.parametrize("widths", WIDTHS)
@pytest.mark.parametrize("name", NAMES)
def test_small_graphs_of_a_device(name, widths):
    turn = (
        list(WIDTHS).index(widths) % 2
    )  # every other graph: with each of them two widths or three
    graphs = small_graphs() if name == "auto" else small_graphs()[turn::2]
    with emulated_gpu(on_device=True):
        for graph, form in product(graphs, forms_of(name)):
            assert_answer_on_device(graph, form, name, widths)


@pytest.mark.parametrize("name", NAMES)
def test_medium_graphs(name):
    for widths, runtime in (("narrow", EmulatedRuntime(1)), ("wide", EmulatedRuntime(2, 1000))):
        with emulated_gpu(runtime, on_device=True):
            for graph, form in product(medium_for(name), forms_of(name)):
                assert_answer_on_device(graph, form, name, widths)


@pytest.mark.parametrize("name", names_on("cuda"))
def test_other_forms_are_converted(name):
    with emulated_gpu(on_device=True):
        for graph, form in product(medium_graphs()[5::4], {*DEVICE_FORMS} - {*forms_of(name)}):
            assert_answer_on_device(graph, form, name)


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


@st.composite
def graphs(draw):
    n = draw(st.integers(1, 70))
    ends = st.integers(0, n - 1)
    far = draw(st.lists(st.tuples(ends, ends), max_size=60))
    near = [(v, max(v - step, 0)) for v, step in draw(st.lists(st.tuples(ends, st.integers(1, 4))))]
    return graph_of("drawn", n, far + near)


@pytest.mark.parametrize("name", ["auto", "rows", "stream", "ecl", *FORCED])
@given(
    graph=graphs(),
    form=st.sampled_from(DEVICE_FORMS),
    widths=st.sampled_from(["narrow", "wide"]),
    seed=st.integers(0, 2**60),
    blocks=st.integers(1, 6),
)
def test_drawn_graphs(name, graph, form, widths, seed, blocks):
    runtime = EmulatedRuntime(seed, blocks)
    with emulated_gpu(runtime, on_device=True, nothing_is_small=name in ("rows", "stream")):
        assert_answer_on_device(graph, form, name, widths)


def _turned(graph, turn):
    src, dst = np.where(turn, graph.dst, graph.src), np.where(turn, graph.src, graph.dst)
    return Graph(graph.name, graph.n, src, dst)


SIDES = {
    "lower": lambda graph: graph.directed(np.maximum, np.minimum),
    "upper": lambda graph: graph.directed(np.minimum, np.maximum),
    "by parity": lambda graph: _turned(graph, (graph.src + graph.dst) % 2 == 0),
    "partly both": lambda graph: Graph(
        graph.name,
        graph.n,
        np.append(graph.src, graph.dst[::3]),
        np.append(graph.dst, graph.src[::3]),
    ),
}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", NAMES)
def test_one_direction_is_enough(name, side):
    with emulated_gpu(on_device=True, nothing_is_small=True):
        turn = list(SIDES).index(side) % 2
        for graph, symmetric in zip(small_graphs()[turn::2], cycle((None, False)), strict=False):
            assert_answer_on_device(SIDES[side](graph), "csr", name, symmetric=symmetric)
        for graph in medium_for(name)[turn::2] if "csr" in forms_of(name) else ():
            assert_answer_on_device(SIDES[side](graph), "csr", name)


@pytest.mark.parametrize("spec", ABLATIONS, ids=str)
def test_ablations_of_ecl(spec):
    with emulated_gpu(on_device=True):
        for graph, form in product(small_graphs(), DEVICE_FORMS):
            assert_answer_on_device(graph, form, spec)
        for graph in medium_graphs():
            assert_answer_on_device(graph, "symmetric", spec)


def test_there_are_all_ablations():
    assert len({str(spec) for spec in ABLATIONS}) == 36
    choices = skerry.algorithm("ecl").choices
    assert [*choices["init"]] == ["own", "smallest", "first_smaller"]
    assert {*choices["finish"]} == {"halving", "multiple", "single", "ordered"}


def test_a_finish_in_order_is_refused():
    with emulated_gpu(), pytest.raises(skerry.UnsupportedError, match="sweeps in order and is not"):
        skerry.connected_components(
            [(0, 1), (1, 2), (3, 4)], device="cuda", algorithm="ecl[finish=ordered]"
        )


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_other_choices(spec):
    some = (*small_graphs(), *medium_graphs()[5:10:4])
    with emulated_gpu(on_device=True):
        for choice, values in choices_on("cuda", spec).items():
            for turn, value in enumerate(values or OPTIONS[choice]):
                if value == "ordered":
                    continue
                changed = spec.replace(**{choice: value})
                for graph, form in product(some[turn % 2 :: 2], forms_of(spec.name)):
                    assert_answer_on_device(graph, form, changed)


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_the_ends_of_a_range_give_right_answers(spec):
    with emulated_gpu(on_device=True):
        for choice, values in choices_on("cuda", spec).items():
            for value in () if values else NUMBER_RANGES[choice][:2]:
                changed = spec.replace(**{choice: value})
                for graph in small_graphs()[::2]:
                    assert_answer_on_device(graph, forms_of(spec.name)[-1], changed)


@pytest.mark.parametrize(
    "name", ["ecl[warp_from=3,block_from=2]", "afforest-random[samples=1,seed=5]"]
)
def test_choices_together(name):
    with emulated_gpu(on_device=True):
        for graph, form in product((*small_graphs(), *medium_graphs()), ("csr", "symmetric")):
            assert_answer_on_device(graph, form, name)


@pytest.mark.parametrize("name", NAMES)
def test_dense_labels(name):
    for on_device in (False, True):
        with emulated_gpu(on_device=on_device):
            for graph in (*small_graphs(), *medium_graphs()[4:6])[on_device::2]:
                given = device_form(graph, "edges")
                assert_answer(graph, given, algorithm=name, labels="dense", device="cuda")


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


@pytest.mark.parametrize("name", NAMES)
def test_inputs_are_never_changed(name):
    graph = graphs_named("above the threshold")[0]
    with emulated_gpu(on_device=True):
        for form, widths in product(DEVICE_FORMS, ("narrow", "wide")):
            given = device_form(graph, form, *WIDTHS[widths][1:])
            parts = (given.src, given.dst) if form == "edges" else (given.offsets, given.neighbors)
            before = [part.copy() for part in parts]
            result = skerry.connected_components(given, algorithm=name, dtype=WIDTHS[widths][0])
            assert result.verify()
            for part, old in zip(parts, before, strict=True):
                np.testing.assert_array_equal(part, old)
            assert not any(np.shares_memory(result.labels, part) for part in parts)


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
    forest = DeviceForest(runtime, 3)
    forest.join(np.array([0], "u4"), np.array([5], "u4"))
    forest.find(np.array([5], "u4"))
    everything = {name for source in kernel_sources() for name in kernel_names(source)}
    generators = {name for source in ("generate", "graph500") for name in kernel_names(source)}
    assert everything - set(runtime.launched) == generators
