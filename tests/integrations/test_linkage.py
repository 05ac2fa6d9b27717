"""Tools for duplicates and record linkage: their answers with skerry are their own."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import skerry
import skerry.data_juicer
import skerry.dedupe
import skerry.recordlinkage
import skerry.splink
import skerry.text_dedup


def pairs(seed, count=300, records=400):
    return np.random.default_rng(seed).integers(0, records, (count, 2))


def undirected(parts):
    return sorted(sorted({tuple(sorted(pair)) for pair in part.tolist()}) for part in parts)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", ["i8", "U8"])
@pytest.mark.parametrize("limit", [100, 30000])  # dedupe fails where nothing is left
def test_dedupe_has_the_same_components(seed, kind, limit):
    clustering = pytest.importorskip("dedupe.clustering")
    scored = np.empty(300, [("pairs", kind, 2), ("score", "f4")])
    scored["pairs"] = pairs(seed)
    scored["score"] = np.random.default_rng(seed).random(300)
    # Copies: what dedupe gives is of a file that it closes.
    right = [part["pairs"].copy() for part in clustering.connected_components(scored, limit)]
    with skerry.dedupe.use():
        parts = list(clustering.connected_components(scored.copy(), limit))
    assert undirected(part["pairs"] for part in parts) == undirected(right)
    assert all((np.diff(part["score"]) >= 0).all() for part in parts)


@pytest.mark.parametrize("seed", range(5))
def test_recordlinkage_has_the_same_links(seed):
    recordlinkage = pytest.importorskip("recordlinkage")
    pandas = pytest.importorskip("pandas")
    links = pandas.MultiIndex.from_arrays(pairs(seed).T)
    right = recordlinkage.ConnectedComponents().compute(links)
    with skerry.recordlinkage.use():
        parts = recordlinkage.ConnectedComponents().compute(links)
    assert undirected(parts) == undirected(right)


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("threshold", [None, 0.0, 0.5, 1.0])
def test_splink_has_the_same_clusters(text, threshold):
    clustering = pytest.importorskip("splink.internals.clustering")
    import pyarrow as pa
    from splink import DuckDBAPI

    def name(ids):
        return pa.array([f"record {i}" for i in ids]) if text else pa.array(ids)

    ends = pairs(1)
    nodes = pa.table({"id": name([*range(450), 3, 3])})  # some are alone, one is there three times
    scores = np.random.default_rng(2).random(len(ends))
    edges = pa.table(
        {"id_l": name(ends[:, 0]), "id_r": name(ends[:, 1]), "match_probability": scores}
    )

    def clusters():
        table = clustering.cluster_pairwise_predictions_at_threshold(
            nodes,
            edges,
            db_api=DuckDBAPI(),
            node_id_column_name="id",
            threshold_match_probability=threshold,
        ).as_pyarrow_table()
        return sorted(zip(*table.select(["id", "cluster_id"]).to_pydict().values(), strict=True))

    right = clusters()
    with skerry.splink.use():
        assert clusters() == right
    assert len(right) == 450


def test_splink_keeps_other_databases_to_itself():
    pytest.importorskip("splink")
    from splink.internals.clustering import cluster_pairwise_predictions_at_threshold
    from splink.internals.sqlite.database_api import SQLiteAPI

    with skerry.splink.use():
        table = cluster_pairwise_predictions_at_threshold(
            [{"id": 1}, {"id": 2}, {"id": 3}],
            [{"id_l": 3, "id_r": 2}],
            db_api=SQLiteAPI(register_udfs=False),
            node_id_column_name="id",
        )
    rows = {row["id"]: row["cluster_id"] for row in table.as_record_list()}
    assert rows == {1: 1, 2: 2, 3: 2}


def banded(documents=200, bands=4):
    random = np.random.default_rng(3)
    keys = random.integers(0, 150, (documents, bands))
    return [[int(key).to_bytes(4, "big") for key in row] for row in keys]


def first_of_clusters(hashes):
    result = skerry.connected_components(
        [[i] for i in range(len(hashes))]
        + [
            [i for i, row in enumerate(hashes) if row[band] == value]
            for band in range(len(hashes[0]))
            for value in {row[band] for row in hashes}
        ],
        groups=True,
    )
    return result.labels


def test_buckets_of_text_dedup_are_merged():
    datasets = pytest.importorskip("datasets")
    hashes = banded()
    rows = [
        {"__band_idx__": band, "__band_val__": value, "i": i}
        for i, row in enumerate(hashes)
        for band, value in enumerate(row)
    ]
    config = SimpleNamespace(algorithm=SimpleNamespace(internal_index_column="i"))
    parents = skerry.text_dedup.cluster(config, datasets.Dataset.from_list(rows))
    labels = first_of_clusters(hashes)
    several = np.bincount(labels, minlength=len(labels))[labels] > 1
    assert parents == {int(i): int(labels[i]) for i in np.flatnonzero(several)}


@pytest.mark.parametrize("shown", [0, 3, 1000])
def test_data_juicer_keeps_the_first_of_each_cluster(shown):
    datasets = pytest.importorskip("datasets")
    hashes = banded()
    dataset = datasets.Dataset.from_dict({"i": range(len(hashes)), "__dj__minhash": hashes})
    labels = first_of_clusters(hashes)
    kept, examples = skerry.data_juicer.process(None, dataset, shown)
    assert kept["i"][:] == np.unique(labels).tolist() and kept.column_names == ["i"]
    assert len(examples) == min(shown, len({*labels[labels != np.arange(len(labels))].tolist()}))
    for cluster, (first, other) in examples.items():
        assert first["i"] == cluster == labels[other["i"]] != other["i"]
