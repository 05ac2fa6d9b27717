"""Batches whose ids are all known are checked and joined in one pass; others are joined again."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry.errors import InputError
from skerry.union_find.forest import Forest

FIRST = (np.arange(100), np.arange(100) // 2)


def labels(batches, ids, **options):
    return skerry.connected_components(batches, ids=ids, **options).labels.tolist()


@pytest.mark.parametrize("ids", ["external", "vertices"])
@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint64])
def test_a_batch_with_one_new_id_is_joined_as_if_all_came_at_once(ids, dtype):
    random = np.random.default_rng(1)
    batches = []
    for high in (30, 30, 900, 20, 1500, 1500):
        ends = random.integers(0, high, (2, 60)).astype(dtype)
        ends[0, -2] = high - 1  # not the last edge, which is looked at first
        batches.append(tuple(ends))
    every = tuple(np.concatenate(ends) for ends in zip(*batches, strict=True))
    assert labels(batches, ids) == labels([every], ids)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_a_negative_id_in_a_later_batch_is_not_a_large_vertex(dtype):
    batches = [FIRST, (np.array([3, -5], dtype), np.array([4, 7], dtype))]
    batches = [tuple(end.astype(dtype) for end in ends) for ends in batches]
    result = skerry.connected_components(batches, ids="external")
    assert result.ids[0] == -5 and result.connected(-5, 7) and len(result.ids) == 101
    with pytest.raises(InputError, match="edge 1 has the vertex -5"):
        skerry.connected_components(batches, ids="vertices")


def test_an_id_above_the_number_of_vertices_is_an_error_in_a_later_batch():
    batches = [FIRST, (np.array([3, 100]), np.array([4, 7]))]
    with pytest.raises(InputError, match="edge 1 has the vertex 100"):
        skerry.connected_components(batches, ids="vertices", num_vertices=100)


def test_a_loop_in_a_later_batch_is_an_id_of_the_graph():
    """Of ids that leave gaps, those that were never joined occur only in loops."""
    batches = [(np.array([1]), np.array([50])), (np.array([1, 7]), np.array([50, 7]))]
    assert skerry.connected_components(batches, ids="external").ids.tolist() == [1, 7, 50]


def test_ids_as_wide_as_two_columns_differ_are_joined():
    batches = [FIRST, (np.array([3], np.int32), np.array([90]))]
    assert labels(batches, "external") == labels([FIRST], "external")


@pytest.mark.parametrize("threads", [1, 2])
def test_a_join_that_meets_an_unknown_id_leaves_a_valid_forest(threads):
    forest = Forest(10, threads)
    assert forest.try_join(np.array([1, 2]), np.array([2, 99]), threads) == (False, False)
    assert forest.try_join(np.array([1, 4]), np.array([2, 4]), threads) == (True, True)
    assert forest.count() == 9 and forest.find(np.array([1, 2, 4])).tolist() == [1, 1, 4]


def test_ascending_ids_are_not_joined_twice(monkeypatch):
    """Every batch has new ids; after a failure, and where the last edge shows it, none is tried."""
    tried = []
    try_join = Forest.try_join

    def counted(self, *arguments):
        tried.append(len(arguments[0]))
        return try_join(self, *arguments)

    monkeypatch.setattr(Forest, "try_join", counted)
    ids = np.arange(64_000)
    batches = [(ids[i : i + 1000], ids[i : i + 1000] + 1) for i in range(0, 64_000, 1000)]
    assert not any(labels(batches, "external")) and not tried
    hidden = [(np.array([0, high, 0]), np.array([0, high - 1, 0])) for high in range(1, 400)]
    skerry.connected_components(hidden, ids="vertices")
    assert 0 < len(tried) < 20
