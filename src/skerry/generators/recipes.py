"""Recipes: the arguments of a family, checked, as integers that any device reads.

A recipe names a family of ``kernels/common/generators.h``, ``grown.h``, ``profile.h``,
``geometric.h`` or ``graph500.h``, and the fields of its struct in their order. The same
recipe gives the same edges in the same order on every device. The families are described in
`skerry.generators`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from math import pi, sqrt
from typing import NamedTuple

from skerry.errors import ArgumentError
from skerry.generators.profile import Figures, profile_parameters

__all__ = [
    "Recipe",
    "check_count",
    "check_seed",
    "complete",
    "delaunay",
    "geometric",
    "graph500",
    "graph500_reference",
    "grid",
    "mawi",
    "path",
    "planted",
    "preferential_attachment",
    "profile",
    "random_picks",
    "ring",
    "rmat",
    "rmat_of",
    "road",
    "star",
    "tiny",
    "torus",
    "uniform",
    "web",
]


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


def grid(rows: int, columns: int) -> Recipe:
    """A grid."""
    check_count(rows * columns, rows=rows, columns=columns)
    return Recipe("grid", (rows, columns))


def torus(rows: int, columns: int) -> Recipe:
    """A grid whose opposite sides are joined."""
    check_count(rows * columns, rows=rows, columns=columns)
    return Recipe("torus", (rows, columns))


def path(n: int, *, shuffled: bool = False, seed: int = 1) -> Recipe:
    """A path."""
    check_count(n, n=n)
    return Recipe("path", (n,), _shuffle(shuffled, seed))


def star(n: int) -> Recipe:
    """Vertex 0 joined to all others."""
    check_count(n, n=n)
    return Recipe("star", (n,))


def complete(n: int) -> Recipe:
    """Every pair of vertices."""
    check_count(n * n, n=n)
    return Recipe("complete", (n,))


def uniform(n: int, m: int, *, seed: int = 1) -> Recipe:
    """Pairs drawn from all pairs of vertices."""
    check_count(n, n=n, m=m)
    if m and not n:
        raise ArgumentError("m must be 0 when n is 0")
    return Recipe("uniform", (n, m, check_seed(seed)))


def random_picks(n: int, k: int = 4, *, seed: int = 1) -> Recipe:
    """Every vertex joined to ``k`` vertices drawn at random."""
    check_count(n * k, n=n, k=k)
    return Recipe("random_picks", (n, k, check_seed(seed)))


def rmat(
    scale: int,
    edge_factor: int = 16,
    a: float = 0.45,
    b: float = 0.15,
    c: float = 0.15,
    *,
    shuffled: bool = False,
    seed: int = 1,
) -> Recipe:
    """R-MAT: ``2**scale`` vertices and ``edge_factor`` times as many pairs."""
    if not 0 <= scale < 48:
        raise ArgumentError(f"scale must be in 0..47, got {scale}")
    check_count(edge_factor << scale, edge_factor=edge_factor)
    parameters = (scale, edge_factor << scale, *_limits(a, b, c), check_seed(seed))
    return Recipe("rmat", parameters, _shuffle(shuffled, seed))


def rmat_of(
    n: int,
    m: int,
    a: float = 0.45,
    b: float = 0.15,
    c: float = 0.15,
    *,
    shuffled: bool = False,
    seed: int = 1,
) -> Recipe:
    """R-MAT with any number of vertices and of pairs."""
    check_count(n, n=n, m=m)
    if m and not n:
        raise ArgumentError("m must be 0 when n is 0")
    parameters = (n, m, *_limits(a, b, c), check_seed(seed))
    return Recipe("rmat_of", parameters, _shuffle(shuffled, seed))


def _limits(a: float, b: float, c: float) -> tuple[int, ...]:
    if min(a, b, c) < 0 or a + b + c > 1 + 1e-9:
        raise ArgumentError(
            f"a, b and c must be probabilities that sum to at most 1: {a}, {b}, {c}"
        )
    return tuple(_probability("a + b + c", min(p, 1.0)) for p in (a, a + b, a + b + c))


def ring(n: int, chords: int = 0, *, shuffled: bool = False, seed: int = 1) -> Recipe:
    """A cycle, and ``chords`` pairs drawn from all pairs of vertices."""
    check_count(n + chords, n=n, chords=chords)
    return Recipe("ring", (n, chords, check_seed(seed)), _shuffle(shuffled, seed))


def graph500(scale: int, edge_factor: int = 16, *, seed: int = 1) -> Recipe:
    """R-MAT as the Graph500 benchmark has it: (0.57, 0.19, 0.19), ids shuffled."""
    return rmat(scale, edge_factor, 0.57, 0.19, 0.19, shuffled=True, seed=seed)


def graph500_reference(
    scale: int, edge_factor: int = 16, *, seed1: int = 2, seed2: int = 3
) -> Recipe:
    """The graph that the Graph500's reference code 2.1.4 makes, edge by edge."""
    if not 1 <= scale < 48:
        raise ArgumentError(f"scale must be in 1..47, got {scale}")
    check_count(edge_factor << scale, edge_factor=edge_factor)
    seeds = check_seed(seed1), check_seed(seed2)
    return Recipe("graph500_reference", (scale, edge_factor << scale, *seeds))


