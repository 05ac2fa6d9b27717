"""What every answer of a result is derived from: labels, ids, and how they came to be."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.ids.id_space import Counted, IdSpace
from skerry.result.forest import ReadEdges, RecordedForest
from skerry.result.names import Names, default_names
from skerry.result.plan import Plan
from skerry.result.previous import Previous
from skerry.result.verify import Verification

LabelKind = Literal["min", "dense"]
Labels = npt.NDArray[Any]
"""Integers of 32 or 64 bits."""


class Answer:
    """The labels of a graph, complete when it is constructed."""

    def __init__(
        self,
        smallest: Labels,
        ids: IdSpace,
        kind: LabelKind,
        plan: Callable[[], Plan],
        verify: Callable[[Any], Verification] | None,
        threads: int,
        dtype: np.dtype[Any] | None = None,
        edges: ReadEdges | None = None,
        forest: RecordedForest | None = None,
        names: Callable[[], Names] | None = None,
    ) -> None:
        self._smallest = smallest  # unsigned, as kernels read them
        self._ids = ids
        self._kind = kind
        self._make_plan = plan
        self._verify = verify
        self._threads = threads
        self._dtype = dtype
        self._edges = edges
        self._forest = forest
        self._make_names = names
        self._protect()

    def _protect(self) -> None:
        """Makes the labels read-only: all answers are derived from them."""
        self._smallest.setflags(write=False)

    @cached_property
    def plan(self) -> Plan:
        """What ran, where, why, and how long it took."""
        return self._make_plan()

    @cached_property
    def count(self) -> int:
        """Number of components; an isolated vertex is one."""
        if self._kind == "dense":
            return self._dense[1]
        return _native.count_components(self._smallest, self._threads)

    @property
    def labels(self) -> Labels:
        """The label of every vertex, read-only.

        The smallest vertex of its component, or with ``labels="dense"`` a number in
        ``0..count-1`` in order of first appearance.
        """
        if self._dtype is not None:
            return self._typed_labels
        return self._dense[0] if self._kind == "dense" else self._smallest

    @cached_property
    def _typed_labels(self) -> Labels:
        labels: Labels = self._typed(self._dense[0] if self._kind == "dense" else self._smallest)
        return labels

    def _typed(self, vertices: Any) -> Any:
        """Labels or vertices in the type that the caller asked for: signed ones are a view."""
        return vertices if self._dtype is None else vertices.view(self._dtype)

    @cached_property
    def _dense(self) -> tuple[Labels, int]:
        dense = np.empty_like(self._smallest)
        count = _native.make_dense(self._smallest, dense, self._threads)
        dense.setflags(write=False)
        return dense, count

    @cached_property
    def _names(self) -> Names:
        """What the components are called, in the order of their smallest members."""
        if self._make_names is not None:
            return self._make_names()
        smallest = self._to_host(self._smallest)
        return default_names(self._ids, smallest, self.count, self._kind == "dense")

    @cached_property
    def _as_previous(self) -> Previous:
        """What another answer goes on from."""
        ids, counts = self._ids, isinstance(self._ids, Counted)
        return Previous(
            self._to_host(self._smallest),
            None if counts else ids,
            ids[0] if counts and len(ids) else 0,
            lambda: self._names,
            dense=lambda: (self._to_host(self._dense[0]), self._dense[1]),
        )

    @property
    def _are_numbered(self) -> bool:
        """Whether tables are made from the numbers of components, not from smallest members."""
        return self._kind == "dense" or self._make_names is not None

    @property
    def num_vertices(self) -> int:
        """Number of vertices, isolated ones included."""
        return len(self._smallest)

    @property
    def ids(self) -> Any:
        """The ids of the vertices, ascending; None where they are 0..n-1.

        A NumPy array of integers, otherwise an Arrow array; a tuple of those for ids of several
        columns. The vertices of ``labels`` are positions in it. Files that count their vertices
        from 1 have the ids 1..n.
        """
        return self._ids.columns

    def sizes(self) -> npt.NDArray[np.int64]:
        """Size of every component, in order of their smallest member.

        Returns
        -------
        numpy.ndarray
            ``count`` integers.
        """
        dense, count = self._dense
        signed = dense.view(np.int64) if dense.itemsize == 8 else dense  # as bincount wants it
        return np.bincount(signed, minlength=count).astype(np.int64, copy=False)

    def _to_host(self, array: Any) -> npt.NDArray[Any]:
        return array  # type: ignore[no-any-return]
