"""From a stream of edges to labels: reads its batches, filters them by weight, and joins them.

Readers of files decode the next batches in threads of their own (see formats/prefetch.py); here
each batch is joined as it comes and let go.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from typing import Any, cast

import numpy.typing as npt

from skerry.engines.memory import Progress
from skerry.engines.streaming.columns import length, where, with_threshold
from skerry.engines.streaming.external_ids import NameFold
from skerry.engines.streaming.memory_limit import Limit
from skerry.engines.streaming.vertex_ids import VertexFold
from skerry.errors import InputError
from skerry.graph.edge_source import Batch, EdgeSource, IdColumn
from skerry.phase_timer import PhaseTimer
from skerry.result.plan import PassTime

__all__ = ["Folded", "agreed", "batches_of", "fold"]


@dataclass(frozen=True, slots=True, eq=False)
class Folded:
    """What a stream of edges came to."""

    labels: npt.NDArray[Any]
    """For every vertex, the smallest in its component; vertices are ranks of ``ids``, if any."""
    ids: Any
    """The distinct ids in ascending order: an Arrow array, or a tuple of them; None for vertices
    that are numbers."""
    edges: int
    """How many were joined; those below the threshold are not counted."""
    notes: tuple[str, ...]
    times: tuple[PassTime, ...]


def fold(
    stream: EdgeSource,
    *,
    threads: int,
    vertices: IdColumn | None = None,
    threshold: float | None = None,
    num_vertices: int | None = None,
    limit: int | None = None,
    progress: Progress | None = None,
) -> Folded:
    """Folds all edges of a stream.

    ``vertices`` are ids that are in the graph whether or not they have an edge. ``threshold``
    leaves out edges of a smaller weight. ``limit`` is a bound on the bytes of the forest and the
    table of ids; what would break it is refused by `MemoryError` before it is allocated.
    """
    timer, bound = PhaseTimer(), Limit(limit)
    into: VertexFold | NameFold
    most = agreed(stream, num_vertices)
    if stream.id_kind == "vertices":
        into = VertexFold(most, stream.first_id, threads, bound, timer)
    else:
        into = NameFold(threads, bound, timer)
    edges = read = 0
    if stream.decoded:
        into.threads = max(1, threads // 2)
    with closing(batches_of(stream, threads, timer)) as batches:
        for batch in batches:
            read += batch.consumed
            chosen = with_threshold(batch, threshold, stream.name)
            if length(chosen.src) != length(chosen.dst):
                raise InputError(
                    f"{where(stream.name, batch)}: {length(chosen.src):,} sources and "
                    f"{length(chosen.dst):,} targets: an edge needs one of each"
                )
            into.add(chosen.src, chosen.dst, where(stream.name, batch))
            edges += length(chosen.src)
            if progress is not None:
                progress(edges, read)
    into.threads = threads
    if vertices is not None:  # after the edges, whose type of ids the answer has
        into.add_ids(vertices, "vertices")
    notes: tuple[str, ...] = ()
    if isinstance(into, NameFold):
        how = "numbered" if into.numbered else "few gaps among them: taken as numbers"
        notes = (f"ids are names: {how}",)
    ids, labels = into.finish()
    return Folded(labels, ids, edges, notes, timer.times)


def batches_of(
    stream: EdgeSource, threads: int, timer: PhaseTimer | None = None
) -> Generator[Batch, None, None]:
    """The batches of a stream; waiting for them is timed, and closing this ends the reading."""
    timer = PhaseTimer() if timer is None else timer
    with timer.phase("wait for edges"):
        batches = stream.open(threads)
    try:
        while True:
            with timer.phase("wait for edges"):
                batch = next(batches, None)
            if batch is None:
                return
            yield batch
            del batch  # not held while the next is waited for
    finally:
        close = cast(Any, getattr(batches, "close", None))
        if close is not None:
            close()


def agreed(stream: EdgeSource, given: int | None) -> int | None:
    """The number of vertices that the caller or the source says; both must say the same."""
    if given is not None and stream.id_kind == "external":
        raise InputError(
            f"{stream.name}: num_vertices= is for vertices that are numbers, but these ids are "
            'names; say vertices= to add some, or ids="vertices"'
        )
    own = stream.num_vertices
    if own is not None and given is not None and own != given:
        raise InputError(
            f"{stream.name}: num_vertices={given:,}, but the graph itself says {own:,}"
        )
    return given if own is None else own
