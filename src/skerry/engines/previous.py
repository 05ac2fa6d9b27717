"""``previous=``: what an earlier answer joined is joined in this one too.

To edges that are read in batches, the earlier answer is a further batch: every id and the smallest
of its component. The labels of a graph in memory are joined with the earlier ones afterwards, which
takes a pass over the vertices and no copy of the edges.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.engines.engine import Engine
from skerry.errors import InputError, UnsupportedError
from skerry.graph.edge_source import Batch, EdgeSource, ReadPosition, closed_after
from skerry.graph.edges import Edges, vertex_dtype
from skerry.graph.threshold import Threshold
from skerry.ids.id_space import Positions
from skerry.inputs.host import ARRAY_FACTS
from skerry.inputs.sources import HostSource, Source, StreamSource
from skerry.request import SolveOptions
from skerry.result.components import Components
from skerry.result.forest import ReadEdges
from skerry.result.identities import identities
from skerry.result.names import check_names
from skerry.result.plan import PassTime, Plan
from skerry.result.previous import Previous, fitting
from skerry.result.verify import Verification, certify
from skerry.union_find.forest import PIECE, Forest


def with_previous(source: StreamSource, previous: Previous | None) -> EdgeSource:
    """The edges of a stream and, after them, those of an earlier answer, if there is one."""
    edges = source.edges
    if previous is None:
        return edges
    external = edges.id_kind == "external"
    previous = fitting(previous, external, edges.first_id)
    threshold = source.options.selection

    def followed(batches: Iterator[Batch]) -> Iterator[Batch]:
        with closed_after(batches):
            yield from batches
        yield from _batches_of(previous, threshold)

    def open_at(threads: int, position: ReadPosition) -> Iterator[Batch]:
        assert edges.open_at is not None
        return followed(edges.open_at(threads, position))

    return replace(
        edges,
        open=lambda threads: followed(edges.open(threads)),
        open_at=None if edges.open_at is None else open_at,
        num_edges=None,
    )


def _batches_of(previous: Previous, threshold: Threshold | None) -> Iterator[Batch]:
    src, dst = previous.edges()
    every = np.arange(len(previous.labels))
    for ends, only_vertices in (((src, dst), False), ((every, every), True)):
        for begin in range(0, len(ends[0]), PIECE):
            sources, targets = (positions[begin : begin + PIECE] for positions in ends)
            # The weight that is just enough: a threshold leaves none of them out.
            weight = None if threshold is None else np.full(len(sources), threshold.value)
            if previous.ids is not None:
                sources, targets = map(previous.ids.column, (sources, targets))
            yield Batch(sources, targets, weight, "previous", only_vertices=only_vertices)


def solve_after(engine: Engine, source: Source, options: SolveOptions) -> Components:
    """The result of edges and an earlier answer, with the names of that answer.

    Below a limit of memory, names are left out: they take memory for all vertices.
    """
    assert options.previous is not None
    if isinstance(source, HostSource):
        result = engine.solve(source, options._replace(previous=None))
        result = join_previous(result, source, options)
    else:
        result = engine.solve(source, options)  # a stream has the earlier answer read
    return result if options.spill is not None else _named(result, options.previous)


def _named(result: Components, previous: Previous) -> Components:
    """The result with the names of the earlier answer, which are found when they are needed."""
    check_names(previous.names)
    return result._called(lambda: identities(result, previous))


def join_previous(result: Components, source: HostSource, options: SolveOptions) -> Components:
    """The result of a graph in memory, joined with an earlier one."""
    begin = perf_counter()
    previous = options.previous
    assert previous is not None
    if source.ids is not None:
        raise UnsupportedError("previous= is for vertex numbers, and for tables, files and batches")
    previous = fitting(previous, False)
    known, n = len(previous.labels), result.num_vertices
    if known > n and (source.facts is not ARRAY_FACTS or source.options.num_vertices is not None):
        raise InputError(f"previous: it has {known:,} vertices, but the graph has only {n:,}")
    labels = result._smallest.copy()
    forest = Forest(0, result._threads, labels.dtype)
    forest.adopt(labels)
    forest.grow(known)
    before, merges = forest.count(), 0
    for first in range(0, known, PIECE):
        earlier = previous.labels[first : first + PIECE]
        own = np.arange(first, first + len(earlier), dtype=earlier.dtype)
        merges += forest.join(own, earlier, forest.team(len(own)))
    forest.flatten()
    note = f"previous: {known:,} vertices; {before:,} components became {before - merges:,}"
    time = PassTime("join previous", perf_counter() - begin)

    def plan() -> Plan:
        own = result.plan
        return replace(
            own,
            vertices=forest.size,
            passes=(*own.passes, time),
            notes=(*own.notes, note),
            bytes=own.bytes + forest.nbytes,
        )

    edges = result._edges
    assert edges is not None  # of a result that was just made
    return Components(
        forest.parent,
        Positions(forest.size),
        options.labels,
        plan,
        partial(_verify, edges, previous),
        result._threads,
        options.dtype,
        edges,
    )


def _verify(edges: ReadEdges, previous: Previous, labels: npt.NDArray[Any]) -> Verification:
    """Checks labels against a graph and an earlier answer, whose edges come after the graph's."""
    batches = list(edges())
    src, dst = previous.edges()
    kind = vertex_dtype(len(labels))
    both = Edges(
        np.concatenate([*(batch.src for batch in batches), src]).astype(kind),
        np.concatenate([*(batch.dst for batch in batches), dst]).astype(kind),
        len(labels),
    )
    return certify(both, labels)
