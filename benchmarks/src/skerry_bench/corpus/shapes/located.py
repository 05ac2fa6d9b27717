"""Graphs of things that lie somewhere: cells of a chip, regions, pipes, galaxies, neurons."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import (
    Ids,
    ascending,
    by_first_use,
    edges_of,
    groups_of,
    side_of,
)


def _power_law(count: int, exponent: float, limit: int, rng: np.random.Generator) -> Ids:
    """Sizes from 1 to the limit."""
    sizes: Ids = np.minimum(1 + rng.pareto(exponent, count), limit).astype(np.int64)
    return sizes


def netlist(entries: int, rng: np.random.Generator) -> Edges:
    """Cells of a chip, row by row: each drives a few near ones; clocks and a reset, many."""
    side = side_of(entries / 3.7)
    count = side * side
    fillers = rng.random(count) < 0.05  # without pins
    driver = np.repeat(ascending(count), rng.geometric(0.5, count))
    y, x = np.divmod(driver, side)
    x = x + np.rint(rng.laplace(0, 3, len(driver)) * (1 + rng.pareto(3, len(driver))))
    y = y + np.rint(rng.laplace(0, 1, len(driver)) * (1 + rng.pareto(3, len(driver))))
    inside = (x >= 0) & (x < side) & (y >= 0) & (y < side)
    driver, sink = driver[inside], (y * side + x)[inside].astype(np.int64)
    wired = ~fillers[driver] & ~fillers[sink]
    register = np.flatnonzero((rng.random(count) < 0.15) & ~fillers)
    clock = count + rng.integers(0, 3, len(register))
    cleared = register[::2]
    reset = np.full_like(cleared, count + 3)
    return edges_of(count + 4, (driver[wired], sink[wired]), (register, clock), (cleared, reset))


def _voronoi(tiles: int, rng: np.random.Generator) -> Ids:
    """The nearest of random points for every pixel: a point in two tiles of three, of 3 x 3."""
    points = rng.random((2, tiles, tiles), np.float32)
    points[:, rng.random((tiles, tiles)) < 1 / 3] = np.inf
    points = np.pad(points, ((0, 0), (1, 1), (1, 1)), constant_values=np.inf)
    tile = np.arange(tiles * tiles, dtype=np.int32).reshape(tiles, tiles)
    nearest = np.empty((tiles, 3, tiles, 3), np.int32)
    for row, column in np.ndindex(3, 3):
        best, owner = np.full((tiles, tiles), np.inf, np.float32), tile
        for up, left in np.ndindex(3, 3):
            y, x = points[:, up : up + tiles, left : left + tiles]
            down, right = up - 1 - (row + 0.5) / 3, left - 1 - (column + 0.5) / 3
            distance = (y + down) ** 2 + (x + right) ** 2
            owner = np.where(distance < best, tile + ((up - 1) * tiles + left - 1), owner)
            best = np.minimum(best, distance)
        nearest[:, row, :, column] = owner
    return nearest.reshape(3 * tiles, 3 * tiles)


def regions(entries: int, rng: np.random.Generator) -> Edges:
    """Regions of an image by their first pixel, joined where they touch and are of one gray."""
    tiles = side_of(entries / 3.4)
    region = _voronoi(tiles, rng)
    name, used = by_first_use(region.ravel(), tiles * tiles)
    objects = rng.integers(0, 3, (tiles // 12 + 1, tiles // 12 + 1), np.int8)
    gray = np.kron(objects, np.ones((12, 12), np.int8))[:tiles, :tiles].ravel()
    gray[rng.random(len(gray)) < 0.03] = 3
    pairs = []
    for before, after in ((region[:, :-1], region[:, 1:]), (region[:-1], region[1:])):
        touch = before != after
        a, b = before[touch], after[touch]
        alike = gray[a] == gray[b]
        pairs.append((name[a[alike]], name[b[alike]]))
    return edges_of(used, *pairs)


def water_mains(entries: int, rng: np.random.Generator) -> Edges:
    """Districts, each a ring of pipes with trees of pipes along it, most joined to the next."""
    count = max(64, entries // 2)
    begin, size = groups_of(count, 40 + 40 * _power_law(count // 40 + 1, 1.2, 200, rng))
    start, length = np.repeat(begin, size), np.repeat(size, size)
    node = ascending(count)
    index, ring = node - start, length // 8
    on_ring = index <= ring
    street = (index - ring) * ring // np.maximum(length - ring, 1)  # where it leaves the ring
    pipe = np.maximum(index - rng.geometric(0.4, count), street)
    pipe = np.where(rng.random(count) < 0.1, street, pipe)
    parent = np.where(on_ring, index - 1, pipe) + start
    tree = index > 0
    closed = begin, begin + size // 8
    links = rng.random(len(begin) - 1) < 0.8
    trunk = begin[:-1][links], begin[1:][links]
    return edges_of(count, (node[tree], parent[tree]), closed, trunk)


def _along_curve(points: Ids) -> Ids:
    """The points of a cube in the order of Morton's curve."""
    cells = (np.clip(points, 0, 1 - 2**-16) * 2**16).astype(np.int64)
    key = np.zeros(len(points), np.int64)
    for bit in range(16):
        for axis in range(3):
            key |= (cells[:, axis] >> bit & 1) << (3 * bit + axis)
    return np.argsort(key, kind="stable")


