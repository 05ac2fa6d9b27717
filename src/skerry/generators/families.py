"""Families of random graphs.

They are described in ``kernels/common/generators.h``, where each is a function from
the number of an edge to its ends, and in ``geometric.h``. Arguments are checked in
`skerry.generators.recipes`.
"""

from __future__ import annotations

from skerry.generators import recipes
from skerry.generators.builder import make
from skerry.graph.edges import Edges

__all__ = [
    "delaunay",
    "geometric",
    "graph500",
    "graph500_reference",
    "random_picks",
    "ring",
    "rmat",
    "rmat_of",
    "uniform",
]


def uniform(n: int, m: int, *, seed: int = 1, threads: int | None = None) -> Edges:
    """``m`` pairs drawn from all pairs of vertices, with replacement.

    Parameters
    ----------
    n
        Number of vertices.
    m
        Number of pairs.
    seed
        Decides every draw, 0..2**64 - 1.
    threads
        How many threads to use; all of the machine by default.

    Returns
    -------
    Edges
        The graph.

    Raises
    ------
    InputError
        If a count is negative, or m is not 0 where n is 0.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.uniform(1000, 4000, seed=7)
    Edges(vertices=1,000, edges=4,000, uint32)
    """
    return make(recipes.uniform(n, m, seed=seed), threads)


def random_picks(n: int, k: int = 4, *, seed: int = 1, threads: int | None = None) -> Edges:
    """Every vertex joined to ``k`` vertices drawn at random.

    Parameters
    ----------
    n
        Number of vertices.
    k
        Edges of each vertex.
    seed
        Decides every draw, 0..2**64 - 1.
    threads
        How many threads to use; all of the machine by default.

    Returns
    -------
    Edges
        The graph.

    Raises
    ------
    InputError
        If a count is negative, or the graph too large to be numbered.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.random_picks(1000)
    Edges(vertices=1,000, edges=4,000, uint32)
    """
    return make(recipes.random_picks(n, k, seed=seed), threads)


def rmat(
    scale: int,
    edge_factor: int = 16,
    a: float = 0.45,
    b: float = 0.15,
    c: float = 0.15,
    *,
    shuffled: bool = False,
    seed: int = 1,
    threads: int | None = None,
) -> Edges:
    """R-MAT: quarters of the adjacency matrix chosen recursively.

    Without ``shuffled``, small ids have large degrees.

    Parameters
    ----------
    scale
        There are ``2**scale`` vertices.
    edge_factor
        Pairs for each vertex.
    a, b, c
        Probabilities of the upper left, upper right and lower left quarter.
    shuffled
        Whether ids are a random permutation.
    seed
        Decides every draw, 0..2**64 - 1.
    threads
        How many threads to use; all of the machine by default.

    Returns
    -------
    Edges
        The graph.

    Raises
    ------
    InputError
        If the scale is not in 0..47, or the probabilities sum to more than 1.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.rmat(10, 8, seed=7)
    Edges(vertices=1,024, edges=8,192, uint32)
    """
    recipe = recipes.rmat(scale, edge_factor, a, b, c, shuffled=shuffled, seed=seed)
    return make(recipe, threads)


def rmat_of(
    n: int,
    m: int,
    a: float = 0.45,
    b: float = 0.15,
    c: float = 0.15,
    *,
    shuffled: bool = False,
    seed: int = 1,
    threads: int | None = None,
) -> Edges:
    """R-MAT with any number of vertices: the ids of the next power of two, scaled down.

    Parameters
    ----------
    n
        Number of vertices.
    m
        Number of pairs.
    a, b, c
        Probabilities of the upper left, upper right and lower left quarter.
    shuffled
        Whether ids are a random permutation.
    seed
        Decides every draw, 0..2**64 - 1.
    threads
        How many threads to use; all of the machine by default.

    Returns
    -------
    Edges
        The graph.

    Raises
    ------
    InputError
        If a count is negative, or the probabilities sum to more than 1.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.rmat_of(1000, 8000, seed=7)
    Edges(vertices=1,000, edges=8,000, uint32)
    """
    return make(recipes.rmat_of(n, m, a, b, c, shuffled=shuffled, seed=seed), threads)


