"""Brings a graph into the form that an algorithm reads, and notes what that took."""

from __future__ import annotations

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.algorithms.catalog import Algorithm
from skerry.algorithms.passes import Hook, Kernel
from skerry.graph.build import csr_from_edges, edges_from_csr, is_symmetric, symmetrize
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges
from skerry.result.plan import PassTime

__all__ = ["Prepared", "prepare"]


class Prepared(NamedTuple):
    """The graph to run on, and the conversions that led to it."""

    graph: Edges | Csr
    passes: list[PassTime]
    notes: tuple[str, ...]
    bytes: int = 0
    """What the conversions allocated; 0 where the graph is read as it is."""


def prepare(spec: Algorithm, graph: Edges | Csr, dtype: npt.DTypeLike, threads: int) -> Prepared:
    """The graph as ``spec`` reads it, with ids of type ``dtype`` where its kernels need that."""
    rows_are_read = graph.form == "csr" and graph.symmetric and spec.form != "edges"
    if rows_are_read and graph.id_dtype.itemsize == np.dtype(dtype).itemsize:
        return Prepared(graph, [], ())  # most graphs end here
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

    wide = np.dtype(dtype)
    if graph.form == "csr" and graph.neighbors.dtype.itemsize != wide.itemsize:
        neighbors = timed("convert ids", graph.neighbors.astype, wide)
        graph = Csr(graph.offsets, neighbors, graph.symmetric, graph.sorted_rows)
    elif (
        graph.form == "edges"
        and graph.src.dtype.itemsize != wide.itemsize
        and Kernel in map(type, spec.passes)
    ):
        src = timed("convert ids", graph.src.astype, wide)
        dst = timed("convert ids", graph.dst.astype, wide)
        graph = Edges(src, dst, graph.num_vertices)
    return Prepared(
        graph, passes, _notes(spec, graph), graph.nbytes if graph is not original else 0
    )


def _notes(spec: Algorithm, graph: Edges | Csr) -> tuple[str, ...]:
    """Says which choices cannot be followed on this graph without giving a wrong answer."""
    if graph.form != "csr" or graph.symmetric:
        return ()
    notes = []
    hooks = [step for step in spec.passes if isinstance(step, Hook)]
    if any(step.entries == "one_direction" for step in hooks):
        notes.append("not known to be symmetric: all entries are looked at, not one direction")
    if any(step.skip_largest for step in hooks):
        notes.append("not known to be symmetric: the largest component is not left out")
    return tuple(notes)
