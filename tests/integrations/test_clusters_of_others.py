"""Clusters that other tools wrote as yesterday's, and files in the formats of their stages."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry


def scored_pairs(seed=1, count=300, records=400):
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, records, (count, 2))
    columns = {"unique_id_l": ends[:, 0], "unique_id_r": ends[:, 1]}
    return pa.table({**columns, "match_probability": rng.random(count)})


def splinks_clusters(edges, threshold):
    clustering = pytest.importorskip("splink.clustering")
    from splink import DuckDBAPI

    nodes = pa.table({"unique_id": np.arange(400)})
    return clustering.cluster_pairwise_predictions_at_threshold(
        nodes,
        edges,
        db_api=DuckDBAPI(),
        node_id_column_name="unique_id",
        edge_id_column_name_left="unique_id_l",
        edge_id_column_name_right="unique_id_r",
        threshold_match_probability=threshold,
    ).as_pyarrow_table()


def test_splinks_clusters_keep_their_ids_the_next_day():
    """Only new edges: each of Splink's clusters keeps its id, or the larger part's."""
    yesterday = splinks_clusters(scored_pairs(), 0.5)
    more = pa.concat_tables([scored_pairs(), scored_pairs(2, 30)])
    today = skerry.connected_components(
        more, weight="match_probability", threshold=0.5, vertices=np.arange(400)
    )
    named = today.named_after(yesterday).table()
    assert set(named["component"].to_pylist()) <= set(yesterday["cluster_id"].to_pylist())
    again = skerry.connected_components(
        scored_pairs(), weight="match_probability", threshold=0.5, vertices=np.arange(400)
    )
    same = again.named_after(yesterday).table().to_pydict()
    assert dict(zip(same["id"], same["component"], strict=True)) == dict(
        zip(*yesterday.select(["unique_id", "cluster_id"]).to_pydict().values(), strict=True)
    )


def test_goldenmatchs_clusters_go_on():
    goldenmatch = pytest.importorskip("goldenmatch")
    polars = pytest.importorskip("polars")
    names = ["anna berg", "anna berg", "bo kim", "bo kim", "cy ray", "zoe lee"]
    found = goldenmatch.dedupe_df(polars.DataFrame({"name": names}), exact=["name"])
    clusters = found.clusters
    rows = [(row, number) for number, each in clusters.items() for row in each["members"]]
    ids, components = zip(*sorted(rows), strict=True)
    yesterday = pa.table({"__row_id__": ids, "__cluster_id__": components})
    pairs = pa.table({"a": [0, 2], "b": [1, 3]})
    today = skerry.connected_components(pairs, vertices=list(ids)).named_after(yesterday)
    assert today.changes(yesterday).counts["unchanged"] == len(set(components))
    assert today.table()["component"].to_pylist() == list(components)


def test_files_of_nemo_curators_stages(tmp_path):
    """Written in its format: a test of its own stages needs GPUs. Names: version 1.4.0."""
    edges = tmp_path / "edges"
    edges.mkdir()
    ends = np.random.default_rng(1).integers(0, 500, (2, 400))
    for number in range(2):
        x, y = (each[number * 200 : (number + 1) * 200] for each in ends)
        table = pa.table({"_curator_dedup_id_x": x, "_curator_dedup_id_y": y})
        pq.write_table(table, edges / f"{number}.parquet")
    result = skerry.connected_components(
        str(edges), source="_curator_dedup_id_x", target="_curator_dedup_id_y"
    )
    written = result.table().rename_columns(["_curator_dedup_id", "_duplicate_group_id"])
    groups = dict(zip(*written.to_pydict().values(), strict=True))
    assert all(groups[x] == groups[y] for x, y in ends.T.tolist())
    assert (
        len(set(groups.values())) == skerry.connected_components(tuple(ends), ids="external").count
    )
