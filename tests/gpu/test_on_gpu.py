"""Every algorithm of the catalog on a real GPU: forms, widths, choices, and input that is bad."""

from __future__ import annotations

from itertools import cycle, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skerry
from skerry.algorithms.gpu_planner import Strategy
from skerry.algorithms.number_ranges import NUMBER_RANGES
from support.graphs import graph_of, large_graphs, small_graphs, two_sides
from support.on_gpu import (
    NAMES,
    assert_answer_on_gpu,
    form_read_by,
    forms_read_by,
    on_device,
    require_gpu,
)
from support.specs import choices_on, specs_on

cp = require_gpu()

FORMS = ("edges", "csr", "csc", "symmetric")
NARROW = (np.uint32, np.int32, np.uint32)
USUAL = (np.uint32, np.int64, np.int64)
WIDE = (np.uint64, np.uint64, np.uint64)
MIXED = tuple(
    widths
    for widths in product((np.uint32, np.uint64), (np.uint32, np.int64), (np.int32, np.uint64))
    if len({np.dtype(one).itemsize for one in widths}) > 1
)
"""Of labels, ids and offsets. Kernels are compiled for each: mixed ones are for a few only."""

FINISHES = ("halving", "multiple", "single")
ABLATIONS = [
    skerry.algorithm("ecl").replace(init=init, jump=jump, finish=finish)
    for init, jump, finish in product(
        *(skerry.algorithm("ecl").choices[one] for one in ("init", "jump")), FINISHES
    )
]
SHAPES = ("hubs", "shuffled path", "above the threshold")


def shapes():
    return [graph for graph in small_graphs() if graph.name in SHAPES]


@pytest.mark.parametrize("name", NAMES)
def test_small_graphs(name):
    for graph, form in product(small_graphs(), FORMS):
        assert_answer_on_gpu(graph, form, name, NARROW)
    for graph, form, widths in product(small_graphs(), forms_read_by(name), (USUAL, WIDE)):
        assert_answer_on_gpu(graph, form, name, widths)


@pytest.mark.parametrize("name", ["auto", "ecl", "rows[strategy=links]", "stream[share=3]"])
def test_mixed_widths(name):
    for graph, form, widths in product(shapes(), forms_read_by(name), MIXED):
        assert_answer_on_gpu(graph, form, name, widths)


@pytest.mark.parametrize("name", NAMES)
def test_large_graphs(name):
    for graph, form in zip(large_graphs(), cycle(FORMS), strict=False):
        assert_answer_on_gpu(graph, form, name, NARROW)
    for graph, form in zip(large_graphs(), cycle(forms_read_by(name)), strict=False):
        assert_answer_on_gpu(graph, form, name, USUAL)


@pytest.mark.parametrize("widths", [NARROW, USUAL, WIDE])
def test_auto_on_large_graphs(widths):
    for graph, form in product(large_graphs(), FORMS):
        assert_answer_on_gpu(graph, form, "auto", widths)


def test_there_are_all_ablations():
    assert len({str(spec) for spec in ABLATIONS}) == 36


@pytest.mark.parametrize("spec", ABLATIONS, ids=str)
def test_ablations_of_ecl(spec):
    for graph, form in product(shapes(), ("csr", "symmetric")):
        assert_answer_on_gpu(graph, form, spec, NARROW)
    assert_answer_on_gpu(large_graphs()[0], "symmetric", spec, NARROW)
    assert_answer_on_gpu(large_graphs()[2], "symmetric", spec, NARROW)


@pytest.mark.parametrize("spec", specs_on("cuda"), ids=str)
def test_other_numbers(spec):
    numbers = [name for name, values in choices_on("cuda", spec).items() if not values]
    for name, value in product(numbers, (1, 3, 100)):
        if value not in NUMBER_RANGES[name]:
            continue
        changed = spec.replace(**{name: value})
        for graph in (*shapes(), large_graphs()[0]):
            assert_answer_on_gpu(graph, forms_read_by(spec.name)[-1], changed, NARROW)


@given(st.data())
def test_drawn_graphs(data):
    n = data.draw(st.integers(1, 40))
    ends = st.integers(0, n - 1)
    pairs = data.draw(st.lists(st.tuples(ends, ends), max_size=80))
    form, name = data.draw(st.sampled_from(FORMS)), data.draw(st.sampled_from(NAMES))
    assert_answer_on_gpu(graph_of("drawn", n, pairs), form, name, NARROW)


BAD_EDGES = [("src", 7, 60, "src[7] is 60"), ("dst", 3, -1, "dst[3] is -1")]
BAD_ROWS = [
    ("neighbors", 5, 60, "indices[5] is 60"),
    ("neighbors", 0, -5, "indices[0] is -5"),
    ("offsets", 30, 2, "indptr falls"),
    ("offsets", 60, 10**6, "1,000,000"),
]
"""What to spoil, where, with what, and words of the error where kernels are to find it."""


def spoiled(what, place, value):
    """A path of 60 vertices with one number replaced."""
    path = graph_of("path", 60, [(v, v + 1) for v in range(59)])
    form = "edges" if what in ("src", "dst") else "symmetric"
    graph = on_device(path, form, np.int32, np.int32)
    getattr(graph, what)[place] = value
    return graph


@pytest.mark.parametrize("name", NAMES)
def test_bad_input(name):
    form = form_read_by(name)
    for what, place, value, message in BAD_EDGES + BAD_ROWS:
        own = form in (None, "edges" if what in ("src", "dst") else "csr")
        graph = spoiled(what, place, value)
        if not own:  # the conversion finds it
            with pytest.raises(skerry.InputError):
                skerry.connected_components(graph, algorithm=name)
            continue
        try:
            result = skerry.connected_components(graph, algorithm=name)
        except skerry.InputError:
            assert skerry.algorithm(name).form == "symmetric csr", f"{name} {what}: too early"
            continue
        assert (result.labels == 0xFFFFFFFF).all(), f"{name} {what}: labels of a bad graph"
        for ask in ("count", "plan"):
            with pytest.raises(skerry.InputError) as error:
                getattr(result, ask)
            assert message in str(error.value), name
    assert_answer_on_gpu(shapes()[0], forms_read_by(name)[0], name, NARROW)  # it still works


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
