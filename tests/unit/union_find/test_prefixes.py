"""Every prefix of a random stream, on both faces, against sets by hand and a fresh computation.

A stream grows, repeats itself, comes out of order, is merged from parts, saved and loaded, pickled
and asked in between; with one thread and with two.
"""

from __future__ import annotations

import pickle

import numpy as np
import scipy.sparse as sp
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from scipy.sparse.csgraph import connected_components

import skerry

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
