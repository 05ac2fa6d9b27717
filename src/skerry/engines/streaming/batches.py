"""Reading a source batch by batch, and checking labels against it by reading it again."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from typing import Any

import numpy.typing as npt

from skerry.errors import InputError, UnsupportedError
from skerry.graph.batch_columns import selected_edges
from skerry.graph.edge_source import Batch, EdgeSource, IdColumn, ReadPosition, closed_after
from skerry.graph.threshold import Threshold
from skerry.ids.id_space import IdSpace
from skerry.inputs.arrays import agree
from skerry.result.plan import PhaseTimer
from skerry.result.verify import AS_IS, Shown, Verification
from skerry.result.verify_source import BatchCheck, certify_batches


def batches_of(
    edges: EdgeSource,
    threads: int,
    timer: PhaseTimer | None = None,
    position: ReadPosition | None = None,
) -> Generator[Batch, None, None]:
    """The batches of a source; waiting for them is timed, and closing this ends the reading.

    With a position, the batches behind it, which say where the next begins.
    """
    timer = PhaseTimer() if timer is None else timer
    with timer.phase("wait for edges"):
        if position is None or edges.open_at is None:
            batches = edges.open(threads)
        else:
            batches = edges.open_at(threads, position)
    with closed_after(batches):
        while True:
            with timer.phase("wait for edges"):
                batch = next(batches, None)
            if batch is None:
                return
            yield batch
            del batch  # not held while the next is waited for


def agreed_count(edges: EdgeSource, num_vertices: int | None) -> int | None:
    """The number of vertices that the caller or the source states; both must state the same."""
    if num_vertices is not None and edges.id_kind == "external":
        raise InputError(
            f"{edges.name}: num_vertices= is for vertex numbers, but these ids are external: leave "
            'it out; vertices= adds ids without an edge. If the ids are 0..n-1: ids="vertices"'
        )
    own = edges.num_vertices
    return num_vertices if own is None else agree(num_vertices, own, f"{edges.name}: ")


def dropped_note(edges: int) -> tuple[str, ...]:
    """A note about edges that were left out, if there are any."""
    if not edges:
        return ()
    return (f"left out: {edges:,} {'edge' if edges == 1 else 'edges'} with a null",)


def verifier(
    edges: EdgeSource,
    ids: IdSpace,
    threads: int,
    threshold: Threshold | None,
    vertices: IdColumn | None = None,
    only_used_ids: bool = False,
    shown: Shown = AS_IS,
) -> Callable[[npt.NDArray[Any]], Verification]:
    """A function that checks labels against a source, by reading it again.

    ``only_used_ids``: ids that are in no edge and not among ``vertices`` are wrong.
    """

    def select(batch: Batch) -> Batch:
        return selected_edges(batch, threshold, edges.name)

    def check(labels: npt.NDArray[Any]) -> Verification:
        if not edges.repeatable:
            raise UnsupportedError(
                f"{edges.name} was used up by reading it: an answer can be checked only where the "
                "edges can be read again"
            )
        how = BatchCheck(
            threads,
            max(1, threads // 2) if edges.decoded else threads,
            None if threshold is None else select,
            edges.first_id,
            vertices,
            only_used_ids,
            shown,
        )
        with closing(batches_of(edges, threads)) as batches:
            return certify_batches(batches, ids, labels, how)

    return check
