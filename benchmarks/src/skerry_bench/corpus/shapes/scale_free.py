"""Graphs whose degrees follow a power law."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import ascending, edges_of


def power_law(entries: int, rng: np.random.Generator) -> Edges:
    """The configuration model: ends of edges joined at random; degrees by a power of -2.2."""
    count = max(64, entries // 4)
    degrees = np.minimum(rng.pareto(1.2, count) + 1, count**0.6).astype(np.int64)
    ends = np.repeat(np.arange(count, dtype=np.uint32), degrees)[: entries // 2 * 2]
    rng.shuffle(ends)
    half = len(ends) // 2
    return edges_of(count, (ends[:half], ends[half : 2 * half]))


def chung_lu(entries: int, rng: np.random.Generator) -> Edges:
    """Ends drawn by weights that fall with the id; vertices of the largest degrees first."""
    count = max(64, entries // 16)
    ends = (count * rng.random((2, entries // 2)) ** 2.5).astype(np.int64)
    return edges_of(count, (ends[0], ends[1]))


def kronecker(entries: int, rng: np.random.Generator) -> Edges:
    """Products of an initiator of 3 x 3 cells, ids in the order of the digits."""
    levels = max(4, round(np.log(entries / 12) / np.log(3)))
    weights = np.cumsum([0.26, 0.14, 0.04, 0.14, 0.16, 0.05, 0.04, 0.05, 0.12])
    src = np.zeros(entries // 2, np.uint32)
    dst = np.zeros(entries // 2, np.uint32)
    for _ in range(levels):
        cell = np.searchsorted(weights, rng.random(len(src)) * weights[-1]).astype(np.uint32)
        src = src * 3 + cell // 3
        dst = dst * 3 + cell % 3
    return edges_of(3**levels, (src, dst))


def citations(entries: int, rng: np.random.Generator) -> Edges:
    """Papers in the order of time: each cites six, most of them recent, a few anywhere."""
    count = max(64, entries // 12)
    ids = ascending(count)
    pairs = []
    for step in range(6):
        recent = ids - 1 - rng.geometric(8 / count, count)
        classic = (ids * rng.random(count) ** 3).astype(np.int64)
        pairs.append((ids, np.maximum(classic if step < 2 else recent, 0)))
    return edges_of(count, *pairs)


def forest_fire(entries: int, rng: np.random.Generator) -> Edges:
    """Every vertex is joined to a random earlier one and to three of its ancestors in turn."""
    count = max(64, entries // 8)
    ids = ascending(count)
    parent = (ids * rng.random(count)).astype(np.int64)
    ancestor, pairs = parent, [(ids, parent)]
    for _ in range(3):
        ancestor = parent[ancestor]
        pairs.append((ids, ancestor))
    return edges_of(count, *pairs)
