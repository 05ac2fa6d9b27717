"""What a result on a GPU tells: its plan, its counts, its memory; and what people ask of it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import skerry
from skerry.algorithms.gpu.dry_runtime import bytes_of_run
from skerry.algorithms.gpu_planner import fits_one_block
from skerry.graph.device import DeviceCsr, DeviceEdges
from support.answers import FORCED, WIDTHS, device_form, forms_of
from support.emulated import assert_answer_on_device, build_ahead, emulated_gpu
from support.emulator import EmulatedRuntime, works
from support.graphs import graph_of, medium_graphs, small_graphs
from support.specs import names_on, specs_on

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")

SPECS = specs_on("cuda")
NAMES = [*names_on("cuda"), *FORCED]
JOINED_ONCE = ("ecl[init=own]", "afforest", "afforest-random", "soman", "groute", "gunrock")
JOINED_ONCE += ("thread-per-vertex", "warp-per-row", "block-per-row", "adaptive-per-row")
"""Start from single vertices and count a hook where two trees become one."""
IN_ROUNDS = ("cc", "cc-updt", "sv", "sv-updt", "soman", "gunrock", "rem", "eclaf", "stages-cc")
IN_ROUNDS += ("thread-per-vertex[repeat=1]", "label-propagation")
ALL = "all kernels"
SLOW = ("bfs", "label-propagation", "block-per-row")
SOME = (*small_graphs(), *medium_graphs()[4:10])
RANDOM = medium_graphs()[-2]


@pytest.fixture(scope="module", autouse=True)
def built():
    build_ahead([*NAMES[1:], *JOINED_ONCE], [WIDTHS["narrow"]], (False, True))


@pytest.fixture
def gpu():
    with emulated_gpu(on_device=True) as runtime:
        yield runtime


def asked(graph, form, **options):
    return skerry.connected_components(device_form(graph, form), **options)


# The plan


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("statistics", [False, True])
def test_what_ran(gpu, name, statistics):
    for form in forms_of(name):
        gpu.launched.clear()
        plan = asked(RANDOM, form, algorithm=name, statistics=statistics).plan
        launched = list(gpu.launched)
        assert plan.algorithm.partition("[")[0] in (name.partition("[")[0], "rows", "stream")
        assert (plan.device, plan.threads, plan.notes) == ("cuda", 0, ())
        assert plan.form == ("edges" if form == "edges" else "csr")
        assert plan.vertices == RANDOM.n
        assert plan.edges == len(RANDOM.src) * (2 if form == "symmetric" else 1)
        assert (plan.statistics is None) != statistics
        assert plan.reason and (plan.reason == "asked for by name") == (name != "auto")
        steps = [step.name for step in plan.passes]
        assert steps == ([one.replace("_", " ") for one in launched] if statistics else [ALL])
        assert all(step.seconds >= 0 for step in plan.passes)
        assert 0 < plan.seconds == sum(step.seconds for step in plan.passes)
        assert plan.floor_rate == plan.least_bytes / plan.seconds
        first = str(plan).split("\n")[0]
        assert first == f"{plan.algorithm} on cuda: {plan.reason}"


def test_counting_changes_no_label(gpu):
    for name, graph in product(NAMES, SOME[::2]):
        if name not in SLOW or graph.n < 2000:
            assert_answer_on_device(graph, forms_of(name)[-1], name, statistics=True)
    assert gpu.launched


@pytest.mark.parametrize(
    ("name", "form", "note"),
    [
        ("ecl", "edges", "built rows on the device"),
        ("cc", "csr", "listed the edges of the rows on the device"),
        ("cc", "symmetric", "listed the edges of the rows on the device"),
        ("bfs", "csr", "missing reverses were added on the device"),
        ("rows", "csr", None),
        ("stream", "edges", None),
    ],
)
@pytest.mark.usefixtures("gpu")
def test_notes_tell_of_conversions(name, form, note):
    assert asked(RANDOM, form, algorithm=name).plan.notes == ((note,) if note else ())


@pytest.mark.usefixtures("gpu")
def test_symmetry_that_is_found_is_noted():
    rows = device_form(RANDOM, "symmetric")
    unknown = skerry.Csr(rows.offsets, rows.neighbors)
    plan = skerry.connected_components(unknown, algorithm="bfs").plan
    assert plan.notes == ("found to be symmetric",)


def test_what_was_sent_is_noted():
    with emulated_gpu():
        plan = skerry.connected_components(RANDOM.symmetric, device="cuda", symmetric=True).plan
    sent = 4 * (RANDOM.n + 1) + 2 * 4 * len(RANDOM.src)
    assert plan.notes[-1] == f"moved to cuda, {sent:,} bytes"
    assert plan.least_bytes == sent + 4 * RANDOM.n


def test_auto_says_why():
    grid, sparse, hub = medium_graphs()[0], medium_graphs()[11], medium_graphs()[8]
    with emulated_gpu(on_device=True):
        for form in ("edges", "csr"):
            assert asked(small_graphs()[11], form).plan.reason == "small: one launch does it all"
    with emulated_gpu(on_device=True, nothing_is_small=True):
        assert asked(grid, "edges").plan.reason.startswith(
            "an edge list in the order of its ends: "
        )
        assert asked(sparse, "edges").plan.reason.startswith("an edge list: ")
        known = "CSR, not known to be symmetric, 2.0 entries a vertex; all rows are read"
        assert asked(grid, "csr").plan.reason == known
        reasons = {graph.name: asked(graph, "symmetric").plan.reason for graph in medium_graphs()}
    links = "entries a vertex; first links leave"
    assert reasons[grid.name] == "CSR, symmetric, 3.9 entries a vertex; all rows are read"
    assert f"12.0 {links} 16.2% trees: all rows are read" in reasons[RANDOM.name]
    assert reasons[sparse.name].endswith("38.4% trees: all rows are read, on the links themselves")
    assert reasons[hub.name].endswith("99.0% trees: all rows are read, on the links themselves")


LINK, FINISH = "link first neighbors", "finish"
SKIPPING = (LINK, "join seconds", "sample", "skip the largest", FINISH)


@pytest.mark.parametrize(
    ("name", "form", "stages"),
    [
        ("auto", "symmetric", SKIPPING),
        ("rows[strategy=links]", "symmetric", SKIPPING),
        ("rows[strategy=links]", "csr", (LINK, "check", "flatten", "join rows", FINISH)),
        ("rows[strategy=direct]", "symmetric", (LINK, "flatten", "join rows", FINISH)),
        ("rows[strategy=plain]", "symmetric", (LINK, "join rows", FINISH)),
        ("rows[strategy=plain]", "csr", (LINK, "flatten", "join rows", FINISH)),
    ],
)
def test_stages_that_the_device_selects(name, form, stages):
    rows = device_form(RANDOM, form)
    order = np.lexsort((rows.neighbors, np.repeat(np.arange(RANDOM.n), np.diff(rows.offsets))))
    rows = skerry.Csr(rows.offsets, rows.neighbors[order], rows.symmetric)
    with emulated_gpu(on_device=True, nothing_is_small=True):
        plan = skerry.connected_components(rows, algorithm=name).plan
    assert plan.stages == stages
    with emulated_gpu(on_device=True):
        copied = skerry.connected_components(rows, algorithm=name).plan.stages
    if stages == SKIPPING and name != "auto":
        stages = (LINK, "join seconds", "flatten", "sample", *SKIPPING[3:])
    elif name == "auto":
        stages = (LINK, "flatten", "join rows", FINISH)  # too few entries to skip rows
    assert copied == stages


def test_where_no_tree_is_large_no_row_is_skipped():
    pairs = graph_of("pairs", 3000, [(v, v + 1) for v in range(0, 3000, 2)])
    with emulated_gpu(on_device=True, nothing_is_small=True):
        plan = asked(pairs, "symmetric", algorithm="rows[strategy=links]").plan
    assert plan.stages == (LINK, "join seconds", "sample", "flatten", "join rows", FINISH)


class Unasked(EmulatedRuntime):
    """A device that raises when it is waited for."""

    def read(self, array):
        raise AssertionError(f"waited for {len(array)} words")


@pytest.mark.parametrize("small", [True, False])
def test_labels_wait_for_nothing(small):
    runtime = Unasked()
    with emulated_gpu(runtime, on_device=True, nothing_is_small=not small):
        for graph, form, name in product(SOME, ("edges", "csr", "symmetric"), ("auto", *FORCED)):
            if form in forms_of(name):
                result = asked(graph, form, algorithm=name)
                np.testing.assert_array_equal(result.labels, graph.labels)
        with pytest.raises(AssertionError, match="waited"):
            assert result.count


# Memory


class Measured(EmulatedRuntime):
    """Knows what it was asked for."""

    def __init__(self):
        super().__init__()
        self.bytes = 0

    def empty(self, count, dtype):
        self.bytes += count * np.dtype(dtype).itemsize
        return super().empty(count, dtype)


@pytest.mark.parametrize("name", NAMES)
def test_memory_is_known_before_a_run(name):
    for widths, form, graph in product(WIDTHS, forms_of(name), (SOME[-9], RANDOM)):
        dtype, ids, offsets = WIDTHS[widths]
        given = device_form(graph, form, ids, offsets)
        with emulated_gpu(Measured(), on_device=True) as runtime:
            result = skerry.connected_components(given, algorithm=name, dtype=dtype)
            assert result.plan.bytes == runtime.bytes
        if form == "edges":
            device = DeviceEdges(given.src, given.dst, graph.n)
            size = 2 * given.src.nbytes
        else:
            device = DeviceCsr(given.offsets, given.neighbors, given.symmetric)
            size = given.offsets.nbytes + given.neighbors.nbytes
        spec = skerry.algorithm(result.plan.algorithm)
        assert bytes_of_run(spec, device, dtype) == result.plan.bytes
        assert result.plan.least_bytes == size + graph.n * np.dtype(dtype).itemsize
        if widths in ("narrow", "wide labels"):
            estimated = skerry.estimate(
                graph.n,
                result.plan.edges,
                form="edges" if form == "edges" else "csr",
                algorithm=name,
                device="cuda",
                dtype=dtype,
            )
            assert (estimated.run, estimated.graph, estimated.device) == (
                result.plan.bytes,
                size,
                "cuda",
            )


# Counts


@pytest.mark.parametrize("name", JOINED_ONCE)
def test_a_hook_joins_two_trees(name):
    some = SOME[:: 3 if name in SLOW else 1]
    for seed, blocks in ((0, 6), (1, 1), (2, 1000)):
        with emulated_gpu(EmulatedRuntime(seed << 32, blocks), on_device=True):
            for graph, form in product(some[seed::3], forms_of(name)):
                found = asked(graph, form, algorithm=name, statistics=True).plan.statistics
                assert found.hooks == graph.n - graph.count, (graph.name, form, found)


@pytest.mark.parametrize("init", ["smallest", "first_smaller"])
@pytest.mark.usefixtures("gpu")
def test_hooks_of_ecl_and_its_inits(init):
    """Vertices that a parent is given at once need no hook."""
    for graph in SOME:
        found = asked(graph, "symmetric", algorithm=f"ecl[init={init}]", statistics=True).plan
        smaller = np.append(graph.src[graph.dst < graph.src], graph.dst[graph.src < graph.dst])
        given = len(np.unique(smaller))
        assert found.statistics.hooks == graph.n - graph.count - given, graph.name


def left_side_first(left, right, degree):
    """A bipartite graph: no vertex of its left side has a smaller neighbor."""
    rng = np.random.default_rng(5)
    ends = rng.integers(0, left, degree * right), left + np.repeat(np.arange(right), degree)
    return graph_of("left side first", left + right, np.column_stack(ends))


@pytest.mark.parametrize(
    ("name", "degree", "small", "over"),
    [
        ("rows[strategy=direct]", 6, True, True),
        ("rows[strategy=direct]", 6, False, False),
        ("rows[strategy=direct]", 40, False, True),
    ],
)
def test_vertices_without_a_smaller_neighbor_are_linked_over_a_larger_one(
    name, degree, small, over
):
    """Unless rows are short and many: what is linked needs no hook."""
    graph = left_side_first(500, 100, degree)
    rows = device_form(graph, "symmetric")
    starts, v = rows.offsets[:-1].astype(int), np.arange(graph.n)
    has_any = np.diff(rows.offsets.astype(int)) > 0
    first = np.where(has_any, rows.neighbors[np.minimum(starts, len(rows.neighbors) - 1)], v)
    links = np.minimum(first, v)
    if over:
        links = np.where(links < v, links, np.minimum(first[first], v))
    with emulated_gpu(on_device=True, nothing_is_small=not small):
        found = asked(graph, "symmetric", algorithm=name, statistics=True)
    assert found.plan.statistics.hooks == graph.n - graph.count - (links < v).sum()


@pytest.mark.usefixtures("gpu")
def test_hooks_of_small_graphs():
    for graph, form in product(small_graphs(), ("edges", "csr", "symmetric")):
        if not fits_one_block(graph.n, device_form(graph, form).num_entries):
            continue  # its first links are no hooks
        found = asked(graph, form, statistics=True).plan.statistics
        assert found.hooks == graph.n - graph.count, (graph.name, form)


@pytest.mark.parametrize("name", IN_ROUNDS)
@pytest.mark.usefixtures("gpu")
def test_rounds_are_few(name):
    for graph in SOME:
        found = asked(graph, forms_of(name)[-1], algorithm=name, statistics=True).plan.statistics
        bound = graph.n + 2 if name == "label-propagation" else 2 * np.log2(graph.n + 2) + 4
        assert found.rounds <= bound, (graph.name, found)
        assert found.rounds >= min(graph.n, len(graph.src), 1), (graph.name, found)


@pytest.mark.usefixtures("gpu")
def test_path_lengths():
    for jump in ("none", "single", "multiple", "halving"):
        found = asked(RANDOM, "csr", algorithm=f"ecl[jump={jump}]", statistics=True).plan.statistics
        assert found.finds > RANDOM.n
        assert found.steps >= found.longest > 0
        assert found.longest < RANDOM.n
    none = asked(small_graphs()[0], "csr", algorithm="ecl", statistics=True).plan.statistics
    assert none == skerry.Statistics()


# The answer


@pytest.mark.usefixtures("gpu")
def test_questions_that_make_no_sense():
    result = asked(RANDOM, "csr")
    with pytest.raises(skerry.InputError, match=r"vertex 1500 is not in 0\.\.1499"):
        result.connected(0, 1500)
    with pytest.raises(skerry.InputError, match="vertices are integers"):
        result.connected(0, 0.5)
    empty = asked(small_graphs()[0], "edges")
    with pytest.raises(skerry.InputError, match="without vertices has no largest"):
        empty.largest()
    assert empty.count == 0 and empty.largest(2) == []


@pytest.mark.usefixtures("gpu")
def test_a_wrong_answer_is_not_verified():
    result = asked(RANDOM, "csr", algorithm="ecl")
    labels = result.labels
    labels[7] = 8
    assert not skerry.verify(device_form(RANDOM, "csr"), labels)


def test_estimates_of_any_size_are_immediate():
    """Nothing is looped over that grows with the graph: 2**59 of anything would take for ever."""
    vertices = (0, 1, 2, 1000, 2**31, 2**32 - 1, 2**32, 2**40, 2**59)
    edges = (0, 1, 31, 2**14, 2**31, 10**10, 2**40, 2**59)
    for spec, form, n, m in product(SPECS, ("edges", "csr"), vertices, edges):
        estimated = skerry.estimate(n, m, form=form, algorithm=spec, device="cuda")
        assert estimated.run >= n * (4 if n < 2**32 else 8), (spec, form, n, m)
        assert estimated.graph >= 4 * m


@pytest.mark.parametrize(
    "name", ["stages-cc[q=1e-30]", "stages-sv[q=0.001]", "groute[segments=1e18]"]
)
def test_estimates_are_immediate_whatever_is_chosen(name):
    small, large = (skerry.estimate(1, m, algorithm=name, device="cuda").run for m in (33, 2**50))
    assert large == small


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_estimates_of_what_cannot_be(device):
    for size in ((2**59 + 1, 1), (1, 10**30)):
        with pytest.raises(skerry.InputError, match=r"must be in 0\.\.2\*\*59, got"):
            skerry.estimate(*size, algorithm="ecl", device=device)


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_estimates_of_all_algorithms(spec):
    sizes = ((1, 1), (1000, 10), (10**6, 10**8), (10**9, 10**10), (5 * 10**9, 10**10))
    for form, (n, m) in product(("edges", "csr"), sizes):
        estimated = skerry.estimate(n, m, form=form, algorithm=spec, device="cuda")
        assert estimated.run >= n * (4 if n < 2**32 else 8)
        assert estimated.total == estimated.run + estimated.graph + estimated.conversion
        needs = (form == "edges") != ("edges" in forms_of(spec.name))
        assert bool(estimated.conversion) == needs, (form, n, m)
