"""Models of real graphs: roads, network traffic, attachment, the web, stated figures.

They are described in ``kernels/common/generators.h``, ``grown.h`` and ``profile.h``, where each
is a function from the number of an edge to its ends.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, expm1, factorial, log
from typing import Annotated, NamedTuple

from skerry.errors import ArgumentError
from skerry.generators.builder import Recipe
from skerry.generators.definition import generator
from skerry.generators.parameters import (
    Bounds,
    Count,
    Positive,
    Probability,
    Seed,
    Share,
    as_integer,
    check_size,
)


@generator("width=500")
def road(
    width: Count,
    keep: Probability = 0.62,
    subdivisions: Count = 3,
    *,
    joined: bool = False,
    largest_degree: int = 0,
    later: Annotated[float, Bounds(0, 0.25, "be a share in 0..0.25")] = 0,
    shuffled: bool = False,
    seed: Seed = 1,
    threads: int | None = None,
) -> Recipe:
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
    later
        Share of the crossings that exchange their ids with earlier ones and have later neighbors
        only then. Where streets are subdivided, about as many vertices on them do.

    Examples
    --------
    >>> generators.road(100)
    Edges(vertices=47,035, edges=49,380, uint32)
    """
    check_size(width * width * (1 + 2 * subdivisions))
    if largest_degree and not 5 <= largest_degree <= 17:
        raise ArgumentError(f"largest_degree of a road must be 0 or in 5..17, got {largest_degree}")
    kept = as_integer(keep)
    exchanged = as_integer(4 * later)
    parameters = (width, subdivisions, kept, seed, int(joined), largest_degree, exchanged)
    return Recipe("road", parameters)


@generator("n=1e6")
def mawi(
    n: Count,
    hubs: Count = 64,
    hub_share: Probability = 17 / 24,
    extra: Annotated[float, Bounds(0, 1e6, "be a share of n, not negative")] = 1 / 16,
    *,
    seed: Seed = 1,
    threads: int | None = None,
) -> Recipe:
    """Internet traffic: every vertex sends an edge, mostly to one of a few hubs.

    Of the ``2 * (1 + extra) * n`` directed edges, the rows of the hubs hold ``hub_share * n``: with
    the defaults, a third.

    Parameters
    ----------
    hubs
        Number of hubs.
    hub_share
        Probability that a vertex's edge goes to a hub, to the first ones most often.
    extra
        Further edges between any vertices, as a share of n.

    Examples
    --------
    >>> generators.mawi(1000)
    Edges(vertices=1,000, edges=1,062, uint32)
    """
    check_size(n)
    if n and not 1 <= hubs <= n:
        raise ArgumentError(f"of {n:,} vertices, 1..{n} can be hubs, got {hubs}")
    return Recipe("mawi", (n, hubs, as_integer(hub_share), round(n * extra), seed))


@generator("n=1e6,links=5")
def web(
    n: Count,
    links: Positive = 8,
    copied: Probability = 0.5,
    *,
    shuffled: bool = False,
    seed: Seed = 1,
    threads: int | None = None,
) -> Recipe:
    """The copying model of the web: a page copies some of an earlier page's links.

    All copied links of a vertex come from one earlier vertex. Connected, without loops; some edges
    repeat. The number of vertices with d links to them falls as ``d**-(1 + 1 / copied)``.

    Parameters
    ----------
    copied
        Probability that a link is copied; otherwise it leads to any earlier vertex.

    Examples
    --------
    >>> generators.web(1000)
    Edges(vertices=1,000, edges=7,992, uint32)
    """
    check_size(2 * n * links)
    return Recipe("web", (n, links, as_integer(copied), seed))


@generator("n=1e6,links=5")
def preferential_attachment(
    n: Count,
    links: Positive = 4,
    *,
    shuffled: bool = False,
    seed: Seed = 1,
    threads: int | None = None,
) -> Recipe:
    """Barabasi-Albert: every vertex links to earlier ones in proportion to their degrees.

    Connected, without loops; some edges repeat. The number of vertices of degree d falls as
    ``d**-3``.

    Examples
    --------
    >>> generators.preferential_attachment(1000)
    Edges(vertices=1,000, edges=3,996, uint32)
    """
    check_size(2 * n * links)
    return Recipe("preferential_attachment", (n, links, seed))


@generator("n=1e6,m=5e6,largest_degree=9000")
def profile(
    n: Count,
    m: Count,
    largest_degree: Count,
    components: Positive = 1,
    part_size: Positive = 2,
    near: Share = 0.3,
    leaves: Share = 0.2,
    later: Share = 0.0,
    skew: Annotated[int, Bounds(0, 4)] = 0,
    *,
    shuffled: bool = False,
    seed: Seed = 1,
    threads: int | None = None,
) -> Recipe:
    """A graph of stated size, degrees and components, to stand in for a real one.

    The numbers of vertices and components are exact. Those of distinct edges, and of neighbors of
    the hub, are right to a few percent if the graph has at least some thousand vertices and its
    edges suffice to connect it. There are no loops; some edges repeat.

    Parameters
    ----------
    m
        Number of distinct edges.
    largest_degree
        Degree of the hub. Degrees fall as a power of the rank; hubs have ids anywhere.
    components
        Number of components: a large one, and small parts spread evenly over the ids.
    part_size
        Vertices of a small part; with 1 they have no neighbor.
    near
        Share of the links to vertices with close ids, up to a tenth of all away; the binary
        logarithm of the distance is uniform.
    leaves
        Share of the vertices that have one neighbor.
    later
        Share of the vertices that have later neighbors only, few each, besides the first of each
        component. Init3 of ECL-CC leaves a hook for each.
    skew
        How uneven degrees are below the hubs, 0..4: with 0 most are near the mean; with 1 the
        median is about half of it, with 2 a sixth.

    Examples
    --------
    >>> import skerry
    >>> edges = generators.profile(10_000, 50_000, largest_degree=900, components=20)
    >>> skerry.connected_components(edges).count
    20
    """
    check_size(n)
    figures = Figures(n, m, largest_degree, components, part_size, near, leaves, later, skew)
    return Recipe("profile", (*profile_parameters(figures), seed))


