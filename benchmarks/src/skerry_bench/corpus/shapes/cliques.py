"""Cliques, alone and joined, and complete bipartite graphs."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import Ids, ascending, edges_of


def _pairs_within(size: int) -> tuple[Ids, Ids]:
    upper: tuple[Ids, Ids] = np.triu_indices(size, 1)
    return upper


def _equal(count: int, size: int) -> tuple[Ids, Ids]:
    """Cliques of one size, ids clique by clique."""
    starts = size * ascending(count)[:, None]
    src, dst = _pairs_within(size)
    return starts + src, starts + dst


def complete(entries: int, rng: np.random.Generator) -> Edges:
    """Every pair of vertices."""
    del rng
    size = max(4, round(entries**0.5))
    return edges_of(size, _pairs_within(size))


def cliques_16(entries: int, rng: np.random.Generator) -> Edges:
    """Cliques of 16 vertices."""
    del rng
    count = max(1, entries // 240)
    return edges_of(16 * count, _equal(count, 16))


def cliques_varied(entries: int, rng: np.random.Generator) -> Edges:
    """Cliques of 2 to 64 vertices, as many entries in each size, one size after the other."""
    del rng
    pairs, start = [], 0
    sizes = [size for size in (2, 3, 4, 6, 8, 12, 16, 24, 32, 64) if 10 * size * size <= entries]
    for size in sizes:
        count = entries // len(sizes) // (size * (size - 1))
        src, dst = _equal(count, size)
        pairs.append((src + start, dst + start))
        start += count * size
    return edges_of(start, *pairs)


def clique_ring(entries: int, rng: np.random.Generator) -> Edges:
    """Cliques of 32 vertices, each joined to the next by one edge."""
    del rng
    count = max(3, entries // 994)
    starts = 32 * ascending(count)
    return edges_of(32 * count, _equal(count, 32), (starts + 31, np.roll(starts, -1)))


def caveman(entries: int, rng: np.random.Generator) -> Edges:
    """Cliques of eight; one edge in twenty leads anywhere instead."""
    count = max(3, entries // 56)
    src, dst = (ends.ravel() for ends in _equal(count, 8))
    far = rng.random(len(dst)) < 0.05
    dst[far] = rng.integers(0, 8 * count, int(far.sum()))
    return edges_of(8 * count, (src, dst))


def bipartite_complete(entries: int, rng: np.random.Generator) -> Edges:
    """Eight vertices joined to all others."""
    del rng
    others = ascending(max(8, entries // 16)) + 8
    return edges_of(len(others) + 8, *((others, np.full_like(others, hub)) for hub in range(8)))


def lollipop(entries: int, rng: np.random.Generator) -> Edges:
    """A clique with half of the entries, and a path from it."""
    del rng
    size = max(3, round((entries / 2) ** 0.5))
    tail = ascending(entries // 4) + size
    return edges_of(size + len(tail), _pairs_within(size), (tail - 1, tail))


def barbell(entries: int, rng: np.random.Generator) -> Edges:
    """A path between two cliques, a third of the entries each."""
    del rng
    size = max(3, round((entries / 3) ** 0.5))
    middle = ascending(entries // 6) + size
    src, dst = _pairs_within(size)
    far = size + len(middle)
    ends = (np.array([far - 1]), np.array([far]))
    return edges_of(far + size, (src, dst), (middle - 1, middle), ends, (src + far, dst + far))


def rook(entries: int, rng: np.random.Generator) -> Edges:
    """A board whose cells are joined along rows and columns."""
    del rng
    side = max(3, round((entries / 2) ** (1 / 3)))
    src, dst = _pairs_within(side)
    lines = ascending(side)[:, None]
    return edges_of(
        side * side,
        (lines * side + src, lines * side + dst),
        (src * side + lines, dst * side + lines),
    )
