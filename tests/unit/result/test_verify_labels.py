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
from skerry.graph.edge_source import InputFacts
from skerry.inputs.sources import DeviceSource
from skerry.request import InputOptions

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
