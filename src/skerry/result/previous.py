"""An earlier answer that another begins with, or is named after."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.graph.edges import vertex_dtype
from skerry.graph.vertex_ids import as_ids
from skerry.ids.external import External
from skerry.ids.id_space import Counted, IdSpace, counted_from
from skerry.ids.merging import merged_places
from skerry.result.names import Names, default_names

DENSE_FROM, DENSE_RATIO = 1 << 24, 32
"""As for arrays of edges: larger integers, for so few ids, are no vertex numbers."""


class Previous:
    """Sets that are joined already, and what they are called.

    Parameters
    ----------
    labels
        For every vertex the smallest of its set.
    ids
        External ids, ascending, in the order of the labels; None for vertex numbers.
    first_id
        What the earlier input called vertex 0.
    names
        The names of the sets, in the order of their first vertices. By default the smallest ids.
    of_table
        Whether integer ids may also be vertex numbers: a table does not say it.
    dense
        As the property, where it is known.
    """

    def __init__(
        self,
        labels: npt.NDArray[Any],
        ids: IdSpace | None = None,
        first_id: int = 0,
        names: Callable[[], Names] | None = None,
        of_table: bool = False,
        dense: Callable[[], tuple[npt.NDArray[Any], int]] | None = None,
    ) -> None:
        self.labels = labels
        self.ids = ids
        self.first_id = first_id
        self._names = names
        self.of_table = of_table
        self._dense = dense

    @property
    def id_space(self) -> IdSpace:
        """The ids, also of vertex numbers."""
        return counted_from(self.first_id, len(self.labels)) if self.ids is None else self.ids

    @cached_property
    def dense(self) -> tuple[npt.NDArray[Any], int]:
        """The number of the set of every vertex, and how many sets there are."""
        if self._dense is not None:
            return self._dense()
        dense = np.empty_like(self.labels)
        return dense, _native.make_dense(self.labels, dense, 1)

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """The number of vertices of each set."""
        dense, count = self.dense
        signed = dense.view(np.int64) if dense.itemsize == 8 else dense  # as bincount wants it
        return np.bincount(signed, minlength=count)

    @cached_property
    def roots(self) -> npt.NDArray[np.int64]:
        """The smallest vertex of each set."""
        return np.flatnonzero(self.labels == np.arange(len(self.labels), dtype=self.labels.dtype))

    @cached_property
    def names(self) -> Names:
        """The names of the sets."""
        if self._names is not None:
            return self._names()
        return default_names(self.id_space, self.labels, self.dense[1], False)

    def edges(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Pairs of positions that join the sets: each member and the smallest, if it is another."""
        members = np.flatnonzero(
            self.labels != np.arange(len(self.labels), dtype=self.labels.dtype)
        )
        return members, self.labels[members].astype(np.int64)

    def positions_in(self, ids: IdSpace, threads: int) -> npt.NDArray[np.int64]:
        """The position of every earlier id in other ids; -1 where it is not one of them."""
        own = self.id_space
        count = len(own)
        if own is ids:
            return np.arange(count)
        if isinstance(own, Counted) and isinstance(ids, Counted):
            shift = (own[0] if count else 0) - (ids[0] if len(ids) else 0)
            positions = np.arange(count) + shift
            return np.where((positions >= 0) & (positions < len(ids)), positions, -1)
        placed = None
        if isinstance(own, External) and isinstance(ids, External):
            placed = merged_places(own.columns, ids.columns, threads)
        if placed is not None:  # both ascend
            of_own, of_ids, total = placed
            positions = np.full(total, -1, np.int64)
            positions[of_ids] = np.arange(len(ids))
            return positions[of_own]
        try:
            return ids.positions(own.column(np.arange(count)))
        except InputError as error:
            raise InputError(f"previous: its ids are of another type: {error}") from None


def of_labels(labels: Any, origin: str = "previous") -> Previous:
    """Labels of vertex numbers, whose values are the names."""
    values = as_ids(labels, origin)
    canonical = canonical_labels(values, 1, origin)

    def names() -> Names:
        roots = np.flatnonzero(canonical == np.arange(len(canonical), dtype=canonical.dtype))
        return Names(np.asarray(values)[roots], np.zeros(len(roots), np.int32))

    return Previous(canonical, names=names)


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


def fitting(previous: Previous, external: bool, first_id: int = 0) -> Previous:
    """The previous answer for ids of this kind; raises if they are of another."""
    if external and previous.ids is None:
        raise InputError(
            "previous: this graph has external ids, so what came before must say its ids: pass the "
            "Components, not its labels"
        )
    if not external and previous.ids is not None:
        return _as_vertices(previous, first_id)
    if not external and previous.first_id != first_id and len(previous.labels):
        raise InputError(
            f"previous: it counts its vertices from {previous.first_id}, this graph from {first_id}"
        )
    return previous


def _as_vertices(previous: Previous, first_id: int) -> Previous:
    """The ids of a table as vertex numbers; vertices that are not in it are alone."""
    ids = previous.ids
    if ids is None or not (previous.of_table and ids.are_integers):
        raise InputError("previous: it has external ids, and this graph vertex numbers")
    numbers = ids.column(np.arange(len(ids)))
    low, high = (int(numbers.min()), int(numbers.max())) if len(numbers) else (first_id, -1)
    if low < first_id:
        raise InputError(f"previous: {low} is not a vertex number: they begin with {first_id}")
    if high >= max(DENSE_FROM, DENSE_RATIO * len(numbers)):
        raise InputError(
            f"previous: {high} is too large for a number among {len(numbers):,} vertices; pass "
            'ids="external" for both runs'
        )
    positions = numbers.astype(np.int64) - first_id
    count = high + 1 - first_id
    labels = np.arange(count, dtype=vertex_dtype(count))
    labels[positions] = positions[previous.labels]
    return Previous(canonical_labels(labels, 1), None, first_id)
