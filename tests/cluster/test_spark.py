"""What only `skerry.spark` has, on a local cluster of two executors: shuffles, casts, columns."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pyarrow.parquet as pq
import pytest

import skerry.spark
from cluster.acceptance import rows_of_sets
from cluster.conftest import edges
from cluster.engines import one_machine
from skerry.cluster.spark_engine import keys_of_partitions
from skerry.errors import InputError

METHODS = ("stream", "forest", "contraction")


def rows_of(frame):
    return sorted((row["id"], row["component"]) for row in frame.collect())


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
    assert contracted(frame, monkeypatch, 2500) == one_machine(table)
    assert shuffled_bytes(spark) - before < 16 * len(table) / 10


@pytest.mark.parametrize("room", [100, 1500])
def test_a_partition_whose_ids_have_no_room_is_divided_in_its_task(spark, table, monkeypatch, room):
    frame = spark.createDataFrame(table).coalesce(1)
    assert contracted(frame, monkeypatch, room) == one_machine(table)


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


def test_auto_leaves_a_driver_alone_that_cannot_hand_over_the_pairs(spark, table, monkeypatch):
    frame = spark.createDataFrame(table)
    plan = skerry.spark.distributed_components(frame).plan
    assert plan.engine == "streaming"
    monkeypatch.setattr("skerry.cluster.choice.COPIES_IN_HEAP", 1 << 20)
    result = skerry.spark.distributed_components(frame, memory="256M")
    assert result.plan.engine == "spark"
    assert "spark.driver.memory" in result.plan.notes[-1]
    assert rows_of(result.dataset) == one_machine(table)


def test_the_friends_keep_their_columns(spark):
    """GraphFrames' answer is its vertices with a column more; here a join gives the same."""
    people = spark.createDataFrame([("a", 34), ("b", 36), ("g", 60)], "id string, age int")
    edges = spark.createDataFrame([("b", "a")], "src string, dst string")
    labels = skerry.spark.connected_components(edges, vertices=people, method="forest")
    rows = people.join(labels, "id").orderBy("id").collect()
    assert [tuple(row) for row in rows] == [("a", 34, "a"), ("b", 36, "a"), ("g", 60, "g")]


PEOPLE = [
    (0, "ann", "lee", "1980-01-01"),
    (1, "ann", "lee", "1980-01-01"),
    (2, "anne", "lee", "1980-01-01"),
    (3, "bo", "kim", "1971-05-05"),
    (4, "bo", "kim", "1971-05-05"),
    (5, "zoe", "kim", "1999-09-09"),
    (6, "cy", "ray", "1960-02-02"),
]


def test_splink_on_spark_finds_the_same_clusters(spark, tmp_path):
    """Pairs that Splink's Spark linker has predicted: its own clusters are ours."""
    splink = pytest.importorskip("splink", reason="Splink is not installed")
    library = pytest.importorskip("splink.comparison_library")
    backend = pytest.importorskip("splink.backends.spark")
    spark.sparkContext.setCheckpointDir(str(tmp_path))
    people = spark.createDataFrame(PEOPLE, "unique_id long, first string, last string, born string")
    api = backend.SparkAPI(spark_session=spark, num_partitions_on_repartition=2)
    settings = splink.SettingsCreator(
        link_type="dedupe_only",
        probability_two_random_records_match=0.2,
        comparisons=[library.ExactMatch(name) for name in ("first", "last", "born")],
        blocking_rules_to_generate_predictions=["l.last = r.last"],
    )
    linker = splink.Linker(api.register(people), settings)
    predicted = linker.inference.predict()
    own = linker.clustering.cluster_pairwise_predictions_at_threshold(predicted, 0.5)
    sets = {}
    for row in own.as_spark_dataframe().select("cluster_id", "unique_id").collect():
        sets.setdefault(row[0], set()).add(row[1])
    labels = skerry.spark.connected_components(
        predicted.as_spark_dataframe(),
        source="unique_id_l",
        target="unique_id_r",
        vertices=people.select("unique_id"),
        weight="match_probability",
        threshold=0.5,
        method="forest",
    )
    assert rows_of(labels) == rows_of_sets(sets.values())
    assert 1 < len(sets) < len(PEOPLE)


def test_the_frame_is_computed_once_and_nothing_of_the_session_changes(spark, tmp_path, table):
    """By a function that leaves a file for each partition it has computed."""
    folder = str(tmp_path / "computed")
    Path(folder).mkdir()

    def noted(batches):
        Path(folder, uuid4().hex).touch()
        yield from batches

    wide = spark.createDataFrame(table).repartition(3)
    frame = wide.mapInArrow(noted, wide.schema)
    before = spark.sparkContext.getConf().getAll(), spark.conf.getAll
    for method in ("forest", "contraction"):
        state = str(tmp_path / method)
        result = skerry.spark.distributed_components(frame, method=method, state=state, verify=True)
        assert rows_of(result.dataset) == one_machine(table)
    assert len([*Path(folder).iterdir()]) == 2 * 3
    assert (spark.sparkContext.getConf().getAll(), spark.conf.getAll) == before
    assert spark.sparkContext.getLocalProperty("spark.job.description") is None


def test_keys_go_to_their_partitions(spark):
    spark_partition_id = pytest.importorskip("pyspark.sql.functions").spark_partition_id
    for partitions in (1, 2, 7, 30):
        keys = keys_of_partitions(partitions)
        frame = spark.createDataFrame([(key,) for key in keys], "place int")
        placed = frame.repartition(partitions, "place").select("place", spark_partition_id())
        assert sorted(placed.collect(), key=lambda row: row[1]) == [
            *zip(keys, range(partitions), strict=True)
        ]


@pytest.mark.parametrize("method", METHODS)
def test_an_empty_text_is_a_null_on_every_route(spark, method):
    frame = spark.createDataFrame([("a", "b"), ("", "b"), ("c", "")], "src string, dst string")
    with pytest.raises(InputError, match="empty text"):
        skerry.spark.connected_components(frame, method=method)
    rows = rows_of(skerry.spark.connected_components(frame, method=method, on_null="drop"))
    assert rows == [("a", "a"), ("b", "a")]
