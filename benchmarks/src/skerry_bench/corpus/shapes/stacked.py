"""Graphs in layers: points of time, resolutions, a smoothed map, visits of pages, trusses."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import (
    ascending,
    edges_of,
    groups_of,
    picked,
    side_of,
    stepped,
    stepped_inside,
)


def snapshots(entries: int, rng: np.random.Generator) -> Edges:
    """A sparse graph at each point of time; most members are there at the next one, too."""
    members = max(32, side_of(entries / 4) // 2)
    times = max(2, round(entries / 3.8 / members))
    count = members * times
    meetings = rng.integers(0, members, (2, count))
    time = ascending(count) // members * members
    stays = ascending(count - members)[rng.random(count - members) < 0.9]
    return edges_of(count, (time + meetings[0], time + meetings[1]), (stays, stays + members))


def pyramids(entries: int, rng: np.random.Generator) -> Edges:
    """A square, and it in half the resolution, and so on: cells beside and above each other."""
    del rng
    side, start, pairs = side_of(entries / 8), 0, []
    while side > 1:
        pairs += [(a + start, b + start) for a, b in stepped((side, side), (0, 1), (1, 0))]
        row, column = np.divmod(ascending(side * side), side)
        above, half = start + side * side, (side + 1) // 2
        pairs.append((start + row * side + column, above + row // 2 * half + column // 2))
        start, side = above, half
    return edges_of(start + 1, *pairs)


def caves(entries: int, rng: np.random.Generator) -> Edges:
    """Open cells of a map in which each cell became what most around it were, some times."""
    side = side_of(entries / 1.9, minimum=8)
    open_ = rng.random((side, side)) < 0.53
    for _ in range(3):
        around = sum(
            np.roll(open_, (down, right), (0, 1)).astype(np.int8)
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
        )
        open_ = np.asarray(around) >= 5
    number = np.cumsum(open_.ravel()) - 1
    pairs = stepped_inside(open_, number.reshape(side, side), (0, 1), (1, 0))
    return edges_of(max(1, int(open_.sum())), *pairs)


def visits(entries: int, rng: np.random.Generator) -> Edges:
    """Pages, then users, then their visits: each of one user and to three pages, often the same."""
    count = max(16, entries // 8)
    pages, users = max(4, count // 10), max(4, count // 5)
    visit = pages + users + ascending(count)
    user = pages + np.sort(picked(users, rng, count, 1.5))
    seen = [picked(pages, rng, count, 3.0) for _ in range(3)]
    return edges_of(pages + users + count, (visit, user), *((visit, page) for page in seen))


def trusses(entries: int, rng: np.random.Generator) -> Edges:
    """Girders of two chords with struts and diagonals; every second one is joined to the next."""
    panels = max(16, round(entries / 8))
    begin, _ = groups_of(panels, rng.integers(10, 120, panels // 10 + 2))
    low, high = 2 * ascending(panels), 2 * ascending(panels) + 1
    after = np.delete(low, begin)
    joins = low[begin[1:][rng.random(len(begin) - 1) < 0.5]]
    return edges_of(
        2 * panels,
        (low, high),
        (after, after - 2),
        (after + 1, after - 1),
        (after, after - 1),
        (joins, joins - 2),
    )