def haloes(entries: int, rng: np.random.Generator) -> Edges:
    """Galaxies along Morton's curve, many in clusters, joined to a few that are close."""
    count = max(64, entries // 6)
    begin, size = groups_of(count, _power_law(count, 0.9, max(64, count // 64), rng))
    distance = count ** (-1 / 3)  # on average, if they were evenly spread
    radius = np.cbrt(size / 800) * distance
    way = rng.normal(size=(count, 3))
    way *= (rng.random(count) / np.linalg.norm(way, axis=1))[:, None]
    points = np.repeat(rng.random((len(begin), 3)), size, axis=0)
    points += np.repeat(radius, size)[:, None] * way
    points = points[_along_curve(points)]
    pairs = []
    for curve in (ascending(count), _along_curve(points * 0.7 + 0.2)):
        for step in range(1, 7):
            a, b = curve[:-step], curve[step:]
            close = ((points[a] - points[b]) ** 2).sum(axis=1) < (0.2 * distance) ** 2
            pairs.append((a[close], b[close]))
    return edges_of(count, *pairs)


def fragments(entries: int, rng: np.random.Generator) -> Edges:
    """Pieces of neurons, chunk by chunk of a volume, joined to the next of the neuron."""
    count = max(64, entries * 10 // 22)
    begin, size = groups_of(count, _power_law(count, 0.9, max(16, count // 64), rng))
    neuron = np.repeat(ascending(len(begin)), size)
    side = side_of(count / 500, 3)
    steps = rng.integers(-1, 2, (len(begin), 3))[neuron] * (rng.random((count, 3)) < 0.2)
    way = np.cumsum(steps, axis=0)
    way += (rng.integers(0, side, (len(begin), 3)) - way[begin])[neuron]
    way %= 2 * side
    way = np.minimum(way, 2 * side - 1 - way)  # back from the rim
    chunk = (way[:, 2] * side + way[:, 1]) * side + way[:, 0]
    order = np.argsort(chunk + rng.random(count))
    rank = np.empty_like(order)
    rank[order] = ascending(count)
    pairs = []
    for step, share in ((1, 1.0), (2, 0.3)):
        same = (neuron[:-step] == neuron[step:]) & (rng.random(count - step) < share)
        pairs.append((rank[:-step][same], rank[step:][same]))
    mistakes = ascending(count - 1)[rng.random(count - 1) < 0.001]
    return edges_of(count, *pairs, (mistakes, mistakes + 1))
