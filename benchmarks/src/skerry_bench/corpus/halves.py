"""Which half of the corpus a family belongs to: tuning, or checking.

A family is for checking if the first byte of the SHA-256 of its name is odd. Families that
``auto`` was chosen on, or whose times had been seen before the corpus was made, are for tuning.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Literal

Half = Literal["tuning", "checking"]
HALVES: tuple[Half, ...] = ("tuning", "checking")

KNOWN = frozenset(
    {
        "grid",
        "random-picks",
        "rmat",
        "graph500",
        "delaunay",
        "road",
        "mawi",
        "path",
        "tiny",
        "uniform",
        "grid-3d",
        "geometric",
        "small-world",
        "cliques-16",
        "stencil-27",
        "star-hub-last",
        "web",
        "k-mers",
        "molecules",
        "map",
        "delaunay_n16",
        "dictionary28",
        "cnr-2000",
        "github-map-v2",
        "USA-road-d.NE",
        "USA-road-d.NY",
    }
)
"""Families and real graphs whose times had been seen: all for tuning."""


def half_of(families: Iterable[str]) -> Half:
    """The half of a graph made of these families: checking if one of them is.

    >>> half_of(["grid"]), half_of(["grid", "honeycomb"])
    ('tuning', 'checking')
    """
    odd = (
        family not in KNOWN and sha256(family.encode()).digest()[0] % 2 == 1 for family in families
    )
    return "checking" if any(odd) else "tuning"
