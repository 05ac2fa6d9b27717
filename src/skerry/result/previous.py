"""An answer that another begins with: ``previous=`` of `skerry.connected_components`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.graph.edges import vertex_dtype
from skerry.graph.vertex_ids import as_ids
from skerry.ids.id_space import Counted, IdSpace
from skerry.result.components import Components


class Previous(NamedTuple):
    """Sets that are joined already."""

    labels: npt.NDArray[Any]
    """For every vertex the smallest of its set."""
    ids: IdSpace | None = None
    """External ids, in the order of the labels; None for vertex numbers."""
    first_id: int = 0
    """What the earlier input called vertex 0."""

    def edges(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Pairs of positions that join the sets: each member and the smallest, if it is another."""
        members = np.flatnonzero(
            self.labels != np.arange(len(self.labels), dtype=self.labels.dtype)
        )
        return members, self.labels[members].astype(np.int64)


def read_previous(previous: Any) -> Previous:
    """A result, sets, or an array of labels of vertex numbers, as a caller gave it.

    Raises
    ------
    InputError
        If it is neither a result nor an array of integers in one dimension.
    """
    sets = getattr(previous, "components", None)
    if callable(sets):  # a UnionFind
        previous = sets()
    if not isinstance(previous, Components):
        return Previous(canonical_labels(previous, 1, "previous"))
    labels = previous._to_host(previous._smallest)
    ids = previous._ids
    if isinstance(ids, Counted):
        return Previous(labels, None, ids[0])
    return Previous(labels, ids)


def canonical_labels(labels: Any, threads: int, name: str = "labels") -> npt.NDArray[Any]:
    """Labels of any integers as an array of the smallest members: always a new one.

    Raises
    ------
    InputError
        If they are not integers in one dimension.
    """
    values = as_ids(labels, name)
    n = len(values)
    if n and (values.min() < 0 or values.max() >= n):
        values = np.unique(values, return_inverse=True)[1].reshape(-1)
    canonical = values.astype(vertex_dtype(n))
    _native.make_canonical(canonical, threads)
    return canonical


def check_kind(previous: Previous, external: bool, first_id: int = 0) -> None:
    """Raises if ids of a previous answer and of this graph are not of one kind."""
    if external and previous.ids is None:
        raise InputError(
            "previous: this graph has external ids, so what came before must say its ids: pass the "
            "Components, not its labels"
        )
    if not external and previous.ids is not None:
        raise InputError("previous: it has external ids, and this graph vertex numbers")
    if not external and previous.first_id != first_id and len(previous.labels):
        raise InputError(
            f"previous: it counts its vertices from {previous.first_id}, this graph from {first_id}"
        )
