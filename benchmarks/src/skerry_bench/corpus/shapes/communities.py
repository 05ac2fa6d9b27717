"""Graphs with dense parts and few edges between them."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import ascending, edges_of, joined
from skerry_bench.corpus.shapes.random_graphs import uniform


def planted_partition(entries: int, rng: np.random.Generator) -> Edges:
    """Communities of 500; nine edges in ten stay inside."""
    count = max(64, entries // 12)
    src = rng.integers(0, count, entries // 2)
    inside = src // 500 * 500 + rng.integers(0, min(500, count), len(src))
    anywhere = rng.integers(0, count, len(src))
    dst = np.where(rng.random(len(src)) < 0.9, np.minimum(inside, count - 1), anywhere)
    return edges_of(count, (src, dst))


def two_giants(entries: int, rng: np.random.Generator) -> Edges:
    """Two random graphs of the same size, their ids mixed, without an edge between them."""
    half = uniform(8)(entries // 2, rng)
    other = uniform(8)(entries // 2, rng)
    both = joined([half, other])
    name = rng.permutation(both.num_vertices)
    return edges_of(both.num_vertices, (name[both.src], name[both.dst]))


def hierarchy(entries: int, rng: np.random.Generator) -> Edges:
    """Each edge stays within a group of 4, 16, 64, ...: the larger, the fewer edges leave it."""
    count = max(64, entries // 6)
    src = rng.integers(0, count, entries // 2)
    span = 4 ** rng.geometric(0.45, len(src))
    start = src // span * span
    dst = start + (rng.random(len(src)) * np.minimum(span, count - start)).astype(np.int64)
    return edges_of(count, (src, dst))


def groups(entries: int, rng: np.random.Generator) -> Edges:
    """People in groups of five, three groups each: everyone is joined to the next of the group."""
    count = max(64, entries // 6)
    pairs = []
    for _ in range(3):
        member = rng.permutation(count)
        last = ascending(count) % 5 == 4
        pairs.append((member[~last][:-1], member[1:][~last[:-1]]))
    return edges_of(count, *((src[: len(dst)], dst[: len(src)]) for src, dst in pairs))


def layered(entries: int, rng: np.random.Generator) -> Edges:
    """Layers of a thousand (fewer if it is small), each vertex joined to four of the one before."""
    count = max(64, entries // 8)
    width = min(1000, count // 4)
    ids = ascending(count)[width:]
    start = ids // width * width - width
    return edges_of(count, *((ids, start + rng.integers(0, width, len(ids))) for _ in range(4)))
