"""`forest=True`: the recorded edges are a spanning forest of the input; labels stay the same."""

from __future__ import annotations

import pickle
import tracemalloc

import networkx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import skerry
from skerry import _native
from skerry.algorithms import planner
from skerry.errors import InputError, UnsupportedError
from skerry.result.forest import RecordedForest, recorded_edges
from skerry.result.links import ForestEdges
from support.emulated import emulated_gpu
from support.emulator import works
from support.forests import assert_forest, forest_problem
from support.graphs import large_graphs, small_graphs

PAIRS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=60)


@pytest.fixture
def all_threads(monkeypatch):
    """Lets small graphs use all threads that are asked for."""
    monkeypatch.setattr(planner, "threads_for", lambda _work, limit: limit)


@pytest.mark.usefixtures("all_threads")
@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("graph", small_graphs(), ids=lambda graph: graph.name)
def test_a_forest_spans_every_form_of_a_graph(graph, threads):
    for form in (graph.edges, graph.csr, graph.csc, graph.symmetric):
        result = skerry.connected_components(form, forest=True, threads=threads)
        if isinstance(form, skerry.Edges):
            src, dst, weights = graph.src, graph.dst, None
        else:
            src = np.repeat(np.arange(graph.n), np.diff(form.indptr))
            dst, weights = form.indices, form.data.tolist()
            if form.format == "csc":  # whose indices are the rows
                src, dst = dst, src
        assert_forest(result, src, dst, weights)


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("graph", large_graphs(), ids=lambda graph: graph.name)
def test_a_forest_spans_large_graphs(graph, threads):
    result = skerry.connected_components(graph.edges, forest=True, threads=threads)
    _check_large(result, graph, graph.src, graph.dst)
    for symmetric in (None, True):
        rows = graph.symmetric
        result = skerry.connected_components(
            rows, forest=True, threads=threads, symmetric=symmetric
        )
        src = np.repeat(np.arange(graph.n), np.diff(rows.indptr))
        _check_large(result, graph, src, rows.indices)


def _check_large(result, graph, src, dst):
    """The same check by arrays: n - k edges that give the same components make no cycle."""
    assert (result.labels == graph.labels).all()
    forest = result.spanning_forest()
    assert len(forest) == graph.n - graph.count
    assert (src[forest.row] == forest.source).all() and (dst[forest.row] == forest.target).all()
    again = skerry.connected_components((forest.source, forest.target), num_vertices=graph.n)
    assert (again.labels == graph.labels).all()
    assert (np.diff(forest.row) > 0).all()


@given(PAIRS, st.sampled_from([1, 2, 4]))
def test_any_edges_of_kernels_with_threads(pairs, threads):
    """The kernels themselves, which small graphs would use one thread of."""
    ends = np.array(pairs, np.int64).reshape(-1, 2)
    for kind in (np.uint32, np.uint64):
        parent = np.arange(31, dtype=kind)
        words = np.empty(31 * (2 if kind is np.uint32 else 3), np.uint64)
        src, dst = ends[:, 0].astype(kind), ends[:, 1].astype(kind)
        _native.record_edges(src, dst, 0, None, None, parent, words, threads)
        _native.finish(parent, _native.FINISH["ordered"], 1, False)
        edges = recorded_edges(words, parent)
        forest = list(zip(edges.source, edges.target, [None] * 31, edges.row, strict=False))
        assert forest_problem(forest, pairs, dict(enumerate(parent.tolist()))) is None


@given(PAIRS)
def test_any_edges(pairs):
    src, dst = [u for u, _ in pairs], [v for _, v in pairs]
    result = skerry.connected_components(
        (np.array(src, np.int64), np.array(dst, np.int64)), num_vertices=31, forest=True, threads=1
    )
    assert_forest(result, src, dst)


@given(PAIRS)
def test_one_thread_records_the_first_edges(pairs):
    """As Kruskal's algorithm would with the rows as weights."""
    graph = networkx.Graph()
    for row, (u, v) in enumerate(pairs):
        if u != v and not graph.has_edge(u, v):
            graph.add_edge(u, v, weight=row)
    first = sorted(data["weight"] for *_, data in networkx.minimum_spanning_edges(graph))
    ends = np.array(pairs, np.int64).reshape(-1, 2)
    result = skerry.connected_components(
        (ends[:, 0], ends[:, 1]), num_vertices=31, forest=True, threads=1
    )
    assert result.spanning_forest().row.tolist() == first


@pytest.mark.parametrize(
    ("forest", "problem"),
    [
        ([(0, 1, None, 0), (1, 2, None, 1)], None),
        ([(0, 1, None, 0)], "1 edges, not 2"),
        ([(0, 1, None, 0), (1, 0, None, 3)], "make a cycle"),
        ([(0, 1, None, 0), (0, 2, None, 1)], "row 1 is not"),
        ([(0, 1, None, 0), (1, 2, None, 7)], "row 7 is not"),
        ([(0, 1, 0.5, 0), (1, 2, None, 1)], "another weight"),
    ],
)
def test_a_wrong_forest_is_noticed(forest, problem):
    edges, labels = [(0, 1), (1, 2), (2, 0), (1, 0), (3, 3)], {0: 0, 1: 0, 2: 0, 3: 3}
    noticed = forest_problem(forest, edges, labels)
    assert noticed is None if problem is None else problem in noticed


