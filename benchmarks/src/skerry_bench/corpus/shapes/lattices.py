"""Regular lattices of two to four dimensions, ids in row-major order."""

from __future__ import annotations

from itertools import product

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import ascending, edges_of, side_of, stepped


def _lattice(shape: tuple[int, ...], *steps: tuple[int, ...]) -> Edges:
    return edges_of(int(np.prod(shape)), *stepped(shape, *steps))


def _half_ball(dimensions: int) -> list[tuple[int, ...]]:
    """Every step by at most 1 in each dimension, of two opposite ones the larger."""
    return [step for step in product((-1, 0, 1), repeat=dimensions) if step > (0,) * dimensions]


def grid(entries: int, rng: np.random.Generator) -> Edges:
    """A square grid, four neighbors."""
    del rng
    side = side_of(entries / 4)
    return _lattice((side, side), (0, 1), (1, 0))


def grid_3d(entries: int, rng: np.random.Generator) -> Edges:
    """A cube, six neighbors."""
    del rng
    side = side_of(entries / 6, 3)
    return _lattice((side,) * 3, (0, 0, 1), (0, 1, 0), (1, 0, 0))


def grid_4d(entries: int, rng: np.random.Generator) -> Edges:
    """Four dimensions, eight neighbors."""
    del rng
    side = side_of(entries / 7, 4)
    return _lattice((side,) * 4, (0, 0, 0, 1), (0, 0, 1, 0), (0, 1, 0, 0), (1, 0, 0, 0))


def strip(entries: int, rng: np.random.Generator) -> Edges:
    """A long grid, 16 wide."""
    del rng
    return _lattice((max(2, entries // 62), 16), (0, 1), (1, 0))


def ladder(entries: int, rng: np.random.Generator) -> Edges:
    """Two paths with rungs."""
    del rng
    return _lattice((max(2, entries // 6), 2), (0, 1), (1, 0))


def stencil_9(entries: int, rng: np.random.Generator) -> Edges:
    """A square grid with diagonals, eight neighbors."""
    del rng
    return _lattice((side_of(entries / 8),) * 2, *_half_ball(2))


def stencil_27(entries: int, rng: np.random.Generator) -> Edges:
    """A cube with all diagonals, 26 neighbors."""
    del rng
    return _lattice((side_of(entries / 25, 3),) * 3, *_half_ball(3))


def torus(entries: int, rng: np.random.Generator) -> Edges:
    """A square grid whose opposite sides are joined."""
    del rng
    side = side_of(entries / 4)
    ids = ascending(side * side).reshape(side, side)
    return edges_of(side * side, (ids, np.roll(ids, -1, 0)), (ids, np.roll(ids, -1, 1)))


def honeycomb(entries: int, rng: np.random.Generator) -> Edges:
    """Hexagons: a grid with every second rung."""
    del rng
    side = side_of(entries / 3)
    along, (upper, lower) = stepped((side, side), (0, 1), (1, 0))
    rung = upper % np.uint32(side) % 2 == upper // np.uint32(side) % 2
    return edges_of(side * side, along, (upper[rung], lower[rung]))


def diagonals(entries: int, rng: np.random.Generator) -> Edges:
    """A square grid with one of two diagonals in every cell, at random: a triangle mesh."""
    side = side_of(entries / 6)
    right, down, falling, rising = stepped((side, side), (0, 1), (1, 0), (1, 1), (1, -1))
    choice = rng.random(falling[0].shape) < 0.5
    kept = [(falling[0][choice], falling[1][choice]), (rising[0][~choice], rising[1][~choice])]
    return edges_of(side * side, right, down, *kept)


def banded(entries: int, rng: np.random.Generator) -> Edges:
    """Every vertex joined to the eight after it: a banded matrix."""
    del rng
    count = max(9, entries // 16)
    ids = np.arange(count, dtype=np.uint32)
    return edges_of(count, *((ids[:-step], ids[step:]) for step in range(1, 9)))
