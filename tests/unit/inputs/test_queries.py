"""Tables that are computed when they are read, and structured arrays."""

from __future__ import annotations

import warnings

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import skerry
from support.named import as_dict

ROWS = {"src": ["a", "b", "x"], "dst": ["b", "c", "y"], "score": [0.9, 0.1, 0.8]}
ALL = {"a": "a", "b": "a", "c": "a", "x": "x", "y": "x"}
ABOVE = {"a": "a", "b": "a", "x": "x", "y": "x"}
BELOW = {"b": "b", "c": "b"}
WEIGHT = {"weight": "score", "threshold": 0.5}


def answers(graph, **options):
    result = skerry.connected_components(graph, **options)
    assert result.verify()
    return as_dict(result.table())


def check(graph):
    assert answers(graph) == ALL
    assert answers(graph, **WEIGHT) == ABOVE
    assert skerry.verify(graph, skerry.connected_components(graph, **WEIGHT), **WEIGHT)
    assert answers(graph, **WEIGHT, keep="below") == BELOW
    assert answers(graph, source="dst", target="src", algorithm="bfs") == ALL


def test_a_lazy_frame_is_a_table():
    frame = pl.LazyFrame(ROWS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # polars warns where a schema is computed by accident
        check(frame)
        check(pl.LazyFrame({**ROWS, "other": [[1], [2], [3]]}))
    assert skerry.connected_components(frame).plan.input.source == ("src",)


def test_of_a_lazy_frame_only_the_needed_columns_are_computed():
    computed = []

    def column(values):
        computed.append(values.name)
        return values

    frame = pl.LazyFrame({**ROWS, "other": [1, 2, 3]}).with_columns(
        pl.col(name).map_batches(column, return_dtype=kind)
        for name, kind in {"src": pl.String, "score": pl.Float64, "other": pl.Int64}.items()
    )
    assert skerry.connected_components(frame).count == 2
    assert set(computed) == {"src"}
    skerry.connected_components(frame, **WEIGHT)
    assert set(computed) == {"src", "score"}


def test_a_lazy_frame_that_cannot_be_computed_is_our_error():
    for frame in (
        pl.LazyFrame(ROWS).select("nothing", "dst"),
        pl.LazyFrame(ROWS).with_columns(pl.col("src", "dst").str.to_integer(strict=True)),
    ):
        with pytest.raises(skerry.InputError, match=r"polars\.LazyFrame: cannot be read"):
            skerry.connected_components(frame)
    with pytest.raises(skerry.InputError, match=r"LazyFrame: there is no column weight"):
        skerry.connected_components(pl.LazyFrame(ROWS), threshold=1)


@pytest.fixture
def connection():
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.register("pairs", pa.table(ROWS))
        yield connection


def test_a_duckdb_relation_is_a_table(connection):
    check(connection.sql("select * from pairs"))
    check(connection.table("pairs").filter("true"))
    check(connection.sql('select *, [1] as nested, score as "wei""rd" from pairs'))
    check(connection.sql("select src::enum('a', 'b', 'x') src, dst::enum('b', 'c', 'y') dst, score "
                         "from pairs"))  # fmt: skip


def test_a_duckdb_result_is_a_table(connection):
    query = "select * from pairs"
    for options, expected in (
        ({}, ALL),
        (WEIGHT, ABOVE),
        ({**WEIGHT, "keep": "below"}, BELOW),
        ({"algorithm": "bfs"}, ALL),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = skerry.connected_components(connection.execute(query), **options)
        assert as_dict(result.table()) == expected
    result = skerry.connected_components(connection.execute(query))
    with pytest.raises(skerry.UnsupportedError, match="used up by reading it"):
        result.verify()


def test_a_duckdb_result_that_is_not_there_is_our_error(connection):
    read = connection.execute("select * from pairs")
    read.fetchall()
    for graph in (read, connection.cursor()):
        with pytest.raises(skerry.InputError, match=r"duckdb\.DuckDBPyConnection: cannot be read"):
            skerry.connected_components(graph, **WEIGHT)
    with pytest.raises(skerry.InputError, match="no column score; there are: src, dst"):
        skerry.connected_components(connection.execute("select src, dst from pairs"), **WEIGHT)


def test_a_duckdb_query_that_fails_is_our_error(connection):
    relation = connection.sql("select src, error('no such thing')::varchar as dst from pairs")
    with pytest.raises(skerry.InputError, match="no such thing"):
        skerry.connected_components(relation)


RECORDS = np.array(
    list(zip(*ROWS.values(), strict=True)),
    [("src", "U3"), ("dst", "U3"), ("score", ">f8")],
)


@pytest.mark.parametrize("text", ["U3", "S3", "O"])
def test_a_structured_array_is_a_table(text):
    records = RECORDS.astype([("src", text), ("dst", text), ("score", "f4")])
    expected = {key.encode(): label.encode() for key, label in ALL.items()}
    assert answers(records) == (expected if text == "S3" else ALL)
    if text != "S3":
        check(records)
        check(records.view(np.recarray))
        check([records[:1], records[1:]])


def test_fields_of_a_structured_array_are_chosen_like_columns():
    kinds = [("weight", "f4"), ("u", ">u2"), ("v", "i8"), ("vector", "f4", 3), ("day", "M8[D]")]
    records = np.zeros(3, kinds)
    records["u"], records["v"], records["weight"] = [5, 300, 9], [300, 7, 9], [1, 1, 0]
    assert answers(records) == {5: 5, 7: 5, 300: 5, 9: 9}
    assert answers(records[::2]) == {5: 5, 300: 5, 9: 9}
    assert answers(records, threshold=1) == {5: 5, 7: 5, 300: 5}
    assert answers(records, source=1, target="v", threshold=1) == {5: 5, 7: 5, 300: 5}
    days = {"source": "day", "target": "day"}
    assert len(answers(records, **days)) == 1
    for options, message in (
        ({"source": "u", "target": "weight"}, "ids cannot be floating-point"),
        ({"source": "u", "target": "w"}, "there is no column w; there are: weight, u, v"),
    ):
        with pytest.raises(skerry.InputError, match=message):
            skerry.connected_components(records, **options)
    with pytest.raises(skerry.InputError, match="has one dimension"):
        skerry.connected_components(records.reshape(3, 1))
    masked = np.ma.array(records, mask=[(0, 0, 1, 0, 0), (0, 0, 0, 0, 0), (0, 0, 0, 0, 0)])
    with pytest.raises(skerry.InputError, match="field v is masked in row 0"):
        skerry.connected_components(masked)


UNITS = ["W", "D", "h", "m", "s", "ms", "us", "ns"]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("kind", ["m8", "M8", ">m8"])
def test_durations_and_dates_in_arrays_are_ids(kind, unit):
    src = np.array([3, 1, 8], "i8").view("i8").astype(f"{kind}[{unit}]")
    dst = np.array([1, 5, 8], "i8").astype(f"{kind}[{unit}]")
    result = skerry.connected_components((src, dst))
    assert result.labels.tolist() == [0, 0, 0, 3]
    assert result.verify()
    assert (
        np.array_equal(
            np.array(result.ids.to_pylist(), f"{kind}[us]"),
            np.array([1, 3, 5, 8], "i8").astype(f"{kind}[{unit}]").astype(f"{kind}[us]"),
        )
        or unit == "ns"
    )
    assert skerry.connected_components((src, dst), weight=[1, 0, 1], threshold=1).count == 2


@pytest.mark.skipif(not hasattr(np.dtypes, "StringDType"), reason="NumPy 1 has no StringDType")
def test_numpy_strings_of_any_length_are_ids():
    kind = np.dtypes.StringDType()
    src, dst = np.array(["b", "naïve" * 9, "q"], kind), np.array(["a", "b", "q"], kind)
    result = skerry.connected_components((src, dst))
    assert result.ids.to_pylist() == ["a", "b", "naïve" * 9, "q"]
    assert result.labels.tolist() == [0, 0, 0, 3]
    assert skerry.connected_components(np.stack([src, dst], 1)).count == 2
    missing = np.dtypes.StringDType(na_object=None)
    with pytest.raises(skerry.InputError, match=r"src\[1\] is null"):
        skerry.connected_components((np.array(["a", None], missing), np.array(["a", "b"])))


def test_the_weights_of_batches_of_arrays_are_asked_for_as_tables():
    with pytest.raises(skerry.InputError, match=r"batch 0: .* a table with a column of weights"):
        skerry.connected_components([([0], [1])] * 2, weight="score", threshold=1)
