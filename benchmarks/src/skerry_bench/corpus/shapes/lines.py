"""Graphs of lines: polymers, bus lines, words of a trie, moves on a board, permutations."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import (
    ascending,
    by_first_use,
    edges_of,
    groups_of,
    picked,
    side_of,
    stepped,
)


def polymers(entries: int, rng: np.random.Generator) -> Edges:
    """Chains of 50 to 500 atoms; one atom in 25 is bound to one of a chain nearby."""
    count = max(64, round(entries / 2.08))
    begin, _ = groups_of(count, rng.integers(50, 500, count // 50 + 2))
    atom = ascending(count)
    after = np.delete(atom, begin)
    bound = atom[rng.random(count) < 0.04]
    other = (bound + rng.integers(-5000, 5000, len(bound))) % count
    return edges_of(count, (after, after - 1), (bound, other))


def bus_lines(entries: int, rng: np.random.Generator) -> Edges:
    """Lines of 10 to 60 stops, numbered as they come; three of ten are stops of lines before."""
    count = max(64, entries // 2)
    begin, _ = groups_of(count, rng.integers(10, 60, count // 10 + 2))
    new = rng.random(count) < 0.7
    new[0] = True
    stop = np.cumsum(new) - 1
    stop[~new] = picked(stop[~new] + 1, rng, int((~new).sum()))
    after = np.delete(ascending(count), begin)
    return edges_of(int(new.sum()), (stop[after], stop[after - 1]))


def tries(entries: int, rng: np.random.Generator) -> Edges:
    """The prefixes of words of some of four letters, numbered as the words are put in."""
    letters, words = 4, max(8, entries // 14)
    length = round(np.log(words) / np.log(letters)) + 6
    letter = (rng.random((words, length)) ** 2 * letters).astype(np.int64) + 1
    codes = np.zeros((words, length + 1), np.int64)  # a prefix as a number of base 5
    for at in range(length):
        codes[:, at + 1] = codes[:, at] * (letters + 1) + letter[:, at]
    prefixes, number = np.unique(codes.ravel(), return_inverse=True)
    ranks, count = by_first_use(number.ravel(), len(prefixes))
    node = ranks[number].reshape(codes.shape)
    child, first = np.unique(node[:, 1:], return_index=True)
    return edges_of(count, (child, node[:, :-1].ravel()[first]))


def knights(entries: int, rng: np.random.Generator) -> Edges:
    """The squares of a board, and where a knight can go from them."""
    del rng
    side = side_of(entries / 8)
    return edges_of(side * side, *stepped((side, side), (1, 2), (2, 1), (1, -2), (2, -1)))


def permutations(entries: int, rng: np.random.Generator) -> Edges:
    """Each vertex and where a permutation takes it: a few long cycles in no order."""
    count = max(8, entries // 2)
    return edges_of(count, (ascending(count), rng.permutation(count)))
