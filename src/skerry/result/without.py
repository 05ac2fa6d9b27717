"""A result again, without some ids or rows of the input."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.graph.edges import Edges
from skerry.ids.external import External
from skerry.ids.id_space import IdSpace
from skerry.result.answer import Answer
from skerry.result.explained import read_edges
from skerry.result.forest import CHANGED_SINCE, EdgeBatch, ReadEdges
from skerry.result.plan import PassTime, Plan
from skerry.result.verify import Verification, certify

Mask = npt.NDArray[np.bool_]


class Remaining:
    """The edges of an answer that are left without some vertices and rows.

    Parameters
    ----------
    answer
        Of all edges.
    ids
        Ids to leave out; None: none.
    rows
        Rows of the input to leave out, counted from 0; None: none.
    """

    def __init__(self, answer: Answer, ids: Any, rows: Any) -> None:
        self._answer = answer
        self.gone: Mask = np.zeros(answer.num_vertices, np.bool_)
        if ids is not None:
            self.gone[np.atleast_1d(answer._ids.lookup(ids))] = True
        numbers: npt.NDArray[Any] = np.unique(np.asarray([] if rows is None else rows, object))
        if len(numbers) and not all(isinstance(row, int | np.integer) for row in numbers):
            raise InputError(f"rows are integers, got {rows!r}")
        self.rows = numbers.astype(np.int64)
        self.is_external = isinstance(answer._ids, External)
        """Whether ids that are left out are none of the result; vertex numbers stay, alone."""
        kept = ~self.gone if self.is_external else np.ones_like(self.gone)
        self.kept = np.flatnonzero(kept)
        self._ranks = np.cumsum(kept) - 1

    @property
    def ids(self) -> IdSpace:
        """The ids that are left."""
        own = self._answer._ids
        if not self.is_external or not self.gone.any():
            return own
        return External(own.column(self.kept), own.names)

    def __call__(self) -> Iterator[EdgeBatch]:
        """Reads the edges that are left."""
        for batch in read_edges(self._answer, "without()"):
            rows = np.arange(len(batch.src)) if batch.rows is None else batch.rows
            try:
                left = ~(self.gone[batch.src] | self.gone[batch.dst])
            except IndexError:
                raise InputError(CHANGED_SINCE) from None
            left &= ~np.isin(rows + batch.first, self.rows)
            src, dst = (self._ranks[end[left]].astype(end.dtype) for end in (batch.src, batch.dst))
            weight = None if batch.weight is None else batch.weight[left]
            yield batch._replace(src=src, dst=dst, rows=rows[left], weight=weight)

    def labels(self, threads: int) -> tuple[npt.NDArray[Any], int]:
        """The smallest member of the component of each vertex that is left; the number of edges."""
        count = len(self.kept)
        parent = np.arange(count, dtype=self._answer._smallest.dtype)
        forest, edges = _native.OpenForest(), 0
        forest.reset(count, 0)
        forest.open(parent)
        for batch in self():
            forest.join(batch.src, batch.dst, count, threads, False, False)
            edges += len(batch.src)
        forest.close()
        _native.flatten(parent, threads)
        return parent, edges

    def verify(self, labels: npt.NDArray[Any]) -> Verification:
        """Checks labels against the edges that are left."""
        batches = list(self())
        none = [np.empty(0, labels.dtype)]
        src, dst = (
            np.concatenate([*(batch[end] for batch in batches), *none]).astype(labels.dtype)
            for end in (0, 1)
        )
        return certify(Edges(src, dst, len(labels)), labels)


def solved_without(
    answer: Answer, ids: Any, rows: Any
) -> tuple[npt.NDArray[Any], IdSpace, Plan, ReadEdges, Callable[[Any], Verification]]:
    """The labels and ids that are left, the plan, the edges, and what checks labels."""
    begin, remaining = perf_counter(), Remaining(answer, ids, rows)
    labels, edges = remaining.labels(max(answer._threads, 1))
    gone = int(np.count_nonzero(remaining.gone))
    plan = replace(
        answer.plan,
        vertices=len(labels),
        edges=edges,
        passes=(PassTime("solve again", perf_counter() - begin),),
        notes=(f"without {gone:,} ids and {len(remaining.rows):,} rows that were named",),
    )
    return labels, remaining.ids, plan, remaining, remaining.verify
