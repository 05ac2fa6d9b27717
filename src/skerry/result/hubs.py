"""The ids of a component that have the most edges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from skerry.errors import InputError
from skerry.result.answer import Answer
from skerry.result.forest import CHANGED_SINCE, EdgeBatch


class Hub(NamedTuple):
    """An id and its number of edges. Immutable; threads may share it."""

    id: Any
    """A vertex, or its id where the graph has external ids."""
    edges: int
    """Rows of the input that it is an end of, without loops."""


def hubs_of(answer: Answer, batches: Iterable[EdgeBatch], component: int, k: int) -> list[Hub]:
    """See `Components.hubs`."""
    count: Any = k  # not of its type where the caller is not type-checked
    if not isinstance(count, int | np.integer) or count < 0:
        raise InputError(f"k must be an integer, 0 or more, got {k!r}")
    degrees = np.zeros(answer.num_vertices, np.int64)
    for batch in batches:
        proper = batch.src != batch.dst
        try:
            for end in (batch.src, batch.dst):
                vertices, counts = np.unique(end[proper], return_counts=True)
                degrees[vertices] += counts
        except IndexError:
            raise InputError(CHANGED_SINCE) from None
    members = np.flatnonzero(answer._dense[0] == component)
    members = members[degrees[members] > 0]
    chosen = members[np.argsort(-degrees[members], kind="stable")[:k]]
    ids = answer._ids.objects(chosen)
    return list(map(Hub, ids, degrees[chosen].tolist()))
