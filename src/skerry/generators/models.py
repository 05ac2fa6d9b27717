"""Models of real graphs: roads, network traffic, attachment, the web.

They are described in ``kernels/common/generators.h`` and ``grown.h``, where each is a function from
the number of an edge to its ends. Arguments are checked in
`skerry.generators.recipes`.
"""

from __future__ import annotations

from skerry.generators import recipes
from skerry.generators.builder import make
from skerry.graph.edges import Edges

__all__ = ["mawi", "preferential_attachment", "road", "web"]


def road(
    width: int,
    keep: float = 0.62,
    subdivisions: int = 3,
    *,
    shuffled: bool = False,
    seed: int = 1,
    threads: int | None = None,
) -> Edges:
    """A road network: a grid of crossings with subdivided streets, some of them missing.

    Ids follow a sweep over the map unless ``shuffled``.

    Parameters
    ----------
    width
        Crossings in a row; there are width x width.
    keep
        Probability of each street.
    subdivisions
        Vertices on each street; with 3, the average degree is about 2.1.
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
        If a count is negative, or ``keep`` is not a probability.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.road(100)
    Edges(vertices=47,035, edges=49,380, uint32)
    """
    return make(recipes.road(width, keep, subdivisions, shuffled=shuffled, seed=seed), threads)


def mawi(
    n: int,
    hubs: int = 64,
    hub_share: float = 17 / 24,
    extra: float = 1 / 16,
    *,
    seed: int = 1,
    threads: int | None = None,
) -> Edges:
    """Internet traffic: every vertex sends an edge, mostly to one of a few hubs.

    Of the ``2 * (1 + extra) * n`` directed edges, the rows of the hubs hold ``hub_share * n``: with
    the defaults, a third.

    Parameters
    ----------
    n
        Number of vertices.
    hubs
        Number of hubs.
    hub_share
        Probability that a vertex's edge goes to a hub, to the first ones most often.
    extra
        Further edges between any vertices, as a share of n.
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
        If a parameter is out of range.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.mawi(1000)
    Edges(vertices=1,000, edges=1,062, uint32)
    """
    return make(recipes.mawi(n, hubs, hub_share, extra, seed=seed), threads)


def preferential_attachment(
    n: int, links: int = 4, *, shuffled: bool = False, seed: int = 1, threads: int | None = None
) -> Edges:
    """Barabasi-Albert: every vertex links to earlier ones in proportion to their degrees.

    Connected, without loops; some edges repeat. The number of vertices of degree d falls as
    ``d**-3``.

    Parameters
    ----------
    n
        Number of vertices.
    links
        Links of each vertex to earlier ones.
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
        If a count is negative, or ``links`` is 0.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.preferential_attachment(1000)
    Edges(vertices=1,000, edges=3,996, uint32)
    """
    recipe = recipes.preferential_attachment(n, links, shuffled=shuffled, seed=seed)
    return make(recipe, threads)


def web(
    n: int,
    links: int = 8,
    copied: float = 0.5,
    *,
    shuffled: bool = False,
    seed: int = 1,
    threads: int | None = None,
) -> Edges:
    """The copying model of the web: a page copies some of an earlier page's links.

    All copied links of a vertex come from one earlier vertex. Connected, without loops; some edges
    repeat. The number of vertices with d links to them falls as ``d**-(1 + 1 / copied)``.

    Parameters
    ----------
    n
        Number of vertices.
    links
        Links of each vertex.
    copied
        Probability that a link is copied; otherwise it leads to any earlier vertex.
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
        If a parameter is out of range.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.web(1000)
    Edges(vertices=1,000, edges=7,992, uint32)
    """
    return make(recipes.web(n, links, copied, shuffled=shuffled, seed=seed), threads)
