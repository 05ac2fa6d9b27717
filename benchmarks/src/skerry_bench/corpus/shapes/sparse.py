"""Graphs with few entries a vertex: servers, registers, contigs, cycles in a cube, commits."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import ascending, edges_of, groups_of, picked


def servers(entries: int, rng: np.random.Generator) -> Edges:
    """A data center: servers rack by rack, then a switch for each rack, then those of the rows."""
    count = max(64, round(entries / 2.1))
    begin, size = groups_of(count, rng.integers(20, 61, max(4, count // 20)))
    rack = np.repeat(ascending(len(begin)), size)
    rows = max(2, len(begin) // 16)
    row = ascending(len(begin)) * rows // len(begin)
    switch, upper = count + ascending(len(begin)), count + len(begin)
    return edges_of(
        upper + rows,
        (ascending(count), count + rack),
        (switch, upper + row),
        (switch, upper + (row + 1) % rows),
    )


def registers(entries: int, rng: np.random.Generator) -> Edges:
    """Two lists of people in orders of their own; most are in both, some twice in the second."""
    people = max(16, round(entries / 2 / 0.8))
    both = rng.permutation(people)[: round(0.7 * people)]
    twice = both[: len(both) // 7]
    number = people + rng.permutation(len(both) + len(twice))
    return edges_of(2 * people, (np.concatenate([both, twice]), number))


def contigs(entries: int, rng: np.random.Generator) -> Edges:
    """Two ends of each piece of a genome, side by side; some ends overlap with any other."""
    pieces = max(16, round(entries / 2 / 2.4))
    even = 2 * ascending(pieces)
    ends = rng.integers(0, 2 * pieces, (2, round(1.4 * pieces)))
    return edges_of(2 * pieces, (even, even + 1), (ends[0], ends[1]))


def cube_cycles(entries: int, rng: np.random.Generator) -> Edges:
    """Every corner of a hypercube is a cycle, with a vertex for each of its edges."""
    del rng
    bits = 3
    while 3 * (bits + 1) << (bits + 1) <= entries * 1.4:
        bits += 1
    vertex = ascending(bits << bits)
    corner, at = np.divmod(vertex, bits)
    across = (corner ^ (1 << at)) * bits + at
    return edges_of(len(vertex), (vertex, corner * bits + (at + 1) % bits), (vertex, across))


def commits(entries: int, rng: np.random.Generator) -> Edges:
    """A history: most commits follow the one before, some an older one; some join two lines."""
    count = max(64, round(entries / 2 / 1.15))
    commit = ascending(count)
    back = np.where(rng.random(count) < 0.75, 1, 1 + picked(400, rng, count, 3))
    parent = np.maximum(commit - back, 0)
    merges = commit[rng.random(count) < 0.15]
    other = np.maximum(merges - 2 - picked(400, rng, len(merges), 2), 0)
    return edges_of(count, (commit[1:], parent[1:]), (merges, other))
