"""`UnionFind(forest=True)`: which edges joined the sets, and why two are in one."""

from __future__ import annotations

import pickle

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry.errors import ArgumentError, InputError, UnsupportedError
from support.named import first_edges

FACES = {
    "vertices": ({}, lambda x: x),
    "integers": ({"ids": "external"}, lambda x: np.asarray(x) * 1000 - 7000),
    "text": ({"ids": "external"}, lambda x: pa.array([f"n{v}" for v in x], pa.string())),
    "list": ({"ids": "external"}, lambda x: [f"n{v}" for v in x]),
}


EDGES = st.lists(st.tuples(st.integers(0, 15), st.integers(0, 15)), max_size=12)


@pytest.mark.parametrize("face", FACES)
@settings(deadline=None, max_examples=40)
@given(batches=st.lists(st.tuples(EDGES, st.booleans()), max_size=5), weighted=st.booleans())
def test_rows_are_those_of_the_first_edges_that_join(face, batches, weighted):
    options, column = FACES[face]
    sets = skerry.UnionFind(forest=True, **options)
    plain = skerry.UnionFind(**options)
    edges = []
    for batch, one_by_one in batches:
        src, dst = ([edge[end] for edge in batch] for end in (0, 1))
        weights = np.arange(len(edges), len(edges) + len(batch)) / 4
        ends = column(src), column(dst)
        if one_by_one:
            pairs = zip(*(np.asarray(end).tolist() for end in ends), weights, strict=True)
            for u, v, weight in pairs:
                merged = sets.union(u, v, weight=weight if weighted else None)
                assert merged == plain.union(u, v)
        else:
            merged = sets.union(*ends, weight=weights if weighted else None)
            assert merged == plain.union(*ends)
        edges += batch
    assert (sets.labels == plain.labels).all()
    assert sets.count == plain.count
    for each in (sets, pickle.loads(pickle.dumps(sets))):
        forest = each.spanning_forest()
        assert forest.row.tolist() == first_edges(edges)
        if weighted and len(forest):
            assert forest.weight.tolist() == [row / 4 for row in forest.row.tolist()]
        for link in forest:
            ends = [np.asarray(column([end])).tolist()[0] for end in edges[link.row]]
            assert [link.source, link.target] == ends


def test_a_path_over_several_batches_and_after_later_ones():
    sets = skerry.UnionFind(forest=True)
    sets.union([0, 5], [1, 6], weight=[0.5, 0.25])
    sets.union(1, 5, weight=2)
    assert [tuple(link) for link in sets.why(6, 0)] == [
        (6, 5, 0.25, 1),
        (5, 1, 2.0, 2),
        (1, 0, 0.5, 0),
    ]
    sets.union([6], [9], weight=[7.0])
    assert [link.row for link in sets.why(9, 5)] == [3, 1]
    assert sets.components().why(9, 6)[0].row == 3
    sets.grow(20)
    with pytest.raises(InputError, match="no path joins 19 and 0"):
        sets.why(19, 0)


@pytest.mark.parametrize("face", FACES)
def test_merge_takes_the_edges_of_the_other_as_the_next_rows(face):
    options, column = FACES[face]
    first, second = (skerry.UnionFind(forest=True, **options) for _ in range(2))
    first.union(column([0, 1, 2]), column([1, 0, 3]))
    second.union(column([3, 3, 8]), column([1, 3, 9]))
    assert first.merge(second) == 2
    assert first.spanning_forest().row.tolist() == [0, 2, 3, 5]
    assert first.union(column([9]), column([0])) == 1
    assert first.spanning_forest().row.tolist()[-1] == 6
    oracle = skerry.UnionFind(**options)
    oracle.union(column([0, 1, 2, 3, 3, 8, 9]), column([1, 0, 3, 1, 3, 9, 0]))
    assert (first.labels == oracle.labels).all()


def test_ids_that_move_to_a_table_keep_their_edges():
    sets = skerry.UnionFind(ids="external", forest=True)
    sets.union("kim", "lee")
    sets.add("zoe")
    sets.union(pa.array(["al", "lee"]), pa.array(["kim", "al"]))
    assert [(link.source, link.target, link.row) for link in sets.why("lee", "al")] == [
        ("lee", "kim", 0),
        ("kim", "al", 1),
    ]
    assert sets.to_sets() == [{"al", "kim", "lee"}, {"zoe"}]


def test_what_is_refused(tmp_path):
    plain, recorded = skerry.UnionFind(3), skerry.UnionFind(3, forest=True)
    with pytest.raises(ArgumentError, match="forest must be True or False, got 'yes'"):
        skerry.UnionFind(forest="yes")
    for call in (plain.spanning_forest, lambda: plain.why(0, 1)):
        with pytest.raises(UnsupportedError, match=r"UnionFind\(forest=True\)"):
            call()
    for ends in ((0, 1), ([0], [1])):
        with pytest.raises(ArgumentError, match="weight= is recorded"):
            plain.union(*ends, weight=1.0 if ends == (0, 1) else [1.0])
    with pytest.raises(InputError, match="kept no edges"):
        recorded.merge(plain)
    assert plain.merge(recorded) == 0
    with pytest.raises(UnsupportedError, match="pickle"):
        recorded.save(tmp_path / "x.sets")
    recorded.union([0], [1], weight=[0.5])
    with pytest.raises(InputError, match="some edges have weights and others have none"):
        recorded.union(1, 2)
    for weight in ([np.nan], [1.0, 2.0], "x", 1.0):
        with pytest.raises(InputError, match="weight"):
            recorded.union([1], [2], weight=weight)
    with pytest.raises(UnsupportedError, match="does not hold them"):
        recorded.components().bridges()
    assert recorded.count == 2


def test_memory_is_counted():
    sets = skerry.UnionFind(1000, forest=True)
    before = sets.nbytes
    sets.union(np.zeros(999, int), np.arange(1, 1000), weight=np.ones(999))
    assert sets.nbytes - before == 999 * 24
