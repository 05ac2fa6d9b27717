"""From the figures of a graph to the parameters of the family ``profile``.

The family draws with replacement (``kernels/common/profile.h``). Here the number of draws is found
that leaves, on average, the wanted number of distinct edges and of neighbors of the hub.
"""

from __future__ import annotations

from collections.abc import Callable
from math import expm1
from typing import NamedTuple

from skerry.errors import ArgumentError

BLOCK = 16
"""Vertices of the core of which so many are leaves: ``kBlock``."""
REACH = 0.1
"""Near links lead at most so far, as a share of the vertices.

In cnr-2000, a crawl, 99 percent of all links do.
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


def profile_parameters(figures: Figures) -> tuple[int, ...]:
    """The fields of ``Profile`` but the seed, in their order."""
    if not figures.vertices:
        return (0,) * 10
    parts = figures.components - 1
    core = figures.vertices - parts * figures.part_size
    if core < figures.components:
        raise ArgumentError(
            f"{figures.vertices:,} vertices are too few for {figures.components:,} components: "
            f"half of them at least must be in the largest"
        )
    leaves = min(round(BLOCK * figures.leaves), BLOCK - 1)
    members = core // BLOCK * (BLOCK - leaves) + core % BLOCK
    octaves = max(int(REACH * members), 1).bit_length()
    octaves = max(min(octaves, members.bit_length() - 1), 1)
    drawn = max(figures.edges - (core - 1) - parts * (figures.part_size - 1), 0)
    if members < 3:
        drawn = 0
    near = _near_links(figures.near * drawn, members, octaves)
    far = round((1 - figures.near) * drawn)
    others = 2 * figures.edges / figures.vertices  # what the hub has like any other member
    hub = min(max(round(figures.largest_degree - others), 0), far, members - 1)
    probability = round(figures.near * 2**32)
    keep = _keep(hub, far, members)
    return (
        *(figures.vertices, parts, figures.part_size, leaves, octaves),
        *(near, hub, far, keep, probability),
    )


def _near_links(wanted: float, members: int, octaves: int) -> int:
    """How many draws leave so many distinct pairs of near members."""

    def distinct(draws: float) -> float:
        each = draws / octaves
        return sum(
            -pairs * expm1(-each / pairs)
            for pairs in (members << octave for octave in range(octaves))
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
