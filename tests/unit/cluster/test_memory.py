"""A task of contraction obeys its limit, in a process of its own, whatever it reads."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry.cluster.choice import LEAST_MEMORY, ClusterOptions, engine_route
from skerry.cluster.contraction_stages import HeapEdges
from skerry.cluster.driver import Job, solve
from skerry.cluster.edge_input import EdgeReader, RowGroups
from skerry.cluster.edge_pieces import spilling_to
from skerry.cluster.id_types import IdCodec
from skerry.cluster.pairs import interleaved, pairs_of
from skerry.cluster.stage import EDGES
from skerry.cluster.state import StateFolder
from skerry.errors import OutputError
from skerry.formats.options import ReadOptions
from skerry.result.plan import PhaseTimer
from support.cluster import GRAPHS, divided, expected, graph, labels_of, run
from support.cluster_memory import MeasuringExecutor, peak_is_known
from support.local_executor import LocalExecutor

CODEC = IdCodec("int64")


@pytest.mark.skipif(not peak_is_known(), reason="the peak of a process cannot be reset here")
@pytest.mark.parametrize("in_order", [True, False])
def test_no_task_takes_more_than_its_memory(tmp_path, in_order):
    """All edges in one row group, between twice the ids that fit a task."""
    n, m = 1_100_000, 900_000
    src, dst = np.random.default_rng(1).integers(0, n, (2, m))
    path = tmp_path / "edges.parquet"
    pq.write_table(pa.table({"src": src, "dst": dst}), path, row_group_size=m)
    reader = EdgeReader(ReadOptions("src", "dst"), None, CODEC)
    next(reader.blobs([RowGroups(str(path))]))  # what is imported is no part of a task
    route = engine_route(ClusterOptions("contraction", LEAST_MEMORY), m, 2, 1 << 40)
    assert n > 2 * LEAST_MEMORY // 90
    state = StateFolder(str(tmp_path / "state"))
    job = Job(state, "contraction", 1, route.tasks, LEAST_MEMORY, CODEC, route.room)
    executor = MeasuringExecutor(tmp_path / "messages")
    executor.in_order = in_order
    files = solve(executor, job, [lambda: reader.blobs([RowGroups(str(path))])], PhaseTimer())
    labels = np.concatenate([files.read(part) for part in range(len(files.names))])
    wanted = expected(CODEC.encode(np.column_stack([src, dst]).reshape(-1), ""))
    rows = labels.reshape(-1, 2)
    assert np.array_equal(rows[np.argsort(rows[:, 0], kind="stable")], wanted)
    assert set(executor.peaks) > {"HeapEdges of the input", "PickRepresentatives", "FinishRound"}
    assert max(executor.peaks.values()) <= LEAST_MEMORY, dict(executor.peaks)


@pytest.mark.parametrize("room", [2, 7, 64, 10_000])
def test_a_task_that_has_no_room_joins_by_and_by(room):
    """No table has more ids than there is room for; together, their trees are the graph."""
    edges = graph("random")
    stage = HeapEdges(5, 3, room=room)
    sizes = [joiner.size for joiner in stage.joiners([edges])]
    assert max(sizes) <= room
    assert len(sizes) == 1 if room == 10_000 else len(sizes) > 5
    messages = [*HeapEdges(5, 3, room=room)(0, {EDGES: [edges.view(np.uint8)]})]
    trees = np.concatenate([pairs_of(each.blob) for each in messages])
    assert np.array_equal(expected(trees), expected(edges))


@pytest.mark.parametrize("name", ["random", "path", "star", "dense"])
def test_rooms_change_no_label(tmp_path, name):
    edges = graph(name)
    executor = LocalExecutor(order=1, repeat=True)
    files = run(tmp_path, divided(edges, 3), 4, room=100, executor=executor, ids_at_a_time=50)
    assert np.array_equal(labels_of(files), expected(edges))


def shuffled(edges, seed):
    """The same edges in another order, in batches of other sizes."""
    rng = np.random.default_rng(seed)
    rows = rng.permutation(edges.reshape(-1, 2))
    cuts = np.sort(rng.integers(0, len(rows) + 1, 5))
    return [np.ascontiguousarray(part).reshape(-1) for part in np.split(rows, cuts)]


@pytest.mark.parametrize("room", [8, 50, 300, 10_000])
@pytest.mark.parametrize("name", GRAPHS)
def test_trees_do_not_depend_on_the_order_of_edges(name, room):
    """Spark: those of a task that runs again must go with those of its first run, bit for bit."""
    edges = graph(name)
    stage = HeapEdges(5, 3, room=room, in_order=False)
    runs = [
        [*stage(0, {EDGES: [each.view(np.uint8) for each in shuffled(edges, seed)]})]
        for seed in range(4)
    ]
    for again in runs[1:]:
        assert [each[:2] for each in again] == [each[:2] for each in runs[0]]
        assert all(np.array_equal(a.blob, b.blob) for a, b in zip(again, runs[0], strict=True))
    trees = [pairs_of(each.blob) for each in runs[0]]
    joined = np.concatenate([np.empty(0, np.uint64), *trees])
    assert np.array_equal(expected(joined), expected(edges))


@given(st.integers(8, 400), st.integers(2, 5000), st.integers(1, 3000), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_no_piece_has_more_ids_than_there_is_room_for(room, n, m, seed):
    """Whatever the graph: a hub, edges that repeat, or ids that come once."""
    rng = np.random.default_rng(seed)
    hub = rng.random() < 0.3
    src = np.zeros(m, np.uint64) if hub else rng.integers(0, n, m, np.uint64)
    edges = interleaved(src, rng.integers(0, n, m, np.uint64))
    sizes, trees = [], []
    stage = HeapEdges(5, 2, room=room, in_order=False)
    for joiner in stage.joiners(shuffled(edges, seed)):
        sizes.append(joiner.size)
        trees += [pairs_of(each.blob) for each in stage.trees(joiner)]
    assert max(sizes) <= room
    assert np.array_equal(expected(np.concatenate(trees)), expected(edges))


def test_ids_that_have_room_are_sent_once_however_many_edges_there_are():
    """Spark divided all edges anew where twice as many ids as edges had no room."""
    edges = np.tile(graph("random"), 20)
    sent = [
        each.blob.nbytes
        for each in HeapEdges(5, 2, room=700, in_order=False)(0, {EDGES: [edges.view(np.uint8)]})
    ]
    assert sum(sent) == 16 * len(expected(edges))


def test_a_local_disk_that_is_full_is_an_error(tmp_path):
    resource = pytest.importorskip("resource")
    stage = HeapEdges(5, 3, room=64, in_order=False)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with spilling_to(str(tmp_path)), pytest.raises(OutputError, match="too large") as caught:
            list(stage.joiners([graph("random")]))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert str(tmp_path) in str(caught.value)
