"""What became of clusters, against sets in plain Python."""

from __future__ import annotations

import os
from itertools import pairwise

import pyarrow as pa
import pytest

import skerry
from support.histories import partition, random_days

HISTORIES = int(os.environ.get("SKERRY_HISTORIES", "100"))


def solve(pairs, **options):
    src, dst = ([f"r{pair[i]}" for pair in pairs] for i in (0, 1))
    return skerry.connected_components(pa.table({"src": src, "dst": dst}), **options)


def expected(old, new):
    """The clusters of each kind of change, by their records."""
    kinds = {kind: set() for kind in (*skerry_kinds(), "unchanged")}
    for cluster in new:
        sources = [each for each in old if each & cluster]
        if not sources:
            kinds["created"].add(cluster)
        elif len(sources) > 1:
            kinds["merged"].add(cluster)
        elif sum(bool(each & sources[0]) for each in new) == 1:
            kind = "grown" if cluster - sources[0] else "shrunk" if sources[0] - cluster else None
            kinds[kind or "unchanged"].add(cluster)
    kinds["split"] = {each for each in old if sum(bool(each & c) for c in new) > 1}
    kinds["removed"] = {each for each in old if not any(each & c for c in new)}
    return kinds


def skerry_kinds():
    return "created", "grown", "merged", "split", "shrunk", "removed"


def members(result):
    names = {}
    for id, name in zip(*result.table().to_pydict().values(), strict=True):
        names.setdefault(name, set()).add(id)
    return {name: frozenset(ids) for name, ids in names.items()}


@pytest.mark.parametrize("keep_names", [True, False])
def test_random_days(keep_names):
    for seed in range(HISTORIES):
        first = None
        for pairs in random_days(seed):
            second = solve(pairs, forest=True)
            if first is not None:
                if keep_names:
                    second = second.named_after(first)
                check(first, second, pairs)
            first = second


def test_days_that_are_added():
    """The forest of today's edges has the rows that caused each merge."""
    for seed in range(HISTORIES):
        first, done = None, []
        for pairs in random_days(seed, grows=True):
            new, done = pairs[len(done) :], pairs
            second = solve(new, forest=True, previous=first, threads=1 + seed % 2)
            if first is not None:
                check(first, second, new)
            first = second


def check(first, second, pairs):
    changes = second.changes(first)
    named = second if second._make_names is not None else second.named_after(first)
    old, new = members(first), members(named)
    right = expected(set(old.values()), set(new.values()))
    assert changes.counts == {kind: len(clusters) for kind, clusters in right.items()}
    rows = changes.table().to_pylist()
    assert len(rows) == len(changes)
    for row in rows:
        of_old = row["change"] in ("split", "removed")
        cluster = (old if of_old else new)[row["component"]]
        assert cluster in right[row["change"]]
        others = [(new if of_old else old)[name] for name in row["others"]]
        theirs = [c for c in (new if of_old else old).values() if c & cluster]
        assert set(others) == (set(theirs) if row["change"] in ("merged", "split") else set())
        union = frozenset().union(*theirs)
        sizes = [sum(map(len, theirs)), len(cluster)]
        assert [row["before"], row["after"]] == (sizes[::-1] if of_old else sizes)
        gone = cluster - union if of_old else union - frozenset().union(*new.values())
        if row["change"] not in ("merged",):
            assert row["lost"] == len(gone)
        if row["change"] == "merged":
            check_causes(row, theirs, pairs)
        else:
            assert row["rows"] == []


def check_causes(row, theirs, pairs):
    """The rows join the old clusters, and no row can be left out without them falling apart."""
    causes = [tuple(f"r{record}" for record in pairs[number]) for number in row["rows"]]
    glue = [tuple(sorted(each)) for each in theirs]
    chains = [pair for each in glue for pair in pairwise(each)]
    singles = [(record, record) for each in glue for record in each]
    joined = [c for c in partition([*chains, *singles, *causes]) if c & theirs[0]]
    assert all(each <= joined[0] for each in theirs)
    new = {record for pair in causes for record in pair} - set().union(*theirs)
    for record in new:
        assert sum(record in pair for pair in causes) > 1


def test_the_summary():
    first = solve([(1, 2), (3, 4), (5, 6), (6, 7)])
    second = solve([(1, 2), (2, 3), (3, 4), (5, 6), (8, 9)], forest=True).named_after(first)
    text = str(second.changes(first))
    assert "created              1" in text and "shrunk               1" in text
    assert "'r1' has merged 'r1', 'r3' (rows 1)" in text
    assert str(first.changes(first)) == "no changes"
    assert "'r1' was split into 'r1', 'r3-2'" in str(first.changes(second))  # r3 had ended
    assert "merged=1" in repr(second.changes(first))