@pytest.mark.parametrize(
    "ends", [([0, 1, 2], [1, 2, 0]), ([0, 0], [1, 1]), ([0, 1], [1, 9]), ([0, 2], [1, 2])]
)
def test_a_forest_that_is_none_gives_no_paths(ends):
    source, target = (np.array(end, np.uint32) for end in ends)
    rows = np.arange(len(source))
    forest = RecordedForest(lambda: ForestEdges(source, target, rows), 4)
    with pytest.raises(InputError, match="make a cycle, or are not between vertices"):
        forest.path(0, 1)


def test_weights_and_rows_of_kept_edges():
    src, dst = np.array([0, 0, 1, 2, 3]), np.array([1, 1, 2, 0, 4])
    weight = np.array([1, 9, 8, 7, 2], np.int32)
    result = skerry.connected_components(
        (src, dst), weight=weight, threshold=5, forest=True, num_vertices=5, threads=1
    )
    assert_forest(result, src, dst, weight.tolist(), weight >= 5)
    assert result.spanning_forest().row.tolist() == [1, 2]
    assert result.spanning_forest().weight.tolist() == [9, 8]
    assert [type(link.weight) for link in result.spanning_forest()] == [int, int]
    every = skerry.connected_components((src, dst), weight=weight, forest=True, threads=1)
    assert every.spanning_forest().weight.tolist() == [1, 8, 2]


def test_later_changes_of_arrays_change_no_forest():
    src, dst, weight = np.array([0, 1]), np.array([1, 2]), np.array([0.5, 0.25])
    result = skerry.connected_components((src, dst), weight=weight, forest=True)
    src[:], dst[:], weight[:] = 0, 0, 9
    assert list(result.why(0, 2)) == [(0, 1, 0.5, 0), (1, 2, 0.25, 1)]


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"])
def test_values_of_matrices_are_weights(form):
    dense = np.array([[0, 0.5, 0], [0, 0, 0.25], [0, 0, 0]])
    matrix = sp.coo_array(dense).asformat(form)
    result = skerry.connected_components(matrix, forest=True)
    links = result.why(0, 2)
    assert [link.weight for link in links] == [0.5, 0.25]
    entries = matrix.tocoo()
    if form not in ("csc", "dia"):
        assert [entries.data[link.row] for link in links] == [0.5, 0.25]
    kept = skerry.connected_components(matrix, forest=True, threshold=0.3)
    assert [link.weight for link in kept.spanning_forest()] == [0.5]


def test_networks_have_the_forest_of_their_nodes():
    graph = networkx.Graph()
    graph.add_edge("a", "b", score=3)
    graph.add_edge("b", ("c", 1), score=4)
    result = skerry.connected_components(graph, weight="score", forest=True)
    assert list(result.why(("c", 1), "a")) == [(("c", 1), "b", 4, 1), ("b", "a", 3, 0)]
    plain = skerry.connected_components({"x": ["y"], "y": ["z"]}, forest=True)
    assert [link.row for link in plain.why("x", "z")] == [0, 1]
    with pytest.raises(UnsupportedError, match="forest=True and algorithm= cannot"):
        skerry.connected_components(graph, forest=True, algorithm="ecl")


def test_an_igraph_graph_keeps_its_weights():
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph([(0, 1), (1, 2)])
    graph.es["w"] = [5, 6]
    result = skerry.connected_components(graph, weight="w", forest=True)
    assert result.spanning_forest().weight.tolist() == [5, 6]


def test_what_has_no_forest_says_so():
    result = skerry.connected_components([(0, 1)])
    for question in (lambda: result.why(0, 1), result.spanning_forest, result.bridges):
        with pytest.raises(UnsupportedError, match="pass forest=True"):
            question()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithm": "ecl"}, r"forest=True and algorithm= cannot be used together"),
        ({"statistics": True}, r"forest=True and statistics= cannot be used together"),
        ({"stream": skerry.StreamOptions(10**9)}, "limit= is not supported for arrays"),
        ({"device": "cuda"}, r"forest=True is recorded on a CPU"),
        ({"weight": "score"}, "weight= beside arrays is an array"),
        ({"weight": [1.0, 2.0]}, "1 edges and 2 weights"),
        ({"weight": ["x"]}, "weights must be a column of numbers"),
        ({"forest": 1}, "forest must be True or False"),
    ],
)
def test_what_cannot_be_recorded_is_refused(options, message):
    with pytest.raises((UnsupportedError, InputError), match=message):
        skerry.connected_components(([0], [1]), **{"forest": True, **options})


def test_a_weight_without_a_threshold_needs_a_forest():
    with pytest.raises(InputError, match=r"weight= is given without threshold=.*forest=True"):
        skerry.connected_components(([0], [1]), weight=[1.0])


