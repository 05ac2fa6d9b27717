"""A task of contraction obeys its limit, in a process of its own, whatever it reads."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from skerry.cluster.choice import LEAST_MEMORY, ClusterOptions, engine_route
from skerry.cluster.contraction_stages import HeapEdges
from skerry.cluster.driver import Job, solve
from skerry.cluster.edge_input import EdgeReader, RowGroups
from skerry.cluster.id_codec import IdCodec
from skerry.cluster.local import LocalExecutor
from skerry.cluster.pairs import pairs_of
from skerry.cluster.stage import EDGES
from skerry.cluster.state import StateFolder
from skerry.errors import InputError
from skerry.formats.options import ReadOptions
from skerry.phase_timer import PhaseTimer
from support.cluster import divided, expected, graph, labels_of, run
from support.cluster_memory import MeasuringExecutor, peak_is_known

CODEC = IdCodec("int64")


@pytest.mark.skipif(not peak_is_known(), reason="the peak of a process cannot be reset here")
def test_no_task_takes_more_than_its_memory(tmp_path):
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


def test_edges_in_any_order_that_have_no_room_are_refused():
    """Spark: trees of a task that runs again would not go with those of its first run."""
    with pytest.raises(InputError, match="repartition"):
        list(HeapEdges(5, 3, room=64, in_order=False).joiners([graph("random")]))
    assert list(HeapEdges(5, 3, room=10_000, in_order=False).joiners([graph("random")]))
