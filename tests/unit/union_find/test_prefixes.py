"""Every prefix of a random stream, on both faces, against sets by hand and a fresh computation.

A stream grows, repeats itself, comes out of order, is merged from parts, saved and loaded, pickled
and asked in between; with one thread and with two.
"""

from __future__ import annotations

import pickle

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from scipy.sparse.csgraph import connected_components

import skerry
from skerry.errors import ArgumentError, InputError, UnsupportedError
from support.named import first_edges

VERTEX = st.integers(0, 60)
BATCH = st.lists(st.tuples(VERTEX, VERTEX), max_size=12)


class Streams(RuleBasedStateMachine):
    """Two objects of the same edges: of vertex numbers, and of the ids ``3 v - 20``."""

    @initialize(threads=st.sampled_from([1, 2]), wide=st.booleans())
    def start(self, threads, wide):
        self.dtype = np.uint64 if wide else None
        self.threads = threads
        self.numbers, self.names = self.empty()
        self.pairs, self.n, self.known = [], 0, set()

    def empty(self):
        return (
            skerry.UnionFind(threads=self.threads, dtype=self.dtype),
            skerry.UnionFind(ids="external", threads=self.threads, dtype=self.dtype),
        )

    def joined(self, pairs, merges):
        """Notes edges that were added, and compares the merges that were reported."""
        before = len(set(self.right())), len(set(self.right(self.known)))
        new = {end for pair in pairs for end in pair}
        grown = max([self.n, *(end + 1 for end in new)]) - self.n
        fresh = len(new - self.known)
        self.pairs += pairs
        self.n += grown
        self.known |= new
        after = len(set(self.right())), len(set(self.right(self.known)))
        assert merges == (before[0] + grown - after[0], before[1] + fresh - after[1])

    def right(self, known=None):
        """Labels of all vertices, or of some, by scipy."""
        ends = np.array(self.pairs, np.int64).reshape(-1, 2)
        matrix = sp.coo_array((np.ones(len(ends)), ends.T), shape=(self.n, self.n))
        labels = connected_components(matrix, directed=False)[1] if self.n else np.empty(0, int)
        first = {}
        for v, label in enumerate(labels.tolist()):
            first.setdefault(label, v)
        every = [first[label] for label in labels.tolist()]
        return every if known is None else [every[v] for v in sorted(known)]

    @rule(pairs=BATCH, arrays=st.booleans(), kind=st.sampled_from(["i2", "i4", "u8"]))
    def add_a_batch(self, pairs, arrays, kind):
        src, dst = [u for u, _ in pairs], [v for _, v in pairs]
        ids = [3 * v - 20 for v in src], [3 * v - 20 for v in dst]
        if arrays:
            src, dst = np.array(src, kind), np.array(dst, kind)
            ids = tuple(np.array(column, np.int64) for column in ids)
        self.joined(pairs, (self.numbers.union(src, dst), self.names.union(*ids)))

    @rule(u=VERTEX, v=VERTEX)
    def add_an_edge(self, u, v):
        merges = self.numbers.union(u, v), self.names.union(3 * u - 20, 3 * v - 20)
        self.joined([(u, v)], merges)

    @rule()
    def add_all_again_backwards(self):
        pairs = self.pairs[::-1]
        src, dst = [u for u, _ in pairs], [v for _, v in pairs]
        assert self.numbers.union(dst, src) == 0
        assert self.names.union([3 * v - 20 for v in src], [3 * v - 20 for v in dst]) == 0

    @rule(more=st.integers(0, 5))
    def grow(self, more):
        assert self.numbers.grow(self.n + more) == more
        self.n += more

    @rule(pairs=BATCH)
    def merge_a_part(self, pairs):
        numbers, names = self.empty()
        for u, v in pairs:
            numbers.union(u, v)
            names.union(3 * u - 20, 3 * v - 20)
        self.joined(pairs, (self.numbers.merge(numbers), self.names.merge(names)))

    @rule()
    def pickle_both(self):
        self.numbers, self.names = pickle.loads(pickle.dumps((self.numbers, self.names)))

    @rule()
    def save_and_load_both(self):
        self.numbers, self.names = map(self.saved, (self.numbers, self.names))

    def saved(self, sets):
        import tempfile
        from pathlib import Path

        with tempfile.TemporaryDirectory() as folder:
            sets.save(Path(folder, "sets"))
            return skerry.UnionFind.load(Path(folder, "sets"), threads=self.threads)

    @rule()
    def begin_with_the_labels(self):
        self.numbers = skerry.UnionFind.from_labels(
            self.numbers.labels, threads=self.threads, dtype=self.dtype
        )
        self.names = skerry.UnionFind.from_labels(
            self.names.components(), threads=self.threads, dtype=self.dtype
        )

    @invariant()
    def the_answers_are_right(self):
        if not hasattr(self, "pairs"):
            return
        right, known = self.right(), sorted(self.known)
        assert self.numbers.labels.tolist() == right == self.numbers.find(range(self.n)).tolist()
        assert self.numbers.count == len(set(right)) == len(self.numbers.sizes())
        ids = [3 * v - 20 for v in known]
        smallest = [3 * right[v] - 20 for v in known]
        assert list(self.names) == ids == self.names.ids.tolist()
        assert [self.names[id] for id in ids] == smallest
        assert self.names.count == len(set(smallest)) == len(self.names.sizes())
        labels = self.names.labels.tolist()
        assert [ids[label] for label in labels] == smallest
        for v in known[:3]:
            joined = [right[v] == right[w] for w in known]
            assert [self.numbers.connected(v, w) for w in known] == joined
            assert [self.names.connected(3 * v - 20, id) for id in ids] == joined


Streams.TestCase.settings = settings(deadline=None, max_examples=40, stateful_step_count=12)
TestStreams = Streams.TestCase


# `UnionFind(forest=True)`: which edges joined the sets, and why two are in one.

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


def test_what_is_refused():
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