def road(
    width: int,
    keep: float = 0.62,
    subdivisions: int = 3,
    *,
    joined: bool = False,
    largest_degree: int = 0,
    shuffled: bool = False,
    seed: int = 1,
) -> Recipe:
    """A road network. Its size is known when the streets that are kept have been counted."""
    check_count(width * width * (1 + 2 * subdivisions), width=width, subdivisions=subdivisions)
    if largest_degree and not 5 <= largest_degree <= 17:
        raise ArgumentError(f"largest_degree of a road must be 0 or in 5..17, got {largest_degree}")
    parameters = (
        *(width, subdivisions, _probability("keep", keep), check_seed(seed)),
        *(int(joined), largest_degree),
    )
    return Recipe("road", parameters, _shuffle(shuffled, seed))


def mawi(
    n: int,
    hubs: int = 64,
    hub_share: float = 17 / 24,
    extra: float = 1 / 16,
    *,
    seed: int = 1,
) -> Recipe:
    """Internet traffic: every vertex sends an edge, mostly to one of a few hubs."""
    check_count(n, n=n, hubs=hubs)
    if not 0 <= extra <= 1e6:
        raise ArgumentError(f"extra must be a share of n, not negative, got {extra}")
    if n and not 1 <= hubs <= n:
        raise ArgumentError(f"of {n:,} vertices, 1..{n} can be hubs, got {hubs}")
    share = _probability("hub_share", hub_share)
    return Recipe("mawi", (n, hubs, share, round(n * extra), check_seed(seed)))


def tiny(components: int, max_size: int = 7, *, shuffled: bool = True, seed: int = 1) -> Recipe:
    """Random trees of 1, 2, ... ``max_size``, 1, 2, ... vertices."""
    check_count(components * max_size, components=components, max_size=max_size)
    if not max_size:
        raise ArgumentError("max_size must be at least 1")
    return Recipe("tiny", (components, max_size, check_seed(seed)), _shuffle(shuffled, seed))


def delaunay(points: int, swept: float = 0.0, *, seed: int = 1) -> Recipe:
    """The Delaunay triangulation of random points in a square: made on the host, by scipy."""
    if points < 4:
        raise ArgumentError(f"a triangulation needs at least 4 points, got {points}")
    return Recipe("delaunay", (points, check_seed(seed), _probability("swept", swept)))


