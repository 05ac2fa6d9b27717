"""A stream of edges as pairs of vertex numbers, for formats that know nothing else."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.formats.writers.graph import WriteOptions
from skerry.graph.edge_source import Batch, EdgeSource
from skerry.graph.edges import vertex_dtype

__all__ = ["Numbered", "as_numbers", "checked", "opened", "with_isolated"]

MOST_VERTICES = 2**48
"""More cannot be the number of vertices of a graph, but ids that are hashes look like it."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """Edges between vertices 0..n-1, in batches."""

    num_vertices: int
    num_edges: int
    batches: Callable[[], Generator[Batch, None, None]]
    """Ids are of type `vertex_dtype(num_vertices)`, all of them in range."""


def opened(stream: EdgeSource, threads: int) -> Any:
    """The batches of a stream, to be used in a ``with`` that ends the reading."""
    batches = stream.open(threads)
    return closing(batches if hasattr(batches, "close") else (batch for batch in batches))


def as_numbers(stream: EdgeSource, options: WriteOptions) -> Numbered:
    """The edges as pairs of vertex numbers; counts what the stream does not say beforehand."""
    if stream.id_kind == "external":
        if options.names == "refused":
            raise InputError(
                f"{options.path}: this format numbers its vertices 0..n-1, but the ids of "
                f'{stream.name} are names. names="ranks" (0..n-1 in their order) or '
                'names="numbers" (integers as they are; those that do not occur become vertices '
                "without an edge) says what they shall become; Parquet, Arrow and CSV keep them"
            )
        if options.names == "ranks":
            return _ranked(stream, options)
    n, m = stream.num_vertices, stream.num_edges
    if n is None or m is None:
        n, m = _counted(stream, options)
    return Numbered(n, m, lambda: _numbers(stream, options, n, m))


def _counted(stream: EdgeSource, options: WriteOptions) -> tuple[int, int]:
    """Reads the stream once for the number of its vertices and edges."""
    _check_repeatable(stream, options)
    high, m = -1, 0
    with opened(stream, options.threads) as batches:
        for batch in batches:
            for ids in (_integers(batch.src, stream, batch), _integers(batch.dst, stream, batch)):
                if len(ids):
                    if ids.min() < 0:
                        raise InputError(f"{stream.name}: {batch.place}: an id is negative")
                    high = max(high, int(ids.max()))
            m += len(batch.src)
    n = high + 1 if stream.num_vertices is None else stream.num_vertices
    if n > MOST_VERTICES:
        raise InputError(
            f'{stream.name}: the largest id is {high}: such ids are no numbers; names="ranks" '
            "numbers them 0..n-1"
        )
    return n, m


def _check_repeatable(stream: EdgeSource, options: WriteOptions) -> None:
    if not stream.repeatable:
        raise InputError(
            f"{options.path}: this format begins with counts, so {stream.name} must be read twice, "
            "which it cannot be; write Parquet first"
        )


def _numbers(
    stream: EdgeSource, options: WriteOptions, n: int, m: int
) -> Generator[Batch, None, None]:
    seen = 0
    dtype = vertex_dtype(n)
    with opened(stream, options.threads) as batches:
        for batch in batches:
            src, dst = (
                checked(_integers(end, stream, batch), n, stream, batch).astype(dtype, copy=False)
                for end in (batch.src, batch.dst)
            )
            seen += len(src)
            yield Batch(src, dst, batch.weight, batch.place)
    if seen != m:
        raise InputError(f"{stream.name}: said that it has {m:,} edges, but gave {seen:,}")


def _ranked(stream: EdgeSource, options: WriteOptions) -> Numbered:
    """The ids numbered in their own order; reads the stream once for that."""
    from skerry.ids.numbering import Numbering

    _check_repeatable(stream, options)
    numbering, m = Numbering(), 0
    with opened(stream, options.threads) as batches:
        for batch in batches:
            m += len(numbering.number(batch.src, options.threads))
            numbering.number(batch.dst, options.threads)
    order = numbering.in_order(options.threads)[1]
    n = len(order)
    dtype = vertex_dtype(n)
    ranks = np.empty(n, dtype)
    ranks[order] = np.arange(n, dtype=dtype)

    def batches_of_ranks() -> Generator[Batch, None, None]:
        with opened(stream, options.threads) as batches:
            for batch in batches:
                src, dst = (
                    ranks[numbering.number(end, options.threads)] for end in (batch.src, batch.dst)
                )
                yield Batch(src, dst, batch.weight, batch.place)

    return Numbered(n, m, batches_of_ranks)


def _integers(ids: Any, stream: EdgeSource, batch: Batch) -> npt.NDArray[Any]:
    kind = getattr(ids, "dtype", getattr(ids, "type", type(ids).__name__))
    if not isinstance(ids, tuple):
        array = np.asarray(ids)
        if array.dtype.kind in "iu":
            return array
    raise InputError(
        f'{stream.name}: {batch.place}: ids of type {kind} are no numbers; names="ranks" numbers '
        "them 0..n-1"
    )


def checked(ids: npt.NDArray[Any], n: int, stream: EdgeSource, batch: Batch) -> npt.NDArray[Any]:
    """The same ids; raises if one of them is not in 0..n-1."""
    if len(ids) and (ids.min() < 0 or ids.max() >= n):
        wrong = ids[int(np.argmax((ids < 0) | (ids >= n)))]
        raise InputError(
            f"{stream.name}: {batch.place}: the id {wrong} is outside of 0..{n - 1}, the {n:,} "
            "vertices that it promises"
        )
    return ids


def with_isolated(
    batches: Generator[Batch, None, None], n: int, rows: int = 1 << 20
) -> Generator[Batch, None, None]:
    """The batches of a `Numbered`, then a loop at each vertex that did not occur.

    Their weights are infinite, so that no threshold removes the vertices.
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
