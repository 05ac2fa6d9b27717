"""`skerry.spark` on a local cluster of two executors: the labels of one machine, whatever dies."""

from __future__ import annotations

import signal
import threading
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry.spark
from cluster.conftest import edges, expected, own_processes
from skerry.cluster.state import StateError
from skerry.errors import InputError

METHODS = ("stream", "forest", "contraction")


def rows_of(frame):
    return sorted((row["id"], row["component"]) for row in frame.collect())


@pytest.mark.parametrize("method", METHODS)
def test_labels_are_those_of_one_machine(spark, table, method):
    frame = spark.createDataFrame(table).repartition(3)
    result = skerry.spark.distributed_components(
        frame, "src", "dst", method=method, verify=method == "forest"
    )
    assert rows_of(result.dataset) == expected(table, source="src", target="dst")
    assert result.plan.engine == ("streaming" if method == "stream" else "spark")


@pytest.mark.usefixtures("many_rounds")
def test_many_rounds_and_an_empty_partition(spark, table):
    frame = spark.createDataFrame(table).coalesce(1).repartition(4, "src")
    frame = frame.union(frame.filter("src > 1000000"))
    dataset = skerry.spark.connected_components(frame, "src", "dst", method="contraction", tasks=8)
    assert rows_of(dataset) == expected(table, source="src", target="dst")


def test_weights_and_further_vertices(spark, table):
    vertices = spark.createDataFrame([(5,), (10**9,)], ["id"])
    dataset = skerry.spark.connected_components(
        spark.createDataFrame(table), "src", "dst", vertices, "weight", 0.6, method="forest"
    )
    options = {"source": "src", "target": "dst", "threshold": 0.6, "vertices": [5, 10**9]}
    assert rows_of(dataset) == expected(table, **options)


def shuffled_bytes(session):
    """What all stages so far have written for others."""
    gateway = session.sparkContext._gateway
    store = session._jsc.sc().statusStore()
    nothing = gateway.jvm.java.util.ArrayList()
    stages = store.stageList(None, False, False, gateway.new_array(gateway.jvm.double, 0), nothing)
    return sum(int(stages.apply(i).shuffleWriteBytes()) for i in range(stages.size()))


def contracted(frame, monkeypatch, room):
    """The rows, with room for so many ids in a task."""
    monkeypatch.setattr("skerry.cluster.choice.Route.room", room)
    return rows_of(skerry.spark.connected_components(frame, method="contraction", tasks=2))


def test_edges_whose_ids_have_room_are_not_shuffled(spark, tmp_path, monkeypatch):
    """Only trees travel, though twice as many ids as edges would have no room."""
    table = edges(2000, 200_000)
    pq.write_table(table, tmp_path / "edges.parquet")
    frame = spark.read.parquet(str(tmp_path / "edges.parquet"))
    before = shuffled_bytes(spark)
    assert contracted(frame, monkeypatch, 2500) == expected(table, source="src", target="dst")
    assert shuffled_bytes(spark) - before < 16 * len(table) / 10


@pytest.mark.parametrize("room", [100, 1500])
def test_a_partition_whose_ids_have_no_room_is_divided_in_its_task(spark, table, monkeypatch, room):
    frame = spark.createDataFrame(table).coalesce(1)
    assert contracted(frame, monkeypatch, room) == expected(table, source="src", target="dst")


TEXTS = pa.table(
    {"src": ["kim", "bo", "al", "zoë", "kim"], "dst": ["lee", "al", "bo", "zoë", None]}
)


@pytest.mark.parametrize("method", ["forest", "contraction"])
def test_texts_are_numbered_exactly(spark, tmp_path, method):
    frame = spark.createDataFrame(TEXTS)
    with pytest.raises(InputError, match="null"):
        skerry.spark.connected_components(frame, method=method)
    result = skerry.spark.distributed_components(frame, method=method, on_null="drop")
    wanted = expected(TEXTS, source="src", target="dst", on_null="drop")
    assert rows_of(result.dataset) == wanted
    result.write(str(tmp_path / "out"))
    assert (tmp_path / "out" / "_SUCCESS").exists()
    written = pq.read_table(tmp_path / "out").sort_by("id").to_pydict()
    assert list(zip(written["id"], written["component"], strict=True)) == wanted


def test_structs_are_ids(spark):
    frame = spark.sql(
        "select struct('a' as x, 1 as y) as src, struct('b' as x, 0 as y) as dst "
        "union all select struct('a', 0), struct('a', 1)"
    )
    rows = skerry.spark.connected_components(frame, method="forest").collect()
    assert sorted((tuple(row["id"]), tuple(row["component"])) for row in rows) == [
        (("a", 0), ("a", 0)),
        (("a", 1), ("a", 0)),
        (("b", 0), ("a", 0)),
    ]


def python_workers():
    """Python processes of executors."""
    return own_processes(lambda line: "pyspark.daemon" in line or "pyspark.worker" in line)


def executors():
    """Processes of executors."""
    return own_processes(lambda line: "CoarseGrainedExecutorBackend" in line)


@pytest.mark.parametrize("victims", [python_workers, executors])
def test_a_process_that_is_killed_changes_nothing(spark, victims):
    table = edges(100_000, 150_000)
    frame = spark.createDataFrame(table).repartition(4)
    killed = []

    def kill():
        while not killed:
            for process in victims()[-1:]:
                time.sleep(1.0)
                process.send_signal(signal.SIGKILL)
                killed.append(process.pid)
            time.sleep(0.05)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    dataset = skerry.spark.connected_components(frame, "src", "dst", method="contraction", tasks=4)
    killer.join(60)
    assert killed
    assert rows_of(dataset) == expected(table, source="src", target="dst")


@pytest.mark.usefixtures("many_rounds")
def test_a_lost_state_file_is_an_error_that_names_it(spark, tmp_path, table):
    def lose(sentence):
        if sentence.startswith("round 2"):
            (tmp_path / "round-000" / "edges-00001.parquet").unlink()

    with pytest.raises(StateError, match="edges-00001"):
        skerry.spark.connected_components(
            spark.createDataFrame(table),
            method="contraction",
            tasks=2,
            state=str(tmp_path),
            progress=lose,
        )


def test_wrong_input_is_refused(spark, table):
    with pytest.raises(InputError, match="Spark DataFrame"):
        skerry.spark.connected_components(table)
    with pytest.raises(InputError, match="no column"):
        skerry.spark.connected_components(spark.createDataFrame(table), "a", "b")
