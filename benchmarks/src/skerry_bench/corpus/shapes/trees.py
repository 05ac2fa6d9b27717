"""Trees: each is an array of parents."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import Ids, ascending, edges_of


def _tree(parents: Ids) -> Edges:
    """Vertex i + 1 joined to ``parents[i]``."""
    return edges_of(len(parents) + 1, (ascending(len(parents)) + 1, parents))


def _children(entries: int) -> Ids:
    return ascending(max(2, entries // 2)) + 1


def binary_tree(entries: int, rng: np.random.Generator) -> Edges:
    """A complete binary tree, level by level."""
    del rng
    return _tree((_children(entries) - 1) // 2)


def random_tree(entries: int, rng: np.random.Generator) -> Edges:
    """Every vertex picks an earlier one as its parent."""
    child = _children(entries)
    return _tree((rng.random(len(child)) * child).astype(np.int64))


def deep_tree(entries: int, rng: np.random.Generator) -> Edges:
    """Every vertex picks one of the eight before it."""
    child = _children(entries)
    return _tree(np.maximum(child - 1 - rng.integers(0, 8, len(child)), 0))


def file_tree(entries: int, rng: np.random.Generator) -> Edges:
    """Folders of very different sizes, their files after them: depth about ten."""
    child = _children(entries)
    folder = (child * rng.random(len(child)) ** 4).astype(np.int64)
    return _tree(folder // 8)


def caterpillar(entries: int, rng: np.random.Generator) -> Edges:
    """A path with three legs on each of its vertices, ids along it."""
    del rng
    child = _children(entries)
    spine = child // 4 * 4
    return _tree(np.where(child % 4 == 0, child - 4, spine))


def comb(entries: int, rng: np.random.Generator) -> Edges:
    """A path with long teeth: one for each of its vertices, as long as itself."""
    del rng
    child = _children(entries)
    length = max(2, int(len(child) ** 0.5))
    return _tree(np.where(child % length == 0, child - length, child - 1))


def broom(entries: int, rng: np.random.Generator) -> Edges:
    """A path that ends in a star: half of the vertices each."""
    del rng
    child = _children(entries)
    return _tree(np.minimum(child - 1, len(child) // 2))


def spider(entries: int, rng: np.random.Generator) -> Edges:
    """64 long legs from a center, ids round by round."""
    del rng
    return _tree(np.maximum(_children(entries) - 64, 0))