BLOCK = 16
"""Vertices of the core of which so many are leaves: ``kBlock``."""
REACH = 0.1
"""Near links lead at most so far, as a share of the vertices.

In cnr-2000, a crawl, 99 percent of all links do.
"""
LATE_LINKS = 1 / 8
"""Links beyond the first of a vertex that has later neighbors only, as a share of the mean degree.

Half of them have 1 neighbor in cnr-2000 (mean degree 17), at most 3 in ca-AstroPh (21).
"""
SECOND = 0.66
"""Neighbors of the second hub, as a share of the first one's."""


class Figures(NamedTuple):
    """What a graph has to have."""

    vertices: int
    edges: int
    largest_degree: int
    components: int
    part_size: int
    near: float
    leaves: float
    later: float
    skew: int


def profile_parameters(figures: Figures) -> tuple[int, ...]:
    """The fields of ``Profile`` but the seed, in their order."""
    if not figures.vertices:
        return (0,) * 14
    parts = figures.components - 1
    core = figures.vertices - parts * figures.part_size
    if core < figures.components:
        raise ArgumentError(
            f"{figures.vertices:,} vertices are too few for {figures.components:,} components: "
            f"half of them at least must be in the largest"
        )
    mean_degree = 2 * figures.edges / figures.vertices
    leaves = _leaf_places(figures, core, mean_degree)
    members = core // BLOCK * (BLOCK - leaves) + core % BLOCK
    octaves = max(int(REACH * members), 1).bit_length()
    octaves = max(min(octaves, members.bit_length() - 1), 1)
    drawn = max(figures.edges - (core - 1) - parts * (figures.part_size - 1), 0)
    if members < 3:
        drawn = 0
    late = min(round(figures.later * figures.vertices), core // BLOCK * leaves)
    late_links = min(round(late * mean_degree * LATE_LINKS), drawn)
    drawn -= late_links
    near = _near_links(figures.near * drawn, members, octaves, figures.skew)
    far = round((1 - figures.near) * drawn)
    hub = min(max(round(figures.largest_degree - mean_degree), 0), far, members - 1)
    probability = round(figures.near * 2**32)
    keep = _keep(hub, far, members)
    return (
        *(figures.vertices, parts, figures.part_size, leaves, octaves),
        *(near, hub, far, keep, probability, late, late_links),
        *(figures.skew, _skew_floor(figures, near + far, core, members)),
    )


def _skew_floor(figures: Figures, links: int, core: int, members: int) -> int:
    """The ranks that would send so many links that they rival the hub."""
    if not figures.skew or not links:
        return 0
    each = links / members
    others = core / members + 1 + each  # children in the trunk, and links that lead there
    limit = max((0.7 * figures.largest_degree - others) / each, 1.0)
    drawn_often = (limit * factorial(figures.skew)) ** (1 / figures.skew)
    return round(members * exp(-drawn_often))


def _leaf_places(figures: Figures, core: int, mean_degree: float) -> int:
    """Of `BLOCK` vertices, those with one neighbor and those with later ones only."""
    late = figures.later * figures.vertices / core
    also_leaves = late * exp(-mean_degree * LATE_LINKS)  # no further link was drawn for these
    return min(round(BLOCK * (max(figures.leaves - also_leaves, 0) + late)), BLOCK - 1)


def _near_links(wanted: float, members: int, octaves: int, skew: int) -> int:
    """How many draws leave so many distinct pairs of near members."""
    # The members in 64 groups by rank, and how often one of each is drawn, beside the mean.
    often = [(-log((group + 0.5) / 64)) ** skew / factorial(skew) for group in range(64)]

    def distinct(draws: float) -> float:
        each = draws / octaves
        return sum(
            -pairs / len(often) * expm1(-each * times / pairs)
            for pairs in (members << octave for octave in range(octaves))
            for times in often
        )

    return round(_solve(distinct, min(wanted, 0.9 * (members << (octaves - 1)))))


def _solve(increasing: Callable[[float], float], wanted: float) -> float:
    low, high = 0.0, max(wanted, 0.0)
    while increasing(high) < wanted and high < 16 * wanted:
        high *= 1.5
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if increasing(middle) < wanted else (low, middle)
    return high


def _keep(hub: int, far: int, members: int) -> int:
    """The probability of going on to a smaller group of ranks, as an integer of 32 bits.

    With it the two members of the second group have `SECOND` of the hub's links each.
    """
    groups = (members + 1).bit_length() - 1
    if hub == 0 or far <= hub or groups < 3:
        return 0
    share = min(2 * SECOND * hub / (far - hub), 0.95)
    probability: float = share ** (1 / (groups - 2))
    return round(probability * 2**32)
