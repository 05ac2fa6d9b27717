"""All edges of a source in one edge list over 0..n-1, for what needs them at once."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.engines.streaming.batches import agreed_count, batches_of, dropped_note
from skerry.errors import InputError
from skerry.graph.batch_columns import as_integers, location, same_width, selected_edges
from skerry.graph.edge_source import EdgeSource, IdColumn
from skerry.graph.edges import Edges
from skerry.graph.threshold import Threshold
from skerry.ids.numbering import Numbering
from skerry.ids.ranks import ranks_of
from skerry.request import Progress
from skerry.result.plan import PassTime, PhaseTimer


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """All edges of a source."""

    edges: Edges
    ids: Any
    """As in `Joined`: the edges are between positions in them."""
    notes: tuple[str, ...]
    times: tuple[PassTime, ...]


def gather(
    source: EdgeSource,
    *,
    threads: int,
    vertices: IdColumn | None = None,
    threshold: Threshold | None = None,
    num_vertices: int | None = None,
    progress: Progress | None = None,
) -> Gathered:
    """Reads a whole source; arguments as of `JoinRequest`."""
    timer = PhaseTimer()
    external = source.id_kind == "external"
    n = agreed_count(source, num_vertices)
    numbering = Numbering() if external else None
    sides: tuple[list[Any], list[Any]] = ([], [])
    edges = bytes_read = dropped = 0
    with closing(batches_of(source, threads, timer)) as batches:
        for batch in batches:
            bytes_read += batch.consumed
            dropped += batch.dropped
            if batch.only_vertices and numbering is not None:
                _numbers(batch.src, numbering, threads, location(source.name, batch), 0)
                continue
            selected = selected_edges(batch, threshold, source.name)
            with timer.phase("number ids" if external else "gather edges"):
                for side, column in zip(sides, (selected.src, selected.dst), strict=True):
                    name = location(source.name, batch)
                    side.append(_numbers(column, numbering, threads, name, source.first_id))
            edges += len(sides[0][-1])
            if progress is not None:
                progress(edges, bytes_read)
    ids = None
    if numbering is not None:
        if vertices is not None:
            _numbers(vertices, numbering, threads, "vertices", 0)
        with timer.phase("sort ids"):
            ids, order = numbering.take_in_order(threads)
            rank = ranks_of(order)
        n = len(order)
        for side in sides:
            side[:] = [rank[numbers] for numbers in side]
    with timer.phase("gather edges"):
        src, dst = (np.concatenate(side) if side else np.empty(0, np.uint32) for side in sides)
        further = None
        if vertices is not None and not external:
            further = _numbers(vertices, None, threads, "vertices", source.first_id)
        n = _vertex_count(n, src, dst, further, source.first_id)
    notes = (f"{len(src):,} edges were gathered in memory", *dropped_note(dropped))
    return Gathered(Edges(*same_width(src, dst), n), ids, notes, timer.times)


def _vertex_count(
    n: int | None,
    src: npt.NDArray[Any],
    dst: npt.NDArray[Any],
    vertices: npt.NDArray[Any] | None,
    first: int,
) -> int:
    """The number of vertices; further ones must be among those that are stated."""
    highest = _highest(vertices)
    if n is None:
        return max(highest, _highest(src), _highest(dst)) + 1
    if highest >= n:
        raise InputError(
            f"vertices: {highest + first} is not in {first}..{n - 1 + first}, the vertices of the "
            "graph"
        )
    return n


def _highest(ids: npt.NDArray[Any] | None) -> int:
    return -1 if ids is None or not len(ids) else int(ids.max())


def _numbers(
    column: IdColumn, numbering: Numbering | None, threads: int, name: str, first: int
) -> npt.NDArray[Any]:
    if numbering is not None:
        try:
            return numbering.number(column, threads)
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
    ids = as_integers(column, name)
    if ids is None:
        raise InputError(f"{name}: vertex numbers are integers")
    if len(ids) and ids.min() < 0:
        raise InputError(f"{name}: {ids.min() + first} is not a vertex number")
    return ids.copy()  # the memory of a batch may be used again for the next