def test_too_many_vertices_are_a_memory_error():
    with pytest.raises(MemoryError, match=r"a forest takes 20 bytes for each or more"):
        skerry.connected_components(([0], [1]), num_vertices=2**50, forest=True)


def test_invalid_edges_are_named():
    with pytest.raises(InputError, match=r"dst\[1\] is 7"):
        skerry.connected_components(([0, 1], [1, 7]), num_vertices=3, forest=True)
    rows = skerry.Csr(np.array([0, 2, 1], np.uint64), np.array([1, 0], np.uint32))
    with pytest.raises(InputError, match="offsets falls from 2 to 1"):
        skerry.connected_components(rows, forest=True)


@pytest.mark.parametrize("dtype", ["uint32", "int32", "uint64", "int64"])
def test_types_of_labels(dtype):
    edges = [(0, 4), (4, 2)]
    for graph in (edges, sp.csr_array((np.ones(2), np.array(edges).T), shape=(5, 5))):
        result = skerry.connected_components(graph, forest=True, dtype=dtype)
        assert result.labels.dtype == dtype and result.labels.tolist() == [0, 1, 0, 3, 0]
        assert [link.target for link in result.why(2, 0)] == [4, 0]


def test_the_smallest_graphs():
    for n in (0, 1, 2):
        result = skerry.connected_components(([], []), num_vertices=n, forest=True)
        assert len(result.spanning_forest()) == 0 and len(result.bridges()) == 0
        assert result.spanning_forest().table().num_rows == 0
    assert len(result.why(1, 1)) == 0


def test_a_pickle_keeps_the_forest():
    result = skerry.connected_components([(0, 1), (1, 2)], forest=True)
    copy = pickle.loads(pickle.dumps(result))
    assert list(copy.why(0, 2)) == list(result.why(0, 2))
    with pytest.raises(UnsupportedError, match=r"bridges\(\) reads the edges again"):
        copy.bridges()


def test_the_estimate_knows_the_forest():
    plain = skerry.estimate(1000, 5000)
    assert skerry.estimate(1000, 5000, forest=True).run == plain.run + 16 * 1000
    src = np.arange(999, dtype=np.uint32)
    plan = skerry.connected_components((src, src + 1), num_vertices=1000, forest=True).plan
    assert 20 * 1000 <= plan.bytes <= skerry.estimate(1000, 999, forest=True).run
    batches = skerry.estimate(1000, 999, form="batches", forest=True)
    assert batches.run == skerry.estimate(1000, 999, form="batches").run + 16 * 1000
    for option in ({"algorithm": "ecl"}, {"device": "cuda"}):
        with pytest.raises(UnsupportedError, match="forest=True"):
            skerry.estimate(1000, 5000, forest=True, **option)


def test_the_memory_that_the_docs_state():
    """Bytes a vertex, as NumPy allocates them."""
    n = 200_000
    src, dst = np.random.default_rng(5).integers(0, n, (2, 4 * n), np.uint32)
    tracemalloc.start()
    try:
        sizes = {}

        def measured(name, question):
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            answer = question()
            after, peak = tracemalloc.get_traced_memory()
            sizes[name] = (peak - before) / n, (after - before) / n
            return answer

        result = measured(
            "solve", lambda: skerry.connected_components((src, dst), num_vertices=n, forest=True)
        )
        measured("order", lambda: result.why(0, 0))
        measured("bridges", result.bridges)
        measured("labels", result.edge_labels)
    finally:
        tracemalloc.stop()
    assert 20 <= sizes["solve"][1] <= sizes["solve"][0] <= 4 + 16 + 1
    assert sizes["order"][0] <= 49 and sizes["order"][1] <= 33
    assert sizes["bridges"][0] <= 14
    assert sizes["labels"][0] <= 4 * 17 + 1 and sizes["labels"][1] <= 4 * 8 + 1


@pytest.mark.skipif(not works(), reason="no compiler for the emulated GPU")
def test_a_graph_on_a_gpu_is_refused_with_a_way_out():
    graph = np.array([0, 1]), np.array([1, 2])
    with emulated_gpu(on_device=True):
        with pytest.raises(UnsupportedError, match=r"forest=True is recorded on a CPU.*asnumpy"):
            skerry.connected_components(graph, forest=True)
        with pytest.raises(UnsupportedError, match=r"edge_labels\(\) reads the edges again"):
            skerry.connected_components(graph).edge_labels()


def test_a_forest_run_can_be_verified():
    src, dst = np.random.default_rng(6).integers(0, 500, (2, 400))
    result = skerry.connected_components((src, dst), num_vertices=500, forest=True)
    assert result.verify() and result.plan.engine == "memory"
    positions = result.verify().forest
    assert len(positions) == len(result.spanning_forest())


def test_threads_are_used_on_large_graphs():
    src, dst = np.random.default_rng(7).integers(0, 10**5, (2, 10**6), np.uint32)
    for graph in ((src, dst), sp.csr_array((np.ones(10**6, np.int8), (src, dst)))):
        result = skerry.connected_components(graph, forest=True, threads=4)
        assert result.plan.threads == 4
        assert len(result.spanning_forest()) == result.num_vertices - result.count
