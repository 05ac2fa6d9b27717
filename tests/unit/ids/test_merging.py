"""Two columns of ascending ids as their union, against Python's sets."""

from __future__ import annotations

import datetime
import random
import uuid
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from skerry.errors import InputError
from skerry.ids import merging
from skerry.ids.merging import merge_ids, merged_places

TYPES = {
    "int64": (lambda i: i - 50, lambda values: np.array(values, np.int64)),
    "uint8": (lambda i: i, lambda values: np.array(values, np.uint8)),
    "string": (lambda i: f"{i % 7}é" * (i % 5) + str(i), pa.array),
    "large_string": (str, lambda values: pa.array(values, pa.large_string())),
    "binary": (lambda i: b"\0" * (i % 3) + bytes([i]), pa.array),
    "date": (lambda i: datetime.date(2026, 1, 1) + datetime.timedelta(i), pa.array),
    "decimal": (lambda i: Decimal(i - 50), lambda values: pa.array(values, pa.decimal128(9, 0))),
    "fixed": (lambda i: i.to_bytes(4, "big"), lambda values: pa.array(values, pa.binary(4))),
    "uuid": (
        lambda i: uuid.UUID(int=i << 70).bytes,
        lambda values: pa.ExtensionArray.from_storage(pa.uuid(), pa.array(values, pa.binary(16))),
    ),
}


def listed(column):
    storage = getattr(column, "storage", column)
    return storage.tolist() if isinstance(storage, np.ndarray) else storage.to_pylist()


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("threads", [1, 2])
def test_the_union_and_the_place_of_each(kind, threads):
    value, column = TYPES[kind]
    draw = random.Random(kind)
    for _ in range(30):
        sides = [
            sorted({value(draw.randrange(100)) for _ in range(draw.choice([0, 1, 9, 60]))})
            for _ in range(2)
        ]
        first, second = map(column, sides)
        merged = merge_ids(first, second, threads)
        assert listed(merged.columns) == sorted({*sides[0], *sides[1]})
        for side, places in zip(sides, (merged.of_first, merged.of_second), strict=True):
            ids = listed(merged.columns)
            assert [ids[place] for place in places.tolist()] == side
        if len(first) and len(second):
            assert merged_places(first, second, threads) is not None  # not numbered again


def test_many_ids_by_a_team():
    draw = np.random.default_rng(1)
    first, second = (np.unique(draw.integers(0, 10**6, 300_000)) for _ in range(2))
    texts = [pa.array([f"{i:07}" for i in side.tolist()]) for side in (first, second)]
    right = np.union1d(first, second)
    for left, other in ((first, second), texts):
        merged = merge_ids(left, other, 2)
        assert merged.of_first.tolist() == np.searchsorted(right, first).tolist()
        assert merged.of_second.tolist() == np.searchsorted(right, second).tolist()
    assert [int(text) for text in listed(merged.columns)] == right.tolist()


def test_columns_of_different_types_have_a_common_one():
    merged = merge_ids(np.array([-3, 5], np.int8), np.array([5, 2**40]), 1)
    assert merged.columns.tolist() == [-3, 5, 2**40]
    assert merged.of_second.tolist() == [1, 2]
    several = (np.array([1, 1]), pa.array(["a", "b"])), (np.array([0, 1]), pa.array(["z", "b"]))
    merged = merge_ids(*several, 1)
    assert [part.tolist() for part in merged.columns] == [[0, 1, 1], ["z", "a", "b"]]
    assert (merged.of_first.tolist(), merged.of_second.tolist()) == ([1, 2], [0, 2])
    with pytest.raises(InputError, match="ids of type string after ids of type int64"):
        merge_ids(np.array([1]), pa.array(["a"]), 1)


def test_one_that_has_all_ids_is_not_copied():
    few, many = pa.array(["b"]), pa.array(["a", "b"])
    assert merge_ids(few, many, 1).columns is many and merge_ids(many, few, 1).columns is many


def test_texts_of_more_bytes_than_short_offsets_reach(monkeypatch):
    monkeypatch.setattr(merging, "SHORT_BYTES", 10)
    merged = merge_ids(pa.array(["aa", "cc"]), pa.array(["bb"]), 1)
    assert merged.columns.type == pa.large_string()
    assert merged.columns.to_pylist() == ["aa", "bb", "cc"]
