"""A stream as one edge list over 0..n-1, for what needs all edges at once."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.engines.streaming.columns import alike, as_integers, where, with_threshold
from skerry.engines.streaming.join import agreed, batches_of
from skerry.errors import InputError
from skerry.graph.edge_source import EdgeSource, IdColumn
from skerry.graph.edges import Edges
from skerry.ids.numbering import Numbering
from skerry.phase_timer import PhaseTimer
from skerry.result.plan import PassTime

__all__ = ["Gathered", "gather"]


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """All edges of a stream."""

    edges: Edges
    ids: Any
    """As in `Folded`: the edges are between their ranks."""
    notes: tuple[str, ...]
    times: tuple[PassTime, ...]


def gather(
    stream: EdgeSource,
    *,
    threads: int,
    vertices: IdColumn | None = None,
    threshold: float | None = None,
    num_vertices: int | None = None,
) -> Gathered:
    """Reads a whole stream; arguments as of `fold`."""
    timer = PhaseTimer()
    names = stream.id_kind == "external"
    n = agreed(stream, num_vertices)
    numbering = Numbering() if names else None
    sides: tuple[list[Any], list[Any]] = ([], [])
    with closing(batches_of(stream, threads, timer)) as batches:
        for batch in batches:
            chosen = with_threshold(batch, threshold, stream.name)
            with timer.phase("number ids" if names else "gather edges"):
                for side, column in zip(sides, (chosen.src, chosen.dst), strict=True):
                    side.append(_numbers(column, numbering, threads, where(stream.name, batch)))
    ids = None
    if numbering is not None:
        if vertices is not None:
            numbering.number(vertices, threads)
        with timer.phase("sort ids"):
            ids, order = numbering.take_in_order(threads)
            rank = np.empty(len(order), np.uint32)
            rank[order] = np.arange(len(order), dtype=np.uint32)
        n = len(order)
        for side in sides:
            side[:] = [rank[numbers] for numbers in side]
    with timer.phase("gather edges"):
        src, dst = (np.concatenate(side) if side else np.empty(0, np.uint32) for side in sides)
        if n is None:
            n = max((int(one.max()) + 1 for one in (src, dst) if len(one)), default=0)
            if vertices is not None and len(vertices):
                n = max(n, int(_numbers(vertices, None, threads, "vertices").max()) + 1)
    note = f"{len(src):,} edges were gathered from a stream"
    return Gathered(Edges(*alike(src, dst), n), ids, (note,), timer.times)


def _numbers(
    column: IdColumn, numbering: Numbering | None, threads: int, place: str
) -> npt.NDArray[Any]:
    if numbering is not None:
        return numbering.number(column, threads)
    ids = as_integers(column, place)
    if ids is None:
        raise InputError(f"{place}: the number of a vertex is an integer")
    if len(ids) and ids.min() < 0:
        raise InputError(f"{place}: {ids.min()} is no vertex")
    return ids.copy()  # a batch's memory may be used again for the next
