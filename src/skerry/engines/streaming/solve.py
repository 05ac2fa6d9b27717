"""Components of a stream of edges: folded as they come or, where an algorithm or a GPU is asked
for, numbered and gathered first, so that whatever runs on an edge list runs on a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.engines.memory import Progress
from skerry.engines.streaming.columns import with_threshold
from skerry.engines.streaming.join import Folded, batches_of, fold
from skerry.errors import InputError, UnsupportedError
from skerry.graph.edge_source import Batch, EdgeSource, IdColumn
from skerry.ids.sorted_ids import SortedIds
from skerry.result.components import Components, LabelKind
from skerry.result.components_named import NamedComponents
from skerry.result.plan import Plan
from skerry.result.verify import Verification

__all__ = ["StreamWish", "components_of_stream"]

REASON = "edges are joined as they come; none is kept"


@dataclass(frozen=True, slots=True)
class StreamWish:
    """What the caller says about a stream beside its edges."""

    num_vertices: int | None
    vertices: IdColumn | None
    threshold: float | None
    labels: LabelKind
    dtype: np.dtype[Any] | None
    id_names: tuple[str, ...] = ("id",)
    limit: int | None = None
    progress: Progress | None = None


def components_of_stream(stream: EdgeSource, threads: int, wish: StreamWish) -> Components:
    """Folds a stream and gives the answer under its ids."""
    folded = fold(
        stream,
        threads=threads,
        vertices=wish.vertices,
        threshold=wish.threshold,
        num_vertices=wish.num_vertices,
        limit=wish.limit,
        progress=wish.progress,
    )
    labels = _typed(folded.labels, wish.dtype)
    plan = _plan(folded, threads)
    ids = None if folded.ids is None else SortedIds(folded.ids, wish.id_names)
    check = checker(stream, ids, threads, wish.threshold)
    arguments = (labels, wish.labels, lambda: plan, check, threads)
    return Components(*arguments) if ids is None else NamedComponents(ids, *arguments)


def checker(
    stream: EdgeSource, ids: SortedIds | None, threads: int, threshold: float | None
) -> Callable[[npt.NDArray[Any]], Verification]:
    """What checks labels against the stream, by reading it again."""

    def edges() -> Iterator[Batch]:
        with closing(batches_of(stream, threads)) as batches:
            for batch in batches:
                yield with_threshold(batch, threshold, stream.name)

    def check(labels: npt.NDArray[Any]) -> Verification:
        from skerry.result.verify_stream import verify_stream

        if not stream.repeatable:
            raise UnsupportedError(
                f"{stream.name} was used up by reading it: an answer can be checked only where the "
                "edges can be read again"
            )
        return verify_stream(edges(), ids, labels)

    return check


def _typed(labels: npt.NDArray[Any], dtype: np.dtype[Any] | None) -> npt.NDArray[Any]:
    if dtype is None or dtype == labels.dtype:
        return labels
    if dtype.itemsize < labels.itemsize:
        raise InputError(f"{len(labels):,} vertices do not fit into {dtype} labels")
    return labels.astype(dtype)


def _plan(folded: Folded, threads: int) -> Plan:
    return Plan(
        algorithm="stream",
        device="cpu",
        threads=threads,
        reason=REASON,
        form="batches",
        vertices=len(folded.labels),
        edges=folded.edges,
        passes=folded.times,
        notes=folded.notes,
    )
