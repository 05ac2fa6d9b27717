"""Names of clusters go on from day to day, by the rule, in every way of use.

SKERRY_HISTORIES=100000 runs as many random histories; by default a hundred.
"""

from __future__ import annotations

import os
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry
from skerry.result import earlier_tables
from skerry.result import names as names_module
from skerry.result.earlier import read_previous
from skerry.result.identities import cluster_pairs, match_clusters
from support.histories import WAYS, named, random_days, run_history, solve, text
from support.spilled import LIMIT, tiny_passes

HISTORIES = int(os.environ.get("SKERRY_HISTORIES", "100"))


def test_random_histories_follow_the_rule(tmp_path):
    files = HISTORIES // 10  # slower than the rest
    for seed in range(HISTORIES):
        run_history(seed, tmp_path, WAYS if seed < files else WAYS[:4])


def test_random_histories_on_disk_follow_the_rule(tmp_path):
    spill = tmp_path / "spill"
    spill.mkdir()
    on_disk = partial(solve, stream=skerry.StreamOptions(LIMIT, spill=spill))
    for seed in range(HISTORIES // 10):
        with tiny_passes(seed):
            run_history(seed, tmp_path, solve_day=on_disk)


@pytest.mark.parametrize("as_id", [text, int])
def test_adding_gives_the_names_of_solving_anew(as_id):
    for seed in range(HISTORIES // 4):
        added = anew = None
        done = []
        for pairs in random_days(seed, grows=True):
            new, done = pairs[len(done) :], pairs
            if added is None:
                added = anew = solve(pairs, as_id)
                continue
            added = solve(new, as_id, previous=added, threads=1 + seed % 2)
            anew = solve(pairs, as_id).named_after(anew)
            assert named(added) == named(anew)


@pytest.mark.parametrize("batches", [False, True])
def test_vertex_numbers_go_on_too(batches):
    first = skerry.connected_components(([0, 3], [2, 4]), num_vertices=5)
    graph = [([1], [0])] if batches else ([1, 5], [0, 6])
    second = skerry.connected_components(graph, previous=first)
    assert second.table().to_pydict()["component"][:5] == [0, 0, 0, 3, 3]
    if not batches:
        assert second.component_of([5, 6]).tolist() == [4, 4]  # the first that was never used
        third = skerry.connected_components(([0], [2]), num_vertices=7).named_after(second)
        assert third.table().to_pydict()["component"] == [0, 5, 0, 3, 6, 4, 7]


def test_all_answers_use_the_names(tmp_path):
    yesterday = solve([(3, 4)], text)
    today = solve([(2, 3), (3, 4), (7, 8)], text).named_after(yesterday)
    assert today.largest().label == "r3" and today.component_of("r2") == "r3"
    assert today.sizes_table().to_pydict() == {"component": ["r3", "r7"], "size": [3, 2]}
    assert today.subgraph("r3").ids.to_pylist() == ["r2", "r3", "r4"]
    assert today.table(min_size=3).to_pydict()["component"] == ["r3"] * 3
    assert today.verify() and today.labels.tolist() == [0, 0, 0, 3, 3]
    with pytest.raises(skerry.InputError, match="not the label of a component"):
        today.subgraph("r2")
    today.write(tmp_path / "sizes.csv", sizes=True)
    assert (tmp_path / "sizes.csv").read_text().splitlines()[1] == '"r3",3'
    with pytest.raises(skerry.UnsupportedError, match="only if they are integers"):
        solve([(0, 1)], int).named_after({"id": np.array([0]), "component": ["x"]})._file_labels()


def test_a_name_that_ended_is_not_given_again(tmp_path):
    """Also where the records went away in between, and small clusters were not written."""
    path = tmp_path / "day.parquet"
    solve([(1, 2), (5, 6)], text).write(path)
    for pairs in ([(5, 6)], [(1, 9), (5, 6)], [(1, 9), (6, 7)]):
        today = solve(pairs, text).named_after(path)
        today.write(path, min_size=2)
    assert named(today) == {"r1": "r1-2", "r9": "r1-2", "r6": "r5", "r7": "r5"}
    numbers = skerry.connected_components(([0], [1]), num_vertices=9)
    numbers.write(path, min_size=2)
    later = skerry.connected_components(([0, 3], [1, 4]), previous=path)
    assert later.component_of([2, 3]).tolist() == [9, 10]


def test_long_chains_of_contested_pairs():
    """Every pair waits for the one before: more rounds than are matched with arrays."""
    k = 200
    old = np.concatenate([np.repeat(np.arange(k), np.arange(2 * k, 0, -2)), np.arange(k)])
    new = np.concatenate([np.repeat(np.arange(k), np.arange(2 * k, 0, -2)), (np.arange(k) + 1) % k])
    matched = match_clusters(
        cluster_pairs(old, new, (k, k)), (k, k), np.zeros(k, np.int32), np.argsort
    )
    assert matched.tolist() == list(range(k))
    shares = np.arange(2 * k, 0, -1)  # a path: its first pair decides all others
    old = np.repeat(np.arange(2 * k) // 2, shares)
    new = np.repeat((np.arange(2 * k) + 1) // 2, shares)
    matched = match_clusters(
        cluster_pairs(old, new, (k, k + 1)), (k, k + 1), np.zeros(k, np.int32), np.argsort
    )
    assert matched.tolist() == [*range(k), -1]


TOOLS = {
    "Splink": {"cluster_id": ["a", "a", "c"], "unique_id": ["a", "b", "c"], "name": ["x"] * 3},
    "dedupe": {"Cluster ID": [7, 7, 9], "confidence_score": [0.9, 0.9, 1], "Id": ["a", "b", "c"]},
    "Zingg": {"z_minScore": [0.1] * 3, "z_cluster": [7, 7, 9], "id": ["a", "b", "c"]},
    "GoldenMatch": {"__row_id__": ["a", "b", "c"], "__cluster_id__": [7, 7, 9], "name": ["x"] * 3},
    "two columns": {"who": ["a", "b", "c"], "what": ["p", "p", "q"]},
}


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("form", ["table", "columns", "pandas", "polars", "parquet", "csv"])
def test_clusters_of_other_tools(tool, form, tmp_path):
    table = pa.table(TOOLS[tool])
    path = tmp_path / f"clusters.{form}"
    if form == "parquet":
        pq.write_table(table, path)
    elif form == "csv":
        table.to_pandas().to_csv(path, index=False)
    polars = pytest.importorskip("polars")
    forms = {
        "table": table,
        "columns": TOOLS[tool],
        "pandas": table.to_pandas(),
        "polars": polars.from_arrow(table),
    }
    today = pa.table({"src": ["a", "d"], "dst": ["b", "e"]})
    result = skerry.connected_components(today, previous=forms.get(form, path))
    name = {"Splink": "a", "two columns": "p"}.get(tool, 7)
    assert result.component_of(["a", "b"]).tolist() if isinstance(name, int) else True
    assert named(result)["b"] == name
    assert named(result)["d"] == (10 if isinstance(name, int) else "d")


BAD = [
    ({"id": ["a", "b", "a"], "component": ["x", "x", "y"]}, "'a' is in more than one row"),
    ({"id": [1, 2], "component": [1, 1]}, "ids are of another type"),
    ({"id": ["a"], "cluster_size": [1], "x": [2]}, "call it component"),
    ({"name": ["a"], "color": ["b"], "cluster_id": [1]}, "call it id"),
    ({"id": ["a", None], "component": ["a", "a"]}, r"column id has 1 null"),
    ({"id": ["a"], "component": [0.5]}, "integers or text"),
    ("absent.parquet", "no such file"),
]


@pytest.mark.parametrize(("previous", "message"), BAD)
def test_bad_earlier_answers_are_refused(previous, message):
    result = solve([(1, 2)], text)
    if isinstance(previous, dict):
        previous = pa.table(previous)
    with pytest.raises((skerry.InputError, skerry.UnsupportedError), match=message) as caught:
        result.named_after(previous)
    assert str(caught.value).startswith("previous: ")


def test_a_changed_file_is_refused():
    table = solve([(1, 2), (3, 4)], text).named_after(solve([(1, 2)], text)).table()
    for changed in (table.slice(1), table.take([2, 3, 0, 1])):
        with pytest.raises(skerry.InputError, match="not those that skerry wrote"):
            solve([(1, 2)], text).named_after(changed)
    newer = {b"skerry.clusters": b'{"version": 2}'}
    with pytest.raises(skerry.InputError, match="update skerry"):
        solve([(1, 2)], text).named_after(table.replace_schema_metadata(newer))


def test_names_that_cannot_go_on_are_refused():
    table = pa.table({"a": [1], "b": ["x"], "c": [2], "d": ["y"]})
    columns = {"source": ("a", "b"), "target": ("c", "d")}
    first = skerry.connected_components(table, **columns)
    for previous in (first, first.table()):
        with pytest.raises((skerry.InputError, skerry.UnsupportedError), match='labels="dense"'):
            first.named_after(previous)
    dense = skerry.connected_components(table, **columns, labels="dense")
    for previous in (dense, dense.table()):
        assert dense.named_after(previous).component_of((1, "x")) == 0


def test_numbers_that_end_are_refused():
    top = {"id": np.array([1]), "component": np.array([2**63 - 1])}
    result = solve([(2, 3)], int)
    with pytest.raises(skerry.InputError, match="no unused names left"):
        result.named_after(top)


def test_the_metadata_is_small():
    result = skerry.connected_components((np.arange(0, 10**5, 2), np.arange(1, 10**5, 2)))
    table = result.named_after(result).table()
    assert len(table.schema.metadata[names_module.METADATA_KEY]) < 1000


@pytest.mark.parametrize("dictionary", [True, False])
@pytest.mark.parametrize("rows", [2, 100])
def test_a_column_of_names_as_a_file_stores_it(dictionary, rows, tmp_path, monkeypatch):
    """In any order, with values that are there twice or not at all: as the values themselves."""
    column = pa.DictionaryArray.from_arrays([4, 1, 3, 1, 4, 0], ["kim", "al", "none", "kim", "zoë"])
    ids, path = [f"r{number}" for number in range(6)], tmp_path / "clusters.parquet"
    table = pa.table({"id": ids, "component": column if dictionary else column.cast("string")})
    pq.write_table(table, path, row_group_size=rows, use_dictionary=dictionary)
    stored = read_previous(path)
    monkeypatch.setattr(earlier_tables, "read_dictionary", lambda *_: None)
    plain = read_previous(path)
    assert stored.labels.tolist() == plain.labels.tolist() == [0, 1, 2, 1, 0, 2]
    assert stored.names.column.to_pylist() == plain.names.column.to_pylist() == ["zoë", "al", "kim"]
    data = bytearray(path.read_bytes())
    data[40] ^= 255
    path.write_bytes(data)
    monkeypatch.undo()
    with pytest.raises(skerry.InputError, match="cannot be read"):
        read_previous(path)
