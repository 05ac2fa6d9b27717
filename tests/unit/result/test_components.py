"""What people ask of an answer."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from support.graphs import large_graphs, small_graphs

PAIRS = [(0, 5), (5, 2), (1, 7), (7, 3), (8, 9)]
"""{0, 2, 5}, {1, 3, 7}, {4}, {6}, {8, 9} and {10}, with 11 vertices."""


@pytest.fixture(params=["min", "dense"])
def kind(request):
    return request.param


@pytest.fixture
def result(kind):
    return skerry.connected_components(PAIRS, num_vertices=11, labels=kind)


@pytest.fixture
def empty(kind):
    return skerry.connected_components([], labels=kind)


def lists(groups):
    return [group.tolist() for group in groups]


def test_count_and_sizes(result):
    assert result.count == 6
    assert result.num_vertices == 11
    assert result.sizes().tolist() == [3, 3, 1, 1, 2, 1]
    assert result.sizes().dtype == np.int64


def test_sizes_and_groups_of_all_graphs(kind):
    for graph in (*small_graphs(), *large_graphs()):
        result = skerry.connected_components(graph.edges, labels=kind)
        np.testing.assert_array_equal(result.sizes(), np.bincount(graph.dense), graph.name)
        order = np.argsort(graph.dense, kind="stable")
        groups = result.groups()
        assert len(groups) == graph.count
        together = np.concatenate(list(groups)) if graph.n else np.empty(0)
        np.testing.assert_array_equal(together, order, graph.name)
        assert result.count == graph.count


def test_largest(result, kind):
    found = result.largest()
    assert (found.size, found.members.tolist()) == (3, [0, 2, 5])
    assert found.label == 0
    assert repr(found) == "Component(label=0, size=3)"
    labels = {"min": [0, 1, 8, 4, 6, 10], "dense": [0, 1, 4, 2, 3, 5]}[kind]
    assert [component.label for component in result.largest(6)] == labels
    for component in result.largest(6):
        assert (result.labels[component.members] == component.label).all()
        assert component.size == len(component.members)


@pytest.mark.parametrize("k", range(9))
def test_ties_go_to_the_smaller_label(result, k):
    members = [[0, 2, 5], [1, 3, 7], [8, 9], [4], [6], [10]]
    assert [component.members.tolist() for component in result.largest(k)] == members[:k]


def test_largest_of_all_graphs():
    for graph in small_graphs():
        if graph.n:
            found = skerry.connected_components(graph.edges).largest()
            sizes = np.bincount(graph.dense)
            assert found.size == sizes.max()
            np.testing.assert_array_equal(
                found.members, np.flatnonzero(graph.dense == sizes.argmax()), graph.name
            )


def test_largest_refuses(result, empty):
    with pytest.raises(skerry.InputError, match="integer, 0 or more"):
        result.largest(-1)
    with pytest.raises(skerry.InputError, match="integer, 0 or more"):
        result.largest(1.5)
    with pytest.raises(skerry.InputError, match="without vertices has no largest"):
        empty.largest()
    assert empty.largest(3) == []


def test_groups(result):
    groups = result.groups()
    expected = [[0, 2, 5], [1, 3, 7], [4], [6], [8, 9], [10]]
    assert len(groups) == 6
    assert lists(groups) == expected
    assert lists(reversed(groups)) == expected[::-1]
    assert groups[-1].tolist() == [10]
    assert lists(groups[1:5:2]) == expected[1:5:2]
    assert repr(groups) == "Groups(6 components of 11 vertices)"
    for bad in (6, -7):
        with pytest.raises(IndexError):
            groups[bad]


def test_same(result):
    assert result.connected(0, 5)
    assert not result.connected(0, 1)
    assert result.connected(np.uint8(3), np.int64(7))
    assert result.connected([0, 1, 4], [2, 2, 4]).tolist() == [True, False, True]
    assert result.connected(8, range(11)).tolist() == [v in (8, 9) for v in range(11)]
    assert result.connected([], []).tolist() == []
    assert result.connected([[0], [1]], [5, 7]).tolist() == [[True, False], [False, True]]


@pytest.mark.parametrize(
    ("u", "v", "message"),
    [
        (11, 0, r"vertex 11 is not in 0\.\.10"),
        (0, -1, r"vertex -1 is not in 0\.\.10"),
        ([0, 2**40], 0, "is not in"),
        (0, 1.0, "vertices are integers, got float64"),
        (True, 0, "vertices are integers, got bool"),
        ("a", 0, "vertices are integers"),
        (None, 0, "vertices are integers"),
        ([0, 1], [0, 1, 2], "do not match"),
    ],
)
def test_same_refuses(result, u, v, message):
    with pytest.raises(skerry.InputError, match=message):
        result.connected(u, v)


def test_no_vertices(empty):
    assert (empty.count, empty.num_vertices) == (0, 0)
    assert empty.labels.tolist() == []
    assert empty.sizes().tolist() == []
    assert lists(empty.groups()) == []
    with pytest.raises(skerry.InputError):
        empty.connected(0, 0)


def test_unpacks_as_scipys_answer(result):
    count, labels = result
    assert count == 6
    assert labels is result.labels
    with pytest.raises(TypeError, match="no len"):
        len(result)


def test_repr(result):
    text = repr(result)
    assert text.startswith("Components(count=6, vertices=11, algorithm='")
    assert "device='cpu', ms=" in text
    assert (
        skerry.connected_components(([0], [1]), num_vertices=12_345)
        .__repr__()
        .startswith("Components(count=12,344, vertices=12,345,")
    )


def test_html(result, kind):
    html = result._repr_html_()
    for part in ("components", "<td style='text-align:left'>6</td>", "3 vertices, label 0", "took"):
        assert part in html
    assert html.count("<tr>") == html.count("</tr>") >= 7
    assert ("label 8" if kind == "min" else "label 4") in html


def test_html_escapes():
    result = skerry.connected_components([(0, 1)] * 3, algorithm="ecl")
    object.__setattr__(result.plan, "reason", "a < b & c")
    assert "a &lt; b &amp; c" in result._repr_html_()


def test_html_without_vertices(empty):
    assert "<td style='text-align:left'>0</td>" in empty._repr_html_()