def ring(
    n: int,
    chords: int = 0,
    *,
    shuffled: bool = False,
    seed: int = 1,
    threads: int | None = None,
) -> Edges:
    """A cycle, and pairs drawn from all pairs of vertices, with replacement.

    Connected, and every vertex has two neighbors at least, from three vertices on.

    Parameters
    ----------
    n
        Number of vertices.
    chords
        Number of pairs beside the cycle.
    shuffled
        Whether ids are a random permutation.
    seed
        Decides every draw, 0..2**64 - 1.
    threads
        How many threads to use; all of the machine by default.

    Returns
    -------
    Edges
        The graph.

    Raises
    ------
    InputError
        If a count is negative.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.ring(1000, 3000)
    Edges(vertices=1,000, edges=4,000, uint32)
    """
    return make(recipes.ring(n, chords, shuffled=shuffled, seed=seed), threads)


def graph500(
    scale: int, edge_factor: int = 16, *, seed: int = 1, threads: int | None = None
) -> Edges:
    """The Kronecker graphs of Graph500: R-MAT with (0.57, 0.19, 0.19), ids shuffled.

    Parameters
    ----------
    scale
        There are ``2**scale`` vertices.
    edge_factor
        Pairs for each vertex.
    seed
        Decides every draw, 0..2**64 - 1.
    threads
        How many threads to use; all of the machine by default.

    Returns
    -------
    Edges
        The graph.

    Raises
    ------
    InputError
        If the scale is not in 0..47.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.graph500(10)
    Edges(vertices=1,024, edges=16,384, uint32)
    """
    return make(recipes.graph500(scale, edge_factor, seed=seed), threads)


def graph500_reference(
    scale: int,
    edge_factor: int = 16,
    *,
    seed1: int = 2,
    seed2: int = 3,
    threads: int | None = None,
) -> Edges:
    """The graph that the Graph500's reference code 2.1.4 makes: the same edges in the same order.

    LDBC's graph500-22 to graph500-30 are these graphs with the default seeds, without loops,
    repeated edges and vertices without an edge.

    Parameters
    ----------
    scale
        There are ``2**scale`` vertices.
    edge_factor
        Pairs for each vertex.
    seed1, seed2
        The seeds that a user of the reference code gives, 0..2**64 - 1.
    threads
        How many threads to use; all of the machine by default.

    Returns
    -------
    Edges
        The graph.

    Raises
    ------
    InputError
        If the scale is not in 1..47, or a seed is out of range.

    Examples
    --------
    >>> from skerry import generators
    >>> edges = generators.graph500_reference(10)
    >>> edges
    Edges(vertices=1,024, edges=16,384, uint32)
    >>> edges.src[:4].tolist(), edges.dst[:4].tolist()
    ([299, 684, 185, 428], [797, 861, 385, 328])
    """
    recipe = recipes.graph500_reference(scale, edge_factor, seed1=seed1, seed2=seed2)
    return make(recipe, threads)


def delaunay(
    points: int, swept: float = 0.0, *, seed: int = 1, threads: int | None = None
) -> Edges:
    """The Delaunay triangulation of random points in a square.

    Parameters
    ----------
    points
        Number of vertices, at least 4.
    swept
        Share of the points whose ids follow a sweep over the square; the others come first, in the
        order of drawing.
    seed
        Decides every draw, 0..2**64 - 1.
    threads
        How many threads to use; all of the machine by default.

    Returns
    -------
    Edges
        The graph.

    Raises
    ------
    InputError
        If there are fewer than 4 points, or ``swept`` is not a share.
    UnsupportedError
        If scipy is not installed.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.delaunay(1000)  # doctest: +SKIP
    Edges(vertices=1,000, edges=2,979, uint32)
    """
    return make(recipes.delaunay(points, swept, seed=seed), threads)


def geometric(
    n: int,
    degree: float | None = None,
    *,
    radius: float | None = None,
    shuffled: bool = False,
    seed: int = 1,
    threads: int | None = None,
) -> Edges:
    """Random points in the unit square, joined where they are closer than a radius.

    Ids follow a sweep over the square unless ``shuffled``. `geometric_points` returns the
    coordinates of the vertices.

    Parameters
    ----------
    n
        Number of vertices.
    degree
        The average degree, instead of the radius; 8 if neither is given. Vertices near the border
        have fewer neighbors.
    radius
        Points closer than this are joined.
    shuffled
        Whether ids are a random permutation.
    seed
        Decides every draw, 0..2**64 - 1.
    threads
        How many threads to use; all of the machine by default.

    Returns
    -------
    Edges
        The graph.

    Raises
    ------
    InputError
        If both degree and radius are given, or one is out of range.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.geometric(1000, radius=0.05)
    Edges(vertices=1,000, edges=3,843, uint32)
    """
    return make(recipes.geometric(n, degree, radius=radius, shuffled=shuffled, seed=seed), threads)
