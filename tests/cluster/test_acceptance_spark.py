"""Graphs of others on Spark, and Splink's clusters: the components that their owners expect."""

from __future__ import annotations

import pytest

import skerry.spark
from cluster.acceptance import CASES, PUBLISHED, published, rows_of_sets
from cluster.test_spark import rows_of


def solved(session, case, method):
    kind = "string" if isinstance(case.vertices, str) else "bigint"
    edges = session.createDataFrame(list(case.edges), f"src {kind}, dst {kind}").coalesce(2)
    vertices = session.createDataFrame([(each,) for each in case.vertices], f"id {kind}")
    frame = skerry.spark.connected_components(
        edges, vertices=vertices.coalesce(1), method=method, tasks=2
    )
    return rows_of(frame)


@pytest.mark.parametrize("name", CASES)
def test_the_graphs_of_graphframes_suite(spark, name):
    assert solved(spark, CASES[name], "forest") == rows_of_sets(CASES[name].components)


@pytest.mark.parametrize("name", ["no vertex", "two triangles and two alone", "friends"])
def test_the_graphs_of_graphframes_suite_by_rounds(spark, name):
    assert solved(spark, CASES[name], "contraction") == rows_of_sets(CASES[name].components)


@pytest.mark.skipif(not PUBLISHED, reason="no graphs of LDBC beside the repository")
@pytest.mark.parametrize("name", PUBLISHED)
def test_published_labels_of_ldbc(spark, name):
    case = published(name)
    assert solved(spark, case, "forest") == rows_of_sets(case.components)


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
        "unique_id_l",
        "unique_id_r",
        people.select("unique_id"),
        "match_probability",
        0.5,
        method="forest",
    )
    assert rows_of(labels) == rows_of_sets(sets.values())
    assert 1 < len(sets) < len(PEOPLE)
