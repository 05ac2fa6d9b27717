"""Generated graphs as streams: the edges of `make`, in the same order, a batch at a time.

A graph that memory cannot hold can so be written to a file, or folded into its components. Beside
the batch, a stream holds the tables of its family: none for most; 8 bytes a crossing for roads; 8 a
point and 16 a cell for geometric graphs, which have no more cells than points; 8 a component for
planted ones. A triangulation is made whole before its first batch, as scipy knows no other way.
"""

from __future__ import annotations

from collections.abc import Iterator

from skerry.errors import InputError
from skerry.generators.builder import plan
from skerry.generators.recipes import Recipe
from skerry.graph.edge_source import Batch, EdgeSource
from skerry.threads import resolve_threads

__all__ = ["BATCH", "stream"]

BATCH = 1 << 20
"""Edges at a time, unless told: 8 megabytes, which the next-level caches just take."""


def stream(
    recipe: Recipe, batch: int = BATCH, *, threads: int | None = None, name: str | None = None
) -> EdgeSource:
    """The edges that a recipe describes, at most ``batch`` at a time.

    A batch is larger only where edges cannot be parted: those of one cell of a geometric graph, and
    of one crossing. The tables that a family needs are filled here, by so many threads.

    >>> from skerry.generators import recipes
    >>> edges = stream(recipes.grid(1000, 1000), batch=500_000)
    >>> edges.num_vertices, edges.num_edges
    (1000000, 1998000)
    >>> [len(batch.src) for batch in edges.open(1)]
    [500000, 500000, 500000, 498000]
    """
    if batch < 1:
        raise InputError(f"a batch has at least 1 edge, got {batch}")
    made = plan(recipe, threads)

    def read(team: int) -> Iterator[Batch]:
        team = resolve_threads(team)
        done = 0
        for first, last in made.stretches(batch):
            src, dst = made.make(first, last, team)
            if len(src):
                yield Batch(src, dst, location=f"edge {done}")
            done += len(src)

    return EdgeSource(
        name or recipe.family,
        "vertices",
        read,
        num_vertices=made.num_vertices,
        num_edges=made.num_edges,
    )
