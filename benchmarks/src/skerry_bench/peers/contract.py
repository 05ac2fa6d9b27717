"""How tables find components, for the peers that speak SQL or expressions.

Contraction by joins, the best known way without a union-find: each vertex with an edge takes the
smallest of itself and its neighbors for its parent; parents are followed to the roots by joining
the table of parents with itself; edges become those between different roots, without repeats; the
labels of all vertices follow. The edges are gone after a few rounds, also where the diameter is
large, which label propagation (one round a hop) would not survive.
"""

from __future__ import annotations

from typing import Protocol

__all__ = ["Contraction", "contract"]


class Contraction(Protocol):
    """The steps, as an engine does them."""

    def edges_left(self) -> bool:
        """Whether there is an edge."""

    def choose_parents(self) -> None:
        """The smallest of each vertex with an edge and its neighbors."""

    def follow_parents(self) -> bool:
        """Each vertex takes its parent's parent; whether that changed any."""

    def contract_edges(self) -> None:
        """Edges between different roots; the labels follow."""


def contract(engine: Contraction) -> None:
    """Until no edge is left."""
    while engine.edges_left():
        engine.choose_parents()
        while engine.follow_parents():
            pass
        engine.contract_edges()
