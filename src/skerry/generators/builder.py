"""Recipes, and their edges: made on the CPU, all at once or a range at a time.

A plan knows the size of a graph before any edge of it exists and can fill in the edges of any
range. So a graph and a stream of its edges come from the same code and cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import isqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import ArgumentError
from skerry.generators.parameters import SEED
from skerry.generators.triangulation import neighbors_of_points
from skerry.graph.edges import Edges, vertex_dtype
from skerry.threads import resolve_threads

POINTS_STREAM = 100  # beyond those of kernels/common/generators.h

Column = npt.NDArray[Any]


class Recipe(NamedTuple):
    """The description of a generated graph; `make` and `stream` return its edges.

    Immutable; threads may share it.

    Attributes
    ----------
    family
        The name of the family.
    parameters
        Its parameters, as integers: probabilities in units of ``2**-32``.
    shuffle
        The seed of the permutation of the ids, or None: they stay in order.
    """

    family: str
    parameters: tuple[int, ...]
    shuffle: int | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """How to make the edges of one graph.

    Edges belong to units: an edge is its own unit, or several edges are one because they can only
    be found together (the streets of a crossing).
    """

    num_vertices: int
    num_edges: int
    fill: Callable[[int, int, Column, Column, int], None]
    """Writes the edges of the units ``first..last`` into two columns, with so many threads."""
    before: npt.NDArray[np.uint64] | None = None
    """Edges before each unit, and their sum; None where units are edges."""
    each: int = 1
    """The factor of ``before``."""
    shuffle: int | None = None
    """The seed under which ids are shuffled."""

    @property
    def units(self) -> int:
        """How many units there are."""
        return self.num_edges if self.before is None else len(self.before) - 1

    def ranges(self, limit: int) -> Iterator[tuple[int, int]]:
        """Ranges of units with at most so many edges, or of a single unit."""
        first = 0
        while first < self.units:
            if self.before is None:
                last = min(first + limit, self.units)
            else:
                room = int(self.before[first]) + limit // self.each
                last = int(np.searchsorted(self.before, np.uint64(room), side="right")) - 1
                last = max(first + 1, last)
            yield first, last
            first = last

    def make(self, first: int, last: int, team: int) -> tuple[Column, Column]:
        """The edges of the units ``first..last``."""
        count = last - first
        if self.before is not None:
            count = int(self.before[last] - self.before[first]) * self.each
        ids = vertex_dtype(self.num_vertices)
        src, dst = np.empty(count, ids), np.empty(count, ids)
        self.fill(first, last, src, dst, team)
        if self.shuffle is not None:
            for column in (src, dst):
                _native.shuffle_ids(column, self.num_vertices, self.shuffle, team)
        return src, dst

    def all_edges(self, team: int) -> Edges:
        """The graph."""
        return Edges(*self.make(0, self.units, team), self.num_vertices)


def plan(recipe: Recipe, threads: int | None = None) -> Plan:
    """How to make the graph that a recipe describes.

    Families that need a table besides their parameters fill it here.
    """
    return _PLANS.get(recipe.family, _by_number)(recipe, resolve_threads(threads))


def make(recipe: Recipe, threads: int | None = None) -> Edges:
    """The graph that a recipe describes.

    Parameters
    ----------
    recipe
        What `recipe`, `parse` or a `Family` returns.
    threads
        How many threads to use; all of the machine by default.

    Returns
    -------
    Edges
        The graph.

    Raises
    ------
    UnsupportedError
        If the family needs a package that is not installed.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.make(generators.recipe("grid", rows=3, columns=4))
    Edges(vertices=12, edges=17, uint32)
    """
    team = resolve_threads(threads)
    return plan(recipe, team).all_edges(team)


def _by_number(recipe: Recipe, _: int) -> Plan:
    """A family whose edges are a function of their number and the parameters."""
    family, parameters, shuffle = recipe
    n, m = _native.family_size(family, parameters)

    def fill(first: int, _: int, src: Column, dst: Column, team: int) -> None:
        _native.fill_family(family, parameters, first, src, dst, team)

    return Plan(n, m, fill, shuffle=shuffle)


def _road(recipe: Recipe, team: int) -> Plan:
    parameters = recipe.parameters
    width, bends = parameters[:2]
    kept_before = np.empty(width * width + 1, np.uint64)
    n, m = _native.count_streets(parameters, kept_before, team)

    def fill(first: int, last: int, src: Column, dst: Column, team: int) -> None:
        _native.fill_road(parameters, kept_before, first, last, src, dst, team)

    return Plan(n, m, fill, kept_before, bends + 1, recipe.shuffle)


def _graph500_reference(recipe: Recipe, _: int) -> Plan:
    scale, pairs, seed1, seed2 = recipe.parameters

    def fill(first: int, _: int, src: Column, dst: Column, team: int) -> None:
        _native.fill_graph500(scale, seed1, seed2, first, src, dst, team)

    return Plan(1 << scale, pairs, fill)


def _geometric(recipe: Recipe, team: int) -> Plan:
    n, radius, seed = recipe.parameters
    coordinates, starts, edges_before, m = _draw_points(n, radius, seed, team)

    def fill(first: int, last: int, src: Column, dst: Column, team: int) -> None:
        tables = (coordinates, starts, edges_before)
        _native.fill_geometric(radius, seed, *tables, first, last, src, dst, team)

    return Plan(n, m, fill, edges_before, shuffle=recipe.shuffle)


def _draw_points(
    n: int, radius: int, seed: int, team: int
) -> tuple[Column, Column, npt.NDArray[np.uint64], int]:
    cells = _native.geometric_cells(n, radius)
    coordinates = np.empty(n, np.uint64)
    starts, edges_before = np.empty(cells + 1, np.uint64), np.empty(cells + 1, np.uint64)
    m = _native.draw_geometric(radius, seed, coordinates, starts, edges_before, team)
    return coordinates, starts, edges_before, m


def geometric_points(recipe: Recipe, threads: int | None = None) -> npt.NDArray[np.float64]:
    """The coordinates of the vertices of a random geometric graph.

    Parameters
    ----------
    recipe
        A recipe of the family ``geometric``.
    threads
        How many threads to use; all of the machine by default.

    Returns
    -------
    numpy.ndarray
        x and y of each vertex, in the unit square: shape (n, 2).

    Raises
    ------
    InputError
        If the recipe is of another family.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.geometric_points(generators.recipe("geometric", n=1000)).shape
    (1000, 2)
    """
    if recipe.family != "geometric":
        raise ArgumentError(f"only geometric graphs have coordinates, got {recipe.family!r}")
    n, radius, seed = recipe.parameters
    team = resolve_threads(threads)
    coordinates = _draw_points(n, radius, seed, team)[0]
    points = (
        np.stack((coordinates & np.uint64(2**32 - 1), coordinates >> np.uint64(32)), 1) * 2.0**-31
    )
    if recipe.shuffle is None:
        return points
    ids = np.arange(n, dtype=vertex_dtype(n))
    _native.shuffle_ids(ids, n, recipe.shuffle, team)
    moved = np.empty_like(points)
    moved[ids] = points
    return moved


def shuffle_ids(edges: Edges, *, seed: int = 1, threads: int | None = None) -> Edges:
    """The same graph under other ids: a copy, with a random permutation of its vertices.

    Parameters
    ----------
    edges
        The graph; it is not changed.
    seed
        Decides the permutation, 0..2**64 - 1.
    threads
        How many threads to use; all of the machine by default.

    Returns
    -------
    Edges
        The graph.

    Raises
    ------
    InputError
        If the seed is out of range.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.shuffle_ids(generators.grid(3, 4), seed=2)
    Edges(vertices=12, edges=17, uint32)
    """
    SEED.check("seed", seed)
    copy = Edges(edges.src.copy(), edges.dst.copy(), edges.num_vertices)
    team = resolve_threads(threads)
    for ids in (copy.src, copy.dst):
        _native.shuffle_ids(ids, edges.num_vertices, seed, team)
    return copy


def _planted(recipe: Recipe, _: int) -> Plan:
    """Components by their sizes, each a random tree, and more edges inside them."""
    chords, seed, *runs = recipe.parameters
    sizes = np.array(runs, np.int64).reshape(-1, 2)
    starts = starts_of_sizes(np.repeat(sizes[:, 1], sizes[:, 0]))
    n = int(starts[-1])

    def fill(first: int, _: int, src: Column, dst: Column, team: int) -> None:
        _native.fill_planted(starts, chords, seed, first, src, dst, team)

    m = n - (len(starts) - 1) + (chords if n else 0)
    return Plan(n, m, fill, shuffle=recipe.shuffle)


def starts_of_sizes(sizes: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """The first vertex of each component, and the number of all vertices."""
    return np.concatenate(([0], np.cumsum(sizes))).astype(np.uint64)


def _delaunay(recipe: Recipe, team: int) -> Plan:
    points, seed, swept = recipe.parameters
    bits = np.empty(2 * points, np.uint64)
    _native.fill_draws(bits, seed, POINTS_STREAM, team)
    if swept:
        _sweep(bits.reshape(points, 2), points - (points * swept >> 32))
    coordinates = (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53
    starts, neighbors = neighbors_of_points(coordinates.reshape(points, 2))
    ends = np.repeat(np.arange(points, dtype=vertex_dtype(points)), np.diff(starts))
    once = ends < neighbors
    ends, neighbors = ends[once], neighbors[once]

    def fill(first: int, last: int, src: Column, dst: Column, _: int) -> None:
        src[:], dst[:] = ends[first:last], neighbors[first:last]

    return Plan(points, len(ends), fill, shuffle=recipe.shuffle)


def _sweep(points: npt.NDArray[np.uint64], first: int) -> None:
    """Orders the points from ``first`` on by strips of the square, as wide as a point's share."""
    strips = np.uint64(max(isqrt(len(points)), 1))
    swept = points[first:]
    strip = (swept[:, 1] >> np.uint64(32)) * strips >> np.uint64(32)
    swept[:] = swept[np.lexsort((swept[:, 0], strip))]


_PLANS: Mapping[str, Callable[[Recipe, int], Plan]] = {
    "graph500_reference": _graph500_reference,
    "road": _road,
    "geometric": _geometric,
    "planted": _planted,
    "delaunay": _delaunay,
}
"""Families whose edges need more than their number and the parameters."""
