"""`skerry.assign_components` and the namespace of polars: components as columns of a frame."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import skerry
import skerry.polars

TEXT = {"a": ["kim", "bo", "lee"], "b": ["lee", "al", "mia"], "w": [0.9, 0.5, 0.7]}
KINDS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


def pipe(frame, *args, **options):
    if isinstance(frame, pa.Table):
        return skerry.assign_components(frame, *args, **options)
    return frame.pipe(skerry.assign_components, *args, **options)


def values(column):
    """With None for what is missing."""
    if isinstance(column, pd.Series):
        return [None if pd.isna(value) else value for value in column]
    return column.to_list() if isinstance(column, pl.Series) else column.to_pylist()


@pytest.fixture(params=KINDS)
def make(request):
    return KINDS[request.param]


def test_every_row_has_its_component(make):
    frame = make(TEXT)
    made = pipe(frame, "a", "b")
    assert type(made) is type(frame)
    assert values(made["component"]) == ["kim", "al", "kim"]
    assert values(made["a"]) == TEXT["a"] and values(made["w"]) == TEXT["w"]
    names = frame.column_names if isinstance(frame, pa.Table) else list(frame.columns)
    assert "component" not in names  # the frame itself is as it was


def test_rows_that_are_no_edge_have_none(make):
    made = pipe(make(TEXT), "a", "b", weight="w", threshold=0.6)
    assert values(made["component"]) == ["kim", None, "kim"]
    numbers = make({"a": [2**60, 5, 2], "b": [2**60 + 1, 6, 2], "w": [1, 0, 1]})
    made = pipe(numbers, "a", "b", weight="w", threshold=1)
    assert values(made["component"]) == [2**60, None, 2]  # as exact as they were


def test_nulls_that_are_dropped_have_none(make):
    made = pipe(make({"a": ["x", None], "b": ["y", "y"]}), "a", "b", on_null="drop")
    assert values(made["component"]) == ["x", None]


def test_integers_stay_integers(make):
    made = pipe(make({"a": [7, 3], "b": [9, 3]}), "a", "b", name="group")
    assert values(made["group"]) == [7, 3]
    kind = str(made["group"].type if isinstance(made, pa.Table) else made["group"].dtype)
    assert kind.lower() == "int64"


def test_dense_numbers(make):
    made = pipe(make(TEXT), "a", "b", labels="dense")
    assert values(made["component"]) == [1, 0, 1]


def test_ids_of_several_columns(make):
    frame = make({"y": [1, 2], "n": ["a", "b"], "z": [2, 2], "m": ["b", "c"]})
    made = pipe(frame, ("y", "n"), ("z", "m"), name="c")
    assert values(made["c_y"]) == [1, 1] and values(made["c_n"]) == ["a", "a"]


def test_a_frame_without_rows(make):
    frame = make({"a": np.array([], np.int64), "b": np.array([], np.int64)})
    assert values(pipe(frame, "a", "b")["component"]) == []


def test_the_index_of_pandas_does_not_matter():
    frame = pd.DataFrame(TEXT, index=[7, 7, 3])
    made = frame.pipe(skerry.assign_components, "a", "b")
    assert made.index.tolist() == [7, 7, 3] and values(made["component"]) == ["kim", "al", "kim"]


def test_a_subclass_of_a_frame_is_one():
    class Mine(pd.DataFrame):
        @property
        def _constructor(self):
            return Mine

    assert type(Mine(TEXT).pipe(skerry.assign_components, "a", "b")) is Mine


def test_what_cannot_be_done_is_refused(make):
    with pytest.raises(skerry.InputError, match="has a column 'w' already: pass name="):
        pipe(make(TEXT), "a", "b", name="w")
    with pytest.raises(skerry.InputError, match="nothing"):
        pipe(make(TEXT), "a", "nothing")


@pytest.mark.parametrize("frame", [pl.LazyFrame(TEXT), TEXT, [(0, 1)], np.zeros((2, 2))])
def test_what_is_no_frame_is_refused(frame):
    with pytest.raises(skerry.InputError, match="columns are added to frames"):
        skerry.assign_components(frame, "a", "b")


def test_a_lazy_frame_is_to_be_collected():
    with pytest.raises(skerry.InputError, match="collect it first"):
        pl.LazyFrame(TEXT).pipe(skerry.assign_components, "a", "b")


# polars


def test_the_namespace_of_polars():
    for frame in (pl.DataFrame(TEXT), pl.LazyFrame(TEXT)):
        table = frame.skerry.components("a", "b", weight="w", threshold=0.6)
        assert isinstance(table, pl.DataFrame)
        assert table.rows() == [("kim", "kim"), ("lee", "kim"), ("mia", "kim")]
        sizes = frame.skerry.components("a", "b", size=True)["size"]
        assert sizes.to_list() == [2, 2, 3, 3, 3]
        made = frame.skerry.assign_components("a", "b", name="c")
        assert made["c"].to_list() == ["kim", "al", "kim"]


def test_import_skerry_registers_nothing_and_loads_no_frames():
    code = (
        "import sys, skerry; skerry.assign_components\n"
        "sys.exit(any(name in sys.modules for name in ('polars', 'pandas', 'pyarrow')))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
