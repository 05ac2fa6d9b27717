"""Graphs of ways: through a warehouse, in vessels, along a wall, over patches, between mails."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import ascending, edges_of, groups_of, side_of


def aisles(entries: int, rng: np.random.Generator) -> Edges:
    """Floors of parallel aisles, which meet at both ends; now and then a lift to the next floor."""
    length, wide = 150, min(40, side_of(entries / 300))
    floors = max(2, round(entries / 2 / (length * wide * 1.02)))
    spot = ascending(floors * wide * length).reshape(floors, wide, length)
    lifts = rng.integers(0, wide, (4, floors - 1))
    floor = ascending(floors - 1)
    ends = [(spot[:, 1:, at], spot[:, :-1, at]) for at in (0, length - 1)]
    stories = [(spot[floor, lift, 0], spot[floor + 1, lift, 0]) for lift in lifts]
    return edges_of(spot.size, (spot[:, :, 1:], spot[:, :, :-1]), *ends, *stories)


def vessels(entries: int, rng: np.random.Generator) -> Edges:
    """Arteries and veins: trees of long branches; the last of each branch may meet another's."""
    count = max(64, round(entries / 2 / 1.05))
    begin, size = groups_of(count, rng.integers(5, 200, max(4, count // 20)))
    after = np.delete(ascending(count), begin)
    from_ = (begin[1:] * rng.random(len(begin) - 1) ** 0.5).astype(np.int64)
    last = begin + size - 1
    meets = rng.permutation(len(last))
    half = len(last) // 2
    return edges_of(
        count,
        (after, after - 1),
        (begin[1:], from_),
        (last[meets[:half]], last[meets[half : 2 * half]]),
    )


def mosaics(entries: int, rng: np.random.Generator) -> Edges:
    """A wall of bricks of any width: each touches those beside it and those above it."""
    width = max(64, side_of(entries / 6) * 4)
    layers = max(2, round(entries / 6 / (width / 4)))
    walls = rng.random((layers, width)) < 0.25
    walls[:, 0] = True
    brick = (np.cumsum(walls.ravel()) - 1).reshape(layers, width)
    beside = walls[:, 1:]
    corner = walls[1:] | walls[:-1]
    return edges_of(
        int(brick[-1, -1]) + 1,
        (brick[:, 1:][beside], brick[:, :-1][beside]),
        (brick[1:][corner], brick[:-1][corner]),
    )


def quilts(entries: int, rng: np.random.Generator) -> Edges:
    """Square patches, each row by row, sewn to the next in both directions with some stitches."""
    side = min(24, side_of(entries / 64))
    across = side_of(entries / 4 / side**2)
    ids = ascending(across * across * side * side).reshape(across, across, side, side)
    beside = rng.random((across, across - 1, side)) < 0.3
    below = rng.random((across - 1, across, side)) < 0.3
    return edges_of(
        ids.size,
        (ids[..., 1:], ids[..., :-1]),
        (ids[..., 1:, :], ids[..., :-1, :]),
        (ids[:, 1:, :, 0][beside], ids[:, :-1, :, -1][beside]),
        (ids[1:, :, 0, :][below], ids[:-1, :, -1, :][below]),
    )


def replies(entries: int, rng: np.random.Generator) -> Edges:
    """Mails by their time: nine of ten answer an earlier one, mostly a recent one, of any list."""
    count = max(64, round(entries / 2 / 0.9))
    mail = ascending(count)[1:]
    answers = mail[rng.random(count - 1) < 0.9]
    back = np.minimum(rng.pareto(0.9, len(answers)) * 30 + 1, answers).astype(np.int64)
    return edges_of(count, (answers, answers - back))
