"""Any source of edges as pairs of vertex numbers, for formats that hold nothing else."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.formats.writers.options import WriteOptions
from skerry.graph.edge_source import Batch, EdgeSource, closed_after
from skerry.graph.edges import vertex_dtype
from skerry.ids.numbering import Numbering

MAX_VERTICES = 2**48
"""Larger ids are not vertex numbers but, for instance, hashes."""


@dataclass(frozen=True, slots=True)
class VertexEdges:
    """Edges between vertices 0..n-1, in batches."""

    num_vertices: int
    num_edges: int
    batches: Callable[[], Generator[Batch, None, None]]
    """Ids are of type `vertex_dtype(num_vertices)`, all of them in range."""


def as_vertices(source: EdgeSource, options: WriteOptions) -> VertexEdges:
    """The edges as pairs of vertex numbers; counts what the source does not know beforehand."""
    if source.id_kind == "external":
        if options.external_ids == "refuse":
            raise InputError(
                f"{options.path}: this format numbers its vertices 0..n-1, but {source.name} has "
                "external ids. Write Parquet, Arrow or CSV, which keep them, or choose what they "
                'become: external_ids="ranks" (0..n-1 in their order) or external_ids="vertices" '
                "(integers as they are; those that do not occur become vertices without an edge)"
            )
        if options.external_ids == "ranks":
            return _ranked(source, options)
    n, m = source.num_vertices, source.num_edges
    if n is None or m is None:
        n, m = _counted(source, options)
    return VertexEdges(n, m, lambda: _vertex_batches(source, options, n, m))


def _counted(source: EdgeSource, options: WriteOptions) -> tuple[int, int]:
    """Reads the source once for the number of its vertices and edges."""
    _check_repeatable(source, options)
    high, m = -1, 0
    with closed_after(source.open(options.threads)) as batches:
        for batch in batches:
            for ids in (_integers(batch.src, source, batch), _integers(batch.dst, source, batch)):
                if len(ids):
                    if ids.min() < 0:
                        raise InputError(f"{source.name}: {batch.location}: an id is negative")
                    high = max(high, int(ids.max()))
            m += len(batch.src)
    n = high + 1 if source.num_vertices is None else source.num_vertices
    if n > MAX_VERTICES:
        raise InputError(
            f"{source.name}: the largest id is {high}, which is too large for a vertex number; "
            'external_ids="ranks" numbers the ids 0..n-1'
        )
    return n, m


def _check_repeatable(source: EdgeSource, options: WriteOptions) -> None:
    if not source.repeatable:
        raise InputError(
            f"{options.path}: this format begins with counts, so {source.name} would have to be "
            "read twice, which it cannot be; write Parquet first"
        )


def _vertex_batches(
    source: EdgeSource, options: WriteOptions, n: int, m: int
) -> Generator[Batch, None, None]:
    seen = 0
    dtype = vertex_dtype(n)
    with closed_after(source.open(options.threads)) as batches:
        for batch in batches:
            src, dst = (
                checked(_integers(end, source, batch), n, source, batch).astype(dtype, copy=False)
                for end in (batch.src, batch.dst)
            )
            seen += len(src)
            yield Batch(src, dst, batch.weight, batch.location)
    if seen != m:
        raise InputError(f"{source.name}: has {seen:,} edges instead of the {m:,} it declares")


def _ranked(source: EdgeSource, options: WriteOptions) -> VertexEdges:
    """The ids numbered in their own order; reads the source once for that."""
    _check_repeatable(source, options)
    numbering, m = Numbering(), 0
    with closed_after(source.open(options.threads)) as batches:
        for batch in batches:
            m += len(numbering.number(batch.src, options.threads))
            numbering.number(batch.dst, options.threads)
    order = numbering.in_order(options.threads)[1]
    n = len(order)
    dtype = vertex_dtype(n)
    ranks = np.empty(n, dtype)
    ranks[order] = np.arange(n, dtype=dtype)

    def batches_of_ranks() -> Generator[Batch, None, None]:
        with closed_after(source.open(options.threads)) as batches:
            for batch in batches:
                src, dst = (
                    ranks[numbering.number(end, options.threads)] for end in (batch.src, batch.dst)
                )
                yield Batch(src, dst, batch.weight, batch.location)

    return VertexEdges(n, m, batches_of_ranks)


def _integers(ids: Any, source: EdgeSource, batch: Batch) -> npt.NDArray[Any]:
    kind = getattr(ids, "dtype", getattr(ids, "type", type(ids).__name__))
    if not isinstance(ids, tuple):
        array = np.asarray(ids)
        if array.dtype.kind in "iu":
            return array
    raise InputError(
        f"{source.name}: {batch.location}: ids of type {kind} are not integers; "
        'external_ids="ranks" numbers them 0..n-1'
    )


def checked(ids: npt.NDArray[Any], n: int, source: EdgeSource, batch: Batch) -> npt.NDArray[Any]:
    """The same ids; raises if one of them is not in 0..n-1."""
    if len(ids) and (ids.min() < 0 or ids.max() >= n):
        bad_id = ids[int(np.argmax((ids < 0) | (ids >= n)))]
        raise InputError(
            f"{source.name}: {batch.location}: the id {bad_id} is outside of 0..{n - 1}: the "
            f"source declares {n:,} vertices"
        )
    return ids


def with_isolated(
    batches: Generator[Batch, None, None], n: int, rows: int = 1 << 20
) -> Generator[Batch, None, None]:
    """The batches of a `VertexEdges`, then a loop at each vertex that does not occur in them.

    The weights of these loops are infinite, so that no threshold removes the vertices.
    """
    seen = np.zeros(n, np.bool_)
    weighted = False
    with closing(batches):
        for batch in batches:
            seen[batch.src] = seen[batch.dst] = True
            weighted = batch.weight is not None
            yield batch
    for begin in range(0, n, rows):
        alone = np.flatnonzero(~seen[begin : begin + rows])
        if len(alone):
            loops = (alone + begin).astype(vertex_dtype(n))
            weight = np.full(len(loops), inf) if weighted else None
            yield Batch(loops, loops, weight, "vertices without an edge")
