"""The planner's table for rows on a CPU: which algorithm for which features, and how many threads.

All that was measured stands here: which rule comes first, and the numbers they turn on.
tools/fit_planner.py refits those to a run of the corpus; docs/benchmarks.md has the runs.
"""

from __future__ import annotations

from typing import NamedTuple

from skerry.config import MAX_THREADS
from skerry.graph.features import Features

__all__ = [
    "ANY_ROWS",
    "ENTRIES_READ",
    "EXPANSION_FROM",
    "LOOK_FROM",
    "SYMMETRIC_ROWS",
    "THREADS",
    "Rule",
]

LOOK_FROM = 1 << 11
"""Vertices and entries together from which looking at a graph pays."""

EXPANSION_FROM = 3 << 13
"""Vertices and entries together from which measuring how fast it expands pays."""

THREADS = ((16_000, 4), (3 << 14, 8), (1 << 16, MAX_THREADS))
"""Vertices and entries to look at from which so many threads pay."""

ENTRIES_READ = 2
"""Of a row, about, by the algorithms that leave out the largest component."""


class Rule(NamedTuple):
    """A row of the planner's table: the first of which all bounds hold is taken."""

    algorithm: str
    reason: str
    bounds: tuple[tuple[str, float, float], ...] = ()
    """A feature, from its smallest value to below its largest."""

    def holds(self, sample: Features) -> bool:
        """Whether all features are within their bounds."""
        return all(low <= getattr(sample, name) < high for name, low, high in self.bounds)


INF = float("inf")
EXPANDS_FAST = "expands fast: {reached:,} vertices within {levels} levels"

ANY_ROWS = (
    Rule("local", "{near:.0%} of neighbors have near ids", (("near", 0.8, INF),)),
    Rule("window", "neighbors have far ids"),
)
"""For rows that may lack the reverse of an entry: no component may be left out."""

