"""Regular graphs: grids, paths, stars, complete graphs; and the same graph under other ids."""

from __future__ import annotations

from skerry import _native
from skerry.generators import recipes
from skerry.generators.builder import make
from skerry.generators.recipes import check_seed
from skerry.graph.edges import Edges
from skerry.threads import resolve_threads

__all__ = ["complete", "grid", "path", "shuffle_ids", "star", "torus"]


def grid(rows: int, columns: int, *, threads: int | None = None) -> Edges:
    """A grid, ids row by row.

    Parameters
    ----------
    rows, columns
        The sides of the grid.
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
    >>> generators.grid(3, 4)
    Edges(vertices=12, edges=17, uint32)
    """
    return make(recipes.grid(rows, columns), threads)


def torus(rows: int, columns: int, *, threads: int | None = None) -> Edges:
    """A grid whose opposite sides are joined.

    Parameters
    ----------
    rows, columns
        The sides of the grid.
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
    >>> generators.torus(3, 4)
    Edges(vertices=12, edges=24, uint32)
    """
    return make(recipes.torus(rows, columns), threads)


def path(n: int, *, shuffled: bool = False, seed: int = 1, threads: int | None = None) -> Edges:
    """A path, in order of its ids or in a random order.

    Parameters
    ----------
    n
        Number of vertices.
    shuffled
        Whether ids are a random permutation.
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
        If a count is negative, or the graph too large to be numbered.

    Examples
    --------
    >>> from skerry import generators
    >>> edges = generators.path(4)
    >>> list(zip(edges.src.tolist(), edges.dst.tolist()))
    [(0, 1), (1, 2), (2, 3)]
    """
    return make(recipes.path(n, shuffled=shuffled, seed=seed), threads)


def star(n: int, *, threads: int | None = None) -> Edges:
    """Vertex 0 joined to all others.

    Parameters
    ----------
    n
        Number of vertices.
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
    >>> generators.star(5)
    Edges(vertices=5, edges=4, uint32)
    """
    return make(recipes.star(n), threads)


def complete(n: int, *, threads: int | None = None) -> Edges:
    """Every pair of ``n`` vertices.

    Parameters
    ----------
    n
        Number of vertices.
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
    >>> generators.complete(5)
    Edges(vertices=5, edges=10, uint32)
    """
    return make(recipes.complete(n), threads)


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
    copy = Edges(edges.src.copy(), edges.dst.copy(), edges.num_vertices)
    team = resolve_threads(threads)
    for ids in (copy.src, copy.dst):
        _native.shuffle_ids(ids, edges.num_vertices, check_seed(seed), team)
    return copy
