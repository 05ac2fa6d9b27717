"""Seeded graphs for tests and benchmarks.

The same parameters and seed give the same edges in the same order on every machine, with any number
of threads, on a CPU or a GPU, at once or in batches. Every edge comes once, in one direction.
Families that draw with replacement may repeat an edge or draw a loop.

Each family is a function that returns `skerry.Edges`. A `Recipe` describes a graph without making
it: `recipe` and `parse` build one from names and text. `make` returns its edges, `stream` returns
them in batches, for graphs that are larger than memory.

Examples
--------
>>> from skerry import generators
>>> generators.rmat(10, 8, seed=7)
Edges(vertices=1,024, edges=8,192, uint32)
>>> generators.make(generators.parse("grid:rows=3,columns=4"))
Edges(vertices=12, edges=17, uint32)
"""

from skerry.generators.builder import Recipe, geometric_points, make, shuffle_ids
from skerry.generators.families import (
    complete,
    delaunay,
    geometric,
    graph500,
    graph500_reference,
    grid,
    path,
    random_picks,
    ring,
    rmat,
    rmat_of,
    star,
    torus,
    uniform,
)
from skerry.generators.known_labels import planted, planted_labels, tiny, tiny_labels
from skerry.generators.models import mawi, preferential_attachment, profile, road, web
from skerry.generators.parameters import Parameter
from skerry.generators.streams import stream
from skerry.generators.suite import FAMILIES, Family
from skerry.generators.table import GENERATORS, Generator, parse, recipe

__all__ = [
    "FAMILIES",
    "GENERATORS",
    "Family",
    "Generator",
    "Parameter",
    "Recipe",
    "complete",
    "delaunay",
    "geometric",
    "geometric_points",
    "graph500",
    "graph500_reference",
    "grid",
    "make",
    "mawi",
    "parse",
    "path",
    "planted",
    "planted_labels",
    "preferential_attachment",
    "profile",
    "random_picks",
    "recipe",
    "ring",
    "rmat",
    "rmat_of",
    "road",
    "shuffle_ids",
    "star",
    "stream",
    "tiny",
    "tiny_labels",
    "torus",
    "uniform",
    "web",
]
