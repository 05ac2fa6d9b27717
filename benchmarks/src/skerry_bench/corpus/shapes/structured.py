"""Graphs from algebra and combinatorics."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import Ids, ascending, edges_of, side_of


def hypercube(entries: int, rng: np.random.Generator) -> Edges:
    """Ids that differ in one bit."""
    del rng
    bits = max(b for b in range(2, 26) if b << b <= max(1.4 * entries, 8))
    ids = np.arange(1 << bits, dtype=np.uint32)
    return edges_of(1 << bits, *((ids, ids ^ np.uint32(1 << bit)) for bit in range(bits)))


def de_bruijn(entries: int, rng: np.random.Generator) -> Edges:
    """Words of four letters, joined to the words that begin where they end."""
    del rng
    count = 4 ** max(3, round(np.log(entries / 8) / np.log(4)))
    ids = ascending(count)
    return edges_of(count, *((ids, (4 * ids + letter) % count) for letter in range(4)))


def butterfly(entries: int, rng: np.random.Generator) -> Edges:
    """The network of a fast Fourier transform, stage by stage."""
    del rng
    bits = max(b for b in range(2, 24) if 4 * b << b <= max(entries, 32))
    width = 1 << bits
    line = ascending(width)
    pairs = []
    for stage in range(bits):
        begin, end = stage * width + line, (stage + 1) * width
        pairs += [(begin, end + line), (begin, end + (line ^ (1 << stage)))]
    return edges_of((bits + 1) * width, *pairs)


def circulant(entries: int, rng: np.random.Generator) -> Edges:
    """A cycle with chords of fixed lengths, near and far."""
    del rng
    count = max(64, entries // 8)
    ids = ascending(count)
    steps = (1, 7, round(count**0.5), count // 3)
    return edges_of(count, *((ids, (ids + step) % count) for step in steps))


def margulis(entries: int, rng: np.random.Generator) -> Edges:
    """An expander on a torus of pairs of numbers."""
    del rng
    side = side_of(entries / 8)
    x, y = np.divmod(ascending(side * side), side)
    images = ((x + y, y), (x + y + 1, y), (x, y + x), (x, y + x + 1))
    ids = x * side + y
    return edges_of(side * side, *((ids, a % side * side + b % side) for a, b in images))


def divisors(entries: int, rng: np.random.Generator) -> Edges:
    """Numbers joined to their multiples; the number 1 is left out, so large primes are alone."""
    del rng
    count = max(64, round(entries / 2 / max(1.0, np.log(entries / 2) - 2)))
    divisor = ascending(count // 2 + 1)[2:]
    times = count // divisor - 1
    src = np.repeat(divisor, times)
    index = ascending(len(src)) - np.repeat(np.cumsum(times) - times, times)
    return edges_of(count + 1, (src, src * (index + 2)))


def sierpinski(entries: int, rng: np.random.Generator) -> Edges:
    """Sierpinski's triangle, one level inside the other."""
    del rng
    levels = max(2, round(np.log(entries / 3.6) / np.log(3)))
    src, dst = np.array([0, 0, 1]), np.array([1, 2, 2])
    size, corners = 3, (0, 1, 2)
    for _ in range(levels - 1):
        shifts = [0, size, 2 * size]
        bridges = [
            (corners[a] + shifts[b], corners[b] + shifts[a]) for a, b in ((0, 1), (0, 2), (1, 2))
        ]
        extra = np.array(bridges).T
        src = np.concatenate([*(src + shift for shift in shifts), extra[0]])
        dst = np.concatenate([*(dst + shift for shift in shifts), extra[1]])
        corners = (corners[0], corners[1] + shifts[1], corners[2] + shifts[2])
        size *= 3
    return edges_of(size, (src, dst))


def mycielski(entries: int, rng: np.random.Generator) -> Edges:
    """Mycielski's construction, again and again: no triangles, more colors each time."""
    del rng
    src, dst, count = np.array([0]), np.array([1]), 2
    while 3 * len(src) <= entries:
        copies = ascending(count) + count
        apex = np.full_like(copies, 2 * count)
        src, dst = (
            np.concatenate([src, src, dst, copies]),
            np.concatenate([dst, dst + count, src + count, apex]),
        )
        count = 2 * count + 1
    return edges_of(count, (src, dst))


def kneser(entries: int, rng: np.random.Generator) -> Edges:
    """Pairs of a set, joined where they are disjoint."""
    del rng
    size = max(s for s in range(5, 200) if comb(s, 2) * comb(s - 2, 2) <= max(entries, 32))
    sets: Ids = np.array(list(combinations(range(size), 2)))
    ids = ascending(len(sets))
    src, dst = np.triu_indices(len(ids), 1)
    a, b = sets[src], sets[dst]
    apart = (a[:, 0] != b[:, 0]) & (a[:, 1] != b[:, 1]) & (a[:, 0] != b[:, 1])
    apart &= a[:, 1] != b[:, 0]
    return edges_of(len(ids), (src[apart], dst[apart]))
