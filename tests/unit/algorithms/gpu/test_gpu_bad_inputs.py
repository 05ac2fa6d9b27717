"""Bad input that only the kernels see: an error that names the place, no label, no crash."""

from __future__ import annotations

import subprocess
import sys
from itertools import product

import numpy as np
import pytest

import skerry
from skerry.graph.build import csr_from_edges
from support.answers import FORCED, WIDTHS, forms_of
from support.bad_graphs import EDGES, GRAPH, ROWS, as_a_builder_says, bad_edges, bad_rows
from support.device_answers import assert_found_out, raised_by
from support.emulated import build_ahead, emulated_gpu
from support.emulator import EmulatedRuntime, works
from support.paths import TESTS
from support.specs import names_on

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")

NAMES = [*names_on("cuda"), *FORCED]
TYPES = (np.int32, np.int64)
LEAVES_OUT = ("afforest", "afforest-random", "rows", "auto")
"""Do not read the rows of the largest component where every entry is promised to have a reverse."""


@pytest.fixture(scope="module", autouse=True)
def built():
    build_ahead(NAMES[1:], [WIDTHS["narrow"], WIDTHS["wide ids"]])


@pytest.fixture(params=[False, True], ids=["as it is", "nothing is small"])
def _gpu(request):
    with emulated_gpu(on_device=True, nothing_is_small=request.param) as runtime:
        yield runtime


def refused(given, **options):
    """What is said where a graph is refused at once."""
    return raised_by(skerry.connected_components, given, **options)


@pytest.mark.usefixtures("_gpu")
@pytest.mark.parametrize("symmetric", [True, None])
@pytest.mark.parametrize("name", ["auto", *FORCED])
def test_rows_without_entries(name, symmetric):
    if "csr" not in forms_of(name):
        pytest.skip("reads edges")
    offsets, none = np.zeros(5001, np.int64), np.empty(0, np.int32)
    graph = skerry.Csr(offsets, none, symmetric=symmetric)
    np.testing.assert_array_equal(
        skerry.connected_components(graph, algorithm=name).labels, np.arange(5000)
    )
    wrong = offsets.copy()
    wrong[-1] = 1  # an entry that is not there
    given = skerry.Csr(wrong, none, symmetric=symmetric)
    result = skerry.connected_components(given, algorithm=name)
    assert_found_out(result, "indptr[5000] is 1, but indices has only 0", name)


@pytest.mark.usefixtures("_gpu")
@pytest.mark.parametrize("name", [name for name in NAMES if "symmetric" in forms_of(name)])
def test_rows_with_a_promise(name):
    for case, dtype in product(ROWS, TYPES):
        given, message = bad_rows(case, dtype, "symmetric")
        result = skerry.connected_components(given, algorithm=name)
        unread = name.startswith(LEAVES_OUT) and ROWS[case][0] == "indices"
        if unread and (result.labels != np.iinfo(np.uint32).max).any():
            np.testing.assert_array_equal(result.labels, GRAPH.labels, f"{case} {dtype}")
        else:
            assert_found_out(result, message, (case, dtype))


@pytest.mark.usefixtures("_gpu")
@pytest.mark.parametrize("name", ["auto", "ecl", "cc"])
def test_there_are_no_dense_labels(name):
    for given, message in (bad_edges("negative source"), bad_rows("negative neighbor")):
        if ("edges" if isinstance(given, skerry.Edges) else "csr") in forms_of(name):
            result = skerry.connected_components(given, algorithm=name, labels="dense")
            assert message in raised_by(getattr, result, "labels")


@pytest.mark.parametrize("name", ["auto", "ecl", "cc"])
def test_the_host_checks_before_it_sends(name):
    """From the host's memory the CPU's checks come first, and their words."""
    with emulated_gpu() as runtime:
        for case in EDGES:
            given, message = bad_edges(case)
            place = message.partition(" ")[0]
            assert refused(given, algorithm=name, device="cuda").startswith(place)
        for case in ROWS:
            given, _ = bad_rows(case)
            assert refused(given, algorithm=name, device="cuda")
    assert not runtime.launched


@pytest.mark.parametrize("name", ["auto", "cc", "groute", "ecl"])
def test_edges_without_vertices(name):
    given = skerry.Edges(np.array([7, 0]), np.array([0, 1]), 0)
    said = refused(given)
    assert said == "src[0] is 7, but the graph has 0 vertices (ids 0..-1)"
    with emulated_gpu(on_device=True):
        if "edges" in forms_of(name):
            result = skerry.connected_components(given, algorithm=name)
            assert raised_by(getattr, result, "count") == said
        else:
            assert refused(given, algorithm=name) == said
        none = skerry.Edges(np.array([], int), np.array([], int), 0)
        assert skerry.connected_components(none, algorithm=name).count == 0


