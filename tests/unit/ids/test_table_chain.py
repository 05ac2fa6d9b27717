"""More ids than a table can number. No machine of the tests has 2^32: tables are made small."""

from __future__ import annotations

import datetime
import decimal
import uuid

import numpy as np
import polars
import pyarrow as pa
import pytest

import skerry
from skerry.errors import InputError, UnsupportedError
from skerry.ids import table_chain
from skerry.ids.numbering import Numbering, unknown_number
from skerry.result import id_finder

KINDS = {
    "int64": lambda x: x * 977 - 5000,
    "uint64": lambda x: (x * 977 + 3).astype(np.uint64) + np.uint64(1 << 63),
    "text": lambda x: pa.array([f"é{v}" for v in x.tolist()]),
    "large text": lambda x: pa.array([str(v) for v in x.tolist()], pa.large_string()),
    "dictionary": lambda x: pa.array([str(v) for v in x.tolist()]).dictionary_encode(),
    "bytes": lambda x: pa.array([v.to_bytes(3, "little") for v in x.tolist()]),
    "date": lambda x: pa.array([datetime.date.fromordinal(1000 + v) for v in x.tolist()]),
    "decimal": lambda x: pa.array([decimal.Decimal(v - 20) for v in x.tolist()]),
    "uuid": lambda x: pa.array([uuid.UUID(int=v * 7**40).bytes for v in x.tolist()], pa.uuid()),
    "list": lambda x: x.tolist(),
    "chunks": lambda x: pa.chunked_array([x[:2], x[2:]]),
    "series": lambda x: polars.Series([str(v) for v in x.tolist()], dtype=polars.String),
    "composite": lambda x: (x % 3, pa.array([str(v // 3) for v in x.tolist()])),
    "composite of integers": lambda x: (x % 3 - 1, x // 3),
}


@pytest.fixture
def small_tables(monkeypatch):
    monkeypatch.setattr(table_chain, "CAPACITY", 7)


def batches(kind, seed=0, count=8):
    random = np.random.default_rng(seed)
    for _ in range(count):
        size = int(random.integers(0, 6))
        yield kind(random.integers(0, 40, size)), kind(random.integers(0, 40, size))


def plain(ids):
    """Ids as Python's objects."""
    if isinstance(ids, tuple):
        return list(zip(*map(plain, ids), strict=True))
    return ids.to_pylist() if isinstance(ids, pa.Array | pa.ChunkedArray) else ids.tolist()


def rows_of(column):
    return list(column) if isinstance(column, list | polars.Series) else plain(column)


@pytest.mark.usefixtures("small_tables")
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_id_has_one_number_and_the_order_is_that_of_one_table(kind):
    chain, numbers = Numbering(), {}
    for batch in batches(kind):
        for column in batch:
            got = chain.number(column, 1).tolist()
            for id, number in zip(rows_of(column), got, strict=True):
                assert numbers.setdefault(id, number) == number
    assert sorted(numbers.values()) == list(range(chain.size)), "each number is of one id"
    assert chain.size > 14, "more than two tables"
    ids, order = chain.in_order(1)
    assert order.dtype == np.uint64
    assert plain(ids) == sorted(numbers, key=lambda id: id)
    assert [numbers[id] for id in plain(ids)] == order.tolist()
    everything = kind(np.arange(60))
    found = chain.find(everything, 1)
    expected = [numbers.get(id, unknown_number(found)) for id in rows_of(everything)]
    assert found.tolist() == expected
    taken, _ = chain.take_in_order(1)
    assert plain(taken) == plain(ids)
    assert chain.size == 0


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_sets_of_many_tables_are_those_of_one(kind, monkeypatch):
    edges = list(batches(kind, seed=1, count=12))

    def sets():
        joined = skerry.UnionFind(ids="external")
        merges = [joined.union(*batch) for batch in edges]
        return joined, merges

    expected, merges = sets()
    monkeypatch.setattr(table_chain, "CAPACITY", 7)
    got, same = sets()
    assert same == merges
    assert (got.labels == expected.labels).all()
    assert got.to_sets() == expected.to_sets()
    assert all(got.connected(*batch).all() for batch in edges if len(rows_of(batch[0])))
    again = skerry.UnionFind(ids="external")
    assert again.merge(got) == sum(merges)
    assert again.to_sets() == expected.to_sets()


@pytest.mark.parametrize("options", [{}, {"forest": True}], ids=["labels", "forest"])
@pytest.mark.parametrize("kind", ["int64", "text", "date"])
def test_a_stream_of_many_tables(kind, options, monkeypatch):
    edges = [batch for batch in batches(KINDS[kind], seed=2, count=30) if len(plain(batch[0]))]
    expected = skerry.connected_components(edges, ids="external", **options)
    monkeypatch.setattr(table_chain, "CAPACITY", 7)
    got = skerry.connected_components(edges, ids="external", **options)
    assert plain(got.ids) == plain(expected.ids)
    assert (got.labels == expected.labels).all()
    assert got.verify()
    if options:
        ends = plain(edges[0][0])[0], plain(edges[0][1])[0]
        assert len(got.spanning_forest()) == got.num_vertices - got.count
        assert [link.row for link in got.why(*ends)] == [link.row for link in expected.why(*ends)]


@pytest.mark.usefixtures("small_tables")
def test_integers_without_a_common_type_are_an_error():
    numbering = Numbering()
    numbering.number(np.arange(-6, 0), 1)
    numbering.number(np.arange(1 << 63, (1 << 63) + 6, dtype=np.uint64), 1)
    with pytest.raises(InputError, match="negative ids and ids of 2"):
        numbering.in_order(1)


@pytest.mark.usefixtures("small_tables")
def test_integers_of_several_widths_keep_their_values():
    numbering = Numbering()
    numbering.number(np.arange(6, dtype=np.int32), 1)
    numbering.number(np.arange(1 << 63, (1 << 63) + 6, dtype=np.uint64), 1)
    ids, _ = numbering.in_order(1)
    assert ids.dtype == np.uint64
    assert ids.tolist() == [*range(6), *range(1 << 63, (1 << 63) + 6)]


@pytest.mark.usefixtures("small_tables")
def test_another_kind_of_ids_is_an_error_in_every_table():
    numbering = Numbering()
    for begin in (0, 6, 12):
        numbering.number(np.arange(begin, begin + 6), 1)
    for call in (numbering.number, numbering.find):
        with pytest.raises(InputError, match="after ids of type"):
            call(pa.array(["a"]), 1)
        with pytest.raises(InputError, match="2 columns after ids of one"):
            call((np.arange(2), np.arange(2)), 1)
    with pytest.raises(InputError, match="after ids of type"):
        numbering.check(pa.array(["a"]))


@pytest.mark.usefixtures("small_tables")
def test_too_many_keys_of_groups_are_an_error():
    table = pa.table({"id": np.arange(20), "bucket": np.arange(20)})
    parts = [table.slice(begin, 5) for begin in range(0, 20, 5)]
    batches = pa.Table.from_batches([batch for part in parts for batch in part.to_batches()])
    with pytest.raises(InputError, match="distinct keys: split the groups"):
        skerry.connected_components(batches, groups="bucket")


def test_more_ids_than_can_be_looked_up_are_not_verified(monkeypatch):
    result = skerry.connected_components(pa.table({"a": ["x", "y"], "b": ["y", "z"]}))
    monkeypatch.setattr(id_finder, "MAX_IDS", 3)
    with pytest.raises(UnsupportedError, match="3 external ids: edges can be read again"):
        result.verify()
