"""Regular and random graphs.

The random ones are described in ``kernels/common/generators.h``, where each is a function from the
number of an edge to its ends, in ``geometric.h`` and in ``graph500.h``. A function below describes
a graph; `generator` makes the public one of it, which returns the edges.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import Annotated

from skerry.errors import ArgumentError
from skerry.generators.builder import Recipe
from skerry.generators.definition import generator
from skerry.generators.parameters import (
    Bounds,
    Count,
    Probability,
    Seed,
    as_integer,
    check_size,
)


@generator("rows=1000,columns=1000")
def grid(rows: Count, columns: Count, *, threads: int | None = None) -> Recipe:
    """A grid, ids row by row.

    Examples
    --------
    >>> generators.grid(3, 4)
    Edges(vertices=12, edges=17, uint32)
    """
    check_size(rows * columns)
    return Recipe("grid", (rows, columns))


@generator("rows=1000,columns=1000")
def torus(rows: Count, columns: Count, *, threads: int | None = None) -> Recipe:
    """A grid whose opposite sides are joined.

    Examples
    --------
    >>> generators.torus(3, 4)
    Edges(vertices=12, edges=24, uint32)
    """
    check_size(rows * columns)
    return Recipe("torus", (rows, columns))


@generator("n=1e6")
def path(n: Count, *, shuffled: bool = False, seed: Seed = 1, threads: int | None = None) -> Recipe:
    """A path, in order of its ids or in a random order.

    Examples
    --------
    >>> edges = generators.path(4)
    >>> list(zip(edges.src.tolist(), edges.dst.tolist()))
    [(0, 1), (1, 2), (2, 3)]
    """
    check_size(n)
    return Recipe("path", (n,))


@generator("n=1e6")
def star(n: Count, *, threads: int | None = None) -> Recipe:
    """Vertex 0 joined to all others.

    Examples
    --------
    >>> generators.star(5)
    Edges(vertices=5, edges=4, uint32)
    """
    check_size(n)
    return Recipe("star", (n,))


@generator("n=100")
def complete(n: Count, *, threads: int | None = None) -> Recipe:
    """Every pair of vertices.

    Examples
    --------
    >>> generators.complete(5)
    Edges(vertices=5, edges=10, uint32)
    """
    check_size(n * n)
    return Recipe("complete", (n,))


@generator("n=1e6,m=4e6")
def uniform(n: Count, m: Count, *, seed: Seed = 1, threads: int | None = None) -> Recipe:
    """Pairs drawn from all pairs of vertices, with replacement: G(n, m).

    Examples
    --------
    >>> generators.uniform(1000, 4000, seed=7)
    Edges(vertices=1,000, edges=4,000, uint32)
    """
    _check_pairs(n, m)
    return Recipe("uniform", (n, m, seed))


@generator("n=1e6,k=4")
def random_picks(n: Count, k: Count = 4, *, seed: Seed = 1, threads: int | None = None) -> Recipe:
    """Every vertex joined to k vertices drawn at random.

    Parameters
    ----------
    k
        Edges of each vertex.

    Examples
    --------
    >>> generators.random_picks(1000)
    Edges(vertices=1,000, edges=4,000, uint32)
    """
    check_size(n * k)
    return Recipe("random_picks", (n, k, seed))


@generator("n=1e6,chords=3e6")
def ring(
    n: Count,
    chords: Count = 0,
    *,
    shuffled: bool = False,
    seed: Seed = 1,
    threads: int | None = None,
) -> Recipe:
    """A cycle, and pairs drawn from all pairs of vertices, with replacement.

    Connected, and every vertex has two neighbors at least, from three vertices on.

    Parameters
    ----------
    chords
        Number of pairs beside the cycle.

    Examples
    --------
    >>> generators.ring(1000, 3000)
    Edges(vertices=1,000, edges=4,000, uint32)
    """
    check_size(n + chords)
    return Recipe("ring", (n, chords, seed))


@generator("scale=20,edge_factor=8")
def rmat(
    scale: Annotated[int, Bounds(0, 47)],
    edge_factor: Count = 16,
    a: Probability = 0.45,
    b: Probability = 0.15,
    c: Probability = 0.15,
    *,
    shuffled: bool = False,
    seed: Seed = 1,
    threads: int | None = None,
) -> Recipe:
    """R-MAT: quarters of the adjacency matrix chosen recursively.

    Without ``shuffled``, small ids have large degrees.

    Examples
    --------
    >>> generators.rmat(10, 8, seed=7)
    Edges(vertices=1,024, edges=8,192, uint32)
    """
    check_size(edge_factor << scale)
    return Recipe("rmat", (scale, edge_factor << scale, *_quarters(a, b, c), seed))


@generator("n=1e6,m=8e6")
def rmat_of(
    n: Count,
    m: Count,
    a: Probability = 0.45,
    b: Probability = 0.15,
    c: Probability = 0.15,
    *,
    shuffled: bool = False,
    seed: Seed = 1,
    threads: int | None = None,
) -> Recipe:
    """R-MAT with any number of vertices: the ids of the next power of two, scaled down.

    Examples
    --------
    >>> generators.rmat_of(1000, 8000, seed=7)
    Edges(vertices=1,000, edges=8,000, uint32)
    """
    _check_pairs(n, m)
    return Recipe("rmat_of", (n, m, *_quarters(a, b, c), seed))


@generator("scale=16")
def graph500(
    scale: Annotated[int, Bounds(0, 47)],
    edge_factor: Count = 16,
    *,
    seed: Seed = 1,
    threads: int | None = None,
) -> Recipe:
    """The Kronecker graphs of Graph500: R-MAT with (0.57, 0.19, 0.19), ids shuffled.

    Examples
    --------
    >>> generators.graph500(10)
    Edges(vertices=1,024, edges=16,384, uint32)
    """
    return rmat.recipe(scale, edge_factor, 0.57, 0.19, 0.19, shuffled=True, seed=seed)


@generator("scale=16")
def graph500_reference(
    scale: Annotated[int, Bounds(1, 47)],
    edge_factor: Count = 16,
    *,
    seed1: Seed = 2,
    seed2: Seed = 3,
    threads: int | None = None,
) -> Recipe:
    """The graph that the Graph500's reference code 2.1.4 makes: the same edges in the same order.

    LDBC's graph500-22 to graph500-30 are these graphs with the default seeds, without loops,
    repeated edges and vertices without an edge.

    Parameters
    ----------
    seed1
        First seed that a user of the reference code gives, 0..2**64 - 1.
    seed2
        Second seed that a user of the reference code gives, 0..2**64 - 1.

    Examples
    --------
    >>> edges = generators.graph500_reference(10)
    >>> edges
    Edges(vertices=1,024, edges=16,384, uint32)
    >>> edges.src[:4].tolist(), edges.dst[:4].tolist()
    ([299, 684, 185, 428], [797, 861, 385, 328])
    """
    check_size(edge_factor << scale)
    return Recipe("graph500_reference", (scale, edge_factor << scale, seed1, seed2))


@generator("points=1e5")
def delaunay(
    points: Annotated[int, Bounds(4)],
    swept: Probability = 0.0,
    *,
    seed: Seed = 1,
    threads: int | None = None,
) -> Recipe:
    """The Delaunay triangulation of random points in a square; needs scipy.

    Parameters
    ----------
    points
        Number of vertices, at least 4.
    swept
        Share of the points whose ids follow a sweep over the square; the others come first, in the
        order of drawing.

    Raises
    ------
    UnsupportedError
        If scipy is not installed.

    Examples
    --------
    >>> generators.delaunay(1000)  # doctest: +SKIP
    Edges(vertices=1,000, edges=2,979, uint32)
    """
    return Recipe("delaunay", (points, seed, as_integer(swept)))


@generator("n=1e5,degree=12")
def geometric(
    n: Count,
    degree: float | None = None,
    *,
    radius: float | None = None,
    shuffled: bool = False,
    seed: Seed = 1,
    threads: int | None = None,
) -> Recipe:
    """Random points in the unit square, joined where they are closer than a radius.

    Ids follow a sweep over the square unless ``shuffled``. `geometric_points` returns the
    coordinates of the vertices.

    Parameters
    ----------
    degree
        The average degree, instead of the radius; 8 if neither is given. Vertices near the border
        have fewer neighbors.
    radius
        Points closer than this are joined; the side of the square is 1.

    Examples
    --------
    >>> generators.geometric(1000, radius=0.05)
    Edges(vertices=1,000, edges=3,843, uint32)
    """
    check_size(n)
    if radius is None:
        average = 8.0 if degree is None else degree
        if not 0 <= average < 2**62:
            raise ArgumentError(f"degree must not be negative, got {average}")
        radius = min(1.5, sqrt(average / (pi * max(n, 1))))
    elif degree is not None:
        raise ArgumentError("degree and radius exclude each other; give only one of them")
    if not 0 <= radius <= 1.5:
        raise ArgumentError(f"radius must be between 0 and 1.5 sides of the square, got {radius}")
    return Recipe("geometric", (n, round(radius * 2**31), seed))


def _check_pairs(n: int, m: int) -> None:
    check_size(max(n, m))
    if m and not n:
        raise ArgumentError("m must be 0 when n is 0")


def _quarters(a: float, b: float, c: float) -> tuple[int, ...]:
    """Where the quarters begin after the first one, as integers of 32 bits."""
    if a + b + c > 1 + 1e-9:
        raise ArgumentError(f"a, b and c must sum to at most 1: {a}, {b}, {c}")
    return tuple(as_integer(min(p, 1.0)) for p in (a, a + b, a + b + c))
