"""Graphs of very many components."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import Maker, ascending, edges_of


def isolated(entries: int, rng: np.random.Generator) -> Edges:
    """No edges: as many vertices as there would be entries."""
    del rng
    return edges_of(entries)


def pairs(entries: int, rng: np.random.Generator) -> Edges:
    """Single edges between near ids."""
    del rng
    ids = ascending(entries // 2)
    return edges_of(2 * len(ids), (2 * ids, 2 * ids + 1))


def triangles(entries: int, rng: np.random.Generator) -> Edges:
    """Triangles whose corners are a third of the ids apart."""
    del rng
    third = max(1, entries // 6)
    ids = ascending(third)
    return edges_of(
        3 * third, (ids, ids + third), (ids + third, ids + 2 * third), (ids, ids + 2 * third)
    )


def cycles(length: int) -> Maker:
    """Cycles of one length, or a single one (length 0); ids along them."""

    def make(entries: int, rng: np.random.Generator) -> Edges:
        del rng
        size = length or entries // 2
        count = max(1, entries // 2 // size)
        ids = ascending(count * size)
        return edges_of(len(ids), (ids, np.where(ids % size == size - 1, ids - size + 1, ids + 1)))

    return make


def molecules(entries: int, rng: np.random.Generator) -> Edges:
    """Molecules of 8 to 40 atoms: random trees of small degree, with a ring in most of them."""
    sizes = rng.integers(8, 41, max(1, entries // 53))
    starts = np.cumsum(sizes) - sizes
    start = np.repeat(starts, sizes)
    ids = ascending(len(start))
    atom = ids - start
    parent = np.maximum(atom - 1 - rng.integers(0, 3, len(ids)), 0) + start
    ring = rng.random(len(sizes)) < 0.8
    return edges_of(len(ids), (ids[atom > 0], parent[atom > 0]), (starts[ring], (starts + 5)[ring]))


def k_mers(entries: int, rng: np.random.Generator) -> Edges:
    """Chains of overlapping words, ids by their hash; now and then two of them meet."""
    count = max(64, entries * 10 // 21)
    name = rng.permutation(count)
    ends = rng.random(count - 1) < 1 / 300
    ids = ascending(count - 1)[~ends]
    meets = rng.integers(0, count, (2, count // 400))
    return edges_of(count, (name[ids], name[ids + 1]), (meets[0], meets[1]))
