"""Graphs that people bring: accounts, messages, packages, near duplicates, meshes, networks."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import Ids, ascending, edges_of, side_of


def transactions(entries: int, rng: np.random.Generator) -> Edges:
    """Accounts that pay the same few others, and one payment in eight to one of 32 exchanges."""
    count = max(64, entries // 5)
    payer = rng.integers(0, count, entries * 5 // 8)
    usual = (payer + 1 + (rng.random(len(payer)) ** 6 * (count - 1)).astype(np.int64)) % count
    exchange = rng.integers(0, 32, len(payer)) * (count // 32)
    return edges_of(count, (payer, np.where(rng.random(len(payer)) < 0.125, exchange, usual)))


def threads(entries: int, rng: np.random.Generator) -> Edges:
    """Messages in the order they came, each an answer to a recent one or the first of a thread."""
    message = ascending(max(64, entries * 5 // 8)) + 1
    back = rng.geometric(0.002, len(message))
    is_answer = (rng.random(len(message)) < 0.8) & (back <= message)
    return edges_of(len(message) + 1, (message[is_answer], (message - back)[is_answer]))


def dependencies(entries: int, rng: np.random.Generator) -> Edges:
    """Packages that need up to eight older ones, mostly the well known."""
    count = max(64, entries // 9)
    needs = rng.integers(0, 10, count)
    package = np.repeat(ascending(count), needs)
    needed = (package * rng.random(len(package)) ** 3).astype(np.int64)
    return edges_of(count, (package, needed))


def duplicates(entries: int, rng: np.random.Generator) -> Edges:
    """Texts that several buckets hold to be alike: most have no other, a few have thousands."""
    pairs = entries // 2
    sizes = np.minimum(2 + rng.pareto(1.2, max(16, pairs // 6)), 5000).astype(np.int64)
    sizes = sizes[: max(1, int(np.searchsorted(np.cumsum(sizes), pairs)))]
    cluster_begin = np.repeat(np.cumsum(sizes) - sizes, sizes)
    size = np.repeat(sizes, sizes)
    member = ascending(len(size))
    other = cluster_begin + (rng.random(len(size)) * size).astype(np.int64)
    next_one = cluster_begin + (member - cluster_begin + 1) % size
    name = rng.permutation(len(size) * 3 // 2)
    return edges_of(len(name), (name[member], name[other]), (name[member], name[next_one]))


def tetrahedra(entries: int, rng: np.random.Generator) -> Edges:
    """Cells of a mesh, six in each cube, joined by the faces they share."""
    del rng
    side = side_of(entries / 21, 3)
    cube = ascending(side**3)
    ring = [(6 * cube + i, 6 * cube + (i + 1) % 6) for i in range(6)]
    x, y, z = cube % side, cube // side % side, cube // side**2
    faces: list[tuple[Ids, Ids]] = []
    for axis, step in ((x, 1), (y, side), (z, side**2)):
        inner = cube[axis < side - 1]
        first = 2 * len(faces)
        faces.append((6 * inner + first, 6 * (inner + step) + (first + 3) % 6))
        faces.append((6 * inner + first + 1, 6 * (inner + step) + (first + 4) % 6))
    return edges_of(6 * side**3, *ring, *faces)


def contacts(entries: int, rng: np.random.Generator) -> Edges:
    """Households of three, all in contact, and two colleagues each in companies of twenty."""
    count = max(60, entries * 10 // 59) // 60 * 60
    person = ascending(count)
    home = person // 3 * 3
    family = [(home + i, home + j) for i, j in ((0, 1), (0, 2), (1, 2))]
    desk = rng.permutation(count)
    company = desk // 20 * 20
    person_at = np.argsort(desk)
    work = [(person, person_at[company + rng.integers(0, 20, count)]) for _ in range(2)]
    return edges_of(count, *((a[home == person], b[home == person]) for a, b in family), *work)


def rivers(entries: int, rng: np.random.Generator) -> Edges:
    """Cells of a map whose water flows to the lowest neighbor: many winding trees."""
    side = side_of(entries / 1.8)
    cell = ascending(side**2)
    height = rng.random(side**2)
    x, y = cell % side, cell // side
    last = side - 1  # at the rim, a cell is its own neighbor
    right, left = np.minimum(x + 1, last), np.maximum(x - 1, 0)
    below, above = np.minimum(y + 1, last), np.maximum(y - 1, 0)
    around = np.stack((y * side + right, y * side + left, below * side + x, above * side + x))
    lowest = around[np.argmin(height[around], axis=0), cell]
    flows = height[lowest] < height
    return edges_of(side**2, (cell[flows], lowest[flows]))


def highways(entries: int, rng: np.random.Generator) -> Edges:
    """Streets of towns, trees of winding roads, and a long link from every hundredth crossing."""
    count = max(64, entries * 10 // 22)
    crossing = ascending(count - 1) + 1
    street = np.maximum(crossing - 1 - rng.geometric(0.3, count - 1), 0)
    towns = crossing % 100 != 0
    ramp = ascending(count // 100) * 100
    return edges_of(
        count,
        (crossing[towns], street[towns]),
        (ramp, rng.permutation(ramp)),
        (ramp[:-1], ramp[1:]),
        (crossing[::8], street[::8]),
    )


def power_grid(entries: int, rng: np.random.Generator) -> Edges:
    """Lines from station to station with houses along them, and a few lines across."""
    count = max(64, entries * 10 // 22)
    node = ascending(count - 1) + 1
    is_house = rng.random(count - 1) < 0.6
    pole = node - 1 - (rng.random(count - 1) * np.minimum(node, 12)).astype(np.int64)
    across = rng.integers(0, count, (2, count // 10))
    return edges_of(count, (node, np.where(is_house, pole // 4 * 4, pole)), tuple(across))


def timelines(entries: int, rng: np.random.Generator) -> Edges:
    """Events of a thousand objects, mixed in time, each joined to the one before of its object."""
    count = max(64, entries * 5 // 9)
    objects = max(4, min(1000, count // 16))
    order = np.argsort(rng.integers(0, objects, count), kind="stable")
    cut = rng.random(count - 1) < 0.05  # an object is lost and begins again
    return edges_of(count, (order[:-1][~cut], order[1:][~cut]))