SYMMETRIC_ROWS = (
    Rule(
        "flood",  # of rows so long nearly all begin with a smaller neighbor, in whatever order
        "{degree:.0f} entries a vertex, {near:.0%} of neighbors have near ids",
        (("degree", 64.0, INF), ("near", 0, 0.2)),
    ),
    Rule(
        "rows",  # however fast it expands: flood gains less than measuring that takes
        "small, {smaller:.1%} of first neighbors have smaller ids",
        (("smaller", 0.995, INF), ("vertices", 0, 1 << 16)),
    ),
    Rule(
        "carry",  # few threads, each with few rows for itself
        "small, {near:.0%} of neighbors have near ids",
        (
            ("threads", 2, 4),
            ("size", THREADS[0][0], INF),
            ("vertices", 0, 12_000),
            ("near", 0.8, INF),
            ("smaller", 0, 0.985),
        ),
    ),
    Rule(
        "local",  # trace has one thread
        "small, {near:.0%} of neighbors have near ids",
        (
            ("threads", 2, INF),
            ("size", THREADS[0][0], EXPANSION_FROM),
            ("near", 0.8, INF),
            ("smaller", 0, 0.985),
        ),
    ),
    Rule(
        "carry",  # most vertices have one neighbor or none: the first links are most of the trees
        "{degree:.1f} entries a vertex",
        (("degree", 0, 1.2),),
    ),
    Rule(
        "carry",  # many components: trace would begin anew for each
        "small, {degree:.1f} entries a vertex",
        (("size", 0, EXPANSION_FROM), ("degree", 0, 1.7), ("smaller", 0, 0.985)),
    ),
    Rule(
        "flood",  # an eighth of the vertices is probed: 2 us
        "small, {degree:.1f} entries a vertex, {reached:,} vertices within {levels} levels",
        (
            ("size", 0, EXPANSION_FROM),
            ("vertices", 512, INF),
            ("degree", 7.5, INF),
            ("near", 0, 0.2),
            ("smaller", 0, 0.985),
            ("levels", 1, 4),
        ),
    ),
    Rule("trace", "small", (("size", 0, EXPANSION_FROM), ("smaller", 0, 0.985))),
    Rule(
        "trace",  # a probe would take as long as is gained by it
        "small, {degree:.1f} entries a vertex, neighbors have far ids",
        (
            ("threads", 0, 4),
            ("vertices", 0, 1 << 14),
            ("degree", 1.9, 3.5),
            ("near", 0, 0.1),
            ("smaller", 0.55, 0.8),
        ),
    ),
    Rule(
        "carry",  # their links make most of the trees, and a probe would take as long
        "small, {smaller:.0%} of first neighbors have smaller ids: hubs after leaves",
        (("degree", 0, 3.0), ("smaller", 0, 0.1), ("near", 0, 0.2), ("vertices", 0, 1 << 17)),
    ),
    Rule(
        "carry",  # groups of near ids
        "{near:.0%} of neighbors have near ids, {smaller:.0%} of first ones smaller ids",
        (("near", 0.8, INF), ("smaller", 0, 0.97), ("degree", 4.0, 10.0)),
    ),
    Rule(
        "carry",  # as roads: of many threads, each has few groups for itself
        "{near:.0%} of neighbors have near ids, {smaller:.0%} of first ones smaller ids",
        (("threads", 8, INF), ("near", 0.8, INF), ("smaller", 0, 0.96), ("degree", 2.2, 4.0)),
    ),
    Rule(
        "carry",  # a graph that expands fast, its ids mixed with those of small components
        "{near:.0%} of neighbors have near ids, {reached:,} vertices within {levels} levels",
        (
            ("near", 0.8, 0.96),
            ("smaller", 0, 0.98),
            ("degree", 2.5, 4.0),
            ("vertices", 1 << 15, INF),
            ("levels", 1, 8),
        ),
    ),
    Rule(
        "rows",  # as a path that leads to an R-MAT graph: local would join most of it in the end
        "{near:.0%} of neighbors have near ids, {reached:,} vertices within {levels} levels",
        (
            ("threads", 4, INF),
            ("near", 0.8, INF),
            ("smaller", 0.99, 0.9985),
            ("degree", 3.0, INF),
            ("levels", 1, 4),
        ),
    ),
    Rule(
        "local",
        "{near:.0%} of neighbors have near ids, {smaller:.1%} of first ones smaller ids",
        (("near", 0.8, INF), ("smaller", 0, 0.9985)),
    ),
    # From here on, vertices are in order or neighbors are far.
    Rule(
        "rows",  # a probe would take a third of the time
        "{degree:.1f} entries a vertex, {smaller:.1%} of first neighbors have smaller ids",
        (("smaller", 0.999, INF), ("degree", 3.0, INF)),
    ),
    Rule(
        "local",
        "{near:.0%} of neighbors have near ids, no large component was seen",
        (("near", 0.8, INF), ("reached", 0, 1)),
    ),
    Rule(
        "local",
        "{near:.0%} of neighbors have near ids, expands as slowly as a path",
        (("near", 0.8, INF), ("levels", 200, INF)),
    ),
    Rule(
        "carry",
        "{degree:.1f} entries a vertex, {reached:,} within {levels} levels: hubs with near leaves",
        (("near", 0.8, INF), ("degree", 0, 3.0), ("levels", 0, 3)),
    ),
    Rule(
        "local",  # as meshes in space: most neighbors are near, and the first ones are not
        "{near:.0%} of neighbors have near ids, {smaller:.1%} of first ones smaller ids",
        (("near", 0.6, 0.9), ("smaller", 0.97, 0.999), ("levels", 8, INF)),
    ),
    Rule(
        "rows",
        "{smaller:.1%} of first neighbors have smaller ids",
        (("smaller", 0.999, INF), ("reached", 1, INF)),
    ),
    Rule(
        "rows",
        "{degree:.1f} entries a vertex, {smaller:.1%} of first neighbors have smaller ids",
        (("smaller", 0.9965, INF), ("degree", 3.0, INF), ("reached", 1, INF)),
    ),
    Rule(
        "carry",  # a fast graph among small components, with ids that are less near
        "{near:.0%} of neighbors have near ids, {reached:,} vertices within {levels} levels",
        (("near", 0.4, 0.8), ("smaller", 0.93, 0.979), ("degree", 3.0, 5.0), ("levels", 2, 4)),
    ),
    Rule(
        "rows",  # as a path or a tree that leads to hubs: flood would go through most of it alone
        "{degree:.1f} entries a vertex, {smaller:.1%} of first neighbors have smaller ids",
        (("smaller", 0.979, INF), ("degree", 3.0, 10.0), ("levels", 2, 4)),
    ),
    Rule(
        "carry",  # their links join most of it
        "{degree:.1f} entries a vertex, {reached:,} within {levels} levels: hubs before leaves",
        (("degree", 0, 3.0), ("smaller", 0.8, INF), ("reached", 1, INF), ("levels", 0, 4)),
    ),
    Rule(
        "carry",  # those of a star, within two levels, are flooded
        "{degree:.1f} entries a vertex, {reached:,} within {levels} levels: hubs after leaves",
        (("degree", 0, 3.0), ("smaller", 0, 0.1), ("near", 0, 0.2), ("levels", 3, INF)),
    ),
    Rule(
        "flood",
        EXPANDS_FAST,
        (("reached", 1, INF), ("levels", 0, 4)),
    ),
    Rule(
        "rows",  # as in breadth-first order: links make long paths, which are shortened first
        "{degree:.1f} entries a vertex, {smaller:.0%} of first neighbors have smaller ids",
        (("degree", 0, 3.4), ("smaller", 0.88, INF), ("near", 0, 0.5), ("reached", 1, INF)),
    ),
    Rule(
        "flood",
        EXPANDS_FAST,
        (("near", 0, 0.2), ("degree", 3.0, INF), ("vertices", 5_000, INF), ("levels", 1, 7)),
    ),
    Rule(
        "flood",
        "{degree:.1f} entries a vertex, {reached:,} within {levels} levels",
        (("degree", 5.0, INF), ("reached", 1, INF), ("levels", 0, 5)),
    ),
    Rule(
        "trace",
        "small, {degree:.1f} entries a vertex, expands slowly, neighbors have far ids",
        (("vertices", 0, 1 << 14), ("degree", 2.5, INF), ("near", 0, 0.1), ("reached", 1, INF)),
    ),
    Rule(
        "rows",
        "{degree:.1f} entries a vertex, {reached:,} within {levels} levels",
        (("threads", 4, INF), ("near", 0.2, 0.3), ("degree", 5.0, INF), ("levels", 1, 7)),
    ),
    Rule(
        "carry",
        "small, {degree:.1f} entries a vertex, neighbors have far ids",
        (("vertices", 0, 1 << 17),),
    ),
    Rule(
        "carry",
        "{degree:.1f} entries a vertex, {near:.0%} of neighbors have near ids",
        (("near", 0.3, INF), ("degree", 0, 10.0)),
    ),
    Rule(
        "carry",  # cliques: all but the first entries of a row lead to the tree that it is in
        "{degree:.1f} entries a vertex, no large component was seen",
        (("degree", 10.0, INF), ("reached", 0, 1)),
    ),
    Rule(
        "carry",  # two kinds of vertices, one after the other, as corners and cells of a mesh
        "expands slowly, {smaller:.0%} of first neighbors have smaller ids",
        (
            ("degree", 3.4, INF),
            ("smaller", 0, 0.7),
            ("vertices", 0, 1 << 19),
            ("reached", 1, INF),
        ),
    ),
    Rule(
        "rows",  # as meshes: a few neighbors of each vertex make one large tree
        "{degree:.1f} entries a vertex, expands slowly, neighbors have far ids",
        (("degree", 5.5, INF), ("smaller", 0.7, INF), ("reached", 1, INF)),
    ),
    Rule(
        "rows",
        "{degree:.1f} entries a vertex, expands slowly, neighbors have far ids",
        (("degree", 3.4, INF), ("smaller", 0.7, 0.94), ("reached", 1, INF)),
    ),
    Rule(
        "rows",
        "{degree:.1f} entries a vertex, expands slowly, neighbors have far ids",
        (
            ("threads", 8, INF),
            ("degree", 2.2, 3.4),
            ("smaller", 0.7, INF),
            ("vertices", 1 << 19, INF),
            ("reached", 1, INF),
        ),
    ),
    Rule(
        "carry",  # many threads have large caches together
        "{degree:.1f} entries a vertex, neighbors have far ids",
        (("threads", 8, INF), ("vertices", 0, 1 << 19)),
    ),
    Rule(
        "window[adapt=1]",
        "{degree:.1f} entries a vertex, neighbors have far ids",
    ),
)
"""For rows known to hold every edge twice."""
