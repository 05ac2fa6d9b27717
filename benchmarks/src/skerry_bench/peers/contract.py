"""Components by joins of tables, for the peers that run SQL or expressions.

Contraction, the best known method without a union-find: the parent of each vertex with an edge is
the smallest of itself and its neighbors; parents are followed to the roots by joining the table of
parents with itself; edges are replaced by those between different roots, without repeats, and the
labels of all vertices are updated. No edges are left after a few rounds, even if the diameter is
large; label propagation would take one round per hop.
"""

from __future__ import annotations

from typing import Protocol


class Contraction(Protocol):
    """The steps, implemented by a table engine."""

    def edges_left(self) -> bool:
        """Whether any edge is left."""

    def choose_parents(self) -> None:
        """Sets the parent of each vertex to the smallest of itself and its neighbors."""

    def follow_parents(self) -> bool:
        """Sets each parent to its own parent; returns whether any changed."""

    def contract_edges(self) -> None:
        """Replaces edges by those between different roots, and updates the labels."""


def contract(engine: Contraction) -> None:
    """Repeats the steps until no edge is left."""
    while engine.edges_left():
        engine.choose_parents()
        while engine.follow_parents():
            pass
        engine.contract_edges()
