"""Graphs of regular parts: a crystal, exchanges, islands, strands, sensors along a Z curve."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import (
    ascending,
    edges_of,
    groups_of,
    side_of,
    stepped_inside,
)


def crystals(entries: int, rng: np.random.Generator) -> Edges:
    """Corners of cubes, then their centers, each next to the eight corners around it."""
    del rng
    side = side_of(entries / 16, 3)
    corners = (side + 1) ** 3
    z, y, x = (axis.ravel() for axis in np.indices((side, side, side), np.int64))
    center = corners + ascending(side**3)
    pairs = [
        (((z + dz) * (side + 1) + y + dy) * (side + 1) + x + dx, center)
        for dz, dy, dx in np.ndindex(2, 2, 2)
    ]
    return edges_of(corners + side**3, *pairs)


def shuffle_exchange(entries: int, rng: np.random.Generator) -> Edges:
    """Numbers next to those that differ in the last bit, and to those rotated by one bit."""
    del rng
    bits = max(3, round(np.log2(entries / 3)))
    number = ascending(1 << bits)
    rotated = (number << 1 | number >> (bits - 1)) & ((1 << bits) - 1)
    even = number[::2]
    return edges_of(1 << bits, (even, even + 1), (number, rotated))


def islands(entries: int, rng: np.random.Generator) -> Edges:
    """Squares of very different sizes, one after the other, each row by row."""
    count = max(64, entries // 4)
    sides = np.minimum(2 + rng.pareto(1.2, max(8, count // 8)) * 2, count**0.5 / 2).astype(np.int64)
    begin, size = groups_of(count, sides**2)
    side = np.repeat(sides[: len(begin)], size)
    cell = ascending(count)
    inside = cell - np.repeat(begin, size)
    left = cell[inside % side > 0]
    up = inside >= side
    return edges_of(count, (left, left - 1), (cell[up], (cell - side)[up]))


def braids(entries: int, rng: np.random.Generator) -> Edges:
    """Eight long strands, one after the other; now and then two that lie side by side touch."""
    strands = 8
    length = max(8, round(entries / 2 / strands / 1.05))
    cell = ascending(strands * length).reshape(strands, length)
    touch = np.nonzero(rng.random((strands - 1, length)) < 0.05)
    return edges_of(
        strands * length, (cell[:, 1:], cell[:, :-1]), (cell[1:][touch], cell[:-1][touch])
    )


def sensors(entries: int, rng: np.random.Generator) -> Edges:
    """A grid of which a quarter is missing, each linked to those around it, along a Z curve."""
    bits = max(2, round(np.log2(entries / 8 / 0.5625) / 2))
    side = 1 << bits
    y, x = (axis.ravel() for axis in np.indices((side, side), np.int64))
    code = np.zeros(side * side, np.int64)
    for bit in range(bits):
        code |= (x >> bit & 1) << 2 * bit | (y >> bit & 1) << 2 * bit + 1
    there = np.flatnonzero(rng.random(side * side) < 0.75)
    number = np.full(side * side, -1)
    number[there[np.argsort(code[there])]] = ascending(len(there))
    grid = number.reshape(side, side)
    return edges_of(len(there), *stepped_inside(grid >= 0, grid, (0, 1), (1, 0), (1, 1)))
