"""Models of real graphs: roads, network traffic, attachment, the web, stated figures.

They are described in ``kernels/common/generators.h``, ``grown.h`` and ``profile.h``, where each
is a function from the number of an edge to its ends. Arguments are checked in
`skerry.generators.recipes`.
"""

from __future__ import annotations

from skerry.generators import recipes
from skerry.generators.builder import make
from skerry.graph.edges import Edges

__all__ = ["mawi", "preferential_attachment", "profile", "road", "web"]


def road(
    width: int,
    keep: float = 0.62,
    subdivisions: int = 3,
    *,
    joined: bool = False,
    largest_degree: int = 0,
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
    joined
        Whether there is, besides the streets that are kept, one from every crossing to the left or
        up: then the graph is connected.
    largest_degree
        One crossing in 256 x 256 has this degree, 5..17; with 0, none has more than 4 streets.
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
        If a count is negative, ``keep`` is not a probability, or ``largest_degree`` out of range.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.road(100)
    Edges(vertices=47,035, edges=49,380, uint32)
    """
    recipe = recipes.road(
        *(width, keep, subdivisions),
        joined=joined,
        largest_degree=largest_degree,
        shuffled=shuffled,
        seed=seed,
    )
    return make(recipe, threads)


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
    threads: int | None = None,
) -> Edges:
    """A graph of stated size, degrees and components, to stand in for a real one.

    The numbers of vertices and components are exact; those of distinct edges, and of neighbors of
    the hub, are right to a few percent where the graph has at least some thousand vertices and its
    edges suffice to connect it. There are no loops; some edges repeat.

    Parameters
    ----------
    n
        Number of vertices.
    m
        Number of distinct edges.
    largest_degree
        Degree of the hub. Degrees fall as a power of the rank; hubs have ids anywhere.
    components
        Number of components: a large one, and small parts spread evenly over the ids.
    part_size
        Vertices of a small part; with 1 they have no neighbor.
    near
        Share of the links to vertices with near ids, up to a tenth of all away; the binary
        logarithm of the distance is uniform.
    leaves
        Share of the vertices that have one neighbor.
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
        If a parameter is out of range, or the vertices are too few for the components.

    Examples
    --------
    >>> import skerry
    >>> from skerry import generators
    >>> edges = generators.profile(10_000, 50_000, largest_degree=900, components=20)
    >>> skerry.connected_components(edges).count
    20
    """
    recipe = recipes.profile(
        *(n, m, largest_degree, components, part_size, near, leaves), shuffled=shuffled, seed=seed
    )
    return make(recipe, threads)