def geometric(
    n: int,
    degree: float | None = None,
    *,
    radius: float | None = None,
    shuffled: bool = False,
    seed: int = 1,
) -> Recipe:
    """Points in the unit square, all pairs closer than a radius joined: made on the host.

    The radius is given, or follows from the average degree (8 if neither is given).
    """
    check_count(n, n=n)
    if radius is None:
        average = 8.0 if degree is None else degree
        if not 0 <= average < 2**62:
            raise ArgumentError(f"degree must not be negative, got {average}")
        radius = min(1.5, sqrt(average / (pi * max(n, 1))))
    elif degree is not None:
        raise ArgumentError("degree and radius exclude each other; give only one of them")
    if not 0 <= radius <= 1.5:
        raise ArgumentError(f"radius must be between 0 and 1.5 sides of the square, got {radius}")
    parameters = (n, round(radius * 2**31), check_seed(seed))
    return Recipe("geometric", parameters, _shuffle(shuffled, seed))


def preferential_attachment(
    n: int, links: int = 4, *, shuffled: bool = False, seed: int = 1
) -> Recipe:
    """Every vertex linked to ``links`` earlier ones, drawn by their degrees."""
    check_count(2 * n * links, n=n, links=links)
    if n > 1 and not links:
        raise ArgumentError("links must be at least 1")
    parameters = (n, links, check_seed(seed))
    return Recipe("preferential_attachment", parameters, _shuffle(shuffled, seed))


def web(
    n: int, links: int = 8, copied: float = 0.5, *, shuffled: bool = False, seed: int = 1
) -> Recipe:
    """Every vertex copies the links of an earlier one, each with probability ``copied``."""
    check_count(2 * n * links, n=n, links=links)
    if n > 1 and not links:
        raise ArgumentError("links must be at least 1")
    parameters = (n, links, _probability("copied", copied), check_seed(seed))
    return Recipe("web", parameters, _shuffle(shuffled, seed))


def profile(
    n: int,
    m: int,
    largest_degree: int,
    components: int = 1,
    part_size: int = 2,
    near: float = 0.3,
    leaves: float = 0.2,
    *,
    shuffled: bool = False,
    seed: int = 1,
) -> Recipe:
    """About ``m`` distinct edges, a largest degree, and components: one large and small parts."""
    check_count(n, n=n, m=m, largest_degree=largest_degree, components=components)
    if not n:
        return Recipe("profile", (0,) * 10 + (check_seed(seed),))
    figures = Figures(n, m, largest_degree, components, part_size, near, leaves)
    parameters = (*profile_parameters(figures), check_seed(seed))
    return Recipe("profile", parameters, _shuffle(shuffled, seed))


def planted(
    sizes: Iterable[int], chords: int = 0, *, shuffled: bool = True, seed: int = 1
) -> Recipe:
    """Components of the given sizes, and ``chords`` more edges inside them: made on the host."""
    runs = [(size, sum(1 for _ in run)) for size, run in groupby(map(int, sizes))]
    if any(size < 1 for size, _ in runs):
        raise ArgumentError("sizes must be a list of integers from 1 up")
    check_count(sum(size * count for size, count in runs) + chords, chords=chords)
    pairs = (number for size, count in runs for number in (count, size))
    return Recipe("planted", (chords, check_seed(seed), *pairs), _shuffle(shuffled, seed))


def check_seed(seed: int) -> int:
    """The seed; raises if it is out of range."""
    if not 0 <= seed < 2**64:
        raise ArgumentError(f"seed must be an integer in 0..2**64 - 1, got {seed}")
    return seed


def check_count(total: int, **counts: int) -> None:
    """Raises if one of the named counts is negative, or their graph, of size ``total``, too big."""
    for name, value in counts.items():
        if value < 0:
            raise ArgumentError(f"{name} must not be negative, got {value}")
    if total >= 2**62:
        raise ArgumentError(f"a graph of this size ({counts}) has too many vertices or edges")


def _shuffle(shuffled: bool, seed: int) -> int | None:
    checked = check_seed(seed)  # where nothing is shuffled too
    return checked if shuffled else None


def _probability(name: str, value: float) -> int:
    if not 0 <= value <= 1:
        raise ArgumentError(f"{name} must be a probability, got {value}")
    return round(value * 2**32)