@pytest.mark.parametrize("first", [1, 3, -1])
@pytest.mark.parametrize("name", ["auto", "ecl", "cc", "bfs"])
def test_the_first_offset_is_zero_on_any_device(first, name):
    """With rows that start later, and without any row."""
    for indptr in ([first, 3, 3, 4], [first]):
        given = skerry.Csr(np.array(indptr), np.array([0, 1, 2, 1]))
        said = f"indptr[0] is {first}; it must be 0"
        assert refused(given) == as_a_builder_says(said)
        with emulated_gpu(on_device=True):
            if "csr" in forms_of(name):
                result = skerry.connected_components(given, algorithm=name)
                assert raised_by(getattr, result, "count") == said
            else:
                assert refused(given, algorithm=name) == as_a_builder_says(said)


@pytest.mark.parametrize(
    ("graph", "options", "message"),
    [
        ((np.arange(3), np.arange(4)), {}, "src has 3 ids and dst 4: an edge needs one of each"),
        ((np.ones(3), np.ones(3)), {}, "src must hold integers, got float64"),
        ((np.ones((2, 2), int), np.ones(2, int)), {}, "src must be one-dimensional, got shape"),
        ((np.array([0, -3]), np.array([1, 1])), {}, "src[1] is -3: vertex ids must be 0 or more"),
        ((np.array([0, 3]), np.array([1, -(2**40)])), {}, "dst[1] is -1099511627776: vertex ids"),
        ((np.array([0]), np.array([2**60])), {}, "dst[0] is 1152921504606846976: ids must be bel"),
        (np.ones((5, 3), int), {}, "an array of edges has shape (m, 2) or (2, m), got (5, 3)"),
        (np.ones(5, int), {}, "an array of edges has shape"),
        (skerry.Edges(np.arange(3), np.arange(3), 3), {"num_vertices": 4}, "num_vertices=4, but"),
        (skerry.Csr(np.arange(3), np.arange(2)), {"num_vertices": 4}, "itself says 2"),
        (skerry.Csr(np.arange(0), np.arange(2)), {}, "indptr is empty"),
        (skerry.Csr(np.ones(3), np.arange(2)), {}, "indptr must hold integers, got float64"),
        (skerry.Csr(np.arange(3), np.ones(2)), {}, "indices must hold integers, got float64"),
        ((np.arange(3), np.arange(3)), {"num_vertices": -1}, "num_vertices must be in 0..2**59"),
        ((np.arange(3), np.arange(3)), {"num_vertices": 2.5}, "must be an integer, got 2.5"),
    ],
)
def test_what_is_seen_before_a_launch(graph, options, message):
    with emulated_gpu(on_device=True) as runtime:
        assert message in refused(graph, **options)
    assert not runtime.launched


def test_labels_too_narrow_are_refused():
    ids = np.array([0, 5], np.uint32)
    with emulated_gpu(on_device=True) as runtime:
        said = refused((ids, ids), num_vertices=2**33, dtype=np.uint32)
    assert said == "8,589,934,592 vertices do not fit into uint32 labels; use uint64"
    assert not runtime.launched


def test_a_fault_is_found_in_any_order():
    for seed, case in product(range(5), ROWS):
        with emulated_gpu(EmulatedRuntime(seed << 32, 1 + seed), on_device=True):
            given, message = bad_rows(case)
            for name in ("auto", "ecl", "rows[strategy=links]", "thread-per-vertex"):
                result = skerry.connected_components(given, algorithm=name)
                assert_found_out(result, message, (seed, case, name))


@pytest.mark.parametrize("strategy", ["links", "direct", "plain"])
def test_falling_offsets_inside_the_largest_component_are_noticed(strategy):
    """Its rows are not read, but the first links read where every row begins and ends."""
    rng = np.random.default_rng(1)
    ends = rng.integers(0, 900, (2, 5000)).astype(np.uint32)
    rows = csr_from_edges(skerry.Edges(*ends, 900))
    offsets = rows.offsets.astype(np.uint32)
    offsets[500] = offsets[490]
    given = skerry.Csr(offsets, rows.neighbors[: rows.num_entries], symmetric=True)
    with emulated_gpu(on_device=True):
        result = skerry.connected_components(given, algorithm=f"rows[strategy={strategy}]")
        with pytest.raises(skerry.InputError, match=r"indptr falls from .* at row 499"):
            _ = result.count


@pytest.mark.skipif(sys.platform != "linux", reason="needs memory that may not be accessed")
@pytest.mark.parametrize("what", ["bad", "small", "medium"])
def test_nothing_is_read_or_written_out_of_bounds(what):
    """In a process of its own, which would not survive it."""
    command = [sys.executable, "-m", "support.out_of_bounds", what]
    done = subprocess.run(
        command,
        cwd=TESTS,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-500:]}\n{done.stderr[-3000:]}"


@pytest.mark.skipif(sys.platform != "linux", reason="needs memory that may not be accessed")
def test_what_is_out_of_bounds_would_be_found():
    command = [sys.executable, "-m", "support.out_of_bounds", "beyond"]
    done = subprocess.run(command, cwd=TESTS, capture_output=True, timeout=60, check=False)
    assert done.returncode < 0
