"""`skerry.verify` takes labels as arrays, results, mappings and tables of ids."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace

import networkx
import numpy as np
import pyarrow as pa
import pytest

import skerry
from skerry.engines import device
from skerry.engines.dispatch import verify_source
from skerry.graph.build import csr_from_edges
from skerry.graph.edge_source import InputFacts
from skerry.inputs.sources import DeviceSource
from skerry.request import InputOptions
from support.oracle import scipy_labels

WORDS = pa.table({"src": ["a", "b", "x"], "dst": ["b", "c", "y"]})
NUMBERS = pa.table({"src": [10, 20, 70], "dst": [20, 30, 80]})
GRAPH = networkx.Graph([("x", "y"), ("b", "c"), ("a", "b")])


@pytest.mark.parametrize("graph", [WORDS, GRAPH], ids=["table", "networkx"])
def test_a_mapping_of_words(graph):
    right = {"y": 2, "x": 2, "a": "first", "b": "first", "c": "first"}
    assert skerry.verify(graph, right)
    assert not skerry.verify(graph, right | {"c": "other"})
    assert not skerry.verify(graph, dict.fromkeys(right, 1))
    missing = {key: right[key] for key in "abcx"}
    assert skerry.verify(graph, missing).message == "'y' is in no component"


def test_a_mapping_of_numbers():
    right = {10: 1, 20: 1, 30: 1, 70: 5, 80: 5}
    assert skerry.verify(NUMBERS, right)
    assert not skerry.verify(NUMBERS, right | {30: 5})
    assert skerry.verify(([0, 1], [1, 2]), {2: 9, 0: 9, 1: 9})
    wrong = skerry.verify(([0, 1], [1, 2]), {3: 9, 0: 9, 1: 9})
    assert wrong.message == "2 is in no component"


@pytest.mark.parametrize("labels", ["min", "dense"])
@pytest.mark.parametrize("make", [lambda t: t, lambda t: t.to_pandas()], ids=["arrow", "pandas"])
def test_a_table_of_labels(make, labels):
    for graph in (WORDS, NUMBERS):
        table = skerry.connected_components(graph, labels=labels).table()
        assert skerry.verify(graph, make(table))
        assert skerry.verify(graph, make(table.take([4, 0, 2, 1, 3])))
        swapped = table.set_column(1, "component", table["component"].take([0, 1, 4, 3, 2]))
        assert not skerry.verify(graph, make(swapped))
        assert "is in no component" in skerry.verify(graph, make(table[:4])).message
    with pytest.raises(skerry.InputError, match="there are: a, b, c"):
        skerry.verify(WORDS, pa.table({"a": [1], "b": [1], "c": [1]}))


def test_composite_ids_in_a_table():
    ends = {"source": ("a", "b"), "target": ("c", "d")}
    graph = pa.table({"a": [1, 2], "b": ["x", "y"], "c": [1, 2], "d": ["z", "z"]})
    table = skerry.connected_components(graph, **ends).table()
    assert skerry.verify(graph, table, **ends)
    labels = {(1, "x"): 0, (1, "z"): 0, (2, "y"): 1, (2, "z"): 1}
    assert skerry.verify(graph, labels, **ends)
    assert not skerry.verify(graph, labels | {(2, "z"): 0}, **ends)


def test_a_result_of_another_order_of_nodes():
    other = networkx.Graph([("a", "b"), ("b", "c"), ("x", "y")])
    assert skerry.verify(GRAPH, skerry.connected_components(other))


@pytest.mark.parametrize("threads", [0, -1, 2.5, "two", True])
def test_a_nonsense_number_of_threads_is_refused(threads):
    with pytest.raises(skerry.InputError, match="threads must be"):
        skerry.verify(WORDS, np.array([0, 0, 0, 3, 3]), threads=threads)


def test_the_number_of_threads_does_not_change_what_is_said():
    labels = np.array([0, 0, 2, 3, 3])
    messages = {skerry.verify(WORDS, labels, threads=threads).message for threads in (1, 2, 5)}
    assert messages == {"edge 1 joins 'b' and 'c', but their labels are 0 and 2"}


@pytest.mark.parametrize(
    ("graph", "ends"),
    [
        (WORDS, "'b' and 'c'"),
        (GRAPH, "'b' and 'c'"),
        (pa.table({"src": [50, 60], "dst": [60, 70]}), "60 and 70"),
        (np.array([[0, 1], [1, 2], [1, 1]]), "vertices 1 and 2"),
    ],
    ids=["table", "networkx", "integers", "arrays"],
)
def test_messages_name_the_ids_and_labels_of_a_mapping(graph, ends):
    result = skerry.connected_components(graph)
    first, second = (eval(end.split()[-1]) for end in ends.split(" and "))
    ids = [0, 1, 2] if isinstance(graph, np.ndarray) else list(result.ids)
    ids = [id.as_py() if hasattr(id, "as_py") else id for id in ids]
    for one, other in ((700, 900), ("red", "blue"), ((1, "x"), None)):
        labels = {id: other if id == second else one for id in ids}
        message = skerry.verify(graph, labels).message
        assert f"joins {ends}, but their labels are {one!r} and {other!r}" in message
    del labels[first]
    assert skerry.verify(graph, labels).message == f"{first!r} is in no component"


@pytest.mark.parametrize("labels", [[700, 700, 900, 5, 5], ["red", "red", "blue", "x", "x"]])
def test_messages_name_the_labels_of_a_table(labels):
    table = pa.table({"id": ["a", "b", "c", "x", "y"], "component": labels})
    message = skerry.verify(WORDS, table).message
    assert message.endswith(f"'b' and 'c', but their labels are {labels[1]!r} and {labels[2]!r}")


def test_messages_name_labels_of_several_columns():
    ends = {"source": ("a", "b"), "target": ("c", "d")}
    graph = pa.table({"a": [1], "b": ["x"], "c": [1], "d": ["z"]})
    ids = {"a": [1, 1], "b": ["x", "z"]}
    labels = pa.table(ids | {"component_a": [7, 7], "component_b": ["x", "y"]})
    message = skerry.verify(graph, labels, **ends).message
    assert "joins (1, 'x') and (1, 'z'), but" in message
    assert "their labels are (7, 'x') and (7, 'y')" in message


def test_a_result_that_is_wrong_names_nodes():
    result = skerry.connected_components(GRAPH)
    wrong = result.labels.copy()
    wrong[0] = 4
    assert "joins 'b' and 'a', but" in result._verify(wrong).message


def test_a_mapping_is_taken_by_its_keys_for_a_graph_on_a_gpu(monkeypatch):
    taken = []
    monkeypatch.setattr(device, "find_runtime", lambda _: SimpleNamespace(active=nullcontext))
    monkeypatch.setattr(device, "load_on_device", lambda _source, _runtime: None)
    monkeypatch.setattr(
        device,
        "_certify",
        lambda _graph, _runtime, values, shown: taken.append(
            [shown.label(value) for value in values]
        ),
    )
    source = DeviceSource(None, InputOptions(), InputFacts("arrays"), 0)
    verify_source(source, {2: "c", 0: "a", 1: "b"})
    assert taken == [["a", "b", "c"]]
    assert "1 is in no" in verify_source(source, {2: "c", 0: "a"}).message


# Classes so large that the checker marks them in bitmaps and floods them: what can go wrong there.

N, LARGE, SMALL = 72_000, 70_000, 71_400
DENSE, SPARSE = 5 * LARGE, LARGE // 8
"""Edges beside those that connect the large component."""
FORMS = ["edges", "csr", "directed", "reversed"]


def ends(extra: int):
    random = np.random.default_rng(8)
    order = random.permutation(LARGE)
    parents = order[random.integers(0, np.arange(1, LARGE))]
    small = np.arange(LARGE, SMALL)
    middle = small - small % 3 + (1 - LARGE % 3)
    src = (order[1:], random.integers(0, LARGE, extra), small)
    dst = (parents, random.integers(0, LARGE, extra), np.clip(middle, LARGE, SMALL - 1))
    shuffled = random.permutation(sum(map(len, src)))
    return np.concatenate(src)[shuffled], np.concatenate(dst)[shuffled]


def graph_in(form: str, src, dst):
    """The same graph as an edge list, as rows both ways, or as rows of one direction only."""
    if form == "edges":
        return skerry.Edges(src, dst, N)
    if form == "csr":
        return csr_from_edges(skerry.Edges(src, dst, N))
    if form == "reversed":
        src, dst = dst, src
    order = np.argsort(src, kind="stable")
    offsets = np.searchsorted(src[order], np.arange(N + 1)).astype(np.uint64)
    return skerry.Csr(offsets, dst[order].astype(np.uint32))


def entry_at(graph, position: int) -> set[int]:
    if isinstance(graph, skerry.Edges):
        return {int(graph.src[position]), int(graph.dst[position])}
    row = int(np.searchsorted(graph.offsets, position, side="right")) - 1
    return {row, int(graph.neighbors[position])}


@pytest.fixture(scope="module", params=[DENSE, SPARSE], ids=["dense", "sparse"])
def case(request):
    src, dst = ends(request.param)
    truth = scipy_labels(N, src, dst)
    assert len(np.unique(truth[:LARGE])) == 1
    assert truth[SMALL - 1] != truth[0] != truth[SMALL]
    return src, dst, truth


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("form", FORMS)
def test_right_answers_have_a_spanning_forest(case, form, threads):
    src, dst, truth = case
    graph = graph_in(form, src, dst)
    dense = np.unique(truth, return_inverse=True)[1]
    for labels in (truth, dense, np.where(truth == truth[0], -1, truth)):
        check = skerry.verify(graph, labels, threads=threads)
        assert check, check.message
        assert len(check.forest) == N - len(np.unique(truth))
        assert np.all(check.forest[1:] > check.forest[:-1])
    positions = check.forest.astype(np.int64)
    if form == "edges":
        u, v = graph.src[positions], graph.dst[positions]
    else:
        u = np.searchsorted(graph.offsets, positions, side="right") - 1
        v = graph.neighbors[positions]
    np.testing.assert_array_equal(scipy_labels(N, u, v), truth)


def wrong_labels(truth):
    """Labels that are wrong although most of them are right."""
    isolated, large, small = N - 1, truth[0], truth[LARGE]
    every = np.arange(N)
    return {
        "an isolated vertex in the large class": np.where(every == isolated, large, truth),
        "a small component in the large class": np.where(truth == small, large, truth),
        "two isolated vertices in a class": np.where(every == isolated, isolated - 1, truth),
        "two small components in a class": np.where(truth == small, truth[SMALL - 1], truth),
        "everything in a single class": np.zeros(N, np.int64),
        "a vertex torn out of the large class": np.where(every == 5, N + 1, truth),
        "a vertex moved from the large class": np.where(every == 5, small, truth),
        "a vertex moved to the large class": np.where(every == LARGE + 1, large, truth),
        "the large class cut in two": np.where(every < LARGE // 2, N + 2, truth),
        "a small component torn apart": np.where(every == LARGE + 1, N + 3, truth),
    }


@pytest.mark.parametrize("form", FORMS)
def test_wrong_answers_beside_a_large_class_are_rejected(case, form):
    src, dst, truth = case
    graph = graph_in(form, src, dst)
    for what, labels in wrong_labels(truth).items():
        for threads in (1, 3):
            assert not skerry.verify(graph, labels, threads=threads), (what, threads)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("other", [LARGE, N - 1], ids=["small component", "isolated vertex"])
def test_a_single_entry_across_classes_is_named(case, form, other):
    """Both ways, and from either side only: the sweep must look at every row."""
    src, dst, truth = case
    graph = graph_in(form, np.append(src, 77), np.append(dst, other))
    for threads in (1, 3):
        check = skerry.verify(graph, truth, threads=threads)
        assert not check
        assert "labels are" in check.message
        position = int(check.message.split()[1])
        assert entry_at(graph, position) == {77, other}


@pytest.mark.parametrize("form", FORMS)
def test_two_halves_of_the_only_class_are_rejected(form):
    """No entry can show it: only the forest does."""
    half = N // 2
    random = np.random.default_rng(9)
    src, dst = random.integers(0, half, (2, 8 * N))
    right = random.integers(0, 2, 8 * N).astype(bool)
    graph = graph_in(form, src + half * right, dst + half * right)
    truth = scipy_labels(N, src + half * right, dst + half * right)
    for threads in (1, 3):
        assert not skerry.verify(graph, np.zeros(N, np.int64), threads=threads)
        assert skerry.verify(graph, truth, threads=threads)


def test_edges_in_batches_of_a_large_class(case):
    """What is marked after one batch must still hold in the next."""
    pa = pytest.importorskip("pyarrow")
    src, dst, _ = case
    table = pa.table({"src": src, "dst": dst})
    result = skerry.connected_components(pa.Table.from_batches(table.to_batches(20_000)))
    assert result.verify()
    labels = result.labels.copy()
    ids = np.asarray(result.ids)
    labels[np.argmax(ids == LARGE + 1)] = labels[np.argmax(ids == 0)]
    assert not skerry.verify(table, pa.table({"id": ids, "component": labels}))
