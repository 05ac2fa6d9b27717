"""Generated graphs in batches: the edges of `make`, in the same order.

A graph that is larger than memory can be written to a file, or solved as a stream. Besides the
batch, a stream holds the tables of its family, which most do not have. Roads need 8 bytes per
crossing, planted graphs 8 per component. Geometric graphs need 8 per point and 16 per cell; they
have no more cells than points. A triangulation is complete before its first batch: scipy makes it
at once.
"""

from __future__ import annotations

from collections.abc import Iterator

from skerry.errors import ArgumentError
from skerry.generators.builder import Recipe, plan
from skerry.graph.edge_source import Batch, EdgeSource
from skerry.threads import resolve_threads

BATCH = 1 << 20
"""Edges in a batch by default: 8 MB, which fit into the outer caches."""


def stream(
    recipe: Recipe, batch: int = BATCH, *, threads: int | None = None, name: str | None = None
) -> EdgeSource:
    """The edges that a recipe describes, in batches: for graphs that are larger than memory.

    Parameters
    ----------
    recipe
        What `recipe`, `parse` or a `Family` returns.
    batch
        Edges in a batch. Only a single crossing, or cell of a geometric graph, can exceed it.
    threads
        How many threads fill the tables of the family; all of the machine by default.
    name
        What messages call the graph; by default the family.

    Returns
    -------
    EdgeSource
        A source that can be solved, or written by `skerry.io.write_graph`.

    Raises
    ------
    InputError
        If ``batch`` is below 1.

    Examples
    --------
    >>> from skerry import generators
    >>> recipe = generators.recipe("grid", rows=1000, columns=1000)
    >>> edges = generators.stream(recipe, batch=500_000)
    >>> edges.num_vertices, edges.num_edges
    (1000000, 1998000)
    >>> [len(batch.src) for batch in edges.open(1)]
    [500000, 500000, 500000, 498000]
    """
    if batch < 1:
        raise ArgumentError(f"batch must be at least 1, got {batch}")
    made = plan(recipe, threads)

    def read(team: int) -> Iterator[Batch]:
        team = resolve_threads(team)
        done = 0
        for first, last in made.ranges(batch):
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
