"""Classes so large that the checker marks them in bitmaps and floods them: what can go wrong there.

The graph has a large component, of all vertices below `LARGE`, then components of three vertices,
and then isolated vertices.
"""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry.graph.build import csr_from_edges
from support.oracle import scipy_labels

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
