"""Graphs without structure: every pair as likely as any other, or nearly."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import Maker, ascending, edges_of


def uniform(degree: float) -> Maker:
    """Pairs drawn from all pairs, of that average degree."""

    def make(entries: int, rng: np.random.Generator) -> Edges:
        count = max(8, round(entries / degree))
        return edges_of(count, tuple(rng.integers(0, count, (2, entries // 2), np.uint32)))

    return make


def regular(degree: int) -> Maker:
    """Unions of random perfect matchings: every vertex has nearly that degree."""

    def make(entries: int, rng: np.random.Generator) -> Edges:
        half = max(4, entries // degree // 2)
        ids = np.arange(2 * half, dtype=np.uint32)
        matchings = (rng.permutation(ids) for _ in range(degree))
        return edges_of(2 * half, *((each[:half], each[half:]) for each in matchings))

    return make


def small_world(entries: int, rng: np.random.Generator) -> Edges:
    """Watts and Strogatz: a ring of near neighbors, one edge in ten leads anywhere."""
    count = max(16, entries // 8)
    ids = ascending(count)
    pairs = []
    for step in range(1, 5):
        target = (ids + step) % count
        far = rng.random(count) < 0.1
        target[far] = rng.integers(0, count, int(far.sum()))
        pairs.append((ids, target))
    return edges_of(count, *pairs)


def bipartite(entries: int, rng: np.random.Generator) -> Edges:
    """Readers and books: readers first, three books each, popular ones more often."""
    readers = max(16, entries // 6)
    books = readers // 4
    ids = ascending(readers)
    picks = (books * rng.random((3, readers)) ** 2).astype(np.int64) + readers
    return edges_of(readers + books, *((ids, pick) for pick in picks))


def functional(entries: int, rng: np.random.Generator) -> Edges:
    """A random mapping: every vertex joined to its image."""
    count = max(8, entries // 2)
    return edges_of(count, (ascending(count), rng.integers(0, count, count)))
