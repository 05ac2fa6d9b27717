"""Orders of the vertices: each function returns the new id of every vertex."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import skerry
from skerry import Edges
from skerry.graph.build import csr_from_edges
from skerry_bench.corpus.shapes.pairs import Ids, side_of


def _ranks(sequence: Ids) -> Ids:
    """The new id of every vertex, from the vertices in their new sequence."""
    ranks = np.empty(len(sequence), np.uint32)
    ranks[sequence] = np.arange(len(sequence), dtype=np.uint32)
    return ranks


def _shuffled(edges: Edges, rng: np.random.Generator) -> Ids:
    """At random."""
    return rng.permutation(np.arange(edges.num_vertices, dtype=np.uint32))


def _breadth_first(edges: Edges, rng: np.random.Generator) -> Ids:
    """Level by level from the smallest id of each component, one component after the other."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    del rng
    n = edges.num_vertices
    labels = skerry.connected_components(edges).labels
    roots = np.flatnonzero(labels == np.arange(n, dtype=labels.dtype))
    root = np.full(len(roots), n, np.uint32)  # one vertex more, joined to every component
    extended = Edges(np.append(edges.src, root), np.append(edges.dst, roots).astype("u4"), n + 1)
    rows = csr_from_edges(extended, 1)
    ones = np.ones(rows.num_entries, np.int8)
    offsets, neighbors = rows.offsets.astype(np.int32), rows.neighbors.astype(np.int32)
    matrix = csr_array((ones, neighbors, offsets), shape=(n + 1, n + 1))
    levels = breadth_first_order(matrix, n, return_predecessors=False)[1:]
    return _ranks(levels[np.argsort(labels[levels], kind="stable")])


def _by_degree(edges: Edges, rng: np.random.Generator) -> Ids:
    """The largest degree first."""
    del rng
    degrees = np.bincount(edges.src, minlength=edges.num_vertices)
    degrees += np.bincount(edges.dst, minlength=edges.num_vertices)
    return _ranks(np.argsort(-degrees, kind="stable"))


def _bit_reversed(edges: Edges, rng: np.random.Generator) -> Ids:
    """By the bits of the id, the lowest first: neighbors are as far apart as can be."""
    del rng
    bits = max(edges.num_vertices - 1, 1).bit_length()
    ids = np.arange(edges.num_vertices, dtype=np.uint32)
    mirrored = np.zeros_like(ids)
    for bit in range(bits):
        mirrored |= (ids >> np.uint32(bit) & np.uint32(1)) << np.uint32(bits - 1 - bit)
    return _ranks(np.argsort(mirrored, kind="stable"))


def _hilbert(edges: Edges, rng: np.random.Generator) -> Ids:
    """Cells of a square grid along Hilbert's curve."""
    del rng
    side = side_of(edges.num_vertices)
    ids = np.arange(edges.num_vertices, dtype=np.int64)
    y, x = np.divmod(ids, side)
    position = np.zeros_like(ids)
    step = 1 << max(side - 1, 1).bit_length() - 1
    while step:
        right, upper = (x & step) > 0, (y & step) > 0
        position += step * step * ((3 * right) ^ upper)
        mirror = ~upper & right
        x, y = (
            np.where(mirror, step - 1 - (x & step - 1), x),
            np.where(mirror, step - 1 - (y & step - 1), y),
        )
        x, y = np.where(upper, x, y), np.where(upper, y, x)
        step >>= 1
    return _ranks(np.argsort(position, kind="stable"))


ORDERS: dict[str, Callable[[Edges, np.random.Generator], Ids]] = {
    "shuffled": _shuffled,
    "bfs": _breadth_first,
    "degree": _by_degree,
    "bit-reversed": _bit_reversed,
    "hilbert": _hilbert,
}
"""Beside the natural order, in which the generator makes the vertices."""


def reordered(edges: Edges, order: str, rng: np.random.Generator) -> Edges:
    """The same graph with other ids; ``"natural"`` keeps them."""
    if order == "natural":
        return edges
    names = ORDERS[order](edges, rng)
    return Edges(names[edges.src], names[edges.dst], edges.num_vertices)
