"""Graphs of what images and plans show: pores, runs of pixels, nerves, fibers, lines of a metro."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import (
    Ids,
    ascending,
    by_first_use,
    edges_of,
    groups_of,
    picked,
    side_of,
    stepped_inside,
)


def _numbers_of(inside: Ids) -> Ids:
    """The cells that are inside get numbers in their order; what the others get means nothing."""
    numbers: Ids = np.cumsum(inside.ravel()) - 1
    return numbers.reshape(inside.shape)


def porous(entries: int, rng: np.random.Generator) -> Edges:
    """The pores of a stone: a third of the cells of a cube, each joined with those beside it."""
    side = side_of(entries / 0.78, 3)
    open_cells = rng.random((side, side, side), np.float32) < 0.36
    beside = stepped_inside(open_cells, _numbers_of(open_cells), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    return edges_of(int(open_cells.sum()), *beside)


def scan_lines(entries: int, rng: np.random.Generator) -> Edges:
    """Runs of pixels, row by row, as labeling of images has them: joined where they touch."""
    side = side_of(entries * 3.5, minimum=8)
    noise = rng.random((side, side), np.float32)
    smooth = noise + np.roll(noise, 1, 0) + np.roll(noise, 1, 1) + np.roll(noise, (1, 1), (0, 1))
    inside = smooth > 2
    begins = inside.copy()
    begins[:, 1:] &= ~inside[:, :-1]
    run = _numbers_of(begins)
    above, below = run[:-1], run[1:]
    touch = inside[:-1] & inside[1:]
    again = np.zeros_like(touch)  # the two runs have touched one pixel before
    again[:, 1:] = touch[:, :-1] & ~begins[:-1, 1:] & ~begins[1:, 1:]
    touch &= ~again
    return edges_of(int(begins.sum()), (above[touch], below[touch]))


def dendrites(entries: int, rng: np.random.Generator) -> Edges:
    """Nerve cells point by point: each follows the one before or, seldom, branches off."""
    count = max(64, entries // 2)
    sizes = np.maximum(rng.lognormal(6.5, 1, max(8, count // 256)), 2).astype(np.int64)
    cell = np.repeat(*groups_of(count, sizes))
    point = ascending(count)
    branches = rng.random(count) < 0.03
    earlier = cell + picked(point - cell, rng, count)
    before = np.where(branches, earlier, point - 1)
    inside = point > cell
    return edges_of(count, (point[inside], before[inside]))


def fibers(entries: int, rng: np.random.Generator) -> Edges:
    """Bundles of long fibers, one after the other, with breaks and a few links to the next."""
    length = max(8, side_of(entries / 2.1) * 4)
    count = max(2, entries // 2 // length) * length
    point = ascending(count)
    goes_on = (point % length != length - 1) & (rng.random(count) > 0.005)
    linked = (point < count - length) & (rng.random(count) < 0.05)
    linked &= point // length % 32 != 31  # the last of a bundle
    along, across = point[goes_on], point[linked]
    return edges_of(count, (along, along + 1), (across, across + length))


def metro(entries: int, rng: np.random.Generator) -> Edges:
    """Stations line by line; lines turn now and then, and meet where they cross."""
    side = side_of(entries / 1.2, minimum=8)
    lines = max(1, round(0.6 * side))
    turns = np.where(rng.random((lines, side)) < 0.05, rng.choice([-1, 1], (lines, side)), 0)
    heading = (rng.integers(0, 8, (lines, 1)) + np.cumsum(turns, axis=1)) % 8
    steps = np.array([(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)])
    places = np.cumsum(steps[heading], axis=1) + rng.integers(0, side, (lines, 1, 2))
    station = places % side @ np.array([side, 1])
    number, used = by_first_use(station.ravel(), side * side)
    station = number[station]
    return edges_of(used, (station[:, :-1], station[:, 1:]))
