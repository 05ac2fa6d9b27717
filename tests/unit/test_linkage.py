"""`skerry.dedupe` and `skerry.recordlinkage`, without these libraries."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import skerry
from skerry.dedupe import connected_components
from skerry.recordlinkage import connected_pairs


def scored(pairs, scores, kind="i8"):
    rows = np.empty(len(pairs), [("pairs", kind, 2), ("score", "f4")])
    rows["pairs"], rows["score"] = pairs, scores
    return rows


@pytest.mark.parametrize("kind", ["i4", "u8", "S4", "U256"])
def test_scored_pairs_come_by_component_and_score(kind):
    names = np.array([1, 2, 2, 3, 7, 9, 8, 9]).astype(kind).reshape(-1, 2)
    rows = scored(names, [0.5, 0.2, 0.9, 0.1], kind)
    parts = list(connected_components(rows, 30000))
    assert [len(part) for part in parts] == [2, 2]
    np.testing.assert_array_equal(np.concatenate(parts), rows[[1, 0, 3, 2]])
    assert parts[0].dtype == rows.dtype


def test_a_component_that_is_too_large_loses_its_lowest_scores():
    # A chain of 12 records; the threshold grows from 0.05 by a factor of e of the odds each time.
    scores = np.linspace(0.05, 0.95, 11)
    rows = scored([(i, i + 1) for i in range(12 - 1)], scores)
    for limit in (2, 3, 5, 11):
        parts = list(connected_components(rows, limit))
        assert all(len(part) < limit for part in parts)
        kept = sum(len(part) for part in parts)
        assert kept == len(set(map(tuple, np.concatenate(parts)["pairs"].tolist())))
        threshold, left = 0.0, rows
        while len(left) >= limit:
            odds = np.e * float(left["score"][0]) / (1 - float(left["score"][0]))
            threshold = odds / (1 + odds)
            left = left[max(int(np.searchsorted(left["score"], threshold)), 2) :]
        assert kept == len(left)


def test_scores_of_0_and_1_and_no_pairs():
    assert list(connected_components(scored([(1, 2)], [0.5])[:0], 5)) == []
    with pytest.raises(skerry.InputError, match="integers or text"):
        list(connected_components(scored([(1, 2)], [0.5], "f8"), 5))
    for score in (0.0, 1.0):
        rows = scored([(i, i + 1) for i in range(9)], [score] * 9)
        assert all(len(part) < 4 for part in connected_components(rows, 4))


def test_links_of_each_component_stay_as_they_were():
    links = pd.MultiIndex.from_tuples(
        [("b", "a"), ("x", "y"), ("a", "c"), ("a", "b"), ("y", "z"), ("x", "y")], names=["l", "r"]
    )
    first, second = connected_pairs(links)
    assert first.tolist() == [("b", "a"), ("a", "c")]
    assert second.tolist() == [("x", "y"), ("y", "z")]
    assert connected_pairs(links[:0]) == []


def test_links_that_are_none_are_refused():
    with pytest.raises(skerry.InputError, match="two levels"):
        connected_pairs(pd.Index([1, 2]))
    with pytest.raises(skerry.InputError, match="missing"):
        connected_pairs(pd.MultiIndex.from_tuples([(1.0, float("nan"))]))
