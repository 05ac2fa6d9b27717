"""Brings a graph into the form that an algorithm reads, and notes what that took."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from skerry.algorithms.catalog import Algorithm
from skerry.algorithms.number_ranges import number_of
from skerry.algorithms.passes import Hook, Kernel
from skerry.graph.build import csr_from_edges, edges_from_csr, is_symmetric, symmetrize
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges
from skerry.result.plan import PassTime


@dataclass(slots=True, eq=False)
class Prepared:
    """The graph to run on, and the conversions that led to it."""

    graph: Edges | Csr
    passes: list[PassTime]
    notes: tuple[str, ...]
    bytes: int = 0
    """What the conversions allocated; 0 where the graph is read as it is."""


def prepare(spec: Algorithm, graph: Edges | Csr, dtype: np.dtype[Any], threads: int) -> Prepared:
    """The graph as ``spec`` reads it, with ids of type ``dtype`` where its kernels need that."""
    suits = spec.form == "csr" or (graph.symmetric and spec.form != "edges")
    if suits and graph.form == "csr" and graph.id_dtype.itemsize == dtype.itemsize:
        return Prepared(graph, [], _notes(spec, graph))  # most graphs end here
    original = graph
    passes: list[PassTime] = []

    def timed(name: str, step: Any, *arguments: Any) -> Any:
        begin = perf_counter()
        value = step(*arguments)
        passes.append(PassTime(name, perf_counter() - begin))
        return value

    if spec.reads_rows("cpu"):
        if graph.form == "edges":
            graph = timed("build csr", csr_from_edges, graph, threads)
        elif spec.form == "symmetric csr" and not graph.symmetric:
            if graph.symmetric is None and timed("check symmetry", is_symmetric, graph, threads):
                graph = Csr(graph.offsets, graph.neighbors, True, graph.sorted_rows)
            else:
                graph = timed("symmetrize", symmetrize, graph, threads)
    elif spec.form == "edges" and graph.form == "csr":
        graph = timed("list edges", edges_from_csr, graph, bool(graph.symmetric), threads)

    if graph.form == "csr" and graph.neighbors.dtype.itemsize != dtype.itemsize:
        neighbors = timed("convert ids", graph.neighbors.astype, dtype)
        graph = Csr(graph.offsets, neighbors, graph.symmetric, graph.sorted_rows)
    elif (
        graph.form == "edges"
        and graph.src.dtype.itemsize != dtype.itemsize
        and Kernel in map(type, spec.passes)
    ):
        src = timed("convert ids", graph.src.astype, dtype)
        dst = timed("convert ids", graph.dst.astype, dtype)
        graph = Edges(src, dst, graph.num_vertices)
    return Prepared(
        graph, passes, _notes(spec, graph), graph.nbytes if graph is not original else 0
    )


SKIPPING = frozenset(
    (name, number_of(name, word)) for name, word in (("rest", "skip"), ("seconds", "join"))
)
"""Choices of "rows" that are right only where every entry has its reverse."""


def _notes(spec: Algorithm, graph: Edges | Csr) -> tuple[str, ...]:
    """Says which choices cannot be followed on this graph without giving a wrong answer."""
    if graph.form != "csr" or graph.symmetric:
        return ()
    one_direction = skip_largest = False
    for step in spec.passes:
        if isinstance(step, Hook):
            one_direction |= step.entries == "one_direction"
            skip_largest |= step.skip_largest
        elif isinstance(step, Kernel):
            skip_largest |= not SKIPPING.isdisjoint(step.options)
    notes: tuple[str, ...] = ()
    if one_direction:
        notes += ("not known to be symmetric: all entries are looked at, not one direction",)
    if skip_largest:
        notes += ("not known to be symmetric: the largest component is not left out",)
    return notes
