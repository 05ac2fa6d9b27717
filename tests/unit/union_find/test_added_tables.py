"""Tables that are added to sets: the same as `connected_components` of them."""

from __future__ import annotations

import pathlib

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry

PAIRS = {
    "id_l": ["kim", "bo", None, "lee", "uma"],
    "id_r": ["lee", "al", "vic", "li", "uma"],
    "match_probability": [0.9, 0.2, 0.95, 0.8, 1.0],
}


def clusters(answer):
    return answer.components().table().to_pydict()


def forms(tmp_path):
    table = pa.table(PAIRS)
    path = tmp_path / "pairs.parquet"
    pq.write_table(table, path, row_group_size=2)
    polars = pytest.importorskip("polars")
    return [table, table.to_pandas(), polars.from_arrow(table), pathlib.Path(path)]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"threshold": 0.8, "weight": "match_probability"},
        {"threshold": 0.8, "weight": "match_probability", "keep": "below"},
        {"source": "id_r", "target": "id_l"},
    ],
)
def test_as_the_components_of_the_table(options, tmp_path):
    right = skerry.connected_components(pa.table(PAIRS), on_null="drop", **options)
    for table in forms(tmp_path):
        sets = skerry.UnionFind(ids="external")
        merges = sets.union(table, on_null="drop", **options)
        assert clusters(sets) == right.table().to_pydict()
        assert merges == right.num_vertices - right.count


def test_numbers_and_several_columns():
    numbers = pa.table({"src": [0, 5], "dst": [3, 6]})
    sets = skerry.UnionFind()
    assert sets.union(numbers) == 2
    assert sets.labels.tolist() == [0, 1, 2, 0, 4, 5, 5]
    several = skerry.UnionFind(ids="external")
    table = pa.table({"a": [1, 1], "b": ["x", "y"], "c": [2, 2], "d": ["x", "x"]})
    assert several.union(table, source=("a", "b"), target=("c", "d")) == 2
    assert several.connected((1, "x"), (1, "y"))


def test_weights_and_rows_are_recorded():
    sets = skerry.UnionFind(ids="external", forest=True)
    table = pa.table({"src": ["a", "b", "c"], "dst": ["b", "c", "d"], "weight": [0.9, 0.1, 0.8]})
    assert sets.union(table, weight="weight", threshold=0.5) == 2
    assert [tuple(link) for link in sets.spanning_forest()] == [
        ("a", "b", 0.9, 0),
        ("c", "d", 0.8, 1),
    ]


def test_a_table_is_added_as_a_whole_or_not_at_all():
    sets = skerry.UnionFind(ids="external")
    sets.union("al", "bo")
    with pytest.raises(skerry.InputError, match=r'id_l is null in row .*on_null="drop"'):
        sets.union(pa.table(PAIRS))
    with pytest.raises(skerry.InputError, match="ids of type int64 after"):
        sets.union(pa.table({"src": [1], "dst": [2]}))
    assert list(sets) == ["al", "bo"]
    assert sets.union(pa.table({"src": [], "dst": []})) == 0


@pytest.mark.parametrize("kind", ["vertices", "external"])
def test_what_is_no_table_is_refused(kind):
    sets = skerry.UnionFind(ids=kind)
    with pytest.raises(skerry.InputError, match="threshold=: for a table"):
        sets.union([0], [1], threshold=0.5)
    with pytest.raises(TypeError, match="did you mean threshold="):
        sets.union(pa.table({"src": [0], "dst": [1]}), treshold=1)
    with pytest.raises(skerry.InputError, match="cannot read a graph from"):
        sets.union(None)
    with pytest.raises(skerry.InputError):
        sets.union("pairs.csv")  # an id without a second one: files are paths
    assert len(sets) == 0


def test_a_window_of_tables_whose_clusters_keep_their_names():
    """A cluster loses edges, falls apart and goes on by the rule."""
    days = [("kim", "lee", 0.9), ("lee", "al", 0.7), ("uma", "vic", 0.9), ("al", "bo", 0.1)]
    window = skerry.SlidingWindow(2, ids="external")
    names = before = None
    seen = []
    for src, dst, score in days:
        table = pa.table({"src": [src], "dst": [dst], "score": [score]})
        window.push(table, weight="score", threshold=0.5)
        now = window.components()
        before = now if before is None else now.named_after(before)
        names = before.table().to_pydict()
        seen.append(dict(zip(names["id"], names["component"], strict=True)))
    assert seen == [
        {"kim": "kim", "lee": "kim"},
        {"al": "kim", "kim": "kim", "lee": "kim"},
        {"al": "kim", "lee": "kim", "uma": "uma", "vic": "uma"},
        {"uma": "uma", "vic": "uma"},
    ]
