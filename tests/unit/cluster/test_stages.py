"""The stages without any engine: the labels of one machine, whatever the partitioning."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry.cluster.pairs import MAX_BLOB_BYTES, blobs_of, interleaved, pairs_of
from skerry.cluster.stage import EDGES
from support.cluster import GRAPHS, divided, expected, graph, labels_of, run
from support.local_executor import LocalExecutor


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("method", ["forest", "contraction"])
def test_labels_are_those_of_one_machine(tmp_path, name, method):
    edges = graph(name)
    for number, (tasks, parts) in enumerate([(1, 1), (2, 3), (11, 4), (3, 1)]):
        files = run(tmp_path / str(number), divided(edges, tasks), parts, method)
        assert np.array_equal(labels_of(files), expected(edges))
        assert files.components == len(np.unique(expected(edges)[:, 1]))


@pytest.mark.parametrize("name", GRAPHS)
def test_many_rounds_give_the_same_labels(tmp_path, name):
    edges = graph(name)
    files = run(tmp_path, divided(edges, 5, seed=1), 4, room=0)  # until no edge is left
    assert np.array_equal(labels_of(files), expected(edges))
    assert all(each["left"] <= each["vertices"] for each in files.rounds)
    assert not files.rounds[-1]["edges"]


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_partitioning_order_and_seed_do_not_matter(tmp_path_factory, data):
    n = data.draw(st.integers(1, 40))
    m = data.draw(st.integers(0, 60))
    ends = data.draw(st.lists(st.integers(0, n - 1), min_size=2 * m, max_size=2 * m))
    edges = np.array(ends, np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    source = divided(edges, data.draw(st.integers(1, 9)), data.draw(st.integers(0, 99)))
    executor = LocalExecutor(order=data.draw(st.integers(0, 99)), repeat=True)
    method = data.draw(st.sampled_from(["forest", "contraction"]))
    room, parts = data.draw(st.integers(0, 30)), data.draw(st.integers(1, 6))
    folder = tmp_path_factory.mktemp("run")
    seed = data.draw(st.integers(0, 5))
    files = run(folder, source, parts, method, room, executor, seed)
    assert np.array_equal(labels_of(files), expected(edges))


@pytest.mark.parametrize("method", ["forest", "contraction"])
def test_all_files_are_the_same_bit_for_bit(tmp_path, method):
    edges = graph("random")
    digests = []
    for order in (None, 1, 2):
        folder = tmp_path / str(order)
        run(folder, divided(edges, 6), 3, method, 20, LocalExecutor(order=order))
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        digests.append([(path.name, _digest(path)) for path in files])
    assert digests[0] == digests[1] == digests[2]
    assert len(digests[0]) > 3


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Observing(LocalExecutor):
    """Counts how often a vertex is the subject of a message, in each stage."""

    def __init__(self):
        super().__init__()
        self.largest = 0
        self.blob_bytes = 0

    def _run_task(self, step, task, inbox):
        for channel, blobs in inbox.items():
            if channel in ("candidates", "half edges", "records", "minima", "labels"):
                words = np.concatenate([pairs_of(blob)[0::2] for blob in blobs])
                self.largest = max(self.largest, max(Counter(words.tolist()).values()))
            self.blob_bytes = max(self.blob_bytes, *(blob.nbytes for blob in blobs))
        return super()._run_task(step, task, inbox)


@pytest.mark.parametrize("name", ["star", "dense"])
def test_no_vertex_gets_more_than_nine_messages_from_a_task(tmp_path, name):
    """A star of 20,000 rays: as an edge list its center would get as many."""
    executor, tasks = Observing(), 4
    edges = graph(name, 20_000)
    files = run(tmp_path, divided(edges, tasks), 4, room=10, executor=executor)
    assert 1 < executor.largest <= 9 * tasks
    assert np.array_equal(labels_of(files), expected(edges))


def test_blobs_are_at_most_16_mb():
    pairs = np.arange(2 * (1 << 21) + 2, dtype=np.uint64)
    blobs = list(blobs_of(pairs))
    assert [blob.nbytes for blob in blobs] == [MAX_BLOB_BYTES, MAX_BLOB_BYTES, 16]
    assert np.array_equal(np.concatenate([pairs_of(blob) for blob in blobs]), pairs)
    assert not list(blobs_of(pairs[:0]))


def test_a_contraction_halves_a_random_graph(tmp_path):
    """What is left after a round of one task is an eighth: the inner vertices of heaps."""
    files = run(tmp_path, divided(graph("random", 8000), 1), 1, room=0)
    first = files.rounds[0]
    assert first["left"] < first["vertices"] / 3
    files = run(tmp_path / "b", divided(graph("path", 8000), 40, seed=3), 8, room=0)
    for before in files.rounds[:-3]:
        assert before["left"] < 0.75 * before["vertices"]


def test_the_channel_of_the_input_is_the_only_source():
    """A stage whose inbox is empty sends nothing, and says nothing of vertices."""
    from skerry.cluster.forest_stages import JoinForests

    assert not list(JoinForests(2)(0, {}))
    messages = list(JoinForests(2)(3, {EDGES: [interleaved(*np.array([[5], [2]], np.uint64))]}))
    assert [(each.target, each.channel) for each in messages] == [(1, EDGES)]
    assert pairs_of(messages[0].blob).tolist() == [2, 2, 5, 2]
