"""Reading a source batch by batch, and checking labels against it by reading it again."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from skerry.engines.streaming.columns import selected_edges
from skerry.errors import InputError, UnsupportedError
from skerry.graph.edge_source import Batch, EdgeSource
from skerry.graph.threshold import Threshold
from skerry.ids.id_space import IdSpace
from skerry.phase_timer import PhaseTimer
from skerry.result.verify import Verification
from skerry.result.verify_source import certify_batches

__all__ = ["agreed_count", "batches_of", "verifier"]


def batches_of(
    edges: EdgeSource, threads: int, timer: PhaseTimer | None = None
) -> Generator[Batch, None, None]:
    """The batches of a source; waiting for them is timed, and closing this ends the reading."""
    timer = PhaseTimer() if timer is None else timer
    with timer.phase("wait for edges"):
        batches = edges.open(threads)
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


def agreed_count(edges: EdgeSource, num_vertices: int | None) -> int | None:
    """The number of vertices that the caller or the source states; both must state the same."""
    if num_vertices is not None and edges.id_kind == "external":
        raise InputError(
            f"{edges.name}: num_vertices= is for vertex numbers, but these ids are external; use "
            'vertices= to add some, or ids="vertices"'
        )
    own = edges.num_vertices
    if own is not None and num_vertices is not None and own != num_vertices:
        raise InputError(
            f"{edges.name}: num_vertices={num_vertices:,}, but the graph itself says {own:,}"
        )
    return num_vertices if own is None else own


def _under_ids(batch: Batch, edges: EdgeSource) -> Batch:
    """The batch with the ids of its source, as the result has them: they may count from 1."""
    if edges.id_kind == "external" or not edges.first_id:
        return batch
    src, dst = (column.astype(np.int64) + edges.first_id for column in (batch.src, batch.dst))
    return replace(batch, src=src, dst=dst)


def verifier(
    edges: EdgeSource, ids: IdSpace, threads: int, threshold: Threshold | None
) -> Callable[[npt.NDArray[Any]], Verification]:
    """A function that checks labels against a source, by reading it again."""

    def selected() -> Iterator[Batch]:
        with closing(batches_of(edges, threads)) as batches:
            for batch in batches:
                yield _under_ids(selected_edges(batch, threshold, edges.name), edges)

    def check(labels: npt.NDArray[Any]) -> Verification:
        if not edges.repeatable:
            raise UnsupportedError(
                f"{edges.name} was used up by reading it: an answer can be checked only where the "
                "edges can be read again"
            )
        return certify_batches(selected(), ids, labels)

    return check
