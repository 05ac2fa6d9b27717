"""Points and streets: graphs whose edges are short in space."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.lattices import grid
from skerry_bench.corpus.shapes.pairs import Ids, ascending, edges_of, side_of


def _kept(edges: Edges, keep: Ids) -> Edges:
    return Edges(edges.src[keep], edges.dst[keep], edges.num_vertices)


def bond_percolation(entries: int, rng: np.random.Generator) -> Edges:
    """A grid at the critical point: half of its edges, components of every size."""
    full = grid(2 * entries, rng)
    return _kept(full, rng.random(full.num_edges) < 0.5)


def blobs(entries: int, rng: np.random.Generator) -> Edges:
    """An image: cells of a grid that are set, in blobs of eight, joined where both are set."""
    full = grid(2 * entries, rng)
    side = side_of(full.num_vertices)
    coarse = rng.random((side // 8 + 1, side // 8 + 1)) < 0.55
    fine = np.kron(coarse, np.ones((8, 8), bool))[:side, :side].ravel()
    fine &= rng.random(len(fine)) < 0.95
    return _kept(full, fine[full.src] & fine[full.dst])


def _sorted_points(count: int, dimensions: int, rng: np.random.Generator) -> Ids:
    """Random points in a cube, sorted by coarse cells, as spatial databases store them."""
    points = rng.random((count, dimensions)).astype(np.float32)
    cells = side_of(count / 64, dimensions)
    key = np.zeros(count, np.int64)
    for axis in range(dimensions):
        key = key * cells + (points[:, axis] * cells).astype(np.int64)
    ordered: Ids = points[np.argsort(key, kind="stable")]
    return ordered


def _nearest(points: Ids, neighbors: int) -> Ids:
    """The nearest neighbors of every point, itself not included."""
    from scipy.spatial import cKDTree

    near: Ids = np.asarray(cKDTree(points).query(points, neighbors + 1)[1])
    return near[:, 1:]


def nearest_neighbors(entries: int, rng: np.random.Generator) -> Edges:
    """Points of a plane joined to their three nearest."""
    count = max(16, entries * 10 // 38)
    near = _nearest(_sorted_points(count, 2, rng), 3)
    ids = ascending(count)
    return edges_of(count, *((ids, near[:, column]) for column in range(3)))


def geometric_3d(entries: int, rng: np.random.Generator) -> Edges:
    """Points of a cube joined where they are close: about eight neighbors each."""
    from scipy.spatial import cKDTree

    count = max(64, entries // 8)
    points = _sorted_points(count, 3, rng)
    radius = float(np.cbrt(8 / count / (4 / 3 * np.pi)))
    close = cKDTree(points).query_pairs(radius, output_type="ndarray")
    return edges_of(count, (close[:, 0], close[:, 1]))


def layout_map(entries: int, rng: np.random.Generator) -> Edges:
    """A map of projects: near ones of a layout joined, and one link in eight to a popular one."""
    count = max(64, entries * 10 // 34)
    near = _nearest(_sorted_points(count, 2, rng), 2)
    ids = ascending(count)
    fans = ids[rng.random(count) < 0.4]
    popular = rng.permutation(count)[(count * rng.random(len(fans)) ** 4).astype(np.int64)]
    return edges_of(count, (ids, near[:, 0]), (ids, near[:, 1]), (fans, popular))


def intervals(entries: int, rng: np.random.Generator) -> Edges:
    """Events in time, joined to the next ones that begin before they end; gaps separate them."""
    count = max(64, entries // 8)
    begin = np.sort(rng.random(count)) * count
    end = begin + rng.exponential(3.5, count)
    reach = np.minimum(np.searchsorted(begin, end) - 1 - ascending(count), 64)
    src = np.repeat(ascending(count), reach)
    index = ascending(len(src)) - np.repeat(np.cumsum(reach) - reach, reach)
    return edges_of(count, (src, src + index + 1))


def overlaps(entries: int, rng: np.random.Generator) -> Edges:
    """Reads of a genome in the order of a sequencer, joined where their positions overlap."""
    line = intervals(entries, rng)
    name = rng.permutation(line.num_vertices)
    return edges_of(line.num_vertices, (name[line.src], name[line.dst]))


def suburbs(entries: int, rng: np.random.Generator) -> Edges:
    """Streets of a town: a spanning tree of a grid with few loops, dead ends everywhere."""
    full = grid(entries * 2, rng)
    side = side_of(full.num_vertices)
    ids = ascending(full.num_vertices)
    row, column = np.divmod(ids, side)
    up = (rng.random(len(ids)) < 0.5) & (row > 0) | (column == 0)
    parent = np.where(up, ids - side, ids - 1)
    loops = rng.integers(0, len(ids) - side, len(ids) // 50)
    return edges_of(len(ids), (ids[1:], parent[1:]), (loops, loops + side))


def rails(entries: int, rng: np.random.Generator) -> Edges:
    """Long lines of stations that cross now and then; ids along the lines."""
    count = max(256, entries * 10 // 21)
    line = max(16, round(count**0.5))
    ids = ascending(count)
    along = ids[1:][ids[1:] % line != 0]
    crossing = rng.integers(0, count, (2, count // 24))
    return edges_of(count, (along, along - 1), (crossing[0], crossing[1]))
