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


@pytest.mark.parametrize("method", ["auto", *METHODS])
@pytest.mark.parametrize(
    ("src", "dst", "message"),
    [
        ("2", "'02'", "src is int, dst is string: cast one of them"),
        ("1.5D", "2.5D", "floats are not ids"),
        ("struct(1)", "struct(2)", "struct"),
        ("'a' collate UTF8_LCASE", "'A' collate UTF8_LCASE", "collation"),
    ],
)
def test_ids_that_spark_would_cast_are_refused_on_every_route(spark, src, dst, message, method):
    frame = spark.sql(f"select {src} as src, {dst} as dst")
    with pytest.raises(InputError, match=message):
        skerry.spark.connected_components(frame, method=method)


def test_further_vertices_are_of_the_type_of_the_ends(spark):
    frame = spark.sql("select 1 as src, 2 as dst")
    with pytest.raises(InputError, match="vertices is string"):
        skerry.spark.connected_components(frame, vertices=spark.sql("select '02' as id"))
    wide = spark.sql("select 5000000000 as id")
    rows = rows_of(skerry.spark.connected_components(frame, vertices=wide, method="forest"))
    assert rows == [(1, 1), (2, 1), (5 * 10**9, 5 * 10**9)]


@pytest.mark.parametrize("kind", ["bigint", "string"])
def test_a_state_is_of_the_edges_and_vertices_themselves(spark, tmp_path, kind):
    """As many other rows are refused; the same in another order and other partitions go on."""
    frame = spark.createDataFrame(edges(500, 700).select(["src", "dst"]))
    frame = frame.selectExpr(f"cast(src as {kind}) as src", f"cast(dst as {kind}) as dst")
    vertices = spark.range(10**6, 10**6 + 1500).selectExpr(f"cast(id as {kind}) as id")
    others = vertices.selectExpr(f"cast(cast(id as bigint) + 7 as {kind}) as id")

    def solve(frame, vertices=vertices):
        options = {"method": "contraction", "tasks": 2, "state": str(tmp_path)}
        return rows_of(skerry.spark.connected_components(frame, vertices=vertices, **options))

    wanted = solve(frame)
    rows = frame.collect()
    changed = spark.createDataFrame([*rows[1:], (rows[0][0], rows[1][1])], frame.schema)
    for other in ({"frame": changed}, {"frame": frame, "vertices": others}):
        with pytest.raises(StateError, match="another run: other edges or vertices"):
            solve(**other)
    assert solve(frame.orderBy("dst").repartition(3)) == wanted


def test_auto_leaves_a_driver_alone_that_cannot_hand_over_the_pairs(spark, table, monkeypatch):
    frame = spark.createDataFrame(table)
    plan = skerry.spark.distributed_components(frame, "src", "dst").plan
    assert plan.engine == "streaming"
    monkeypatch.setattr("skerry.cluster.choice.COPIES_IN_HEAP", 1 << 20)
    result = skerry.spark.distributed_components(frame, "src", "dst", memory="256M")
    assert result.plan.engine == "spark"
    assert "spark.driver.memory" in result.plan.notes[-1]
    assert rows_of(result.dataset) == expected(table, source="src", target="dst")


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
